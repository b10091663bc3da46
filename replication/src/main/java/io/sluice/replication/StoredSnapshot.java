package io.sluice.replication;

import java.io.IOException;

/** A snapshot that is kept somewhere until it is closed. Used by the owner thread. */
public interface StoredSnapshot extends AutoCloseable {

    /** Its length, once it is complete; until then, or when it has failed, -1. */
    long length();

    /** Copies bytes from a position on to native memory. Returns how many, at least one. */
    int read(long position, long target, int bytesMax) throws IOException;

    /** It is needed no more. */
    @Override
    void close();
}
