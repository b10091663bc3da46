package io.sluice.persistence.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where a snapshot goes: a file, or a replica. Called by the thread that drains the snapshot, in order, ending with
 * {@link #complete}, or with {@link #abort} when anything failed, be it {@link #complete} itself.
 */
public interface SnapshotSink {

    /** Takes all remaining bytes of the buffer. They are overwritten after the call. */
    void write(ByteBuffer bytes) throws IOException;

    /** Everything was written. After this the snapshot is there for good. */
    void complete() throws IOException;

    /** The snapshot has failed, possibly before the first byte. Nothing of it must be left. */
    void abort();
}
