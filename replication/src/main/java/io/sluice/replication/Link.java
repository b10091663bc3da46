package io.sluice.replication;

/** The way to a peer: a connection as far as a session needs one. What is sent arrives in order, or the link ends. */
public interface Link {

    /** Takes bytes in native memory, which are the caller's again after the call. */
    void send(long address, int length);

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
