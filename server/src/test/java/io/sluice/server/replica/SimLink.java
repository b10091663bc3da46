package io.sluice.server.replica;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.replication.Link;
import org.agrona.UnsafeApi;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/** One end of a simulated connection: bytes wait until the simulation delivers some of them, cut wherever it likes. */
final class SimLink implements Link {
    private static final int WRITABLE_BYTES_MAX = 4_096;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private SimLink peer;
    private Consumer<ByteBuf> receiver;
    private Runnable closedListener;
    private int delivered;
    private long received;
    private boolean reading = true;
    private boolean open = true;
    private boolean closesWhenSent;
    private boolean told;
    /** The peer's machine takes nothing for now. */
    boolean stalled;
    private boolean old;

    /** One end of four is that of a replica which does not know end marks. */
    boolean isOld() {
        return old;
    }

    /** Two ends that are connected. */
    static SimLink[] pair(Random random) {
        SimLink a = new SimLink();
        SimLink b = new SimLink();
        a.peer = b;
        b.peer = a;
        b.old = random.nextInt(4) == 0;
        return new SimLink[] {a, b};
    }

    void attach(Consumer<ByteBuf> newReceiver, Runnable onClosed) {
        receiver = newReceiver;
        closedListener = onClosed;
    }

    /** Hands over a random part of what this end has sent, or the news that the connection has ended. */
    void deliver(Random random) {
        int waiting = sent.size() - delivered;
        if (open && !stalled && waiting > 0 && peer.open && peer.reading) {
            int part = random.nextInt(4) == 0 ? 1 + random.nextInt(waiting) : waiting;
            ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(part);
            bytes.writeBytes(sent.toByteArray(), delivered, part);
            delivered += part;
            if (delivered == sent.size()) {
                sent.reset();
                delivered = 0;
            }
            peer.received += part;
            peer.receiver.accept(bytes);
        } else if (open && closesWhenSent && waiting == 0) {
            close();
        }
        if (!open && !told) {
            told = true;
            closedListener.run();
        }
    }

    boolean isOver() {
        return told && peer.told;
    }

    SimLink peer() {
        return peer;
    }

    @Override
    public void send(long address, int length) {
        if (open) {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = UnsafeApi.getByte(address + i);
            }
            sent.writeBytes(bytes);
        }
    }

    /** Sends text from the side of the simulation. */
    void send(String text) {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        if (open) {
            sent.writeBytes(Arrays.copyOf(bytes, bytes.length));
        }
    }

    @Override
    public void flush() {
    }

    @Override
    public boolean isWritable() {
        return sent.size() - delivered < WRITABLE_BYTES_MAX;
    }

    @Override
    public long unsentBytes() {
        return sent.size() - delivered;
    }

    @Override
    public long receivedBytes() {
        return received;
    }

    @Override
    public void reading(boolean on) {
        reading = on;
    }

    @Override
    public void closeWhenSent() {
        closesWhenSent = true;
    }

    @Override
    public void close() {
        open = false;
        peer.open = false;
    }
}
