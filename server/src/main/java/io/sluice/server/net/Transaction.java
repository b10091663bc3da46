package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Request;

import java.util.Arrays;

/**
 * The commands that a client has queued between MULTI and EXEC, copied one after the other into one buffer: the number
 * of arguments, then each argument behind its length. Nothing of it is on the heap, which has no room for what many
 * clients may queue. Memory is bounded by the limit given to {@link #add}; it is given back by {@link #close}.
 */
public final class Transaction {
    private static final int BYTES_INITIAL = 512;
    /** Arguments of a command whose places are kept on the heap for the next one. */
    private static final int ARGS_KEPT_MAX = 256;

    private final Request request = new Request();
    /** Is read up to the command that is next. */
    private ByteBuf bytes;
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

    /** Bytes that the queued commands take. */
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
        long needed = bytesUsed() + command.argBytesTotal() + (1L + count) * Integer.BYTES;
        if (needed > bytesMax) {
            return false;
        }
        if (bytes == null) {
            bytes = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES_INITIAL);
        }
        bytes.writeInt(count);
        for (int i = 0; i < count; i++) {
            bytes.writeInt(command.argLength(i));
            bytes.writeBytes(command.buffer(), command.argOffset(i), command.argLength(i));
        }
        size++;
        return true;
    }

    /** The queued command that is next, beginning with the first; valid until the next call. */
    public Request next() {
        int count = bytes.readInt();
        offsets = withRoom(offsets, count);
        lengths = withRoom(lengths, count);
        for (int i = 0; i < count; i++) {
            lengths[i] = bytes.readInt();
            offsets[i] = bytes.readerIndex();
            bytes.skipBytes(lengths[i]);
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
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
        if (offsets.length > ARGS_KEPT_MAX) {
            offsets = new int[ARGS_KEPT_MAX];
            lengths = new int[ARGS_KEPT_MAX];
        }
    }

    private static int[] withRoom(int[] array, int length) {
        return array.length >= length ? array : Arrays.copyOf(array, Math.max(length, array.length * 2));
    }
}
