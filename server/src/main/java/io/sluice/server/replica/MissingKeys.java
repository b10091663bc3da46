package io.sluice.server.replica;

import org.agrona.UnsafeApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Keys that the primary has and this replica does not, since their values could not be held. A change of one of them
 * must not begin a value that is only a part. Bounded: what does not fit is not remembered, and the log says so.
 */
final class MissingKeys {
    static final int KEYS_MAX = 100_000;
    /** Stands for all databases that the primary has and this replica has not. */
    static final int ELSEWHERE = -1;
    private static final long BYTES_MAX = 16 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(MissingKeys.class);

    /** Each as a character that is the database, and one for each byte of the key. */
    private final Set<String> keys = new HashSet<>();
    /** Databases of which it is not known which keys are missing: each that is not stored may be. */
    private final Set<Integer> incomplete = new HashSet<>();
    private long bytes;
    private boolean overflowed;

    private static String entry(int db, String key) {
        return (char) db + key;
    }

    /** Remembers a key, whose bytes are the characters. */
    void add(int db, String key) {
        if (keys.size() == KEYS_MAX || bytes + key.length() > BYTES_MAX) {
            if (!overflowed && !contains(db, key)) {
                overflowed = true;
                LOG.warn("More than {} keys of the primary are missing here. Of further ones it is not remembered: "
                        + "their next changes may begin values that are only a part", keys.size());
            }
        } else if (keys.add(entry(db, key))) {
            bytes += key.length();
        }
    }

    /** Remembers a key in native memory. */
    void add(int db, long keyAddress, int keyLength) {
        byte[] key = new byte[keyLength];
        for (int i = 0; i < keyLength; i++) {
            key[i] = UnsafeApi.getByte(keyAddress + i);
        }
        add(db, new String(key, StandardCharsets.ISO_8859_1));
    }

    void remove(int db, String key) {
        if (keys.remove(entry(db, key))) {
            bytes -= key.length();
        }
    }

    boolean contains(int db, String key) {
        return keys.contains(entry(db, key));
    }

    /** Any key of a database may be missing. */
    void addDatabase(int db) {
        incomplete.add(db);
    }

    /** Whether any key of a database may be missing. */
    boolean containsDatabase(int db) {
        return incomplete.contains(db);
    }

    boolean isEmpty() {
        return keys.isEmpty() && incomplete.isEmpty();
    }

    /** Keys; a database of which they are not known counts as one. */
    int size() {
        return keys.size() + incomplete.size();
    }

    /** Everything is there, or nothing is. */
    void clear() {
        keys.clear();
        incomplete.clear();
        bytes = 0;
        overflowed = false;
    }

    /** A database is emptied. */
    void clear(int db) {
        incomplete.remove(db);
        for (String entry : Set.copyOf(keys)) {
            if (entry.charAt(0) == db) {
                remove(db, entry.substring(1));
            }
        }
    }

    /** Two databases change places. */
    void swap(int one, int other) {
        Set<String> before = Set.copyOf(keys);
        keys.clear();
        for (String entry : before) {
            keys.add(entry(swapped(entry.charAt(0), one, other), entry.substring(1)));
        }
        Set<Integer> databases = Set.copyOf(incomplete);
        incomplete.clear();
        databases.forEach(db -> incomplete.add(swapped(db, one, other)));
    }

    private static int swapped(int db, int one, int other) {
        return db == one ? other : db == other ? one : db;
    }
}
