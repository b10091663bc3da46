package io.sluice.server.tracking;

import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.KeyObserver;
import io.sluice.resp.Reply;
import io.sluice.server.net.ClientRegistry;
import io.sluice.server.net.Connection;
import io.sluice.server.net.PushMessage;
import org.agrona.UnsafeApi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * {@code CLIENT TRACKING}: tells clients that cache what they have read when it changes. A key is told of once and then
 * forgotten until it is read again. Keys are taken without their database, as in Redis, so that a client may be told
 * too much, never too little. When the memory for keys is used up, the one read first is given up, and told as changed.
 */
public final class Tracking implements KeyObserver {
    /** Most memory that the keys read by clients may take. */
    public static final long TRACKED_BYTES_MAX = 32L << 20;

    private static final byte[] INVALIDATE = bytes("invalidate");
    private static final byte[] BROKEN = bytes("tracking-redir-broken");
    private static final byte[] MESSAGE = bytes("message");
    private static final byte[] CHANNEL = bytes("__redis__:invalidate");

    private final ClientRegistry clients;
    private final long bytesMax;
    private final Map<Connection, ClientTracking> byConnection = new LinkedHashMap<>();
    private final TrackedKeys keys = new TrackedKeys();
    private int broadcasters;
    private Connection changing;
    private boolean flushTold;
    /** The next touch is by nobody: a key has expired, or was evicted. */
    private boolean removedByItself;

    /** @param clients where clients are found to which messages are redirected */
    public Tracking(ClientRegistry clients) {
        this(clients, TRACKED_BYTES_MAX);
    }

    Tracking(ClientRegistry clients, long bytesMax) {
        this.clients = clients;
        this.bytesMax = bytesMax;
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    /** What a client has asked for, or null. */
    public ClientTracking of(Connection connection) {
        return connection.isTracking() ? byConnection.get(connection) : null;
    }

    /** Begins to track for a client, or changes how; the prefixes of broadcasts are added to those there are. */
    public void enable(Connection connection, TrackingOptions options) {
        ClientTracking tracking = byConnection.computeIfAbsent(connection, c -> new ClientTracking());
        broadcasters += options.broadcast() && !tracking.isBroadcast() ? 1 : 0;
        tracking.set(options);
        connection.tracking(true);
    }

    /** Ends tracking for a client, if it was on. */
    public void disable(Connection connection) {
        ClientTracking tracking = byConnection.remove(connection);
        if (tracking != null) {
            connection.tracking(false);
            broadcasters -= tracking.isBroadcast() ? 1 : 0;
        }
    }

    /** The client whose command runs from now on, to which NOLOOP refers. */
    public void changing(Connection connection) {
        changing = connection;
        flushTold = false;
    }

    /** Whether keys that the client reads now are to be remembered. */
    public boolean remembers(Connection connection) {
        ClientTracking tracking = of(connection);
        return tracking != null && tracking.remembersReads();
    }

    /** The client has read a key. */
    public void read(Connection connection, byte[] key) {
        keys.add(key, connection.id());
        while (keys.bytesUsed() > bytesMax) {
            invalidateRead(keys.eldest(), null);
        }
    }

    @Override
    public void keyTouched(int db, long keyAddress, int keyLength) {
        Connection author = removedByItself ? null : changing;
        removedByItself = false;
        if (byConnection.isEmpty() || keys.isEmpty() && broadcasters == 0) {
            return;
        }
        byte[] key = new byte[keyLength];
        for (int i = 0; i < keyLength; i++) {
            key[i] = UnsafeApi.getByte(keyAddress + i);
        }
        if (broadcasters > 0) {
            broadcast(key, author);
        }
        invalidateRead(key, author);
    }

    /** Tells of a key those who want all of its kind, but not {@code author} if that one wants so. */
    private void broadcast(byte[] key, Connection author) {
        try (PushMessage direct = direct(out -> oneKey(out, key));
                PushMessage byChannel = byChannel(out -> oneKey(out, key))) {
            byConnection.forEach((connection, tracking) -> {
                if (tracking.isBroadcast() && tracking.wants(key) && !(tracking.isNoLoop() && connection == author)) {
                    send(connection, tracking, direct, byChannel);
                }
            });
        }
    }

    /** Tells of a key those who have read it, but not {@code author} if that one wants so. */
    private void invalidateRead(byte[] key, Connection author) {
        var ids = keys.remove(key);
        if (ids.isEmpty()) {
            return;
        }
        try (PushMessage direct = direct(out -> oneKey(out, key));
                PushMessage byChannel = byChannel(out -> oneKey(out, key))) {
            for (var each = ids.iterator(); each.hasNext();) {
                Connection connection = clients.find(each.nextValue());
                ClientTracking tracking = connection == null ? null : of(connection);
                if (tracking != null && !tracking.isBroadcast() && !(tracking.isNoLoop() && connection == author)) {
                    send(connection, tracking, direct, byChannel);
                }
            }
        }
    }

    @Override
    public void keyEvent(KeyEvent event, int db, long keyAddress, int keyLength) {
        // What an event tells is told as a touch; of these that one comes next.
        removedByItself = event == KeyEvent.EXPIRED || event == KeyEvent.EVICTED;
    }

    @Override
    public void databaseReplaced(int db) {
        if (byConnection.isEmpty() || flushTold && keys.isEmpty()) {
            return;
        }
        flushTold = true;
        keys.clear();
        try (PushMessage direct = direct(Reply::nullValue); PushMessage byChannel = byChannel(Reply::nullValue)) {
            byConnection.forEach((connection, tracking) -> send(connection, tracking, direct, byChannel));
        }
    }

    private static void oneKey(Reply out, byte[] key) {
        out.array(1);
        out.bulk(key);
    }

    private static PushMessage direct(Consumer<Reply> content) {
        return new PushMessage(out -> {
            out.push(2);
            out.bulk(INVALIDATE);
            content.accept(out);
        });
    }

    /** For subscribers that speak RESP2, which has no message of its own for this. */
    private static PushMessage byChannel(Consumer<Reply> content) {
        return new PushMessage(out -> {
            out.push(3);
            out.bulk(MESSAGE);
            out.bulk(CHANNEL);
            content.accept(out);
        });
    }

    private void send(Connection connection, ClientTracking tracking, PushMessage direct, PushMessage byChannel) {
        Connection receiver = connection;
        if (tracking.redirectId() != 0) {
            receiver = clients.find(tracking.redirectId());
            // One that has quit is listed until its socket ends, and is sent nothing any more.
            if (receiver == null || receiver.isClosing()) {
                tracking.redirectBroken();
                tellBroken(connection, tracking.redirectId());
                return;
            }
        }
        if (receiver.protocol() > 2) {
            receiver.push(direct);
        } else if (tracking.redirectId() != 0 && receiver.isSubscribed()) {
            receiver.push(byChannel);
        }
    }

    private static void tellBroken(Connection connection, long redirectId) {
        if (connection.protocol() > 2) {
            try (PushMessage message = new PushMessage(out -> {
                out.push(2);
                out.bulk(BROKEN);
                out.integer(redirectId);
            })) {
                connection.push(message);
            }
        }
    }

    /** Clients that track. */
    public int trackingClients() {
        return byConnection.size();
    }

    /** Keys that some client may have in its cache. */
    public int trackedKeys() {
        return keys.size();
    }

    /** Pairs of such a key and a client. */
    public long trackedItems() {
        return keys.items();
    }

    /** Prefixes that are broadcast, each once. */
    public long prefixes() {
        return byConnection.values().stream().map(ClientTracking::prefixes).flatMap(List::stream)
                .map(ByteBuffer::wrap).distinct().count();
    }
}
