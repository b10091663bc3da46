package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.putInt;

import io.sluice.persistence.ValueType;
import org.agrona.UnsafeApi;

/** A hash: fields with values. A small one keeps the order in which fields came. */
public final class HashValue extends PackedValue {

    /** Room for values is allotted in units of this, so that a number can be overwritten by the next one. */
    private static final int VALUE_UNIT_BYTES = 8;

    /** A flyweight over no hash yet. */
    public HashValue() {
        super(ValueType.HASH, Integer.BYTES, 2 * Integer.BYTES);
    }

    @Override
    int bodyBytes(final long elementAddress) {
        final int value = getInt(elementAddress + Integer.BYTES);
        return (getInt(elementAddress) & Packed.LENGTH_MASK) + (value & Packed.LENGTH_MASK)
            + (value >>> Packed.LENGTH_BITS);
    }

    /** The field with this name, or {@link #ABSENT}. */
    public int find(final long address, final int length) {
        return findMember(address, length);
    }

    /** Native address of a field's value. */
    public long valueAddress(final int handle) {
        return address(handle) + length(handle);
    }

    /** Length of a field's value. */
    public int valueLength(final int handle) {
        return valueWord(handle) & Packed.LENGTH_MASK;
    }

    private int valueWord(final int handle) {
        return getInt(packed.address + handle + Integer.BYTES);
    }

    private static int capacityFor(final int valueLength) {
        return (Math.max(valueLength, 1) + VALUE_UNIT_BYTES - 1) / VALUE_UNIT_BYTES * VALUE_UNIT_BYTES;
    }

    /** Gives a field a value. Returns whether the field is new. */
    public boolean put(
        final long fieldAddress, final int fieldLength, final long valueAddress, final int valueLength) {
        final int old = findMember(fieldAddress, fieldLength);
        final int capacity = old == ABSENT ? 0 : valueLength(old) + (valueWord(old) >>> Packed.LENGTH_BITS);
        final boolean tooLong = Math.max(fieldLength, valueLength) > blobs.limits().hashValueBytes;
        if (old != ABSENT && valueLength <= capacity && capacity - valueLength < VALUE_UNIT_BYTES * 2
            && (isLarge() || !tooLong)) {
            overwrite(old, valueAddress, valueLength, capacity);
        } else {
            final boolean tooMany = old == ABSENT && size() >= blobs.limits().hashEntries;
            write(fieldAddress, fieldLength, valueAddress, valueLength, tooLong || tooMany);
        }
        if (effects() != null) {
            effects().hashPut(entry(), fieldAddress, fieldLength, valueAddress, valueLength);
        }
        return old == ABSENT;
    }

    private void overwrite(final int handle, final long valueAddress, final int valueLength, final int capacity) {
        beginChange();
        final int valueOffset = (int) (valueAddress(handle) - packed.address);
        keep(handle + Integer.BYTES, Integer.BYTES);
        keep(valueOffset, Math.min(capacity, Math.max(valueLength, valueLength(handle))));
        putInt(packed.address + handle + Integer.BYTES,
            valueLength | capacity - valueLength << Packed.LENGTH_BITS);
        UnsafeApi.copyMemory(valueAddress, packed.address + valueOffset, valueLength);
        endChange();
    }

    private void write(
        final long fieldAddress, final int fieldLength, final long valueAddress, final int valueLength,
        final boolean large) {
        final int capacity = capacityFor(valueLength);
        final int bytes = newElementBytes(fieldLength + capacity, large || isLarge());
        if (large && !isLarge()) {
            becomeLarge(1, bytes);
        } else {
            makeRoom(1, bytes);
        }
        final int old = findMember(fieldAddress, fieldLength);
        final int position = old == ABSENT ? size() : isLarge() ? positionOf(old)
            : findLinear(fieldAddress, fieldLength);
        beginChange();
        final int element = allocate(bytes);
        putInt(packed.address + element + Integer.BYTES,
            valueLength | capacity - valueLength << Packed.LENGTH_BITS);
        writeMember(element, fieldAddress, fieldLength);
        UnsafeApi.copyMemory(valueAddress, valueAddress(element), valueLength);
        if (old == ABSENT) {
            insert(position, element);
        } else {
            replace(position, old, element);
            free(elementBytes(old));
        }
        endChange();
    }

    /** Removes a field; with the last one the key. Returns whether it was there. */
    public boolean remove(final long fieldAddress, final int fieldLength) {
        final int handle = findMember(fieldAddress, fieldLength);
        if (handle == ABSENT) {
            return false;
        }
        if (effects() != null && size() > 1) {
            effects().hashRemoved(entry(), fieldAddress, fieldLength);
        }
        removeRun(isLarge() ? positionOf(handle) : findLinear(fieldAddress, fieldLength), 1);
        return true;
    }

    /**
     * Shows fields in the order of their hashes, about {@code count} of them; a small hash as a whole. A field that is
     * there from the first call to the last is shown at least once.
     *
     * @param cursor 0 to start, then what the call before returned
     * @return where to go on, 0 at the end
     */
    public long scan(final long cursor, final int count, final ElementVisitor visitor) {
        return scanElements(cursor, count, visitor);
    }
}
