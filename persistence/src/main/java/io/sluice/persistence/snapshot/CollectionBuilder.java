package io.sluice.persistence.snapshot;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.persistence.collection.SetValue;
import io.sluice.persistence.collection.ZSetValue;

/** Puts a collection together from its elements, apart from any key until it is {@linkplain #store stored}. */
final class CollectionBuilder implements ElementSink {

    private final ListValue list = new ListValue();
    private final SetValue set = new SetValue();
    private final ZSetValue zset = new ZSetValue();
    private final HashValue hash = new HashValue();
    private Keyspace keyspace;
    private int type;
    private boolean tooLarge;

    /** Whose limits hold for what is built from now on. */
    CollectionBuilder in(final Keyspace newKeyspace) {
        keyspace = newKeyspace;
        return this;
    }

    @Override
    public void begin(final int newType) {
        type = newType;
        tooLarge = false;
        value().build(keyspace);
    }

    private PackedValue value() {
        return switch (type) {
            case ValueType.LIST -> list;
            case ValueType.SET -> set;
            case ValueType.ZSET -> zset;
            default -> hash;
        };
    }

    @Override
    public void listElement(final long address, final int length) {
        try {
            if (!tooLarge) {
                list.pushLast(address, length);
            }
        } catch (final ValueTooLargeException e) {
            tooLong();
        }
    }

    @Override
    public boolean setMember(final long address, final int length) {
        try {
            return tooLarge || set.add(address, length);
        } catch (final ValueTooLargeException e) {
            tooLong();
            return true;
        }
    }

    @Override
    public boolean zsetMember(final long address, final int length, final double score) {
        try {
            return tooLarge || zset.put(score, address, length);
        } catch (final ValueTooLargeException e) {
            tooLong();
            return true;
        }
    }

    @Override
    public boolean hashField(
        final long fieldAddress, final int fieldLength, final long valueAddress, final int valueLength) {
        try {
            return tooLarge || hash.put(fieldAddress, fieldLength, valueAddress, valueLength);
        } catch (final ValueTooLargeException e) {
            tooLong();
            return true;
        }
    }

    @Override
    public void tooLong() {
        tooLarge = true;
        value().build(keyspace);
    }

    /** The {@link ValueType} of what was built last. */
    int type() {
        return type;
    }

    /** Whether the collection is larger than any value may be; it is not kept then. */
    boolean isTooLarge() {
        return tooLarge;
    }

    boolean isEmpty() {
        return value().size() == 0;
    }

    /**
     * Makes the collection the value of a key.
     *
     * @throws io.sluice.persistence.KeyspaceFullException when it does not fit; nothing has changed
     */
    void store(final Entry e, final long expireAtMs) {
        value().store(e, expireAtMs);
    }

    /** Gives the memory of what was built back. */
    void discard() {
        value().build(keyspace);
    }
}
