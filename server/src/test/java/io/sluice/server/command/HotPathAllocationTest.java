package io.sluice.server.command;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import io.sluice.resp.Request;
import io.sluice.server.net.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** The whole way of a command but the socket, over the real store: dispatch, arguments, keyspace, decision, reply. */
class HotPathAllocationTest {
    private static final int KEYS = 64;
    private static final int WARM_UP = 20_000;
    private static final int CALLS = 100_000;
    /** The virtual machine itself allocates now and then, while it compiles; a command would in every round. */
    private static final int ROUNDS_MAX = 5;

    @TempDir
    private static Path directory;
    private static CommandTester redis;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @BeforeAll
    static void open() throws StoreOpenException {
        ChronicleStore store = ChronicleStore.open(new StoreConfig(directory, 10_000, 0, 0, false));
        redis = new CommandTester(store, KeyspaceLimits.NONE);
    }

    @AfterAll
    static void close() {
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "CL.THROTTLE cl:%d 1000000 1000 1",
        "CL.THROTTLE denied:%d 0 1 1000000",
        "CL.THROTTLE peek:%d 15 30 60 0",
        "RL.THROTTLE rl:%d 1000000 1000 1 1 MS",
        "CL.PROBE cl:%d 15 30 60",
        "THROTTLE tc:%d 1000000 1000 1",
        "GCRA g:%d 1000000 1000 1.5",
        "RL.BUCKET b:%d 1000000 10 0.5",
        "RL.LEAKY l:%d 1000000 10 0.5",
        "RL.FIXED f:%d 1000000 60",
        "RL.SLIDING s:%d 1000000 60",
        "RL.LOG log:%d 10 1",
        "GET string:%d",
        "SET string:%d value",
        "SET string:%d 12345 EX 100",
        "SET string:%d value PX 100 NX GET",
        "INCR counter:%d",
        "INCRBY counter:%d 17",
        "INCREX window:%d UBOUND 1000 EX 60 ENX",
        "EXPIRE string:%d 60",
        "PTTL string:%d",
        "EXISTS string:%d",
        "SETBIT bits:%d 7 1",
        "GETBIT bits:%d 7",
        "HSET hash:%d tokens 17",
        "HSET hash:%d tokens 17.5 ts 1700000000123",
        "HGET hash:%d tokens",
        "HMGET hash:%d tokens ts other",
        "HGETALL hash:%d",
        "HINCRBY hash:%d count 3",
        "SADD set:%d a b 7",
        "SISMEMBER set:%d b",
        "ZADD zset:%d 1234567 member",
        "ZADD zset:%d XX CH 1234567 member",
        "ZREMRANGEBYSCORE zset:%d -inf (1000",
        "ZCARD zset:%d",
        "ZCOUNT zset:%d -inf +inf",
        "ZRANGE zset:%d 0 -1",
        "LLEN list:%d",
        "LTRIM list:%d 0 9",
        "RPOP list:%d 5"
    })
    void shouldAllocateNothing(String command) {
        assertAllocatesNothing(redis.client().connection(), command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CL.THROTTLE user:%d 1000000 1000 1", "GET user:%d", "SET user:%d value GET"})
    void shouldAllocateNothingToCheckRights(String command) {
        redis.run("ACL", "SETUSER", "alice", "on", "nopass", "+@throttle", "+get", "~none*", "~user:*",
            "(+set ~other:*)", "(+set %R~user:* %RW~u*)");
        CommandTester.Client alice = redis.newClient();
        assertEquals("+OK", alice.run("AUTH", "alice", "any"));
        assertAllocatesNothing(alice.connection(), command);
    }

    private void assertAllocatesNothing(Connection connection, String command) {
        ByteBuf bytes = Unpooled.directBuffer();
        Request[] requests = new Request[KEYS];
        for (int i = 0; i < KEYS; i++) {
            String[] words = String.format(command, i).split(" ");
            byte[][] args = new byte[words.length][];
            for (int k = 0; k < words.length; k++) {
                args[k] = words[k].getBytes(StandardCharsets.ISO_8859_1);
            }
            requests[i] = Request.of(bytes, args);
        }
        execute(connection, requests, WARM_UP);
        long allocated = 1;
        for (int round = 0; round < ROUNDS_MAX && allocated > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            byte firstOfReply = execute(connection, requests, CALLS);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertNotEquals('-', firstOfReply, "a command failed");
        }
        bytes.release();
        assertEquals(0, allocated, "bytes in the last of " + ROUNDS_MAX + " rounds");
    }

    /** Calls the commands in turn, 10 us apart, and gives the first byte of the last reply. */
    private static byte execute(Connection connection, Request[] requests, int calls) {
        ByteBuf replies = connection.reply().buffer();
        byte firstOfReply = 0;
        for (int i = 0; i < calls; i++) {
            redis.clock().advanceNs(10_000);
            redis.dispatcher().beginBatch();
            replies.clear();
            redis.dispatcher().execute(connection, requests[i % KEYS]);
            firstOfReply = replies.getByte(0);
        }
        replies.clear();
        return firstOfReply;
    }
}
