package io.sluice.persistence;

/**
 * A running snapshot. It is shown every entry before the entry changes for the first time, so that it can save what
 * the entry was when the snapshot began.
 */
interface SnapshotHook {

    /** The entry is about to be changed or removed, and is not {@linkplain EntryLayout#isSaved saved}. */
    void beforeChange(long hash, int space, long keyAddress, int keyLength, long valueAddress);

    /** A new entry, which is no part of the snapshot. */
    void inserted(long hash, long valueAddress);
}
