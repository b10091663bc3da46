package io.sluice.server.net;

import io.sluice.resp.Request;

/** Executes what a connection has parsed. Called on the event loop only. */
public interface RequestExecutor {
    /** The connection is about to execute commands of one read. */
    void beginBatch();

    /** Fetches from memory what these commands are about to look up. Nothing else happens. */
    void prefetch(Connection connection, ReadAhead commands);

    /**
     * Executes one command and appends its reply to the connection.
     *
     * @return false if the command must wait: nothing was done, and the connection must offer it again when it is
     *         resumed; or, if it is not suspended, from inside a task of the loop
     */
    boolean execute(Connection connection, Request request);

    /** The connection executes no further command: it has ended or is about to. May be told more than once. */
    void closed(Connection connection);
}
