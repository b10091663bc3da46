package io.sluice.persistence.snapshot;

/**
 * Is shown the elements of a collection in their order, after {@link #begin} with its type. Addresses are native and
 * valid during the call only.
 */
interface ElementSink {

    /** A collection of this {@link io.sluice.persistence.ValueType} begins. */
    void begin(int type);

    void listElement(long address, int length);

    /** Returns false if the set has the member already. */
    boolean setMember(long address, int length);

    /** Returns false if the sorted set has the member already. */
    boolean zsetMember(long address, int length, double score);

    /** Returns false if the hash has the field already. */
    boolean hashField(long fieldAddress, int fieldLength, long valueAddress, int valueLength);

    /** An element is longer than any value may be. It is not shown. */
    void tooLong();
}
