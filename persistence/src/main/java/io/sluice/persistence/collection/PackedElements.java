package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;

import io.sluice.persistence.Memory;
import io.sluice.persistence.store.KeyHash;

/**
 * The reading half of {@link PackedValue}: where elements are and how they are found. Every offset that comes out of
 * the bytes is checked before it is followed.
 */
abstract class PackedElements {

    /** The handle of no element. */
    public static final int ABSENT = 0;

    /** Slots that a scan looks at for each element that it is asked for. */
    private static final int SCAN_HOMES_PER_ELEMENT = 10;
    private static final long SEED_MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    final Packed packed = new Packed();
    final MemberIndex index = new MemberIndex(packed);
    /** Of every element, between its length and what only a large collection's elements have. */
    final int auxBytes;
    /** Hash, and position where the order means nothing. */
    final int indexedBytes;

    PackedElements(final int auxBytes, final int indexedBytes) {
        this.auxBytes = auxBytes;
        this.indexedBytes = indexedBytes;
    }

    /** Number of elements. */
    public final int size() {
        return packed.count;
    }

    /** Whether the collection has left its small form: {@code hashtable}, {@code skiplist}, {@code quicklist}. */
    public final boolean isLarge() {
        return packed.isLarge();
    }

    /** The element at a position from 0 on. */
    public final int at(final int position) {
        assert position >= 0 && position < packed.count;
        return checked(packed.refAt(position));
    }

    /** Native address of an element's bytes: of a hash's field, else of the member. */
    public final long address(final int handle) {
        return packed.address + handle + headBytes();
    }

    /** Length of an element's bytes. */
    public final int length(final int handle) {
        return getInt(packed.address + handle) & Packed.LENGTH_MASK;
    }

    /** Bytes of an element behind its head, as the head at this address says. */
    abstract int bodyBytes(long elementAddress);

    /** Bytes that a new element of that content takes up. */
    final int newElementBytes(final int contentBytes, final boolean large) {
        return Packed.align(headBytes(large) + contentBytes);
    }

    final int headBytes() {
        return headBytes(packed.isLarge());
    }

    final int headBytes(final boolean large) {
        return Integer.BYTES + auxBytes + (large ? indexedBytes : 0);
    }

    final boolean isIndexed() {
        return packed.indexBits > 0;
    }

    final int elementBytes(final int handle) {
        return Packed.align(headBytes() + bodyBytes(packed.address + handle));
    }

    /** The handle, if it is one that lies within the arena. */
    final int checked(final int handle) {
        if (handle < packed.arenaStart() || handle > packed.arenaEnd - headBytes()
            || elementBytes(handle) > packed.arenaEnd - handle) {
            throw packed.damaged("element");
        }
        return handle;
    }

    final int hashOf(final long address, final int length) {
        return hash(packed.extra, address, length);
    }

    static int hash(final int seed, final long address, final int length) {
        return (int) (KeyHash.hash(SEED_MULTIPLIER * seed, 0, address, length) >>> Integer.SIZE);
    }

    final int hashAt(final int handle) {
        return getInt(packed.address + handle + Integer.BYTES + auxBytes);
    }

    /** The position that an element of a large hash or set knows. */
    final int positionOf(final int handle) {
        final int position = getInt(packed.address + handle + positionOffset());
        if (position < 0 || position >= packed.count) {
            throw packed.damaged("position");
        }
        return position;
    }

    final int positionOffset() {
        return 2 * Integer.BYTES + auxBytes;
    }

    final boolean knowsPositions() {
        return packed.isLarge() && indexedBytes > Integer.BYTES;
    }

    /** The element with these bytes, or {@link #ABSENT}. */
    final int findMember(final long address, final int length) {
        if (!isIndexed()) {
            final int position = findLinear(address, length);
            return position < 0 ? ABSENT : at(position);
        }
        final int hash = hashOf(address, length);
        int slot = index.home(hash);
        for (int i = 0; i < index.capacity(); i++) {
            final int element = index.element(slot);
            if (element == ABSENT) {
                return ABSENT;
            }
            if (index.mayBe(slot, hash) && isMember(checked(element), address, length)) {
                return element;
            }
            slot = index.next(slot);
        }
        throw packed.damaged("full index");
    }

    /** The first position of an element with these bytes, or -1. */
    final int findLinear(final long address, final int length) {
        for (int i = 0; i < packed.count; i++) {
            if (isMember(at(i), address, length)) {
                return i;
            }
        }
        return -1;
    }

    /** See {@link SetValue#scan}. The cursor is a hash, so it holds whatever the index's capacity becomes. */
    final long scanElements(final long cursor, final int count, final ElementVisitor visitor) {
        if (!isIndexed()) {
            for (int i = 0; i < packed.count; i++) {
                visitor.visit(at(i));
            }
            return 0;
        }
        if (cursor < 0 || cursor >= 1L << Integer.SIZE) {
            return 0;
        }
        int home = index.home((int) cursor);
        int shown = 0;
        for (int i = 0; i < (long) count * SCAN_HOMES_PER_ELEMENT && shown < count && home < index.capacity(); i++) {
            shown += showHome(home++, visitor);
        }
        return home == index.capacity() ? 0 : (long) home << Integer.SIZE - packed.indexBits;
    }

    /** Shows the elements whose home a slot is: they are in the run of full slots that begins with it. */
    private int showHome(final int home, final ElementVisitor visitor) {
        int shown = 0;
        int slot = home;
        for (int i = 0; i < index.capacity() && index.element(slot) != ABSENT; i++) {
            final int element = checked(index.element(slot));
            if (index.home(hashAt(element)) == home) {
                visitor.visit(element);
                shown++;
            }
            slot = index.next(slot);
        }
        return shown;
    }

    final boolean isMember(final int handle, final long address, final int length) {
        return length(handle) == length && Memory.equal(address(handle), address, length);
    }
}
