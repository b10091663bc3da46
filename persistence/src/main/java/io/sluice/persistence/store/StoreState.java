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

    /** Replaces replication id and offset at once. */
    void replication(byte[] id, long offset);
}
