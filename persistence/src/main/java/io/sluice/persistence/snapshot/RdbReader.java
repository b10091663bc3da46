package io.sluice.persistence.snapshot;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.store.Store;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/** Reads an RDB file, entry by entry, and believes nothing of it. */
final class RdbReader implements AutoCloseable {

    private static final int AUX_BYTES_MAX = 1_024;
    private static final String MAGIC = "REDIS";

    private final RdbInput in;
    private final RdbSkipper skipper;
    private final RdbCollections collections;
    private final RdbTarget target;
    private final NativeBlock key = new NativeBlock(256);
    private final NativeBlock value = new NativeBlock(256);
    private int version;
    private long expireAtMs = Entry.NO_EXPIRY;

    RdbReader(final ReadableByteChannel channel, final RdbTarget target) {
        in = new RdbInput(channel);
        skipper = new RdbSkipper(in);
        collections = new RdbCollections(in);
        this.target = target;
    }

    long offset() {
        return in.offset();
    }

    /** Reads the next entry or the like. Returns false at the end, after the checksum was found right. */
    boolean next() throws IOException {
        if (version == 0) {
            readVersion();
        }
        final int code = in.unsignedByte();
        if (code < Rdb.OP_FIRST) {
            entry(code);
            expireAtMs = Entry.NO_EXPIRY;
            return true;
        }
        switch (code) {
            case Rdb.OP_EOF -> {
                verifyChecksum();
                return false;
            }
            case Rdb.OP_SELECTDB -> target.database(in.number());
            case Rdb.OP_EXPIRETIME_MS -> expireAtMs = expiry(in.integer(Long.BYTES), 1);
            case Rdb.OP_EXPIRETIME -> expireAtMs = expiry(in.integer(Integer.BYTES), 1_000);
            case Rdb.OP_AUX -> aux();
            case Rdb.OP_RESIZEDB -> {
                in.number();
                in.number();
            }
            case Rdb.OP_IDLE -> in.number();
            case Rdb.OP_FREQ -> in.unsignedByte();
            case Rdb.OP_FUNCTION2 -> function();
            case Rdb.OP_MODULE_AUX -> {
                final String name = Rdb.moduleName(in.number());
                in.number();
                in.number();
                skipper.module();
                target.skipped("module " + name);
            }
            default -> throw in.error("unknown opcode " + code);
        }
        return true;
    }

    private void readVersion() throws IOException {
        for (int i = 0; i < MAGIC.length(); i++) {
            if (in.unsignedByte() != MAGIC.charAt(i)) {
                throw in.error("not a snapshot: it does not begin with " + MAGIC);
            }
        }
        int number = 0;
        for (int i = 0; i < 4; i++) {
            final int digit = in.unsignedByte() - '0';
            if (digit < 0 || digit > 9) {
                throw in.error("the version is not a number");
            }
            number = number * 10 + digit;
        }
        if (number < 1 || number > Rdb.VERSION_READ_MAX) {
            throw in.error("version " + number + " is unknown");
        }
        version = number;
        target.database(0);
    }

    private long expiry(final long time, final int unitMs) throws IOException {
        if (time < 0) {
            throw in.error("negative expiry");
        }
        return time * unitMs;
    }

    private void function() throws IOException {
        final int length = in.string(value, target.functionBytesMax());
        if (length == RdbInput.TOO_LONG) {
            target.skipped("function library over its limit");
        } else {
            target.function(value.copy(length));
        }
    }

    private void aux() throws IOException {
        final String name = in.text(key, AUX_BYTES_MAX);
        final String text = in.text(value, AUX_BYTES_MAX);
        if (name != null && text != null) {
            target.aux(name, text);
        }
    }

    private void entry(final int type) throws IOException {
        final int keyLength = in.string(key, Store.KEY_BYTES_MAX);
        if (type == Rdb.TYPE_MODULE_2) {
            module(keyLength);
        } else if (type == Rdb.TYPE_STRING) {
            string(keyLength);
        } else if (RdbCollections.typeOf(type) == ValueType.STRING) {
            skipped(skipper.value(type), keyLength);
        } else {
            collections.read(type, target.elements(), target.valueBytesMax());
            if (keyLength == RdbInput.TOO_LONG) {
                keyTooLong();
            } else {
                target.collection(key.address(), keyLength, expireAtMs);
            }
        }
    }

    private void string(final int keyLength) throws IOException {
        final int length = in.string(value, target.valueBytesMax());
        if (keyLength == RdbInput.TOO_LONG) {
            keyTooLong();
        } else if (length == RdbInput.TOO_LONG) {
            skipped("string over " + target.valueBytesMax() + " bytes", keyLength);
        } else {
            target.string(key.address(), keyLength, value.address(), length, expireAtMs);
        }
    }

    private void skipped(final String what, final int keyLength) {
        if (keyLength == RdbInput.TOO_LONG) {
            target.skipped(what);
        } else {
            target.skipped(what, key.address(), keyLength);
        }
    }

    private void keyTooLong() {
        target.skipped("key over " + Store.KEY_BYTES_MAX + " bytes");
    }

    private void module(final int keyLength) throws IOException {
        final long id = in.number();
        final String name = Rdb.moduleName(id);
        if (!name.equals(Rdb.MODULE_NAME)) {
            skipper.module();
            skipped("module " + name, keyLength);
            return;
        }
        if (id != Rdb.MODULE_ID || keyLength == RdbInput.TOO_LONG) {
            throw in.error("a value of " + name + " that this release does not know");
        }
        final OwnValue own = OwnValue.read(in, value, target.valueBytesMax());
        target.own(
            own.type(), own.words(), key.address(), keyLength, value.address(), own.length(), expireAtMs);
    }

    private void verifyChecksum() throws IOException {
        if (version >= Rdb.VERSION_WITH_CHECKSUM) {
            final long computed = in.checksum();
            final long stored = in.integer(Long.BYTES);
            // Zero means that the writer did not compute it.
            if (stored != 0 && stored != computed) {
                throw in.error("the checksum is wrong: the file is damaged");
            }
        }
    }

    @Override
    public void close() {
        in.close();
        collections.close();
        key.close();
        value.close();
    }
}
