package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.KeyObserver;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.server.net.Connection;
import org.agrona.BufferUtil;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which clients watch which keys. A change of a watched key marks the transactions of its watchers at once. What no
 * write shows, that a key expired, is found by {@link #isChanged} when {@code EXEC} asks.
 */
public final class WatchTable implements KeyObserver {
    /** Most keys that one client may watch at a time. */
    static final int WATCHED_KEYS_MAX = 65_536;
    /** Most memory that the watched keys of all clients may take: they are on the heap. */
    static final long BYTES_MAX = 32L << 20;
    /** What a watch takes besides the key's name: its places in the tables. */
    private static final int WATCH_OVERHEAD_BYTES = 300;

    /** One client's watch of one key, and whether the key was there when it began. */
    private record Watch(Connection connection, KeyName key, boolean existed) {
    }

    private final Map<KeyName, Map<Connection, Watch>> byKey = new HashMap<>();
    private final Map<Connection, List<Watch>> byConnection = new HashMap<>();
    private final KeyName wanted = new KeyName(64);
    private final Entry entry = new Entry();
    private final ByteBuffer keyBytes = ByteBuffer.allocateDirect(Store.KEY_BYTES_MAX);
    private final long keyAddress = BufferUtil.address(keyBytes);
    private long bytesUsed;
    /** The next touch is that of a key which had expired before. */
    private boolean expiring;

    /**
     * Begins to watch a key. Watching it once more changes nothing.
     *
     * @return false if the client watches as many keys as it may, or there is no room for another
     */
    boolean watch(Connection connection, int db, long keyAddress, int keyLength, boolean exists) {
        List<Watch> own = byConnection.computeIfAbsent(connection, c -> new ArrayList<>());
        if (watchesOf(db, keyAddress, keyLength).containsKey(connection)) {
            return true;
        }
        if (own.size() == WATCHED_KEYS_MAX || bytesUsed + cost(keyLength) > BYTES_MAX) {
            return false;
        }
        bytesUsed += cost(keyLength);
        KeyName key = new KeyName(keyLength).set(db, keyAddress, keyLength);
        Watch watch = new Watch(connection, key, exists);
        own.add(watch);
        byKey.computeIfAbsent(key, k -> new HashMap<>()).put(connection, watch);
        return true;
    }

    private static long cost(int keyLength) {
        return WATCH_OVERHEAD_BYTES + keyLength;
    }

    private Map<Connection, Watch> watchesOf(int db, long keyAddress, int keyLength) {
        return byKey.getOrDefault(wanted.set(db, keyAddress, keyLength), Map.of());
    }

    /** Ends all watches of a client and forgets what they have seen. */
    public void unwatch(Connection connection) {
        connection.transaction().untouch();
        List<Watch> own = byConnection.remove(connection);
        if (own == null) {
            return;
        }
        for (Watch watch : own) {
            bytesUsed -= cost(watch.key.length);
            Map<Connection, Watch> watches = byKey.get(watch.key);
            watches.remove(connection);
            if (watches.isEmpty()) {
                byKey.remove(watch.key);
            }
        }
    }

    /** Whether a watched key has appeared or gone without a write having said so. */
    boolean isChanged(Connection connection, Keyspace keyspace) {
        for (Watch watch : byConnection.getOrDefault(connection, List.of())) {
            if (exists(watch.key, keyspace) != watch.existed) {
                return true;
            }
        }
        return false;
    }

    /** Two databases have changed places: marks who watches keys that came with one of them. */
    void swapped(int a, int b, Keyspace keyspace) {
        for (Map<Connection, Watch> watches : byKey.values()) {
            for (Watch watch : watches.values()) {
                if ((watch.key.db == a || watch.key.db == b) && exists(watch.key, keyspace)) {
                    watch.connection.transaction().touch();
                }
            }
        }
    }

    private boolean exists(KeyName key, Keyspace keyspace) {
        keyBytes.put(0, key.bytes, 0, key.length);
        return keyspace.lookup(entry, key.db, keyAddress, key.length);
    }

    /** Clients that watch keys. */
    public int watchingClients() {
        return byConnection.size();
    }

    @Override
    public void keyTouched(int db, long keyAddress, int keyLength) {
        if (!byKey.isEmpty()) {
            for (Watch watch : watchesOf(db, keyAddress, keyLength).values()) {
                // What had expired before the watch began does not change by being removed.
                if (watch.existed || !expiring) {
                    watch.connection.transaction().touch();
                }
            }
        }
        expiring = false;
    }

    @Override
    public void keyEvent(KeyEvent event, int db, long keyAddress, int keyLength) {
        expiring = event == KeyEvent.EXPIRED;
    }

    @Override
    public void databaseReplaced(int db) {
        for (Map<Connection, Watch> watches : byKey.values()) {
            for (Watch watch : watches.values()) {
                if (watch.key.db == db && watch.existed) {
                    watch.connection.transaction().touch();
                }
            }
        }
    }
}
