package io.sluice.persistence.snapshot;

/**
 * What a snapshot is to have.
 *
 * @param data      keys and their values
 * @param ownTypes  of these also values of types that Redis does not have
 * @param functions the libraries of functions
 */
public record SnapshotContents(boolean data, boolean ownTypes, boolean functions) {

    /** Everything. */
    public static final SnapshotContents ALL = new SnapshotContents(true, true, true);

    /** What a Redis can hold. */
    public static final SnapshotContents FOR_REDIS = new SnapshotContents(true, false, true);
}
