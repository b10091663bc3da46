package io.sluice.server.command;

/** What commands may ask of the process as a whole. */
public interface Lifecycle {
    /**
     * Stops the server: takes no more commands, sends what replies there are, saves and closes the keyspace.
     *
     * @param save whether to write a snapshot first; null: only if save points are configured
     */
    void shutdown(Boolean save);

    /** The TCP port that is listened on; 0 for none. */
    int port();
}
