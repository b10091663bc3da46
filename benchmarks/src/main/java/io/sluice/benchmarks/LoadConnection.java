package io.sluice.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One connection of the load generator: what is still to be written, and when each unanswered request was due. */
final class LoadConnection implements AutoCloseable {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer out;
    private final ReplyCounter replies = new ReplyCounter();
    /** Ring of when the unanswered requests were due. */
    private final long[] dueNs;
    private final int commandsPerRequest;
    private long sent;
    private long answered;

    /** Is told of every answered request. */
    interface AnswerListener {
        void answered(long dueNs);
    }

    LoadConnection(InetSocketAddress address, Selector selector, RequestTemplate template, int unansweredMax)
        throws IOException {
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
        out = ByteBuffer.allocateDirect(Math.multiplyExact(unansweredMax, template.byteLength()));
        dueNs = new long[unansweredMax];
        commandsPerRequest = template.commands();
    }

    /**
     * Queues a request.
     *
     * @return false when too many are unanswered
     */
    boolean enqueue(RequestTemplate template, long due) {
        if (unanswered() == dueNs.length) {
            return false;
        }
        dueNs[(int) (sent++ % dueNs.length)] = due;
        template.put(out);
        return true;
    }

    /** Writes what the socket takes; the selector reports when it takes more. */
    void flush() throws IOException {
        out.flip();
        channel.write(out);
        out.compact();
        int interest = out.position() == 0 ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /** Whether the socket has refused bytes and will be reported when it takes more. */
    boolean isBlocked() {
        return (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    /** Reads all there is. */
    void read(ByteBuffer scratch, AnswerListener listener) throws IOException {
        scratch.clear();
        int bytes = channel.read(scratch);
        if (bytes < 0) {
            throw new EOFException("the server has closed a connection; first error: " + replies.firstError());
        }
        scratch.flip();
        replies.read(scratch);
        for (long complete = replies.replies() / commandsPerRequest; answered < complete; answered++) {
            listener.answered(dueNs[(int) (answered % dueNs.length)]);
        }
    }

    long unanswered() {
        return sent - answered;
    }

    ReplyCounter replies() {
        return replies;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
