package io.sluice.server.command;

import java.util.Locale;

/** What the whole server is in, as far as it decides whether a command may run. Owned by the event loop. */
public final class ServerState {
    /** Who may do what is protected, such as {@code DEBUG}. */
    public enum ProtectedAccess {
        NO,
        /** From loopback and unix sockets only. */
        LOCAL,
        YES;

        static ProtectedAccess of(String setting) {
            return valueOf(setting.toUpperCase(Locale.ROOT));
        }

        /** @param local whether the client is on this machine */
        boolean allows(boolean local) {
            return this == YES || this == LOCAL && local;
        }
    }

    /** No reply is larger, whatever the settings say: while it is made it has to be copied as it grows. */
    private static final int REPLY_BYTES_MAX = 64 << 20;

    private boolean loading = true;
    private boolean replica;
    private boolean readOnly;
    private boolean primaryMissing;
    private boolean tooFewReplicas;
    private ProtectedAccess debugAccess = ProtectedAccess.NO;
    private long transactionBytesMax = 64L << 20;
    private int replyBytesMax = REPLY_BYTES_MAX;

    /** True until the keyspace is there. */
    public boolean isLoading() {
        return loading;
    }

    public void loading(boolean value) {
        loading = value;
    }

    /** Whether this server follows a primary. */
    public boolean isReplica() {
        return replica;
    }

    public void replica(boolean value) {
        replica = value;
    }

    /** Whether clients may not write, as on a replica. */
    public boolean isReadOnly() {
        return readOnly;
    }

    public void readOnly(boolean value) {
        readOnly = value;
    }

    /** Whether this is a replica that has lost its primary and must not show what it holds. */
    public boolean isPrimaryMissing() {
        return primaryMissing;
    }

    public void primaryMissing(boolean value) {
        primaryMissing = value;
    }

    /** Whether too few replicas would get to know of a write. */
    public boolean hasTooFewReplicas() {
        return tooFewReplicas;
    }

    public void tooFewReplicas(boolean value) {
        tooFewReplicas = value;
    }

    public void debugAccess(ProtectedAccess value) {
        debugAccess = value;
    }

    boolean mayDebug(boolean local) {
        return debugAccess.allows(local);
    }

    /** Most bytes that one client may queue between MULTI and EXEC. */
    public long transactionBytesMax() {
        return transactionBytesMax;
    }

    public void transactionBytesMax(long value) {
        transactionBytesMax = value;
    }

    /** Most bytes of replies that one command may add to. */
    int replyBytesMax() {
        return replyBytesMax;
    }

    /** @param value most bytes that a client may leave untaken; 0 for no limit */
    void replyBytesMax(long value) {
        replyBytesMax = value == 0 ? REPLY_BYTES_MAX : (int) Math.min(value, REPLY_BYTES_MAX);
    }
}
