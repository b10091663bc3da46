package io.sluice.replication;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** The way to a peer: a connection as far as a session needs one. What is sent arrives in order, or the link ends. */
public interface Link {

    /** Takes bytes in native memory, which are the caller's again after the call. */
    void send(long address, int length);

    /** Sends a few words of the protocol. */
    default void sendText(String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final long scratch = UnsafeApi.allocateMemory(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            UnsafeApi.putByte(scratch + i, bytes[i]);
        }
        send(scratch, bytes.length);
        UnsafeApi.freeMemory(scratch);
    }

    /** Lets what was sent go out. */
    void flush();

    /** Whether the peer takes what it is sent; while it does not, nothing but a few words should be sent. */
    boolean isWritable();

    /** Bytes sent that the peer's machine has not taken. */
    long unsentBytes();

    /** Bytes received so far: a sign of life. */
    long receivedBytes();

    /** Whether to go on receiving. */
    void reading(boolean on);

    /** Ends the link when what was sent has gone out. */
    void closeWhenSent();

    /** Ends the link at once. */
    void close();
}
