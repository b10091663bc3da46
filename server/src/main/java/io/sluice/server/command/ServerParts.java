package io.sluice.server.command;

import io.sluice.server.ServerClock;
import io.sluice.server.acl.AclLog;
import io.sluice.server.acl.Users;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.ClientRegistry;
import io.sluice.server.net.NetSettings;
import io.sluice.server.pubsub.PubSub;
import io.sluice.server.replica.Replication;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.stats.DecisionStats;
import io.sluice.server.stats.ErrorStats;
import io.sluice.server.stats.HotKeys;
import io.sluice.server.stats.LatencyMonitor;
import io.sluice.server.stats.ServerStats;
import io.sluice.server.stats.SlowLog;
import io.sluice.server.tls.TlsContexts;
import io.sluice.server.tracking.Tracking;

/** What the families that administer the server work on. */
public record ServerParts(Config config, ServerClock clock, ServerState state, NetSettings settings,
        AccessControl access, Authenticator authenticator, TlsContexts tls, ClientRegistry clients, ServerStats stats,
        ErrorStats errors, SlowLog slowLog, LatencyMonitor latency, DecisionStats decisions, HotKeys hotKeys,
        PubSub pubSub, Tracking tracking, ScriptEngine scripts, Replication replication,
        Lifecycle lifecycle) {

    /** New parts for these settings, which they follow from then on. */
    public static ServerParts of(Config config, ServerClock clock, Lifecycle lifecycle) {
        NetSettings settings = new NetSettings();
        ServerStats stats = new ServerStats();
        ServerState state = new ServerState();
        SlowLog slowLog = new SlowLog();
        LatencyMonitor latency = new LatencyMonitor();
        ClientRegistry clients = new ClientRegistry();
        TlsContexts tls = new TlsContexts(config, stats);
        settings.follow(config);
        state.debugAccess(ServerState.ProtectedAccess.of(config.text(ConfigTable.DEBUG_COMMAND)));
        config.follow(() -> state.transactionBytesMax(config.number(ConfigTable.QUERY_BUFFER)),
                ConfigTable.QUERY_BUFFER);
        config.follow(() -> state.replyBytesMax(config.outputLimit("normal")[0]), ConfigTable.OUTPUT_LIMIT);
        config.follow(() -> slowLog.thresholdUs(config.number(ConfigTable.SLOWLOG_THRESHOLD)),
                ConfigTable.SLOWLOG_THRESHOLD);
        config.follow(() -> slowLog.lengthMax(config.integer(ConfigTable.SLOWLOG_LENGTH)), ConfigTable.SLOWLOG_LENGTH);
        config.follow(() -> latency.thresholdMs(config.number(ConfigTable.LATENCY_THRESHOLD)),
                ConfigTable.LATENCY_THRESHOLD);
        DecisionStats decisions = new DecisionStats();
        config.follow(() -> decisions.tracksKeys(config.flag(ConfigTable.TRACK_KEYS)), ConfigTable.TRACK_KEYS);
        AclLog aclLog = new AclLog();
        config.follow(() -> aclLog.lengthMax(config.integer(ConfigTable.ACL_LOG_LENGTH)), ConfigTable.ACL_LOG_LENGTH);
        Tracking tracking = new Tracking(clients);
        AccessControl access =
                new AccessControl(new Users(config), aclLog, clock, stats, new ClientLines(clock, tracking));
        Replication replication = new Replication(config, clock, state, clients, tls);
        replication.replicas().unitsSpent(decisions::unitsGrantedEver);
        return new ServerParts(config, clock, state, settings, access, new Authenticator(access, settings),
                tls, clients, stats, new ErrorStats(), slowLog, latency, decisions,
                new HotKeys(), new PubSub(), tracking, new ScriptEngine(config), replication, lifecycle);
    }
}
