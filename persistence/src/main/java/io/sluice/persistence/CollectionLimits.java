package io.sluice.persistence;

/**
 * Until which size a collection is held in its small form, in the units of Redis's configuration. A collection that
 * has left its small form does not return to it.
 */
public final class CollectionLimits {

    /** {@code hash-max-listpack-entries}. */
    public int hashEntries = 512;
    /** {@code hash-max-listpack-value}, bytes. */
    public int hashValueBytes = 64;
    /** {@code set-max-intset-entries}. */
    public int intsetEntries = 512;
    /** {@code set-max-listpack-entries}. */
    public int setEntries = 128;
    /** {@code set-max-listpack-value}, bytes. */
    public int setValueBytes = 64;
    /** {@code zset-max-listpack-entries}. */
    public int zsetEntries = 128;
    /** {@code zset-max-listpack-value}, bytes. */
    public int zsetValueBytes = 64;
    /** {@code list-max-listpack-size}: positive for elements, -1 to -5 for 4 to 64 KiB. */
    public int listSize = -2;

    CollectionLimits() {
    }
}
