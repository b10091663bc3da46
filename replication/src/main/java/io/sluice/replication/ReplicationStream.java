package io.sluice.replication;

import java.util.function.Supplier;

/**
 * The history of writes that this server is at: its id, how far it goes, and its newest bytes. A primary adds to it
 * what its clients change; a replica adds, byte for byte, what it has applied. So any server that is at the same id
 * and offset holds the same, and whoever stays behind may go on from any of them.
 *
 * <p>Inactive, it records nothing and has no offset that anybody may go on from.
 */
public final class ReplicationStream implements StreamOutput, AutoCloseable {

    private static final long NEVER = -1;

    private final EffectEncoder encoder = new EffectEncoder(this);
    private final Supplier<String> ids;
    private String id;
    private String previousId = ReplicationId.NONE;
    private long previousIdEnd = NEVER;
    private Backlog backlog;
    private long offset;
    private boolean continuable;
    private long reach;
    private Runnable listener = () -> { };
    private boolean told;

    /** A new history. */
    public ReplicationStream() {
        this(ReplicationId::random);
    }

    /** A new history, with ids from here; for simulations. */
    public ReplicationStream(final Supplier<String> ids) {
        this.ids = ids;
        id = ids.get();
    }

    /** Runs at the first append after each {@link #toldOfAppends}. */
    public void onAppend(final Runnable newListener) {
        listener = newListener;
    }

    /** Whoever is told of appends has seen them all; the next one is told again. */
    public void toldOfAppends() {
        told = false;
    }

    /** Encodes effects onto the stream. Only a primary that is {@linkplain #isActive active} may use it. */
    public EffectEncoder encoder() {
        return encoder;
    }

    /** Whether bytes are recorded. */
    public boolean isActive() {
        return backlog != null;
    }

    /** Begins to record, under a new id, since nobody knows what was written before. */
    public void activate(final int backlogBytes) {
        if (backlog == null) {
            id = ids.get();
            previousId = ReplicationId.NONE;
            previousIdEnd = NEVER;
            open(backlogBytes);
            encoder.forgetSelection();
        }
    }

    /** Records nothing any more. */
    public void deactivate() {
        if (backlog != null) {
            offset = backlog.endOffset();
            backlog.close();
            backlog = null;
            continuable = false;
            reach = 0;
            id = ids.get();
        }
    }

    /** Goes on where a history stood that is known to be complete: after a restart, or after a full sync. */
    public void restore(final String restoredId, final long restoredOffset, final int db, final int backlogBytes) {
        if (backlog != null) {
            backlog.close();
        }
        id = restoredId;
        previousId = ReplicationId.NONE;
        previousIdEnd = NEVER;
        offset = restoredOffset;
        encoder.selectedDb(db);
        reach = 0;
        open(backlogBytes);
    }

    /**
     * What is stored may be ahead of the history's end, up to this offset: the process before was killed while it
     * applied. Until that is reached, no other history may go on from here.
     */
    public void reach(final long reachedAtMost) {
        reach = reachedAtMost;
    }

    /** Whether what is stored may be ahead of the history's end. */
    public boolean isUnsure() {
        return offset() < reach;
    }

    private void open(final int backlogBytes) {
        backlog = new Backlog(backlogBytes, offset);
        continuable = true;
    }

    /** What is stored no longer is what this history says: a full sync has begun to replace it. */
    public void invalidate() {
        continuable = false;
    }

    /** Whether a primary may be asked to go on from where this history ends. */
    public boolean isContinuable() {
        return continuable;
    }

    /**
     * From here on this server decides what comes next: the id changes, the old one is still known up to here. Where
     * nobody knows exactly what is stored, a new history begins when somebody asks for it.
     */
    public void promote() {
        if (!continuable || isUnsure()) {
            deactivate();
            return;
        }
        previousId = id;
        previousIdEnd = offset() + 1;
        id = ids.get();
        encoder.forgetSelection();
    }

    /** The primary that is followed goes on with this history under another id. */
    public void rename(final String newId) {
        if (!newId.equals(id)) {
            previousId = id;
            previousIdEnd = offset() + 1;
            id = newId;
        }
    }

    /**
     * Whether somebody who has this id may go on from here.
     *
     * @param nextByte number of the first byte that is wanted, the stream's first being 1
     */
    public boolean canContinue(final String theirId, final long nextByte) {
        final boolean known = theirId.equalsIgnoreCase(id)
            || theirId.equalsIgnoreCase(previousId) && nextByte <= previousIdEnd;
        return known && backlog != null && backlog.covers(nextByte - 1);
    }

    @Override
    public void append(final long address, final int length) {
        if (length > 0) {
            backlog.append(address, length);
            tell();
        }
    }

    @Override
    public void appendOwn(final long address, final int length) {
        backlog.appendOwn(address, length);
        tell();
    }

    private void tell() {
        if (!told) {
            told = true;
            listener.run();
        }
    }

    /** Most bytes that are kept for those who are away, from now on. */
    public void resize(final int backlogBytes) {
        if (backlog != null && backlog.capacity() != backlogBytes) {
            backlog.capacity(backlogBytes);
        }
    }

    /** Name of the history. */
    public String id() {
        return id;
    }

    /** Name that it had before a promotion, or zeros. */
    public String previousId() {
        return previousId;
    }

    /** Number of the first byte that is not of the {@linkplain #previousId previous id}, or -1. */
    public long previousIdEnd() {
        return previousIdEnd;
    }

    /** How many bytes it has. */
    public long offset() {
        return backlog == null ? offset : backlog.endOffset();
    }

    /** The database that it has selected. */
    public int selectedDb() {
        return Math.max(0, encoder.selectedDb());
    }

    /** A replica has applied a selection. */
    void selected(final int db) {
        encoder.selectedDb(db);
    }

    /** What is kept, or null while inactive. */
    public Backlog backlog() {
        return backlog;
    }

    @Override
    public void close() {
        encoder.close();
        if (backlog != null) {
            backlog.close();
            backlog = null;
        }
    }
}
