package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putLong;

import io.sluice.persistence.CollectionLimits;
import io.sluice.persistence.Memory;
import io.sluice.persistence.ValueType;

/** A sorted set: different members in the order of their scores, those of equal score in the order of their bytes. */
public final class ZSetValue extends PackedValue {

    /** A flyweight over no sorted set yet. */
    public ZSetValue() {
        super(ValueType.ZSET, Long.BYTES, Integer.BYTES);
    }

    @Override
    int bodyBytes(final long elementAddress) {
        return getInt(elementAddress) & Packed.LENGTH_MASK;
    }

    /** The member with these bytes, or {@link #ABSENT}. */
    public int find(final long address, final int length) {
        return findMember(address, length);
    }

    /** A member's score. */
    public double score(final int handle) {
        return Double.longBitsToDouble(getLong(packed.address + handle + Integer.BYTES));
    }

    /** A member's position, from the lowest score on. */
    public int rank(final int handle) {
        return lowerBound(score(handle), address(handle), length(handle));
    }

    /**
     * Gives a member a score, which is a number; minus zero is zero. Returns whether the member is new. The same score
     * again changes nothing.
     */
    public boolean put(final double given, final long address, final int length) {
        final double score = given + 0.0;
        final int old = findMember(address, length);
        if (old != ABSENT && score(old) == score) {
            return false;
        }
        if (old == ABSENT) {
            add(score, address, length);
        } else {
            move(old, score, address, length);
        }
        if (effects() != null) {
            effects().zsetPut(entry(), score, address, length);
        }
        return old == ABSENT;
    }

    private void add(final double score, final long address, final int length) {
        final CollectionLimits limits = blobs.limits();
        final boolean large = isLarge() || size() >= limits.zsetEntries || length > limits.zsetValueBytes
            || size() == 0 && membersAhead() > limits.zsetEntries;
        final int bytes = newElementBytes(length, large);
        if (large && !isLarge()) {
            becomeLarge(1, bytes);
        } else {
            makeRoom(1, bytes);
        }
        final int position = lowerBound(score, address, length);
        beginChange();
        final int element = allocate(bytes);
        writeScore(element, score);
        writeMember(element, address, length);
        insert(position, element);
        endChange();
    }

    private void move(final int handle, final double score, final long address, final int length) {
        final int from = rank(handle);
        final int bound = lowerBound(score, address, length);
        final int to = bound > from ? bound - 1 : bound;
        beginChange();
        keep(handle + Integer.BYTES, Long.BYTES);
        writeScore(handle, score);
        if (from != to) {
            moveInOrder(from, to);
        }
        endChange();
    }

    private void writeScore(final int handle, final double score) {
        putLong(packed.address + handle + Integer.BYTES, Double.doubleToRawLongBits(score));
    }

    /** Removes a member; with the last one the key. Returns whether it was there. */
    public boolean remove(final long address, final int length) {
        final int handle = findMember(address, length);
        if (handle == ABSENT) {
            return false;
        }
        if (effects() != null && size() > 1) {
            effects().zsetRemoved(entry(), address, length);
        }
        removeRun(rank(handle), 1);
        return true;
    }

    /** Removes a run of members by position; with all of them the key. */
    public void removeRange(final int from, final int members) {
        if (members == 0) {
            return;
        }
        if (effects() != null && size() > members) {
            effects().zsetRunRemoved(entry(), from, members);
        }
        removeRun(from, members);
    }

    /** The first position with at least that score; the size when there is none. */
    public int firstAtLeast(final double score) {
        int low = 0;
        int high = size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (score(at(middle)) < score) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first position with a score above that one; the size when there is none. */
    public int firstAbove(final double score) {
        int low = 0;
        int high = size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (score(at(middle)) <= score) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first position whose member is at least that one, where all scores are equal. */
    public int firstMemberAtLeast(final long address, final int length) {
        int low = 0;
        int high = size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (compare(at(middle), address, length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first position whose member comes after that one, where all scores are equal. */
    public int firstMemberAbove(final long address, final int length) {
        final int position = firstMemberAtLeast(address, length);
        return position < size() && isMember(at(position), address, length) ? position + 1 : position;
    }

    /** The first position that is not before a score with a member. What is added most often belongs at the end. */
    private int lowerBound(final double score, final long address, final int length) {
        int low = 0;
        int high = size();
        if (high > 0 && isBefore(at(high - 1), score, address, length)) {
            return high;
        }
        while (low < high) {
            final int middle = low + high >>> 1;
            if (isBefore(at(middle), score, address, length)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBefore(final int handle, final double score, final long address, final int length) {
        final double own = score(handle);
        return own < score || own == score && compare(handle, address, length) < 0;
    }

    private int compare(final int handle, final long address, final int length) {
        return Memory.compare(address(handle), length(handle), address, length);
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
