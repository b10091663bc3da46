package io.sluice.compat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static io.sluice.compat.Replicating.PATIENCE;
import static io.sluice.compat.Replicating.assertSame;
import static io.sluice.compat.Replicating.awaitLink;
import static io.sluice.compat.Replicating.awaitOffset;
import static io.sluice.compat.Replicating.follow;
import static io.sluice.compat.Replicating.info;
import static io.sluice.compat.Replicating.number;
import static io.sluice.compat.Replicating.server;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sluice follows Sluice. */
final class ReplicationTest {
    private static final String READONLY = "READONLY You can't write against a read only replica.";
    private static final long HOUR_NS = 3_600_000_000_000L;

    /** Random writes of most kinds, also ones that undo others. */
    private static void load(ServerProcess server, int commands, long seed) {
        Random random = new Random(seed);
        Replicating.loadAllTypes(server, commands / 2, seed);
        try (RespClient client = server.connect()) {
            for (int i = 0; i < commands; i++) {
                String key = "k" + random.nextInt(200);
                String number = Integer.toString(1 + random.nextInt(1_000));
                client.raw("SELECT", random.nextInt(10) == 0 ? "3" : "0");
                switch (random.nextInt(10)) {
                    case 0 -> client.raw("SET", key, number);
                    case 1 -> client.raw("SET", key, "x".repeat(random.nextInt(3_000)), "PX", number);
                    case 2 -> client.raw("CL.THROTTLE", "limit" + key, "15", "30", "60");
                    case 3 -> client.raw("RL.BUCKET", "bucket" + key, "10", "5", "1");
                    case 4 -> client.raw("DEL", key);
                    case 5 -> client.raw("RENAME", key, "k" + random.nextInt(200));
                    case 6 -> client.raw("PEXPIRE", key, number);
                    case 7 -> client.raw("INCR", "n" + key);
                    case 8 -> client.raw("RL.LOG", "log" + random.nextInt(5), "10", "1000000");
                    default -> transaction(client, key, number);
                }
            }
        }
    }

    private static void transaction(RespClient client, String key, String number) {
        client.raw("MULTI");
        client.raw("SET", "a" + key, number);
        client.raw("SET", "b" + key, number);
        client.raw("EXEC");
    }

    @Test
    void shouldFollowAPrimaryAndAReplica() {
        try (SluiceServer primary = server(); SluiceServer replica = server(); SluiceServer another = server();
                SluiceServer chained = server()) {
            List.of(primary, replica, another, chained).forEach(ServerProcess::start);
            load(primary, 2_000, 1);
            follow(replica, primary);
            follow(another, primary);
            follow(chained, replica);
            load(primary, 2_000, 2);
            assertSame(replica, primary);
            assertSame(another, primary);
            assertSame(chained, primary);
            assertEquals(info(primary, "master_replid"), info(chained, "master_replid"));
            // A replica that did not run for some seconds acknowledges when it does again.
            Await.until("a replica that is online and has just acknowledged", PATIENCE, () -> info(primary, "slave0")
                .matches("ip=127.0.0.1,port=[0-9]+,state=online,offset=[0-9]+,lag=[01]"));
            try (RespClient client = primary.connect()) {
                client.raw("SET", "waited", "1");
                assertEquals(2L, client.call("WAIT", "2", "20000"));
                assertEquals("master", ((List<?>) client.call("ROLE")).get(0));
            }
            try (RespClient client = replica.connect()) {
                assertEquals(List.of("slave", "127.0.0.1", (long) primary.port(), "connected"),
                    ((List<?>) client.call("ROLE")).subList(0, 4));
            }
        }
    }

    @Test
    void shouldRefuseWritesOnAReplicaAndAnswerProbes() {
        try (SluiceServer primary = server(); SluiceServer replica = server()) {
            primary.start();
            replica.start();
            follow(replica, primary);
            try (RespClient client = primary.connect()) {
                client.raw("CL.THROTTLE", "limit", "9", "10", "1000");
            }
            Replicating.awaitOffset(replica, primary);
            try (RespClient client = replica.connect()) {
                assertTrue(client.raw("SET", "k", "1").startsWith("-" + READONLY));
                for (String spend : List.of("CL.THROTTLE limit 9 10 1000", "RL.BUCKET k 10 5 1", "RL.LEAKY k 10 5 1",
                        "RL.FIXED k 10 1", "RL.SLIDING k 10 1", "RL.LOG k 10 1", "HSET h f v", "FUNCTION FLUSH")) {
                    assertTrue(client.raw(spend.split(" ")).startsWith("-" + READONLY), spend);
                }
                assertEquals(List.of(0L, 10L, 8L),
                    ((List<?>) client.call("CL.PROBE", "limit", "9", "10", "1000")).subList(0, 3));
            }
        }
    }

    @Test
    void shouldGoOnWithoutAFullSyncAfterARestart() {
        try (SluiceServer primary = server();
                SluiceServer replica = server("--replicaof", "127.0.0.1 " + primary.port())) {
            primary.start();
            load(primary, 500, 3);
            replica.start();
            awaitLink(replica);
            for (int round = 0; round < 4; round++) {
                load(primary, 300, 10 + round);
                // A kill amid a command that must not be applied twice would rightly end in a full sync.
                awaitOffset(replica, primary);
                if (round % 2 == 0) {
                    replica.kill();
                } else {
                    assertEquals(0, replica.stop());
                }
                load(primary, 100, 20 + round);
                replica.start();
                awaitLink(replica);
                assertSame(replica, primary);
            }
            assertEquals(1, number(primary, "sync_full"));
            assertEquals(4, number(primary, "sync_partial_ok"));
        }
    }

    @Test
    void shouldBeTheSameAgainAfterAKillAmidTheStream() {
        try (SluiceServer primary = server();
                SluiceServer replica = server("--replicaof", "127.0.0.1 " + primary.port())) {
            primary.start();
            replica.start();
            awaitLink(replica);
            for (int round = 0; round < 4; round++) {
                load(primary, 300, 30 + round);
                replica.kill();
                replica.start();
                awaitLink(replica);
                assertSame(replica, primary);
            }
            assertEquals(5, number(primary, "sync_full") + number(primary, "sync_partial_ok"));
        }
    }

    @Test
    void shouldLetTheOthersGoOnAfterAPromotion() {
        try (SluiceServer old = server(); SluiceServer one = server(); SluiceServer two = server()) {
            List.of(old, one, two).forEach(ServerProcess::start);
            load(old, 500, 5);
            follow(one, old);
            follow(two, old);
            assertSame(one, old);
            assertSame(two, old);
            String id = info(old, "master_replid");
            old.kill();
            // Keys expire at any time, and the kill may have come when only one had been told.
            awaitNoLink(one);
            awaitNoLink(two);
            boolean oneIsAhead = number(one, "master_repl_offset") >= number(two, "master_repl_offset");
            SluiceServer chosen = oneIsAhead ? one : two;
            SluiceServer other = oneIsAhead ? two : one;
            try (RespClient client = chosen.connect()) {
                assertEquals("OK", client.call("REPLICAOF", "NO", "ONE"));
            }
            follow(other, chosen);
            load(chosen, 500, 6);
            assertSame(other, chosen);
            assertEquals(id, info(chosen, "master_replid2"));
            assertEquals(0, number(chosen, "sync_full"));
            assertEquals(1, number(chosen, "sync_partial_ok"));
            old.start();
            follow(old, chosen);
            assertSame(old, chosen);
        }
    }

    private static void awaitNoLink(ServerProcess replica) {
        Await.until("the end of the link", PATIENCE, () -> "down".equals(info(replica, "master_link_status")));
    }

    @Test
    void shouldStoreWhatItReceivesWhateverTheTimeIs() {
        try (SluiceServer primary = server(); SluiceServer ahead = server(); SluiceServer behind = server()) {
            List.of(primary, ahead, behind).forEach(ServerProcess::start);
            long nowNs = System.currentTimeMillis() * 1_000_000;
            freeze(primary, nowNs);
            freeze(ahead, nowNs + HOUR_NS);
            freeze(behind, nowNs - HOUR_NS);
            load(primary, 500, 7);
            follow(ahead, primary);
            follow(behind, primary);
            load(primary, 500, 8);
            assertSame(ahead, primary);
            assertSame(behind, primary);
            try (RespClient one = primary.connect(); RespClient other = ahead.connect()) {
                one.raw("SET", "soon", "1", "EX", "60");
                one.call("WAIT", "2", "20000");
                assertEquals("1", one.call("GET", "soon"));
                assertEquals(null, other.call("GET", "soon"));
            }
        }
    }

    private static void freeze(ServerProcess server, long epochNs) {
        try (RespClient client = server.connect()) {
            client.call("DEBUG", "CLOCK", Long.toString(epochNs));
        }
    }

    @Test
    void shouldRefuseWritesWithTooFewReplicas() {
        try (SluiceServer primary = server("--min-replicas-to-write", "1"); SluiceServer replica = server()) {
            primary.start();
            replica.start();
            try (RespClient client = primary.connect()) {
                assertEquals("-NOREPLICAS Not enough good replicas to write.\r\n", client.raw("SET", "k", "1"));
                follow(replica, primary);
                Await.until("writes", PATIENCE, () -> "+OK\r\n".equals(client.raw("SET", "k", "1")));
                replica.kill();
                Await.until("no writes", PATIENCE, () -> client.raw("SET", "k", "1").startsWith("-NOREPLICAS"));
            }
        }
    }

    @Test
    void shouldNotShowStaleDataIfToldSo() {
        try (SluiceServer primary = server(); SluiceServer replica = server("--replica-serve-stale-data", "no")) {
            primary.start();
            replica.start();
            follow(replica, primary);
            try (RespClient client = replica.connect()) {
                assertEquals(null, client.call("GET", "k"));
                primary.kill();
                Await.until("an error", PATIENCE, () -> client.raw("GET", "k").equals(
                    "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n"));
                assertTrue(client.call("INFO", "replication").toString().contains("master_link_status:down"));
            }
        }
    }

    @Test
    void shouldCloseItsClientsWhenItIsDemoted() {
        try (SluiceServer primary = server(); SluiceServer other = server()) {
            primary.start();
            other.start();
            try (RespClient idle = primary.connect(); RespClient caller = primary.connect()) {
                idle.call("PING");
                assertEquals("OK", caller.call("REPLICAOF", "127.0.0.1", Integer.toString(other.port())));
                assertTrue(idle.isClosedByServer());
                assertEquals("slave", info(caller, "role"));
            }
        }
    }

    @Test
    void shouldTakeOnFunctionsAndMessagesAndKeepTheFunctions() {
        String library = "#!lua name=%s\nredis.register_function{function_name='%s', callback=function() return 7 end,"
            + "flags={'no-writes'}}";
        try (SluiceServer primary = server();
                SluiceServer replica = server("--replicaof", "127.0.0.1 " + primary.port())) {
            primary.start();
            try (RespClient client = primary.connect()) {
                client.call("FUNCTION", "LOAD", String.format(library, "one", "f1"));
                replica.start();
                awaitLink(replica);
                client.call("FUNCTION", "LOAD", String.format(library, "two", "f2"));
                Object dump = client.call("FUNCTION", "DUMP");
                client.call("FUNCTION", "FLUSH");
                client.call("FUNCTION", "RESTORE", dump.toString());
                Replicating.awaitOffset(replica, primary);
                replica.kill();
                client.call("FUNCTION", "DELETE", "one");
                replica.start();
                awaitLink(replica);
                Replicating.awaitOffset(replica, primary);
                assertEquals(1, number(primary, "sync_full"));
                try (RespClient other = replica.connect(); RespClient listener = replica.connect()) {
                    assertEquals(client.call("FUNCTION", "DUMP"), other.call("FUNCTION", "DUMP"));
                    assertEquals(7L, other.call("FCALL_RO", "f2", "0"));
                    listener.call("SUBSCRIBE", "news");
                    client.raw("MULTI");
                    client.raw("PUBLISH", "news", "one");
                    client.raw("SET", "k", "v");
                    client.raw("EXEC");
                    client.call("EVAL", "redis.call('PUBLISH', 'news', 'two')", "0");
                    assertEquals(List.of("message", "news", "one"), RespValue.parse(listener.read()));
                    assertEquals(List.of("message", "news", "two"), RespValue.parse(listener.read()));
                }
            }
        }
    }

    @Test
    void shouldSendOfALogWhatHasChanged() {
        try (SluiceServer primary = server(); SluiceServer replica = server()) {
            primary.start();
            replica.start();
            try (RespClient client = primary.connect()) {
                follow(replica, primary);
                for (int i = 0; i < 2_000; i++) {
                    client.raw("RL.LOG", "log", "1000000", "1000");
                }
                long before = number(primary, "master_repl_offset");
                client.raw("RL.LOG", "log", "1000000", "1000");
                long bytes = number(primary, "master_repl_offset") - before;
                assertTrue(bytes > 0 && bytes < 300, bytes + " bytes for one of many entries");
                assertSame(replica, primary);
            }
        }
    }

    @Test
    void shouldFollowAsAUserOfItsOwn() {
        try (SluiceServer primary = server("--requirepass", "secret");
                SluiceServer replica = server("--masteruser", "copier", "--masterauth", "own")) {
            primary.start();
            replica.start();
            try (RespClient client = primary.connect()) {
                client.call("AUTH", "secret");
                client.call("ACL", "SETUSER", "copier", "on", ">own", "+ping", "+replconf", "+psync");
                client.call("SET", "k", "v");
                follow(replica, primary);
                client.call("ACL", "SETUSER", "copier", "off");
                client.call("SET", "k", "w");
                assertEquals(1L, client.call("WAIT", "1", "20000"));
            }
        }
    }

    @Test
    void shouldFollowWithAPassword() {
        try (SluiceServer primary = server("--requirepass", "secret");
                SluiceServer replica = server("--masterauth", "secret")) {
            primary.start();
            replica.start();
            try (RespClient client = primary.connect()) {
                client.call("AUTH", "secret");
                client.call("SET", "k", "v");
            }
            follow(replica, primary);
            try (RespClient client = replica.connect()) {
                assertEquals("v", client.call("GET", "k"));
            }
        }
    }
}
