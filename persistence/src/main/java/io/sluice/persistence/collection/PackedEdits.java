package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.putInt;

import io.sluice.persistence.Blobs;
import io.sluice.persistence.EffectSink;
import io.sluice.persistence.Entry;
import org.agrona.UnsafeApi;

/**
 * The half of {@link PackedValue} that changes a few bytes where they are. Between {@link #beginChange} and
 * {@link #endChange} everything that means something is {@linkplain #keep kept} before it is overwritten, so that a
 * kill leaves the collection as it was.
 */
abstract class PackedEdits extends PackedElements {

    /** Removals of more than this keep the whole index instead of slots. */
    static final int MANY = 64;

    Blobs blobs;
    /** The collection's key; null while it is detached. */
    Entry entry;
    /** The collection is of no key yet: nobody hears of its changes, and a kill loses it. */
    boolean detached;
    /** What the running command adds at most from now on, as it would be in the large form. */
    int elementsAhead;
    int bytesAhead;
    private boolean indexKept;

    PackedEdits(final int auxBytes, final int indexedBytes) {
        super(auxBytes, indexedBytes);
    }

    /** Begins a change of an opened collection in place. */
    final void beginChange() {
        indexKept = detached;
        if (!detached) {
            packed.address = blobs.begin(entry);
            keep(0, Packed.HEADER_BYTES);
        }
    }

    /** Bytes that mean something are going to be overwritten. */
    final void keep(final int offset, final int bytes) {
        if (!detached && bytes > 0) {
            blobs.keep(offset, bytes);
        }
    }

    /** The references at these positions are going to be overwritten. */
    final void keepRefs(final int position, final int references) {
        final int untilWrap = Math.min(references, packed.ringCapacity()
            - (packed.first + position & packed.ringCapacity() - 1));
        if (references > 0) {
            keep(packed.slotOffset(position), untilWrap * Packed.REF_BYTES);
            keep(Packed.HEADER_BYTES, (references - untilWrap) * Packed.REF_BYTES);
        }
    }

    /** Ends a change in place. */
    final void endChange() {
        packed.writeHeader();
        if (!detached) {
            blobs.end();
            blobs.touched(entry);
        }
    }

    /** Who takes the effects of this collection, null for nobody. */
    final EffectSink effects() {
        return detached ? null : blobs.effects();
    }

    final Entry entry() {
        return entry;
    }

    /** Takes the next bytes of the arena for an element of that length and aux part still to be written. */
    final int allocate(final int elementBytes) {
        final int element = packed.arenaEnd;
        packed.arenaEnd += elementBytes;
        elementsAhead = Math.max(0, elementsAhead - 1);
        bytesAhead = Math.max(0, bytesAhead - elementBytes - headBytes(true) + headBytes());
        return element;
    }

    /** Writes length and bytes of a new element, and its hash where there is an index. */
    final void writeMember(final int element, final long address, final int length) {
        putInt(packed.address + element, length);
        if (isIndexed()) {
            putInt(packed.address + element + Integer.BYTES + auxBytes, hashOf(address, length));
        }
        UnsafeApi.copyMemory(address, packed.address + element + headBytes(), length);
    }

    /** The bytes of an element that nothing refers to any more. */
    final void free(final int elementBytes) {
        packed.garbage += elementBytes;
    }

    /** Puts a new element into the order at a position, and into the index. */
    final void insert(final int position, final int element) {
        if (position < packed.count - position) {
            keepRefs(0, position);
            packed.first = packed.first - 1 & packed.ringCapacity() - 1;
            packed.moveRefs(1, 0, position);
        } else {
            keepRefs(position, packed.count - position);
            packed.moveRefs(position, position + 1, packed.count - position);
        }
        packed.count++;
        packed.refAt(position, element);
        if (knowsPositions()) {
            putInt(packed.address + element + positionOffset(), position);
        }
        if (isIndexed()) {
            final int hash = hashAt(element);
            putSlot(index.freeSlot(hash), element, hash);
        }
    }

    /** Lets the order and the index refer to another element with the same bytes. */
    final void replace(final int position, final int old, final int element) {
        keepRefs(position, 1);
        packed.refAt(position, element);
        if (knowsPositions()) {
            putInt(packed.address + element + positionOffset(), position);
        }
        if (isIndexed()) {
            final int hash = hashAt(old);
            putSlot(index.slotOf(old, hash), element, hash);
        }
    }

    /** Moves the reference at one position to another one, and those between by one. */
    final void moveInOrder(final int from, final int to) {
        final int element = packed.refAt(from);
        keepRefs(Math.min(from, to), Math.abs(from - to) + 1);
        if (from < to) {
            packed.moveRefs(from + 1, from, to - from);
        } else {
            packed.moveRefs(to, to + 1, from - to);
        }
        packed.refAt(to, element);
    }

    private void putSlot(final int slot, final int element, final int hash) {
        keepSlot(slot);
        index.put(slot, element, hash);
    }

    private void keepSlot(final int slot) {
        if (!indexKept) {
            keep(index.slotOffset(slot), Packed.REF_BYTES);
        }
    }

    /** Takes an element out of the index; those behind it move up so that no search ends too early. */
    private void unindex(final int element) {
        int hole = index.slotOf(element, hashAt(element));
        int slot = index.next(hole);
        for (int i = 0; i < index.capacity() && index.element(slot) != ABSENT; i++) {
            final int other = index.element(slot);
            if (index.mayMove(index.home(hashAt(checked(other))), slot, hole)) {
                keepSlot(hole);
                index.copy(slot, hole);
                hole = slot;
            }
            slot = index.next(slot);
        }
        keepSlot(hole);
        index.empty(hole);
    }

    /** Takes a run of elements out of order and index. A large set or hash fills the gap with its last element. */
    final void takeOut(final int from, final int elements) {
        if (isIndexed() && elements > MANY && !indexKept) {
            keep(packed.indexOffset(), packed.indexBytes());
            indexKept = true;
        }
        for (int i = from; i < from + elements; i++) {
            final int element = at(i);
            if (isIndexed()) {
                unindex(element);
            }
            forget(element);
            free(elementBytes(element));
        }
        if (knowsPositions()) {
            fillGap(from);
        } else {
            closeGap(from, elements);
        }
        packed.count -= elements;
    }

    /** An element is about to be removed, of which a list keeps account. */
    void forget(final int handle) {
    }

    private void fillGap(final int position) {
        final int last = packed.count - 1;
        if (position != last) {
            final int moved = at(last);
            keepRefs(position, 1);
            packed.refAt(position, moved);
            keep(moved + positionOffset(), Integer.BYTES);
            putInt(packed.address + moved + positionOffset(), position);
        }
    }

    private void closeGap(final int from, final int elements) {
        final int behind = packed.count - from - elements;
        if (from < behind) {
            keepRefs(elements, from);
            packed.moveRefs(0, elements, from);
            packed.first = packed.first + elements & packed.ringCapacity() - 1;
        } else {
            keepRefs(from, behind);
            packed.moveRefs(from + elements, from, behind);
        }
    }
}
