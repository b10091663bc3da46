package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.putInt;

/**
 * The hash index of a large collection: open addressing with linear probing, a slot is a reference to an element and
 * twelve bits of its hash. An element's home is given by the hash's top bits, so that ranges of hashes are ranges of
 * slots whatever the capacity, which is what a scan's cursor relies on.
 */
final class MemberIndex {

    private static final int REF_BITS = Packed.LENGTH_BITS - 2;
    private static final int REF_MASK = (1 << REF_BITS) - 1;

    private final Packed packed;

    MemberIndex(final Packed packed) {
        this.packed = packed;
    }

    int capacity() {
        return 1 << packed.indexBits;
    }

    /** The slot in which the search for a hash begins. */
    int home(final int hash) {
        return hash >>> Integer.SIZE - packed.indexBits;
    }

    int next(final int slot) {
        return slot + 1 & capacity() - 1;
    }

    /** Offset of the element in a slot, 0 for an empty slot. */
    int element(final int slot) {
        return (getInt(slotAddress(slot)) & REF_MASK) * Packed.ALIGNMENT;
    }

    /** Whether the element in a slot may have the hash. */
    boolean mayBe(final int slot, final int hash) {
        return getInt(slotAddress(slot)) >>> REF_BITS == tag(hash);
    }

    void put(final int slot, final int element, final int hash) {
        putInt(slotAddress(slot), element / Packed.ALIGNMENT | tag(hash) << REF_BITS);
    }

    void copy(final int fromSlot, final int toSlot) {
        putInt(slotAddress(toSlot), getInt(slotAddress(fromSlot)));
    }

    void empty(final int slot) {
        putInt(slotAddress(slot), 0);
    }

    /** The first empty slot for a hash. */
    int freeSlot(final int hash) {
        int slot = home(hash);
        for (int i = 0; element(slot) != 0; i++) {
            if (i == capacity()) {
                throw packed.damaged("full index");
            }
            slot = next(slot);
        }
        return slot;
    }

    /** The slot of an element that has the hash. */
    int slotOf(final int element, final int hash) {
        int slot = home(hash);
        for (int i = 0; element(slot) != element; i++) {
            if (i == capacity() || element(slot) == 0) {
                throw packed.damaged("index without an element");
            }
            slot = next(slot);
        }
        return slot;
    }

    /** Whether the element whose home that is may be moved from a slot to a hole before it. */
    boolean mayMove(final int home, final int slot, final int hole) {
        final int mask = capacity() - 1;
        return (slot - home & mask) >= (slot - hole & mask);
    }

    /** Offset in the payload. */
    int slotOffset(final int slot) {
        return packed.indexOffset() + slot * Packed.REF_BYTES;
    }

    private long slotAddress(final int slot) {
        return packed.address + slotOffset(slot);
    }

    private static int tag(final int hash) {
        return hash & (1 << Integer.SIZE - REF_BITS) - 1;
    }
}
