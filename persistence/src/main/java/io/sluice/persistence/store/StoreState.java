package io.sluice.persistence.store;

/**
 * Durable facts beside the entries. Each set of facts is replaced as a whole: a process that is killed leaves either
 * the old or the new one.
 */
public interface StoreState {

    /** Length of a replication id. */
    int REPLICATION_ID_BYTES = 40;

    /**
     * The space of a logical database. A new store has database {@code n} in space {@code n}.
     *
     * @param database 0 to 255
     */
    int spaceOf(int database);

    /** Replaces the space of every database at once: 256 of them, all different. */
    void spaces(int[] spaceOfDatabase);

    /** Copies the 40 bytes of the replication id; all zero when none was ever stored. */
    void replicationId(byte[] into);

    /** The replication offset stored with the id. */
    long replicationOffset();

    /** The database that the replication stream had selected at the offset. */
    int replicationDb();

    /** Replaces replication id, offset and selected database at once. */
    void replication(byte[] id, long offset, int db);

    /** The offset that may have been applied up to already; at least the replication offset while applying. */
    long replicationReach();

    /** Sets what {@link #replicationReach} reads. */
    void replicationReach(long offset);

    /** Whether a unit was being applied that must not be applied twice: nobody knows how much of it is there. */
    boolean isApplying();

    /** Sets the mark that {@link #isApplying} reads. */
    void applying(boolean value);

    /** Whether a snapshot was being loaded in place of all that was stored: what is there is a part of it. */
    boolean isFilling();

    /** Sets the mark that {@link #isFilling} reads, on the disk when this returns. */
    void filling(boolean value);
}
