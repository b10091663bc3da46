package io.sluice.server.stats;

/** Counters of the server as a whole, written by the event loop only; {@code INFO} shows them. */
public final class ServerStats {
    public long connectionsReceived;
    public long connectionsRejected;
    public long acceptErrors;
    public long netInputBytes;
    public long netOutputBytes;
    public long reads;
    public long writes;
    public long outputLimitDisconnections;
    public long queryLimitDisconnections;
    public long idleDisconnections;
    public long protocolErrors;
    public long tlsHandshakesFailed;
    /** Turns that ended since one client had its share, with more of its commands waiting. */
    public long turnsCut;
    public long authenticationsDenied;
    public long commandsDenied;
    public long keysDenied;
    public long channelsDenied;
    /** Rounds of background duties, and the time they took. */
    public long dutyCycles;
    public long dutyNs;
    /** Longest time by which a round came too late. */
    public long longestPauseNs;
    /** Collections of the JVM that stopped its threads, and how long they did. */
    public long collectorPauses;
    public long collectorPauseMs;
    public long collectorPauseMsMax;
    /** Processor time of the event loop, in ns per second. */
    public final Rate loopRate = new Rate();
    public final Rate commandRate = new Rate();
    public final Rate inputRate = new Rate();
    public final Rate outputRate = new Rate();

    /** Sets everything back, as {@code CONFIG RESETSTAT} does. */
    public void reset() {
        connectionsReceived = 0;
        connectionsRejected = 0;
        acceptErrors = 0;
        netInputBytes = 0;
        netOutputBytes = 0;
        reads = 0;
        writes = 0;
        outputLimitDisconnections = 0;
        queryLimitDisconnections = 0;
        idleDisconnections = 0;
        protocolErrors = 0;
        tlsHandshakesFailed = 0;
        turnsCut = 0;
        authenticationsDenied = 0;
        collectorPauses = 0;
        collectorPauseMs = 0;
        collectorPauseMsMax = 0;
        commandsDenied = 0;
        keysDenied = 0;
        channelsDenied = 0;
        dutyCycles = 0;
        longestPauseNs = 0;
        dutyNs = 0;
    }
}
