package io.sluice.server.replica;

import io.sluice.persistence.snapshot.SnapshotSink;
import io.sluice.replication.StoredSnapshot;
import org.agrona.UnsafeApi;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A snapshot that is kept in memory. */
final class SimSpool implements SnapshotSink, StoredSnapshot {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private byte[] all;

    @Override
    public void write(ByteBuffer part) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
    }

    @Override
    public void complete() {
        all = bytes.toByteArray();
    }

    @Override
    public void abort() {
        all = null;
    }

    @Override
    public long length() {
        return all == null ? -1 : all.length;
    }

    @Override
    public int read(long position, long target, int bytesMax) {
        int length = (int) Math.min(bytesMax, all.length - position);
        for (int i = 0; i < length; i++) {
            UnsafeApi.putByte(target + i, all[(int) position + i]);
        }
        return length;
    }

    @Override
    public void close() {
        all = null;
    }
}
