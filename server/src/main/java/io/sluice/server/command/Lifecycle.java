package io.sluice.server.command;

import java.io.IOException;

/** What commands may ask of the process as a whole. */
public interface Lifecycle {
    /**
     * Begins to stop the server and returns.
     *
     * @param save            whether to write a snapshot first; null: only if save points are configured
     * @param evenIfSaveFails whether to stop without one if it cannot be written
     * @throws IOException if it could not be written; the server goes on
     */
    void shutdown(Boolean save, boolean evenIfSaveFails) throws IOException;

    /** An invariant is broken: nothing in memory can be trusted, the process must end at once. */
    void fail(Throwable cause);

    /** The TCP port that is listened on; 0 for none. */
    int port();

    /** How sockets are served: the value of {@code io-transport} that is in force. */
    String transport();
}
