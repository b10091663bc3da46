package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.putInt;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.store.KeyHash;
import org.agrona.UnsafeApi;

import java.security.SecureRandom;

/**
 * What lists, sets, sorted sets and hashes have in common: a flyweight over one collection, which handlers reuse.
 * {@link #open} shows the collection of a key, which is empty when the key is not there; adding the first element makes
 * the key, removing the last one removes it. {@link #build} begins one that no key has until {@link #store}, for
 * results that replace a key as a whole.
 *
 * <p>An element is named by a <em>handle</em>, valid until the next change, or by its position. Bytes given to a change
 * must not be those of the same collection. Every change of an opened collection is whole when the process is killed,
 * counts as one change of the key and has one effect.
 *
 * <p>Errors: {@link io.sluice.persistence.KeyspaceFullException} and {@link ValueTooLargeException} leave the
 * collection as it was. An {@link IllegalStateException} means damaged bytes, which are never followed out of the
 * value.
 */
public abstract class PackedValue extends PackedEdits {

    /** Below this a payload is not worth shrinking. */
    private static final int SHRINK_BYTES_MIN = 1 << 10;
    private static final int SHRINK_FACTOR = 4;

    /** What alignment, and the slack of a hash's value, may add to an element. */
    private static final int ELEMENT_SLACK_BYTES = 12;

    private static final long SECRET = new SecureRandom().nextLong();

    private final int type;
    private final Packed target = new Packed();
    private final MemberIndex targetIndex = new MemberIndex(target);
    private long detachedAddress;

    PackedValue(final int type, final int auxBytes, final int indexedBytes) {
        super(auxBytes, indexedBytes);
        this.type = type;
    }

    /** Shows the collection of a key; the entry must be of this type or not exist. */
    public final void open(final Keyspace keyspace, final Entry e) {
        begin(keyspace, e, false);
        if (e.exists()) {
            assert e.type() == type;
            packed.read(e.payloadAddress(), e.payloadLength());
        }
    }

    /** Shows the collection of an entry of this type, to be read only. */
    public final void view(final Entry e) {
        assert e.type() == type;
        freeDetached();
        entry = e;
        packed.read(e.payloadAddress(), e.payloadLength());
    }

    /** Begins an empty collection of no key. */
    public final void build(final Keyspace keyspace) {
        begin(keyspace, null, true);
    }

    private void begin(final Keyspace keyspace, final Entry e, final boolean newDetached) {
        freeDetached();
        blobs = keyspace.blobs();
        entry = e;
        detached = newDetached;
        elementsAhead = 0;
        bytesAhead = 0;
        packed.clear();
    }

    /**
     * Makes what was {@linkplain #build built} the value of a key, whatever that held; with nothing in it, removes the
     * key. The effect is the whole value. What was built is gone then.
     *
     * @param expireAtMs in ms since the epoch, {@link Entry#NO_EXPIRY} for never
     * @return whether the key is there now
     */
    public final boolean store(final Entry e, final long expireAtMs) {
        final boolean stored = packed.count > 0;
        try {
            if (stored) {
                blobs.replace(e, type, packed.address, packed.length, expireAtMs);
                blobs.replaced(e);
            } else {
                blobs.remove(e);
            }
        } finally {
            freeDetached();
            packed.clear();
        }
        return stored;
    }

    private void freeDetached() {
        UnsafeApi.freeMemory(detachedAddress);
        detachedAddress = 0;
    }

    /**
     * Makes sure that so many new elements with so many bytes altogether will fit, so that a command that adds several
     * either adds all or none. What they need is allotted at once when the first of them does not fit.
     */
    public final void reserve(final int elements, final long elementBytes) {
        final long bytes = elementBytes + (long) elements * (headBytes(true) + ELEMENT_SLACK_BYTES);
        final int ringBits = Packed.bitsFor(packed.count + elements);
        final long needed = Packed.fixedBytes(ringBits, indexedBytes > 0 ? ringBits + 1 : 0) + bytes
            + packed.liveBytes() + (long) packed.count * indexedBytes;
        if (needed > blobs.bytesMax()) {
            throw ValueTooLargeException.INSTANCE;
        }
        elementsAhead = elements;
        bytesAhead = (int) bytes;
        if (!detached && needed > packed.length) {
            blobs.require(entry, (int) needed);
        }
    }

    /** How many elements the running command adds at most. */
    final int membersAhead() {
        return Math.max(1, elementsAhead);
    }

    /** Makes room for new elements; afterwards a change in place cannot fail. */
    final void makeRoom(final int elements, final int bytes) {
        if (packed.address == 0 || packed.count + elements > packed.ringCapacity()
            || bytes > packed.length - packed.arenaEnd) {
            rebuild(Math.max(elements, elementsAhead), Math.max(bytes, bytesAhead), packed.flags, 0, 0);
        }
    }

    /** Leaves the small form and makes room. */
    final void becomeLarge(final int elements, final int bytes) {
        rebuild(Math.max(elements, elementsAhead), Math.max(bytes, bytesAhead), Packed.LARGE, 0, 0);
    }

    /**
     * Removes a run of elements and says nothing about it to the effects; the last ones with their key. A large set or
     * hash, whose order means nothing, fills the gap with its last element.
     */
    final void removeRun(final int from, final int elements) {
        if (elements == packed.count) {
            if (!detached) {
                blobs.remove(entry);
            }
            packed.clear();
            freeDetached();
            return;
        }
        if (elements > MANY && elements > packed.count - elements) {
            rebuild(0, 0, packed.flags, from, elements);
            beginChange();
            chooseForm();
            endChange();
            return;
        }
        beginChange();
        takeOut(from, elements);
        chooseForm();
        endChange();
        shrink();
    }

    /** Elements were removed; a list may return to its small form. */
    void chooseForm() {
    }

    /** Gives memory back of which most is not used. */
    final void shrink() {
        if (packed.length > SHRINK_BYTES_MIN
            && (packed.liveBytes()
                + (long) packed.count * (Packed.REF_BYTES << (isIndexed() ? 2 : 0))) * SHRINK_FACTOR < packed.length) {
            rebuild(0, 0, packed.flags, 0, 0);
        }
    }

    /**
     * Writes the structure anew: with room for more, without garbage, without a run of elements, or in its large form.
     */
    private void rebuild(
        final int newElements, final int newBytes, final int newFlags, final int skipFrom, final int skip) {
        final boolean large = (newFlags & Packed.LARGE) != 0;
        final int growth = headBytes(large) - headBytes();
        long live = newBytes;
        for (int i = 0; i < packed.count; i++) {
            live += i >= skipFrom && i < skipFrom + skip ? 0 : elementBytes(at(i)) + growth;
        }
        final int elements = packed.count - skip + newElements;
        final int ringBits = Packed.bitsFor(elements);
        final int indexBits = large && indexedBytes > 0 ? ringBits + 1 : 0;
        final int bytes = payloadBytes(Packed.fixedBytes(ringBits, indexBits) + live, live);
        final int extra = indexedBytes > 0 && large && !isIndexed() ? newSeed() : packed.extra;
        final long memory = detached ? UnsafeApi.allocateMemory(bytes) : blobs.scratch(bytes);
        target.format(memory, bytes, newFlags, ringBits, indexBits, extra);
        for (int i = 0; i < packed.count; i++) {
            if (i < skipFrom || i >= skipFrom + skip) {
                copyToTarget(at(i), headBytes(large));
            } else {
                forget(at(i));
            }
        }
        target.extra = indexBits > 0 ? extra : packed.extra;
        target.writeHeader();
        adopt(memory, bytes);
    }

    private void adopt(final long memory, final int bytes) {
        if (detached) {
            freeDetached();
            detachedAddress = memory;
            packed.read(memory, bytes);
            return;
        }
        final long expireAtMs = entry.exists() ? entry.expireAtMs() : Entry.NO_EXPIRY;
        final long address = blobs.replace(entry, type, memory, bytes, expireAtMs);
        blobs.releaseScratch();
        packed.read(address, bytes);
    }

    /** Bytes for a payload that needs so many, half as much again for its arena where it is going to grow. */
    private int payloadBytes(final long needed, final long arenaBytes) {
        if (needed > blobs.bytesMax()) {
            throw ValueTooLargeException.INSTANCE;
        }
        final long slack = packed.address == 0 ? 0 : arenaBytes / 2;
        final int generous = (int) Math.min(needed + slack, blobs.bytesMax());
        return detached || blobs.hasRoom(entry, generous) ? generous : (int) needed;
    }

    private int newSeed() {
        return (int) (KeyHash.hash(SECRET, 0, packed.address, Math.min(packed.length, Packed.HEADER_BYTES))
            ^ System.nanoTime());
    }

    private void copyToTarget(final int handle, final int newHeadBytes) {
        final int bytes = elementBytes(handle);
        final int head = headBytes();
        final int fixed = Integer.BYTES + auxBytes;
        final int copy = target.arenaEnd;
        final long from = packed.address + handle;
        final long to = target.address + copy;
        UnsafeApi.copyMemory(from, to, fixed);
        UnsafeApi.copyMemory(from + head, to + newHeadBytes, bytes - head);
        final int position = target.count++;
        target.arenaEnd += bytes - head + newHeadBytes;
        target.refAt(position, copy);
        if (target.indexBits > 0) {
            final int hash = isIndexed() ? hashAt(handle)
                : hash(target.extra, from + head, getInt(from) & Packed.LENGTH_MASK);
            putInt(to + fixed, hash);
            if (indexedBytes > Integer.BYTES) {
                putInt(to + positionOffset(), position);
            }
            targetIndex.put(targetIndex.freeSlot(hash), copy, hash);
        }
    }
}
