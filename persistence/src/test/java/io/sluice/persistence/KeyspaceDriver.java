package io.sluice.persistence;

import io.sluice.persistence.store.Store;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A keyspace under test with a clock set by hand, spoken to in strings. Strings stand for bytes (ISO 8859-1). */
public final class KeyspaceDriver implements AutoCloseable {

    /** Start of the clock: a whole second. */
    public static final long START_MS = 1_700_000_000_000L;

    private static final int SCRATCH_BYTES = 4 << 20;

    public final Keyspace keyspace;
    private final Store store;
    private final Entry entry = new Entry();
    private final Entry other = new Entry();
    private final long keyScratch = UnsafeApi.allocateMemory(Store.KEY_BYTES_MAX + 1);
    private final long otherKeyScratch = UnsafeApi.allocateMemory(Store.KEY_BYTES_MAX + 1);
    private final long valueScratch = UnsafeApi.allocateMemory(SCRATCH_BYTES);
    private long nowNs = START_MS * 1_000_000;

    public KeyspaceDriver(final Store store) {
        this(store, 16, KeyspaceLimits.NONE);
    }

    public KeyspaceDriver(final Store store, final int databases, final KeyspaceLimits limits) {
        this.store = store;
        keyspace = new Keyspace(store, databases, limits, nowNs);
    }

    /** What a key holds, in a form to compare: type, then text, words, or the blob's bytes; then expiry. */
    public record Held(int type, String payload, long expireAtMs) {
    }

    public long nowNs() {
        return nowNs;
    }

    public long nowMs() {
        return nowNs / 1_000_000;
    }

    public void advanceMs(final long ms) {
        nowNs += ms * 1_000_000;
    }

    /** Runs in a unit of its own. */
    public <T> T unit(final java.util.function.Supplier<T> work) {
        keyspace.begin(nowNs);
        try {
            return work.get();
        } finally {
            keyspace.end();
        }
    }

    private void unit(final Runnable work) {
        unit(() -> {
            work.run();
            return null;
        });
    }

    public void putInt(final int db, final String key, final long value, final long expireAtMs) {
        unit(() -> keyspace.putInt(at(db, key), value, expireAtMs));
    }

    public void put(final int db, final String key, final String value, final long expireAtMs) {
        unit(() -> keyspace.putBytes(at(db, key), value(value), value.length(), expireAtMs));
    }

    public void put(final int db, final String key, final String value) {
        put(db, key, value, Entry.NO_EXPIRY);
    }

    public void putWords(
        final int db, final String key, final int type, final long expireAtMs, final long... words) {
        unit(() -> keyspace.putWords(at(db, key), type, words, words.length, expireAtMs));
    }

    public void putBlob(
        final int db, final String key, final int type, final String blob, final long expireAtMs) {
        unit(() -> {
            final Entry e = at(db, key);
            final long address = keyspace.putBlob(e, type, blob.length(), expireAtMs);
            copy(blob, address);
            keyspace.blobWritten(e);
        });
    }

    public int append(final int db, final String key, final String value) {
        return unit(() -> keyspace.append(at(db, key), value(value), value.length()));
    }

    public int setRange(final int db, final String key, final long offset, final String value) {
        return unit(() -> keyspace.setRange(at(db, key), offset, value(value), value.length()));
    }

    public boolean remove(final int db, final String key) {
        return unit(() -> keyspace.remove(at(db, key)));
    }

    public boolean expireAt(final int db, final String key, final long expireAtMs) {
        return unit(() -> keyspace.expireAt(at(db, key), expireAtMs));
    }

    public boolean persist(final int db, final String key) {
        return unit(() -> keyspace.persist(at(db, key)));
    }

    /** Does nothing and returns false when there is no such key. */
    public boolean rename(final int db, final String key, final int toDb, final String toKey) {
        return unit(() -> {
            if (!at(db, key).exists()) {
                return false;
            }
            keyspace.rename(entry, otherAt(toDb, toKey));
            return true;
        });
    }

    /** Does nothing and returns false when there is no such key. */
    public boolean copy(final int db, final String key, final int toDb, final String toKey) {
        return unit(() -> {
            if (!at(db, key).exists()) {
                return false;
            }
            keyspace.copy(entry, otherAt(toDb, toKey));
            return true;
        });
    }

    public long flushDb(final int db) {
        return unit(() -> keyspace.flushDb(db));
    }

    public long flushAll() {
        return unit(keyspace::flushAll);
    }

    public void swapDb(final int a, final int b) {
        unit(() -> keyspace.swapDb(a, b));
    }

    /** What the key holds, or null. */
    public Held get(final int db, final String key) {
        return unit(() -> at(db, key).exists() ? held(entry) : null);
    }

    /** All live keys of a database, by one scan to the end. */
    public Map<String, Held> all(final int db) {
        return unit(() -> {
            final Map<String, Held> all = new TreeMap<>();
            long cursor = 0;
            do {
                cursor = keyspace.scan(cursor, db, 100, e -> {
                    if (all.put(key(e), held(e)) != null) {
                        throw new AssertionError("shown twice: " + key(e));
                    }
                });
            } while (cursor != 0);
            return all;
        });
    }

    /** The one entry of this driver, positioned. */
    public Entry at(final int db, final String key) {
        copy(key, keyScratch);
        keyspace.lookup(entry, db, keyScratch, key.length());
        return entry;
    }

    private Entry otherAt(final int db, final String key) {
        copy(key, otherKeyScratch);
        keyspace.lookup(other, db, otherKeyScratch, key.length());
        return other;
    }

    private long value(final String value) {
        copy(value, valueScratch);
        return valueScratch;
    }

    public static String key(final Entry e) {
        return text(e.keyAddress(), e.keyLength());
    }

    public static Held held(final Entry e) {
        final String payload;
        if (e.type() == ValueType.STRING && e.isInt()) {
            payload = Long.toString(e.intValue());
        } else {
            payload = text(e.payloadAddress(), e.payloadLength());
        }
        return new Held(e.type(), payload, e.expireAtMs());
    }

    /** What words look like in {@link Held}. */
    public static String payloadOf(final long... words) {
        final StringBuilder payload = new StringBuilder();
        for (final long word : words) {
            for (int i = 0; i < Long.SIZE; i += Byte.SIZE) {
                payload.append((char) (word >>> i & 0xFF));
            }
        }
        return payload.toString();
    }

    public static String text(final long address, final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void copy(final String text, final long address) {
        for (int i = 0; i < text.length(); i++) {
            UnsafeApi.putByte(address + i, (byte) text.charAt(i));
        }
    }

    public Store store() {
        return store;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(keyScratch);
        UnsafeApi.freeMemory(otherKeyScratch);
        UnsafeApi.freeMemory(valueScratch);
        store.close();
    }
}
