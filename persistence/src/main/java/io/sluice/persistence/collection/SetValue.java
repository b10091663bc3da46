package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;

import io.sluice.persistence.CollectionLimits;
import io.sluice.persistence.DecimalText;
import io.sluice.persistence.ValueType;

/** A set: different members. A small one has integers in ascending order, or members in the order they came in. */
public final class SetValue extends PackedValue {

    /** A flyweight over no set yet. */
    public SetValue() {
        super(ValueType.SET, 0, 2 * Integer.BYTES);
    }

    @Override
    int bodyBytes(final long elementAddress) {
        return getInt(elementAddress) & Packed.LENGTH_MASK;
    }

    /** Whether the set is a small one of integers only: {@code intset}. */
    public boolean isIntegers() {
        return (packed.flags & Packed.INTEGERS) != 0;
    }

    /** The member with these bytes, or {@link #ABSENT}. */
    public int find(final long address, final int length) {
        if (!isIntegers()) {
            return findMember(address, length);
        }
        if (!DecimalText.isCanonical(address, length)) {
            return ABSENT;
        }
        final int position = lowerBound(DecimalText.parse(address, length));
        return position < size() && isMember(at(position), address, length) ? at(position) : ABSENT;
    }

    /** Adds a member. Returns whether it is new. */
    public boolean add(final long address, final int length) {
        if (size() == 0) {
            begin(address, length);
        } else if (find(address, length) != ABSENT) {
            return false;
        }
        final boolean integer = DecimalText.isCanonical(address, length);
        final boolean large = isLarge() || outgrows(integer, length);
        final int bytes = newElementBytes(length, large);
        if (large && !isLarge()) {
            becomeLarge(1, bytes);
        } else {
            makeRoom(1, bytes);
        }
        beginChange();
        if (!integer) {
            packed.flags &= ~Packed.INTEGERS;
        }
        final int position = isIntegers() ? lowerBound(DecimalText.parse(address, length)) : size();
        final int element = allocate(bytes);
        writeMember(element, address, length);
        insert(position, element);
        endChange();
        if (effects() != null) {
            effects().setAdded(entry(), address, length);
        }
        return true;
    }

    /** The form of a set is chosen by its first member, and by how many are going to follow. */
    private void begin(final long address, final int length) {
        final CollectionLimits limits = blobs.limits();
        final int members = membersAhead();
        if (DecimalText.isCanonical(address, length) && members <= limits.intsetEntries) {
            packed.flags = Packed.INTEGERS;
        } else if (members > limits.setEntries) {
            packed.flags = Packed.LARGE;
        }
    }

    /** Whether a small set cannot hold the new member. */
    private boolean outgrows(final boolean integer, final int length) {
        final CollectionLimits limits = blobs.limits();
        if (isIntegers() && integer) {
            return size() >= limits.intsetEntries;
        }
        return size() >= limits.setEntries || length > limits.setValueBytes
            || isIntegers() && size() > 0 && DecimalText.BYTES_MAX > limits.setValueBytes;
    }

    private int lowerBound(final long value) {
        int low = 0;
        int high = size();
        while (low < high) {
            final int middle = low + high >>> 1;
            final int handle = at(middle);
            if (DecimalText.parse(address(handle), length(handle)) < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Removes a member; with the last one the key. Returns whether it was there. */
    public boolean remove(final long address, final int length) {
        final int handle = find(address, length);
        if (handle != ABSENT) {
            remove(handle);
        }
        return handle != ABSENT;
    }

    /** Removes a member that is there; with the last one the key. */
    public void remove(final int handle) {
        final long address = address(handle);
        final int length = length(handle);
        if (effects() != null && size() > 1) {
            effects().setRemoved(entry(), address, length);
        }
        final int position = isLarge() ? positionOf(handle)
            : isIntegers() ? lowerBound(DecimalText.parse(address, length)) : findLinear(address, length);
        removeRun(position, 1);
    }

    /**
     * Shows members in the order of their hashes, about {@code count} of them; a small set as a whole. A member that is
     * there from the first call to the last is shown at least once.
     *
     * @param cursor 0 to start, then what the call before returned
     * @return where to go on, 0 at the end
     */
    public long scan(final long cursor, final int count, final ElementVisitor visitor) {
        return scanElements(cursor, count, visitor);
    }
}
