package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putLong;
import static org.agrona.UnsafeApi.putShort;

import io.sluice.persistence.DecimalText;
import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.persistence.collection.SetValue;
import io.sluice.persistence.collection.ZSetValue;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** Writes the parts of an RDB file. Strings are plain or integers, never compressed; collections are plain. */
final class RdbEncoder implements AutoCloseable {

    /** What an entry takes at most besides its key and its payload. */
    static final int ENTRY_OVERHEAD_BYTES_MAX = 64;

    private static final int SCRATCH_BYTES = 4_096;
    /** Shorter strings are gathered, longer ones are written by themselves. */
    private static final int GATHERED_BYTES_MAX = 512;
    /** A length, or an integer as text. */
    private static final int NUMBER_BYTES_MAX = 32;

    private final RdbOutput out;
    /** What is small is put together here. */
    private final long scratch = UnsafeApi.allocateMemory(SCRATCH_BYTES);
    private final ListValue list = new ListValue();
    private final SetValue set = new SetValue();
    private final ZSetValue zset = new ZSetValue();
    private final HashValue hash = new HashValue();
    private int used;
    private int selectedDb = -1;

    RdbEncoder(final RdbOutput out) {
        this.out = out;
    }

    void magic() {
        text(String.format("REDIS%04d", Rdb.VERSION));
    }

    void aux(final String name, final String value) {
        put(Rdb.OP_AUX);
        string(name);
        string(value);
    }

    /** A library of functions: its source. */
    void function(final byte[] source) {
        put(Rdb.OP_FUNCTION2);
        length(source.length);
        raw(source);
    }

    /** Tells readers how large a database is going to be. */
    void resizeDb(final int db, final long keys, final long expiring) {
        select(db);
        put(Rdb.OP_RESIZEDB);
        length(keys);
        length(expiring);
        flush();
    }

    void entry(final Entry e) {
        if (e.db() != selectedDb) {
            select(e.db());
        }
        if (e.hasExpiry()) {
            put(Rdb.OP_EXPIRETIME_MS);
            putLong(scratch + used, e.expireAtMs());
            used += Long.BYTES;
        }
        type(e);
        bytes(e.keyAddress(), e.keyLength());
        value(e);
    }

    /** Forgets what an entry has left whose value turned out to be damaged. */
    void reset() {
        used = 0;
    }

    /** The type byte of an entry's value. */
    void type(final Entry e) {
        put(switch (e.type()) {
            case ValueType.STRING -> Rdb.TYPE_STRING;
            case ValueType.LIST -> RdbCollections.LIST;
            case ValueType.SET -> RdbCollections.SET;
            case ValueType.ZSET -> RdbCollections.ZSET_2;
            case ValueType.HASH -> RdbCollections.HASH;
            default -> Rdb.TYPE_MODULE_2;
        });
    }

    /** The value of an entry. */
    void value(final Entry e) {
        switch (e.type()) {
            case ValueType.STRING -> string(e);
            case ValueType.LIST -> members(list, e);
            case ValueType.SET -> members(set, e);
            case ValueType.ZSET -> scoredMembers(e);
            case ValueType.HASH -> fields(e);
            default -> module(e);
        }
        flush();
    }

    private void string(final Entry e) {
        if (e.isInt()) {
            integer(e.intValue());
        } else {
            bytes(e.payloadAddress(), e.payloadLength());
        }
    }

    private void members(final PackedValue value, final Entry e) {
        value.view(e);
        length(value.size());
        for (int i = 0; i < value.size(); i++) {
            final int handle = value.at(i);
            bytes(value.address(handle), value.length(handle));
        }
    }

    private void scoredMembers(final Entry e) {
        zset.view(e);
        length(zset.size());
        for (int i = 0; i < zset.size(); i++) {
            final int handle = zset.at(i);
            bytes(zset.address(handle), zset.length(handle));
            putLong(scratch + used, Double.doubleToRawLongBits(zset.score(handle)));
            used += Double.BYTES;
        }
    }

    private void fields(final Entry e) {
        hash.view(e);
        length(hash.size());
        for (int i = 0; i < hash.size(); i++) {
            final int handle = hash.at(i);
            bytes(hash.address(handle), hash.length(handle));
            bytes(hash.valueAddress(handle), hash.valueLength(handle));
        }
    }

    void endOfFile() {
        put(Rdb.OP_EOF);
        flush();
    }

    /** Type code and encoding as integers, then the payload as a string. */
    private void module(final Entry e) {
        length(Rdb.MODULE_ID);
        length(Rdb.MODULE_UINT);
        length(e.type());
        length(Rdb.MODULE_UINT);
        length(e.isWords() ? 1 : 0);
        length(Rdb.MODULE_STRING);
        bytes(e.payloadAddress(), e.payloadLength());
        length(Rdb.MODULE_EOF);
    }

    private void select(final int db) {
        put(Rdb.OP_SELECTDB);
        length(db);
        selectedDb = db;
    }

    private void string(final String text) {
        length(text.length());
        text(text);
    }

    private void text(final String text) {
        raw(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void raw(final byte[] bytes) {
        for (final byte b : bytes) {
            if (used == SCRATCH_BYTES) {
                flush();
            }
            put(b);
        }
        flush();
    }

    private void bytes(final long address, final int length) {
        if (used + length > SCRATCH_BYTES - 2 * NUMBER_BYTES_MAX) {
            flush();
        }
        length(length);
        if (length <= GATHERED_BYTES_MAX) {
            UnsafeApi.copyMemory(address, scratch + used, length);
            used += length;
        } else {
            flush();
            out.write(address, length);
        }
    }

    private void integer(final long value) {
        if (value == (byte) value) {
            put(Rdb.ENCODED_INT8);
            put((int) value);
        } else if (value == (short) value) {
            put(Rdb.ENCODED_INT16);
            putShort(scratch + used, (short) value);
            used += Short.BYTES;
        } else if (value == (int) value) {
            put(Rdb.ENCODED_INT32);
            putInt(scratch + used, (int) value);
            used += Integer.BYTES;
        } else {
            length(DecimalText.length(value));
            used += DecimalText.write(value, scratch + used);
        }
    }

    /** Big-endian, unlike everything else. */
    private void length(final long value) {
        if (Long.compareUnsigned(value, 1 << 6) < 0) {
            put((int) value);
        } else if (Long.compareUnsigned(value, 1 << 14) < 0) {
            put(Rdb.LENGTH_14 << 6 | (int) (value >>> 8));
            put((int) value);
        } else if (Long.compareUnsigned(value, 1L << 32) < 0) {
            put(Rdb.LENGTH_32);
            putInt(scratch + used, Integer.reverseBytes((int) value));
            used += Integer.BYTES;
        } else {
            put(Rdb.LENGTH_64);
            putLong(scratch + used, Long.reverseBytes(value));
            used += Long.BYTES;
        }
    }

    private void put(final int b) {
        putByte(scratch + used++, (byte) b);
    }

    private void flush() {
        out.write(scratch, used);
        used = 0;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(scratch);
    }
}
