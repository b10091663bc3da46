package io.sluice.server;

import io.sluice.persistence.snapshot.SnapshotSink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How long the disk takes over what is written to it, for {@code LATENCY}. The disk thread notes it, the event loop
 * asks for the longest since it last asked.
 */
final class DiskTimes {
    private final LongSupplier monotonicNs;
    private final AtomicLong writeNs = new AtomicLong();
    private final AtomicLong syncNs = new AtomicLong();

    DiskTimes(LongSupplier monotonicNs) {
        this.monotonicNs = monotonicNs;
    }

    /** The longest write since the last call. */
    long takeWriteNs() {
        return writeNs.getAndSet(0);
    }

    /** The longest wait for the disk to have everything, since the last call. */
    long takeSyncNs() {
        return syncNs.getAndSet(0);
    }

    /** The sink, measured. */
    SnapshotSink measured(SnapshotSink sink) {
        return new SnapshotSink() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                long startNs = monotonicNs.getAsLong();
                sink.write(bytes);
                note(writeNs, startNs);
            }

            @Override
            public void complete() throws IOException {
                long startNs = monotonicNs.getAsLong();
                sink.complete();
                note(syncNs, startNs);
            }

            @Override
            public void abort() {
                sink.abort();
            }
        };
    }

    private void note(AtomicLong longest, long startNs) {
        longest.accumulateAndGet(monotonicNs.getAsLong() - startNs, Math::max);
    }
}
