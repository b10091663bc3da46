package io.sluice.persistence;

import static io.sluice.persistence.EntryLayout.ENCODING_SIZED;
import static io.sluice.persistence.EntryLayout.ENCODING_WORDS;
import static io.sluice.persistence.EntryLayout.HEADER_BYTES;
import static io.sluice.persistence.EntryLayout.INT_BYTES;
import static io.sluice.persistence.EntryLayout.SIZED_HEADER_BYTES;

import io.sluice.persistence.store.Store;
import org.agrona.UnsafeApi;

/**
 * The one way to write a value as a whole: claim a place for it, let a snapshot save what is there, write, account,
 * tell.
 */
final class Writer {

    private final Core core;
    private final Placement placement;
    /** Text of an integer that becomes bytes. */
    private final long text = UnsafeApi.allocateMemory(DecimalText.BYTES_MAX);

    Writer(final Core core, final Placement placement) {
        this.core = core;
        this.placement = placement;
    }

    void putInt(final Entry e, final long value, final long expireAtMs) {
        final long address = placement.claim(e, INT_BYTES);
        if (EntryLayout.isInt(address)) {
            EntryLayout.writeInt(address, value, expireAtMs);
        } else {
            placement.beginOverwrite(e);
            EntryLayout.writeInt(address, value, expireAtMs);
            placement.endOverwrite(e);
        }
        written(e);
    }

    void putBytes(final Entry e, final long source, final int length, final long expireAtMs) {
        if (length <= DecimalText.BYTES_MAX && DecimalText.isCanonical(source, length)) {
            putInt(e, DecimalText.parse(source, length), expireAtMs);
            return;
        }
        placement.checkLength(length);
        put(e, ValueType.STRING, ENCODING_SIZED, source, length, expireAtMs);
    }

    void putWords(final Entry e, final int type, final long[] words, final int count, final long expireAtMs) {
        if (type == ValueType.STRING || count < 1 || count > EntryLayout.WORDS_MAX) {
            throw new IllegalArgumentException(count + " words of type " + type);
        }
        final long address = placement.claim(e, HEADER_BYTES + count * Long.BYTES);
        final boolean sameForm = e.exists && e.type() == type && e.isWords() && e.wordCount() == count;
        if (!sameForm) {
            placement.beginOverwrite(e);
        }
        for (int i = 0; i < count; i++) {
            // In this order: an algorithm's words are safe to lose from the last one on.
            UnsafeApi.putLongRelease(null, address + HEADER_BYTES + (long) i * Long.BYTES, words[i]);
        }
        EntryLayout.write(address, type, ENCODING_WORDS, count * Long.BYTES, expireAtMs);
        if (!sameForm) {
            placement.endOverwrite(e);
        }
        written(e);
    }

    /**
     * The payload has the given length and keeps what it had when it was of that type; the rest is zero. What is kept
     * stays valid at every instant; it is the caller who writes in an order that a kill cannot harm.
     */
    long putBlob(final Entry e, final int type, final int length, final long expireAtMs) {
        placement.checkLength(length);
        core.refresh(e);
        final boolean kept = e.exists && e.type() == type && EntryLayout.encoding(e.valueAddress) == ENCODING_SIZED;
        if (!e.exists && e.valueAddress != Store.NOT_FOUND && core.effects != null) {
            // What comes may be sent as a change of what was there, which elsewhere is still stored.
            core.effects.remove(e.db, e.keyAddress, e.keyLength);
        }
        final int keptBytes = kept ? Math.min(length, e.payloadLength()) : 0;
        final long address = placement.claim(e, SIZED_HEADER_BYTES + length);
        final long payload = address + SIZED_HEADER_BYTES;
        if (!kept) {
            placement.beginOverwrite(e);
        }
        UnsafeApi.setMemory(payload + keptBytes, length - keptBytes, (byte) 0);
        EntryLayout.write(address, type, ENCODING_SIZED, length, expireAtMs);
        if (!kept) {
            placement.endOverwrite(e);
        }
        return payload;
    }

    int append(final Entry e, final long source, final int length) {
        core.refresh(e);
        if (!e.exists) {
            putBytes(e, source, length, Entry.NO_EXPIRY);
            return length;
        }
        final int oldLength = e.stringLength();
        placement.checkLength((long) oldLength + length);
        return write(e, oldLength, source, length);
    }

    int setRange(final Entry e, final long offset, final long source, final int length) {
        core.refresh(e);
        if (length == 0) {
            return e.exists ? e.stringLength() : 0;
        }
        placement.checkLength(offset);
        placement.checkLength(offset + length);
        return write(e, (int) offset, source, length);
    }

    /** Writes at an offset of a string, with zero bytes in a gap. Returns the new length. */
    private int write(final Entry e, final int offset, final long source, final int length) {
        core.refresh(e);
        final int newLength = Math.max(offset + length, e.exists ? e.stringLength() : 0);
        final long expireAtMs = e.exists ? e.expireAtMs() : Entry.NO_EXPIRY;
        final long address = e.exists ? claimBytes(e, newLength) : placement.claim(e, SIZED_HEADER_BYTES + newLength);
        final long payload = address + SIZED_HEADER_BYTES;
        final int oldLength = e.exists ? EntryLayout.payloadLength(address) : 0;
        // One byte over another is a single store, which a kill does not cut in two.
        final boolean overwrites = offset < oldLength && length > 1 || !e.exists;
        if (overwrites) {
            placement.beginOverwrite(e);
        }
        UnsafeApi.setMemory(payload + oldLength, Math.max(0, offset - oldLength), (byte) 0);
        UnsafeApi.copyMemory(source, payload + offset, length);
        EntryLayout.write(address, ValueType.STRING, ENCODING_SIZED, newLength, expireAtMs);
        if (overwrites) {
            placement.endOverwrite(e);
        }
        written(e);
        return newLength;
    }

    void expireAt(final Entry e, final long expireAtMs) {
        core.beforeChange(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        core.spaces.removed(e.space, e.type(), e.expireAtMs());
        EntryLayout.expireAtMs(e.valueAddress, expireAtMs);
        placement.account(e, expireAtMs);
        core.touched(e);
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
            placement.unpinned(from);
        }
    }

    /** As {@link #copy}, whatever the limits are. */
    void copyWithoutLimit(final Entry from, final Entry to) {
        final KeyspaceLimits limits = core.limits;
        core.limits(KeyspaceLimits.NONE);
        try {
            copy(from, to);
        } finally {
            core.limits(limits);
        }
    }

    /** Accounts for what was written and tells of it. The entry was {@linkplain Placement#claim claimed} before. */
    void written(final Entry e) {
        placement.settle(e);
        core.touched(e);
        if (core.effects != null) {
            core.effects.put(e);
        }
    }

    /** As {@link #written}, where a command of ours tells the change of a value that was there. */
    void changed(final Entry e, final byte[] command, final long[] numbers) {
        placement.settle(e);
        core.touched(e);
        if (core.effects != null) {
            core.effects.ownChanged(e, command, numbers);
        }
    }

    private void put(
        final Entry e, final int type, final int encoding, final long source, final int length,
        final long expireAtMs) {
        final int headerBytes = encoding == ENCODING_SIZED ? SIZED_HEADER_BYTES : HEADER_BYTES;
        final long address = placement.claim(e, headerBytes + length);
        placement.beginOverwrite(e);
        UnsafeApi.copyMemory(source, address + headerBytes, length);
        EntryLayout.write(address, type, encoding, length, expireAtMs);
        placement.endOverwrite(e);
        written(e);
    }

    /** Claims a live string as bytes, with slack for more of them when it has to grow. */
    private long claimBytes(final Entry e, final int length) {
        if (!e.isInt()) {
            final int needed = SIZED_HEADER_BYTES + length;
            if (needed > core.store.capacityOf(e.valueAddress)) {
                final int slack = Math.min(length / 2, placement.payloadBytesMax() - length);
                if (core.store.hasRoom(0, (long) needed + slack)) {
                    return placement.claim(e, needed + slack);
                }
            }
            return placement.claim(e, needed);
        }
        final int textBytes = DecimalText.write(e.intValue(), text);
        final long address = placement.claim(e, SIZED_HEADER_BYTES + length);
        placement.beginOverwrite(e);
        UnsafeApi.copyMemory(text, address + SIZED_HEADER_BYTES, textBytes);
        EntryLayout.write(address, ValueType.STRING, ENCODING_SIZED, textBytes, e.expireAtMs());
        placement.endOverwrite(e);
        return address;
    }
}
