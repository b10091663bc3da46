package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/** Writes replies as RESP2 or RESP3 to the end of one output buffer. */
public final class RespReply implements Reply {
    private ByteBuf out;
    private int protocol = 2;

    /**
     * Sets where replies go.
     *
     * @param out buffer to append to
     * @return this
     */
    public RespReply wrap(ByteBuf out) {
        this.out = out;
        return this;
    }

    /** The buffer replies are appended to. */
    public ByteBuf buffer() {
        return out;
    }

    /**
     * Sets the version of the replies that follow.
     *
     * @param protocol 2 or 3
     * @return this
     */
    public RespReply protocol(int protocol) {
        if (protocol != 2 && protocol != 3) {
            throw new IllegalArgumentException("protocol must be 2 or 3: " + protocol);
        }
        this.protocol = protocol;
        return this;
    }

    /** Where the next reply will start; for {@link #rewind}. */
    public int position() {
        return out.writerIndex();
    }

    /** Takes back everything written since {@link #position()} gave {@code position}. */
    public void rewind(int position) {
        out.writerIndex(position);
    }

    @Override
    public int protocol() {
        return protocol;
    }

    @Override
    public void ok() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void pong() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void simple(String ascii) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void error(String text) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void integer(long value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bulk(byte[] bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bulk(long address, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bulkOfLong(long value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bulkText(String text) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void nullValue() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void nullArray() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void array(int n) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void map(int pairs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void set(int n) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void push(int n) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void doubleValue(double value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void doubleText(String decimal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bool(boolean value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void verbatim(String format, byte[] bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bigNumber(String digits) {
        throw new UnsupportedOperationException();
    }
}
