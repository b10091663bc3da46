package io.sluice.replication;

/** Takes the bytes of the replication stream, in order. */
public interface StreamOutput {

    /** Takes bytes in native memory, which are the caller's again after the call. */
    void append(long address, int length);

    /** Takes a whole command that only Sluice servers understand. A replica of another make gets a stand-in for it. */
    default void appendOwn(long address, int length) {
        append(address, length);
    }
}
