package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;

import io.sluice.persistence.EffectSink;
import io.sluice.persistence.ValueType;

/** A list: elements by position, cheap at both ends. */
public final class ListValue extends PackedValue {

    /** Bytes of the small form for {@code list-max-listpack-size} -1; each further step doubles them. */
    private static final int SMALL_BYTES_UNIT = 4 << 10;
    /** Where the option gives elements, the small form has no more bytes than this all the same. */
    private static final int SMALL_BYTES_SAFE = 8 << 10;

    /** A flyweight over no list yet. */
    public ListValue() {
        super(ValueType.LIST, 0, 0);
    }

    @Override
    int bodyBytes(final long elementAddress) {
        return getInt(elementAddress) & Packed.LENGTH_MASK;
    }

    /** Adds an element in front of the others. */
    public void pushFirst(final long address, final int length) {
        add(0, address, length);
        if (effects() != null) {
            effects().listPushed(entry(), true, address, length);
        }
    }

    /** Adds an element behind the others. */
    public void pushLast(final long address, final int length) {
        add(size(), address, length);
        if (effects() != null) {
            effects().listPushed(entry(), false, address, length);
        }
    }

    /**
     * Adds an element next to the first one that equals the pivot.
     *
     * @return false, and nothing has changed, if there is none
     */
    public boolean insert(
        final boolean before, final long pivotAddress, final int pivotLength, final long address, final int length) {
        final int position = findLinear(pivotAddress, pivotLength);
        if (position < 0) {
            return false;
        }
        add(before ? position : position + 1, address, length);
        if (effects() != null) {
            effects().listInserted(entry(), before, pivotAddress, pivotLength, address, length);
        }
        return true;
    }

    private void add(final int position, final long address, final int length) {
        final int bytes = newElementBytes(length, false);
        makeRoom(1, bytes);
        beginChange();
        final int element = allocate(bytes);
        writeMember(element, address, length);
        insert(position, element);
        packed.extra += smallFormBytes(length);
        growForm();
        endChange();
    }

    /** Replaces the element at a position. */
    public void set(final int position, final long address, final int length) {
        final int bytes = newElementBytes(length, false);
        makeRoom(0, bytes);
        beginChange();
        final int old = at(position);
        final int element = allocate(bytes);
        writeMember(element, address, length);
        replace(position, old, element);
        packed.extra += smallFormBytes(length) - smallFormBytes(length(old));
        free(elementBytes(old));
        growForm();
        endChange();
        if (effects() != null) {
            effects().listSet(entry(), position, address, length);
        }
    }

    /** Removes the first elements; with all of them the key. */
    public void removeFirst(final int elements) {
        removeEnd(true, elements);
    }

    /** Removes the last elements; with all of them the key. */
    public void removeLast(final int elements) {
        removeEnd(false, elements);
    }

    private void removeEnd(final boolean first, final int elements) {
        if (elements == 0) {
            return;
        }
        final boolean emptied = elements == size();
        removeRun(first ? 0 : size() - elements, elements);
        final EffectSink effects = effects();
        if (effects != null && !emptied) {
            effects.listPopped(entry(), first, elements);
        }
    }

    /**
     * Removes elements that equal the given one.
     *
     * @param count 0 for all, n for the first n, -n for the last n
     * @return how many were removed
     */
    public int removeEqual(final long count, final long address, final int length) {
        final int matching = countEqual(address, length);
        final long limit = count == 0 || count == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(count);
        final int removed = (int) Math.min(matching, limit);
        if (removed == size()) {
            removeRun(0, removed);
            return removed;
        }
        if (removed > 0) {
            removeSome(count < 0 ? matching - removed : 0, removed, address, length);
            if (effects() != null) {
                effects().listRemoved(entry(), count, address, length);
            }
        }
        return removed;
    }

    private int countEqual(final long address, final int length) {
        int matching = 0;
        for (int i = 0; i < size(); i++) {
            if (isMember(at(i), address, length)) {
                matching++;
            }
        }
        return matching;
    }

    /** One pass: what stays moves up. */
    private void removeSome(final int passOver, final int removed, final long address, final int length) {
        beginChange();
        keepRefs(0, size());
        int matching = 0;
        int to = 0;
        for (int i = 0; i < size(); i++) {
            final int element = at(i);
            final boolean matches = matching < passOver + removed && isMember(element, address, length);
            matching += matches ? 1 : 0;
            if (matches && matching > passOver) {
                forget(element);
                free(elementBytes(element));
            } else {
                packed.refAt(to++, element);
            }
        }
        packed.count = to;
        chooseForm();
        endChange();
        shrink();
    }

    @Override
    void forget(final int handle) {
        packed.extra -= smallFormBytes(length(handle));
    }

    @Override
    void chooseForm() {
        final int limit = blobs.limits().listSize;
        if (2 * packed.extra <= smallBytesMax() && (limit <= 0 || 2 * packed.count <= limit)) {
            packed.flags &= ~Packed.LARGE;
        }
    }

    private void growForm() {
        if (exceeds(packed.count, packed.extra)) {
            packed.flags |= Packed.LARGE;
        }
    }

    private boolean exceeds(final int elements, final int bytes) {
        final int limit = blobs.limits().listSize;
        return bytes > smallBytesMax() || limit > 0 && elements > limit;
    }

    private int smallBytesMax() {
        final int limit = blobs.limits().listSize;
        return limit >= 0 ? SMALL_BYTES_SAFE : SMALL_BYTES_UNIT << Math.min(-limit, 5) - 1;
    }

    /** About what the element takes in a listpack: its bytes, their length forwards and backwards. */
    private static int smallFormBytes(final int length) {
        return length + (length < 64 ? 2 : length < 4096 ? 4 : 8);
    }
}
