package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Reply;
import io.sluice.resp.RespReply;

import java.util.function.Consumer;

/** A message to any number of clients that is no reply to a command, encoded at most once per protocol. */
public final class PushMessage implements AutoCloseable {
    private static final int BYTES_INITIAL = 256;

    private final Consumer<Reply> content;
    private final RespReply encoder = new RespReply();
    private ByteBuf resp2;
    private ByteBuf resp3;

    /** @param content writes the message; called when the first client of a protocol is to get it */
    public PushMessage(Consumer<Reply> content) {
        this.content = content;
    }

    /** The bytes for clients of this protocol; still owned by this message. */
    ByteBuf encoded(int protocol) {
        if (protocol == 2) {
            if (resp2 == null) {
                resp2 = encode(2);
            }
            return resp2;
        }
        if (resp3 == null) {
            resp3 = encode(protocol);
        }
        return resp3;
    }

    private ByteBuf encode(int protocol) {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES_INITIAL);
        content.accept(encoder.wrap(bytes).protocol(protocol));
        return bytes;
    }

    /** Gives the memory back as soon as the last client has been sent the message. */
    @Override
    public void close() {
        if (resp2 != null) {
            resp2.release();
        }
        if (resp3 != null) {
            resp3.release();
        }
    }
}
