package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Request;

import java.util.Arrays;

/**
 * The commands that a client has queued between MULTI and EXEC, copied one after the other into one buffer; where they
 * lie in it is noted in others, since the heap has no room for what many clients may queue.
 * Memory is bounded by the limit given to {@link #add}; it is given back by {@link #close}.
 */
public final class Transaction {
    private static final int BYTES_INITIAL = 512;
    /** Arguments of a command whose places are kept on the heap for the next one. */
    private static final int ARGS_KEPT_MAX = 256;

    private final Request request = new Request();
    private ByteBuf bytes;
    /** Offset and length of each argument. */
    private ByteBuf args;
    /** Behind each command, where its arguments end in {@link #args}. */
    private ByteBuf ends;
    private int size;
    private int[] offsets = new int[8];
    private int[] lengths = new int[8];
    private boolean open;
    private boolean aborted;
    private boolean touched;
    private boolean runsScript;
    private boolean mayReplicate;
    private boolean writes;
    private int watchedKeys;

    /** Whether MULTI was called and neither EXEC nor DISCARD since. */
    public boolean isOpen() {
        return open;
    }

    public void open() {
        open = true;
    }

    /** An error while queueing: EXEC must refuse. */
    public void abort() {
        aborted = open;
    }

    public boolean isAborted() {
        return aborted;
    }

    /** A watched key was changed: EXEC must do nothing. */
    public void touch() {
        touched = true;
    }

    public boolean isTouched() {
        return touched;
    }

    /** One of the queued commands runs a script. */
    public void markScript() {
        runsScript = true;
    }

    /** Whether EXEC will run a script. */
    public boolean runsScript() {
        return runsScript;
    }

    /** One of the queued commands may change what replicas hold. */
    public void markReplicating() {
        mayReplicate = true;
    }

    /** Whether EXEC may change what replicas hold. */
    public boolean mayReplicate() {
        return mayReplicate;
    }

    /** One of the queued commands may write. */
    public void writes() {
        writes = true;
    }

    /** Whether one of the queued commands may write. */
    public boolean isWriting() {
        return writes;
    }

    /** Forgets that watched keys were changed, as UNWATCH does. */
    public void untouch() {
        touched = false;
    }

    /** How many keys are watched; told by whoever watches them. */
    public int watchedKeys() {
        return watchedKeys;
    }

    public void watchedKeys(int count) {
        watchedKeys = count;
    }

    /** Number of queued commands. */
    public int size() {
        return size;
    }

    /** Bytes of all queued arguments. */
    public int bytesUsed() {
        return bytes == null ? 0 : bytes.writerIndex();
    }

    /**
     * Queues a copy of a command.
     *
     * @return false if it would take more than {@code bytesMax} in all
     */
    public boolean add(Request command, long bytesMax) {
        int count = command.argCount();
        long places = (size + 1L + 2L * count) * Integer.BYTES + (args == null ? 0 : args.writerIndex());
        if (bytesUsed() + command.argBytesTotal() + places > bytesMax) {
            return false;
        }
        if (bytes == null) {
            bytes = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES_INITIAL);
            args = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES_INITIAL);
            ends = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES_INITIAL);
        }
        for (int i = 0; i < count; i++) {
            args.writeInt(bytes.writerIndex()).writeInt(command.argLength(i));
            bytes.writeBytes(command.buffer(), command.argOffset(i), command.argLength(i));
        }
        ends.writeInt(args.writerIndex());
        size++;
        return true;
    }

    /** The queued command of this index; valid until the next call. */
    public Request get(int index) {
        int start = index == 0 ? 0 : ends.getInt((index - 1) * Integer.BYTES);
        int count = (ends.getInt(index * Integer.BYTES) - start) / (2 * Integer.BYTES);
        offsets = withRoom(offsets, count);
        lengths = withRoom(lengths, count);
        for (int i = 0; i < count; i++) {
            offsets[i] = args.getInt(start + 2 * i * Integer.BYTES);
            lengths[i] = args.getInt(start + (2 * i + 1) * Integer.BYTES);
        }
        request.wrap(bytes, 0, offsets, lengths, count);
        return request;
    }

    /** Back to no transaction, without watches. */
    public void close() {
        watchedKeys = 0;
        open = false;
        aborted = false;
        touched = false;
        runsScript = false;
        mayReplicate = false;
        writes = false;
        size = 0;
        bytes = released(bytes);
        args = released(args);
        ends = released(ends);
        if (offsets.length > ARGS_KEPT_MAX) {
            offsets = new int[ARGS_KEPT_MAX];
            lengths = new int[ARGS_KEPT_MAX];
        }
    }

    private static ByteBuf released(ByteBuf buffer) {
        if (buffer != null) {
            buffer.release();
        }
        return null;
    }

    private static int[] withRoom(int[] array, int length) {
        return array.length >= length ? array : Arrays.copyOf(array, Math.max(length, array.length * 2));
    }
}
