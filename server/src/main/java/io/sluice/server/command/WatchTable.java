package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.KeyObserver;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.server.net.Connection;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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

    private static final int HASH_FACTOR = 31;

    /** A key of a database; the one that is used for finding others changes. */
    private static final class WatchedKey {
        private int db;
        private byte[] bytes;
        private int length;
        private int hash;

        WatchedKey(int capacity) {
            bytes = new byte[capacity];
        }

        WatchedKey set(int newDb, long address, int newLength) {
            if (bytes.length < newLength) {
                bytes = new byte[newLength];
            }
            db = newDb;
            length = newLength;
            hash = newDb;
            for (int i = 0; i < newLength; i++) {
                bytes[i] = UnsafeApi.getByte(address + i);
                hash = HASH_FACTOR * hash + bytes[i];
            }
            return this;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof WatchedKey key && key.db == db
                && Arrays.equals(bytes, 0, length, key.bytes, 0, key.length);
        }
    }

    /** One client's watch of one key, and whether the key was there when it began. */
    private record Watch(Connection connection, WatchedKey key, boolean existed) {
    }

    private final Map<WatchedKey, Map<Connection, Watch>> byKey = new HashMap<>();
    private final Map<Connection, List<Watch>> byConnection = new HashMap<>();
    private final WatchedKey wanted = new WatchedKey(64);
    private final Entry entry = new Entry();
    private final ByteBuffer keyBytes = ByteBuffer.allocateDirect(Store.KEY_BYTES_MAX);
    private final long keyAddress = BufferUtil.address(keyBytes);
    /** The next touch is that of a key which had expired before. */
    private boolean expiring;

    /**
     * Begins to watch a key. Watching it once more changes nothing.
     *
     * @return false if the client watches as many keys as it may
     */
    boolean watch(Connection connection, int db, long keyAddress, int keyLength, boolean exists) {
        List<Watch> own = byConnection.computeIfAbsent(connection, c -> new ArrayList<>());
        if (watchesOf(db, keyAddress, keyLength).containsKey(connection)) {
            return true;
        }
        if (own.size() == WATCHED_KEYS_MAX) {
            return false;
        }
        WatchedKey key = new WatchedKey(keyLength).set(db, keyAddress, keyLength);
        Watch watch = new Watch(connection, key, exists);
        own.add(watch);
        byKey.computeIfAbsent(key, k -> new HashMap<>()).put(connection, watch);
        return true;
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

    private boolean exists(WatchedKey key, Keyspace keyspace) {
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
