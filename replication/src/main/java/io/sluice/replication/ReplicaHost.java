package io.sluice.replication;

import io.netty.buffer.ByteBuf;
import io.sluice.resp.Request;

/** What a {@link ReplicaSession} needs of the server that it makes a replica of. */
public interface ReplicaHost {

    /** The primary sends a snapshot of everything. What is stored here stays until it has all arrived. */
    void syncBegins();

    /** The next bytes of the snapshot, which are the callee's until they are released. */
    void syncBytes(ByteBuf bytes);

    /**
     * All of the snapshot is here (bytes behind its end are to be passed over). When it has replaced what is stored,
     * the host calls {@link ReplicaSession#loaded}.
     */
    void syncReceived();

    /** The history has another id now: whoever follows this server must get to know. */
    void renamed();

    /**
     * The primary's stream will be followed from the history's end on.
     *
     * @param partial whether nothing was lost meanwhile
     */
    void streamBegins(boolean partial);

    /**
     * A unit of commands comes that belong together.
     *
     * @param repeatable whether applying the unit twice does no harm
     */
    void unitBegins(boolean repeatable);

    /** Applies one command of the unit to a database, whatever the time is and whatever a client may not do. */
    void apply(Request command, int db);

    /** The unit is complete. */
    void unitEnds();

    /** The unit has ended with an exception, nobody knows where: the session fails, and a full sync has to come. */
    void unitFailed();

    /** What comes next may move the history's end, up to this offset. */
    void advancing(long reachedAtMost);

    /** The history's end has moved: worth to be remembered. */
    void advanced();

    /** The session has failed and closed its link; there is nothing left to do with it. */
    void failed(String reason);
}
