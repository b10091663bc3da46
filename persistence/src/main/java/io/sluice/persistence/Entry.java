package io.sluice.persistence;

import org.agrona.UnsafeApi;

/**
 * A key and what the keyspace holds for it: a flyweight that {@link Keyspace#lookup} positions and handlers reuse.
 * It reads the store's memory directly, so what it shows is valid until the next write through <em>another</em>
 * entry; the key's bytes stay the caller's. Writing through an entry keeps it up to date, and writing through an entry
 * that others have overtaken is safe.
 */
public final class Entry {

    /** Expiry of a key that never expires. */
    public static final long NO_EXPIRY = Long.MAX_VALUE;

    int db;
    int space;
    long hash;
    long keyAddress;
    int keyLength;
    /** 0 when the store has no such key; otherwise what it has, expired or not. */
    long valueAddress;
    boolean exists;
    /** {@link Core#version} at which this was true. */
    long version;

    /** Whether the key is there and has not expired. */
    public boolean exists() {
        return exists;
    }

    /** Logical database. */
    public int db() {
        return db;
    }

    /** The store's hash of the key, which differs from database to database and after a flush. */
    public long hash() {
        return hash;
    }

    /** Native address of the key. */
    public long keyAddress() {
        return keyAddress;
    }

    /** Length of the key in bytes. */
    public int keyLength() {
        return keyLength;
    }

    /** Type code, see {@link ValueType}. Like all that follows only for an entry that {@link #exists()}. */
    public int type() {
        assert exists;
        return EntryLayout.type(valueAddress);
    }

    /** Expiry in ms since the epoch: gone when that millisecond is over. {@link #NO_EXPIRY} for never. */
    public long expireAtMs() {
        assert exists;
        return EntryLayout.expireAtMs(valueAddress);
    }

    /** Whether the key expires. */
    public boolean hasExpiry() {
        return expireAtMs() != NO_EXPIRY;
    }

    /** Whether the value is a string that is held as an integer. */
    public boolean isInt() {
        assert exists;
        return EntryLayout.isInt(valueAddress);
    }

    /** The integer of a string that {@link #isInt()}. */
    public long intValue() {
        assert isInt();
        return UnsafeApi.getLong(valueAddress + EntryLayout.HEADER_BYTES);
    }

    /** Length of a string in bytes, also of one that is held as an integer. */
    public int stringLength() {
        return isInt() ? DecimalText.length(intValue()) : payloadLength();
    }

    /** Native address of the payload: the bytes of a string that is not an integer, the words, the blob. */
    public long payloadAddress() {
        assert exists;
        return EntryLayout.payloadAddress(valueAddress);
    }

    /** Length of the payload in bytes. */
    public int payloadLength() {
        assert exists;
        return EntryLayout.payloadLength(valueAddress);
    }

    /** Whether the payload is state words. */
    public boolean isWords() {
        assert exists;
        return EntryLayout.encoding(valueAddress) == EntryLayout.ENCODING_WORDS;
    }

    /** Number of state words. */
    public int wordCount() {
        return payloadLength() / Long.BYTES;
    }

    /** State word {@code i} of a limiter. */
    public long word(final int i) {
        assert i >= 0 && i < wordCount();
        return UnsafeApi.getLong(payloadAddress() + (long) i * Long.BYTES);
    }
}
