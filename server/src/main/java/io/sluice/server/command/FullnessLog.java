package io.sluice.server.command;

import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceFullException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, now and then, that new keys are refused, and which limit it is. */
final class FullnessLog {
    private static final Logger LOG = LoggerFactory.getLogger(FullnessLog.class);
    private static final long PERIOD_NS = 60_000_000_000L;

    private boolean warned;
    private long warnedNs;

    /** A command was refused. Returns its error. */
    String refused(KeyspaceFullException reason, Keyspace keyspace, long nowNs) {
        boolean byKeys = reason == KeyspaceFullException.KEYS;
        if (!warned || nowNs - warnedNs > PERIOD_NS) {
            warned = true;
            warnedNs = nowNs;
            LOG.warn("New keys are refused: {} keys are there, maxkeys is {}; entries take {}, maxmemory is {}. It was "
                    + "{} that left no room. More of it within a minute is counted in INFO errorstats only.",
                    keyspace.size(), keyspace.limits().maxKeys(), InfoText.human(keyspace.memoryUsed()),
                    InfoText.human(keyspace.limits().maxMemoryBytes()), byKeys ? "maxkeys" : "maxmemory or the disk");
        }
        return byKeys ? Errors.TOO_MANY_KEYS_HELD : Errors.OUT_OF_MEMORY;
    }
}
