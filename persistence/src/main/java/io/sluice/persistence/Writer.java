package io.sluice.persistence;

import static io.sluice.persistence.EntryLayout.ENCODING_SIZED;
import static io.sluice.persistence.EntryLayout.ENCODING_WORDS;
import static io.sluice.persistence.EntryLayout.HEADER_BYTES;
import static io.sluice.persistence.EntryLayout.INT_BYTES;
import static io.sluice.persistence.EntryLayout.SIZED_HEADER_BYTES;

import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreFullException;
import org.agrona.UnsafeApi;

/**
 * The one way to write a value: claim a place for it, let a snapshot save what is there, write, account, tell.
 * A value is overwritten where it is whenever it fits, also one that has expired.
 */
final class Writer {

    /** A place this many times too large is given back. */
    private static final int WASTE_FACTOR = 4;
    private static final int WASTE_BYTES_MIN = 256;

    private final Core core;
    private final Room room;
    /** Text of an integer that becomes bytes. */
    private final long text = UnsafeApi.allocateMemory(DecimalText.BYTES_MAX);
    /** What the place that is being written to could hold when it was claimed; 0 for a new one. */
    private int claimedBytes;

    Writer(final Core core, final Room room) {
        this.core = core;
        this.room = room;
    }

    int payloadBytesMax() {
        return core.store.valueBytesMax() - SIZED_HEADER_BYTES;
    }

    void putInt(final Entry e, final long value, final long expireAtMs) {
        final long address = claim(e, INT_BYTES);
        if (EntryLayout.isInt(address)) {
            EntryLayout.writeInt(address, value, expireAtMs);
        } else {
            beginOverwrite(e);
            EntryLayout.writeInt(address, value, expireAtMs);
            endOverwrite(e);
        }
        written(e);
    }

    void putBytes(final Entry e, final long source, final int length, final long expireAtMs) {
        if (length <= DecimalText.BYTES_MAX && DecimalText.isCanonical(source, length)) {
            putInt(e, DecimalText.parse(source, length), expireAtMs);
            return;
        }
        checkLength(length);
        put(e, ValueType.STRING, ENCODING_SIZED, source, length, expireAtMs);
    }

    void putWords(final Entry e, final int type, final long[] words, final int count, final long expireAtMs) {
        if (type == ValueType.STRING || count < 1 || count > EntryLayout.WORDS_MAX) {
            throw new IllegalArgumentException(count + " words of type " + type);
        }
        final long address = claim(e, HEADER_BYTES + count * Long.BYTES);
        final boolean sameForm = e.exists && e.type() == type && e.isWords() && e.wordCount() == count;
        if (!sameForm) {
            beginOverwrite(e);
        }
        for (int i = 0; i < count; i++) {
            // In this order: an algorithm's words are safe to lose from the last one on.
            UnsafeApi.putLongRelease(null, address + HEADER_BYTES + (long) i * Long.BYTES, words[i]);
        }
        EntryLayout.write(address, type, ENCODING_WORDS, count * Long.BYTES, expireAtMs);
        if (!sameForm) {
            endOverwrite(e);
        }
        written(e);
    }

    /**
     * The payload has the given length and keeps what it had when it was of that type; the rest is zero. What is kept
     * stays valid at every instant; it is the caller who writes in an order that a kill cannot harm.
     */
    long putBlob(final Entry e, final int type, final int length, final long expireAtMs) {
        checkLength(length);
        core.refresh(e);
        final boolean kept = e.exists && e.type() == type && EntryLayout.encoding(e.valueAddress) == ENCODING_SIZED;
        if (!e.exists && e.valueAddress != Store.NOT_FOUND && core.effects != null) {
            // What comes may be sent as a change of what was there, which elsewhere is still stored.
            core.effects.remove(e.db, e.keyAddress, e.keyLength);
        }
        final int keptBytes = kept ? Math.min(length, e.payloadLength()) : 0;
        final long address = claim(e, SIZED_HEADER_BYTES + length);
        final long payload = address + SIZED_HEADER_BYTES;
        if (!kept) {
            beginOverwrite(e);
        }
        UnsafeApi.setMemory(payload + keptBytes, length - keptBytes, (byte) 0);
        EntryLayout.write(address, type, ENCODING_SIZED, length, expireAtMs);
        if (!kept) {
            endOverwrite(e);
        }
        return payload;
    }

    /** Writes at an offset of a string, with zero bytes in a gap. Returns the new length. */
    int write(final Entry e, final int offset, final long source, final int length) {
        core.refresh(e);
        final int newLength = Math.max(offset + length, e.exists ? e.stringLength() : 0);
        final long expireAtMs = e.exists ? e.expireAtMs() : Entry.NO_EXPIRY;
        final long address = e.exists ? claimBytes(e, newLength) : claim(e, SIZED_HEADER_BYTES + newLength);
        final long payload = address + SIZED_HEADER_BYTES;
        final int oldLength = e.exists ? EntryLayout.payloadLength(address) : 0;
        // One byte over another is a single store, which a kill does not cut in two.
        final boolean overwrites = offset < oldLength && length > 1 || !e.exists;
        if (overwrites) {
            beginOverwrite(e);
        }
        UnsafeApi.setMemory(payload + oldLength, Math.max(0, offset - oldLength), (byte) 0);
        UnsafeApi.copyMemory(source, payload + offset, length);
        EntryLayout.write(address, ValueType.STRING, ENCODING_SIZED, newLength, expireAtMs);
        if (overwrites) {
            endOverwrite(e);
        }
        written(e);
        return newLength;
    }

    void expireAt(final Entry e, final long expireAtMs) {
        core.beforeChange(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        core.spaces.removed(e.space, e.type(), e.expireAtMs());
        EntryLayout.expireAtMs(e.valueAddress, expireAtMs);
        account(e, expireAtMs);
        if (core.effects != null) {
            core.effects.expireAt(e.db, e.keyAddress, e.keyLength, expireAtMs);
        }
    }

    /** Copies value and expiry of one entry to another. */
    void copy(final Entry from, final Entry to) {
        core.refresh(from);
        core.pinnedSource = from.valueAddress;
        try {
            final int encoding = EntryLayout.encoding(from.valueAddress);
            if (encoding == EntryLayout.ENCODING_INT) {
                putInt(to, from.intValue(), from.expireAtMs());
            } else {
                put(to, from.type(), encoding, from.payloadAddress(), from.payloadLength(), from.expireAtMs());
            }
        } finally {
            core.pinnedSource = Store.NOT_FOUND;
            unpinned(from);
        }
    }

    /** Accounts for what was written and tells of it. The entry was {@linkplain #claim claimed} before. */
    void written(final Entry e) {
        e.exists = true;
        if (claimedBytes > WASTE_BYTES_MIN) {
            shrink(e);
        }
        e.version = core.version;
        account(e, e.expireAtMs());
        if (core.effects != null) {
            core.effects.put(e);
        }
    }

    /** Stores a whole collection and tells nobody. Returns the payload's address. */
    long place(final Entry e, final int type, final long source, final int length, final long expireAtMs) {
        checkLength(length);
        core.refresh(e);
        final boolean expired = !e.exists && e.valueAddress != Store.NOT_FOUND;
        final long address = claim(e, SIZED_HEADER_BYTES + length);
        if (expired && core.effects != null) {
            // What follows adds to a value that is not there; where time lags, the expired one still might be.
            core.effects.remove(e.db, e.keyAddress, e.keyLength);
        }
        beginOverwrite(e);
        UnsafeApi.copyMemory(source, address + SIZED_HEADER_BYTES, length);
        EntryLayout.write(address, type, ENCODING_SIZED, length, expireAtMs);
        endOverwrite(e);
        e.exists = true;
        if (claimedBytes > WASTE_BYTES_MIN) {
            shrink(e);
        }
        e.version = core.version;
        core.spaces.added(e.space, type, expireAtMs);
        core.bounds.lower(core.store.shardOf(e.hash), expireAtMs);
        return EntryLayout.payloadAddress(e.valueAddress);
    }

    /** Makes sure that a collection may take up so many bytes of payload. */
    void require(final Entry e, final int payloadBytes) {
        checkLength(payloadBytes);
        core.refresh(e);
        core.pinnedTarget = e.valueAddress;
        try {
            room.require(e.exists ? 0 : 1,
                (long) payloadBytes + (e.exists ? -e.payloadLength() : e.keyLength + SIZED_HEADER_BYTES));
        } finally {
            core.pinnedTarget = Store.NOT_FOUND;
            if (e.valueAddress != Store.NOT_FOUND) {
                unpinned(e);
            }
        }
    }

    /** Begins to change a live collection where it is. Returns the payload's address. */
    long beginChange(final Entry e) {
        core.refresh(e);
        if (!e.exists) {
            throw new IllegalStateException("the collection's key is gone");
        }
        core.beforeChange(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        core.store.keepImage(e.space, e.keyAddress, e.keyLength, e.valueAddress, 0);
        return EntryLayout.payloadAddress(e.valueAddress);
    }

    /** The payload's bytes from that offset are going to be overwritten. */
    void keep(final int offset, final int bytes) {
        core.store.keepMore(SIZED_HEADER_BYTES + offset, bytes);
    }

    /** The collection is complete again. */
    void endChange() {
        core.store.dropImage();
    }

    /** Counts a change of a collection and tells the observer. */
    void touched(final Entry e) {
        core.dirty++;
        if (core.observer != null) {
            core.observer.keyTouched(e.db, e.keyAddress, e.keyLength);
        }
    }

    /** Tells that a key has another value as a whole. */
    void replaced(final Entry e) {
        touched(e);
        if (core.effects != null) {
            core.effects.put(e);
        }
    }

    void checkLength(final long length) {
        if (length > payloadBytesMax()) {
            throw ValueTooLargeException.INSTANCE;
        }
    }

    private void put(
        final Entry e, final int type, final int encoding, final long source, final int length,
        final long expireAtMs) {
        final int headerBytes = encoding == ENCODING_SIZED ? SIZED_HEADER_BYTES : HEADER_BYTES;
        final long address = claim(e, headerBytes + length);
        beginOverwrite(e);
        UnsafeApi.copyMemory(source, address + headerBytes, length);
        EntryLayout.write(address, type, encoding, length, expireAtMs);
        endOverwrite(e);
        written(e);
    }

    /** From here to {@link #endOverwrite} a kill leaves what the claimed entry held: its value, or none. */
    private void beginOverwrite(final Entry e) {
        if (e.exists) {
            core.store.keepImage(
                e.space, e.keyAddress, e.keyLength, e.valueAddress, EntryLayout.valueBytes(e.valueAddress));
        } else {
            EntryLayout.beginReplace(e.valueAddress);
        }
    }

    private void endOverwrite(final Entry e) {
        if (e.exists) {
            core.store.dropImage();
        }
    }

    /**
     * A place of at least that many bytes for the value of a key, there or not. What a present value held is kept and
     * saved, but no longer accounted for. Changes nothing when it throws.
     */
    private long claim(final Entry e, final int valueBytes) {
        core.refresh(e);
        if (e.valueAddress == Store.NOT_FOUND) {
            return insert(e, valueBytes);
        }
        core.beforeChange(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        claimedBytes = core.store.capacityOf(e.valueAddress);
        if (claimedBytes < valueBytes) {
            grow(e, valueBytes, valueBytes - claimedBytes);
        }
        if (!e.exists) {
            core.expired++;
            if (core.observer != null) {
                core.observer.keyEvent(KeyEvent.EXPIRED, e.db, e.keyAddress, e.keyLength);
            }
        }
        core.spaces.removed(
            e.space, EntryLayout.type(e.valueAddress), EntryLayout.expireAtMs(e.valueAddress));
        return e.valueAddress;
    }

    /** Claims a live string as bytes, with slack for more of them when it has to grow. */
    private long claimBytes(final Entry e, final int length) {
        if (!e.isInt()) {
            final int needed = SIZED_HEADER_BYTES + length;
            if (needed > core.store.capacityOf(e.valueAddress)) {
                final int slack = Math.min(length / 2, payloadBytesMax() - length);
                if (core.store.hasRoom(0, (long) needed + slack)) {
                    return claim(e, needed + slack);
                }
            }
            return claim(e, needed);
        }
        final int textBytes = DecimalText.write(e.intValue(), text);
        final long address = claim(e, SIZED_HEADER_BYTES + length);
        beginOverwrite(e);
        UnsafeApi.copyMemory(text, address + SIZED_HEADER_BYTES, textBytes);
        EntryLayout.write(address, ValueType.STRING, ENCODING_SIZED, textBytes, e.expireAtMs());
        endOverwrite(e);
        return address;
    }

    private long insert(final Entry e, final int valueBytes) {
        room.require(1, (long) e.keyLength + valueBytes);
        long address;
        try {
            address = core.store.insert(e.hash, e.space, e.keyAddress, e.keyLength, valueBytes);
        } catch (final StoreFullException full) {
            if (!room.release()) {
                throw KeyspaceFullException.INSTANCE;
            }
            address = insertAgain(e, valueBytes);
        }
        core.version++;
        claimedBytes = 0;
        e.valueAddress = address;
        if (core.snapshot != null) {
            core.snapshot.inserted(e.hash, address);
        }
        return address;
    }

    private long insertAgain(final Entry e, final int valueBytes) {
        try {
            return core.store.insert(e.hash, e.space, e.keyAddress, e.keyLength, valueBytes);
        } catch (final StoreFullException full) {
            throw KeyspaceFullException.INSTANCE;
        }
    }

    private void grow(final Entry e, final int valueBytes, final int moreBytes) {
        core.pinnedTarget = e.valueAddress;
        try {
            room.require(0, moreBytes);
            resize(e, valueBytes);
        } catch (final StoreFullException full) {
            throw KeyspaceFullException.INSTANCE;
        } finally {
            core.pinnedTarget = Store.NOT_FOUND;
            unpinned(e);
        }
    }

    /** Gives a place back that is far too large. Only now: until it was complete the old value had to stay whole. */
    private void shrink(final Entry e) {
        final int valueBytes = EntryLayout.valueBytes(e.valueAddress);
        if (claimedBytes / WASTE_FACTOR > valueBytes) {
            try {
                resize(e, valueBytes);
            } catch (final StoreFullException full) {
                // The value stays where it is, which is large enough.
                assert core.store.capacityOf(e.valueAddress) >= valueBytes;
            }
        }
    }

    private void resize(final Entry e, final int valueBytes) {
        e.valueAddress =
            core.store.resize(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress, valueBytes);
        core.version++;
    }

    private void account(final Entry e, final long expireAtMs) {
        core.spaces.added(e.space, e.type(), expireAtMs);
        core.bounds.lower(core.store.shardOf(e.hash), expireAtMs);
        core.dirty++;
        if (core.observer != null) {
            core.observer.keyTouched(e.db, e.keyAddress, e.keyLength);
        }
    }

    /** Nobody who makes room takes notice of a pinned entry, so its expiry may be missing in the bounds. */
    private void unpinned(final Entry e) {
        core.bounds.lower(core.store.shardOf(e.hash), EntryLayout.expireAtMs(e.valueAddress));
    }
}
