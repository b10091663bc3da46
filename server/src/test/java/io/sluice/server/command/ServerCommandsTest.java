package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ServerCommandsTest {
    private final CommandTester redis = new CommandTester("--enable-debug-command", "yes");

    @TempDir
    private Path dir;

    @AfterEach
    void close() {
        redis.close();
    }

    private List<String> info(String... sections) {
        String[] words = new String[sections.length + 1];
        words[0] = "INFO";
        System.arraycopy(sections, 0, words, 1, sections.length);
        String reply = redis.client().rawReply(words);
        String text = reply.substring(reply.indexOf("\r\n") + 2);
        return List.of(text.split("\r\n"));
    }

    private static List<String> headers(List<String> lines) {
        List<String> headers = new ArrayList<>(lines);
        headers.removeIf(line -> !line.startsWith("# "));
        return headers;
    }

    @Test
    void shouldShowTheSectionsThatAreAskedFor() {
        List<String> byDefault = List.of("# Server", "# Clients", "# Memory", "# Persistence", "# Stats",
                "# Replication",
                "# CPU", "# Modules", "# Errorstats", "# Cluster", "# Ratelimit", "# Keyspace");
        assertEquals(byDefault, headers(info()));
        assertEquals(byDefault, headers(info("default")));
        assertEquals(List.of("# Server"), headers(info("SERVER")));
        assertEquals(List.of("# Server", "# Clients"), headers(info("clients", "server")));
        assertEquals(14, headers(info("everything")).size());
        assertEquals(14, headers(info("all")).size());
        assertEquals("$0", redis.run("INFO", "nosuch"));
    }

    @Test
    void shouldWriteFieldsThatMachinesCanRead() {
        redis.run("SET", "k", "v");
        Set<String> names = new HashSet<>();
        for (String line : info("everything")) {
            if (line.isEmpty() || line.startsWith("# ")) {
                continue;
            }
            int colon = line.indexOf(':');
            assertTrue(colon > 0, line);
            assertTrue(names.add(line.substring(0, colon)), line);
        }
        for (String name : List.of("redis_version", "ratelimit_version", "redis_mode", "process_id", "run_id",
                "tcp_port",
                "uptime_in_seconds", "connected_clients", "blocked_clients", "maxclients", "used_memory",
                "used_memory_rss", "maxmemory", "maxmemory_policy", "total_system_memory", "mem_fragmentation_ratio",
                "loading", "rdb_last_bgsave_status", "aof_enabled", "aof_last_write_status", "aof_delayed_fsync",
                "total_connections_received", "total_commands_processed", "instantaneous_ops_per_sec",
                "rejected_connections", "expired_keys", "evicted_keys", "keyspace_hits", "keyspace_misses",
                "total_error_replies", "client_output_buffer_limit_disconnections", "role", "connected_slaves",
                "master_replid", "master_repl_offset", "used_cpu_sys", "used_cpu_user", "cluster_enabled", "db0")) {
            assertTrue(names.contains(name), name);
        }
    }

    @Test
    void shouldShowInfoAsVerbatimTextInResp3() {
        redis.run("HELLO", "3");
        String reply = redis.client().rawReply("INFO", "cluster");
        assertEquals("=34\r\ntxt:# Cluster\r\ncluster_enabled:0\r\n\r\n", reply);
        redis.run("HELLO", "2");
        assertEquals("$30\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n", redis.client().rawReply("INFO", "cluster"));
    }

    @Test
    void shouldShowKeysOnlyOfDatabasesThatHaveSome() {
        redis.run("SET", "a", "v");
        redis.run("SET", "b", "v", "PX", "2000");
        redis.run("SELECT", "9");
        redis.run("SET", "c", "v");
        assertEquals(List.of("# Keyspace", "db0:keys=2,expires=1,avg_ttl=2000", "db9:keys=1,expires=0,avg_ttl=0"),
                info("keyspace"));
    }

    @Test
    void shouldCountDecisionsByAlgorithm() {
        for (int i = 0; i < 3; i++) {
            redis.run("CL.THROTTLE", "k", "1", "1", "60");
            redis.run("RL.BUCKET", "b", "1", "1", "60");
        }
        List<String> lines = info("ratelimit");
        assertTrue(lines.contains("decisions_gcra:allowed=2,denied=1"), lines.toString());
        assertTrue(lines.contains("decisions_bucket:allowed=1,denied=2"), lines.toString());
        assertTrue(lines.contains("keys_bucket:1"), lines.toString());
    }

    @Test
    void shouldTellTheTimeOfItsClock() {
        redis.clock().advanceNs(1_234_567_000);
        assertEquals("*2 $10 1700000001 $6 234567", redis.run("TIME"));
    }

    @Test
    void shouldSeeExpiryAtOnceWhenTheClockIsSet() {
        redis.run("DEBUG", "CLOCK", "1000000000");
        redis.run("CL.THROTTLE", "k", "0", "5000", "1");
        assertEquals(":1", redis.run("DBSIZE"));
        redis.run("DEBUG", "CLOCK", "2000000000");
        assertEquals(":0", redis.run("DBSIZE"));
        assertEquals("+OK", redis.run("DEBUG", "CLOCK", "REAL"));
        assertEquals("*2 $10 1700000000 $1 0", redis.run("TIME"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("DEBUG", "CLOCK", "soon"));
        assertEquals("-ERR unknown subcommand or wrong number of arguments for 'clock'. Try DEBUG HELP.",
                redis.run("DEBUG", "clock"));
    }

    @Test
    void shouldTakeSnapshots() {
        try (CommandTester saving = new CommandTester("--dir", dir.toString(), "--dbfilename", "x.rdb")) {
            saving.run("SET", "k", "v");
            assertEquals("+OK", saving.run("SAVE"));
            assertTrue(Files.exists(dir.resolve("x.rdb")));
            assertEquals(":1700000000", saving.run("LASTSAVE"));
            assertEquals("+Background saving started", saving.run("BGSAVE"));
            assertEquals("-ERR Background save already in progress", saving.run("BGSAVE", "SCHEDULE"));
            assertEquals("-ERR Background save already in progress", saving.run("SAVE"));
            assertEquals("-ERR syntax error", saving.run("BGSAVE", "foo"));
        }
    }

    @Test
    void shouldSayWhyASnapshotFailed() {
        try (CommandTester saving = new CommandTester("--dir", dir.resolve("missing").toString())) {
            assertTrue(saving.run("SAVE").startsWith("-ERR "), "a directory that is not there");
            assertTrue(saving.run("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
            assertEquals("+PONG", saving.run("PING"));
        }
    }

    @Test
    void shouldCheckTheWordsOfShutdown() {
        assertEquals("-ERR syntax error", redis.run("SHUTDOWN", "foo"));
        assertEquals("-ERR syntax error", redis.run("SHUTDOWN", "SAVE", "NOSAVE"));
        assertEquals("-ERR syntax error", redis.run("SHUTDOWN", "NOSAVE", "ABORT"));
        assertEquals("-ERR No shutdown in progress.", redis.run("SHUTDOWN", "ABORT"));
    }

    @Test
    void shouldMeasureKeys() {
        redis.run("SET", "k", "v");
        assertTrue(redis.run("MEMORY", "USAGE", "k").matches(":[1-9][0-9]*"));
        assertTrue(redis.run("MEMORY", "USAGE", "k", "SAMPLES", "5").matches(":[1-9][0-9]*"));
        assertEquals("$-1", redis.run("MEMORY", "USAGE", "nokey"));
        assertEquals("-ERR syntax error", redis.run("MEMORY", "USAGE", "k", "SAMPLES"));
        assertEquals("-ERR syntax error", redis.run("MEMORY", "USAGE", "k", "SAMPLES", "-1"));
        assertEquals("-ERR wrong number of arguments for 'memory|usage' command", redis.run("MEMORY", "USAGE"));
        assertEquals("+OK", redis.run("MEMORY", "PURGE"));
    }

    @Test
    void shouldAnswerAsAPrimaryAlone() {
        assertEquals("*3 $6 master :0 *0", redis.run("ROLE"));
        assertEquals(":0", redis.run("WAIT", "0", "0"));
        assertEquals("-ERR timeout is negative", redis.run("WAIT", "1", "-1"));
        assertEquals("*0", redis.run("MODULE", "LIST"));
    }

    @Test
    void shouldShowTheSlowLog() {
        assertEquals("*0", redis.run("SLOWLOG", "GET"));
        assertEquals("-ERR count should be greater than or equal to -1", redis.run("SLOWLOG", "GET", "-2"));
        redis.run("CONFIG", "SET", "slowlog-log-slower-than", "0");
        redis.run("PING");
        assertEquals("*1 *6 :1 :1700000000 :0 *1 $4 PING $11 127.0.0.1:1 $0", redis.run("SLOWLOG", "GET", "1"));
        redis.run("CONFIG", "SET", "slowlog-max-len", "1");
        assertEquals(":1", redis.run("SLOWLOG", "LEN"));
        redis.run("CONFIG", "SET", "slowlog-log-slower-than", "-1");
        assertEquals("+OK", redis.run("SLOWLOG", "RESET"));
        assertEquals(":0", redis.run("SLOWLOG", "LEN"));
    }

    @Test
    void shouldShowHowLongCommandsTake() {
        redis.run("PING");
        redis.run("PING");
        assertEquals("*2 $4 ping *4 $5 calls :2 $14 histogram_usec *2 :1 :2", redis.run("LATENCY", "HISTOGRAM",
                "ping"));
        assertEquals("*0", redis.run("LATENCY", "HISTOGRAM", "nosuch"));
        assertEquals("*0", redis.run("LATENCY", "LATEST"));
        redis.parts().latency().thresholdMs(1);
        redis.parts().latency().sample("command", 5_000_000, 1_700_000_000_000_000_000L);
        redis.parts().latency().sample("command", 3_000_000, 1_700_000_001_000_000_000L);
        assertEquals("*1 *4 $7 command :1700000001 :3 :5", redis.run("LATENCY", "LATEST"));
        assertEquals("*2 *2 :1700000000 :5 *2 :1700000001 :3", redis.run("LATENCY", "HISTORY", "command"));
        assertEquals(":1", redis.run("LATENCY", "RESET", "command", "nosuch"));
        assertEquals("*0", redis.run("LATENCY", "HISTORY", "command"));
    }

    @Test
    void shouldAnswerConfigAsRedisDoes() {
        assertEquals("*2 $4 save $0", redis.run("CONFIG", "GET", "save"));
        assertEquals("*2 $10 appendonly $2 no", redis.run("CONFIG", "GET", "appendonly"));
        assertEquals("*0", redis.run("CONFIG", "GET", "nosuch"));
        assertEquals("*4 $7 TIMEOUT $1 0 $14 slave-priority $3 100",
                redis.run("CONFIG", "GET", "slave-p*", "TIMEOUT"));
        redis.run("HELLO", "3");
        assertEquals("%1 $4 save $0", redis.run("CONFIG", "GET", "save"));
        assertEquals("%0", redis.run("CONFIG", "GET", "nosuch"));
        assertEquals("-ERR syntax error", redis.run("CONFIG", "SET", "timeout", "1", "port"));
        assertEquals("-ERR The server is running without a config file", redis.run("CONFIG", "REWRITE"));
    }

    @Test
    void shouldDescribeCommandsFromTheTable() {
        int count = redis.dispatcher().table().specs().size();
        assertEquals(":" + count, redis.run("COMMAND", "COUNT"));
        assertTrue(redis.run("COMMAND").startsWith("*" + count + " "));
        assertTrue(redis.run("COMMAND", "INFO", "CL.THROTTLE")
                .startsWith("*1 *10 $11 cl.throttle :-5 *3 +write +denyoom "
                + "+fast :1 :1 :1 "));
        assertEquals("*1 $-1", redis.run("COMMAND", "INFO", "nosuch"));
        assertEquals("*2 $1 a $1 b", redis.run("COMMAND", "GETKEYS", "MSET", "a", "1", "b", "2"));
        assertEquals("-ERR The command has no key arguments", redis.run("COMMAND", "GETKEYS", "PING"));
        assertEquals("*1 $4 echo", redis.run("COMMAND", "LIST", "FILTERBY", "PATTERN", "EC*O"));
        assertTrue(redis.run("COMMAND", "LIST", "FILTERBY", "ACLCAT", "rate_limit").contains("cl.throttle"));
        assertTrue(redis.run("COMMAND", "DOCS", "ping").startsWith("*2 $4 ping *10 $7 summary "));
    }

    @Test
    void shouldTellHowACommandUsesItsKeyWithTheseArguments() {
        String written = "*1 *2 $1 k *2 +OW +update";
        String both = "*1 *2 $1 k *3 +RW +access +update";
        assertEquals(written, redis.run("COMMAND", "GETKEYSANDFLAGS", "SET", "k", "v", "EX", "1"));
        assertEquals(both, redis.run("COMMAND", "GETKEYSANDFLAGS", "SET", "k", "v", "GET"));
        assertEquals("*1 *2 $1 k *2 +RO +access",
                redis.run("COMMAND", "GETKEYSANDFLAGS", "BITFIELD", "k", "GET", "u8", "0"));
        assertEquals(both, redis.run("COMMAND", "GETKEYSANDFLAGS", "BITFIELD", "k", "SET", "u8", "0", "1"));
    }
}
