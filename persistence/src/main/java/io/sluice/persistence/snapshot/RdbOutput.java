package io.sluice.persistence.snapshot;

/** Where encoded bytes go. */
interface RdbOutput {

    /** Takes bytes in native memory, which are the caller's again after the call. */
    void write(long address, int length);
}
