package compat;

import static compat.Main.*;

import io.lettuce.core.*;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.*;
import io.lettuce.core.pubsub.*;

import java.util.*;
import java.util.concurrent.*;

final class LettuceScenarios {
    static RedisURI uri() {
        return RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(java.time.Duration.ofSeconds(30))
                .withClientName("compat-lettuce")
                .build();
    }

    static void register() {
        core(
                "lettuce:default-handshake",
                () -> {
                    RedisClient c = RedisClient.create("redis://127.0.0.1:" + port);
                    try {
                        exercise(c);
                    } finally {
                        c.shutdown(0, 1, TimeUnit.SECONDS);
                    }
                });
        core(
                "lettuce:resp2",
                () -> {
                    RedisClient c = RedisClient.create(uri());
                    c.setOptions(
                            ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
                    try {
                        exercise(c);
                    } finally {
                        c.shutdown(0, 1, TimeUnit.SECONDS);
                    }
                });
        core(
                "lettuce:resp3+db",
                () -> {
                    RedisURI u = uri();
                    u.setDatabase(5);
                    RedisClient c = RedisClient.create(u);
                    c.setOptions(
                            ClientOptions.builder().protocolVersion(ProtocolVersion.RESP3).build());
                    try {
                        exercise(c);
                    } finally {
                        c.shutdown(0, 1, TimeUnit.SECONDS);
                    }
                });
        core(
                "lettuce:pubsub",
                () -> {
                    RedisClient c = RedisClient.create(uri());
                    try (StatefulRedisPubSubConnection<String, String> s = c.connectPubSub();
                            StatefulRedisConnection<String, String> p = c.connect()) {
                        String ch = uniq("lch");
                        CompletableFuture<String> got = new CompletableFuture<>();
                        s.addListener(
                                new RedisPubSubAdapter<>() {
                                    @Override
                                    public void message(String a, String m) {
                                        got.complete(m);
                                    }
                                });
                        s.sync().subscribe(ch);
                        eq(1L, p.sync().publish(ch, "hi"), "receivers");
                        eq("hi", got.get(30, TimeUnit.SECONDS), "message");
                        s.sync().unsubscribe(ch);
                    } finally {
                        c.shutdown(0, 1, TimeUnit.SECONDS);
                    }
                });
        extra(
                "lettuce:CL.THROTTLE",
                () -> {
                    RedisClient c = RedisClient.create(uri());
                    try (StatefulRedisConnection<String, String> s = c.connect()) {
                        ProtocolKeyword kw =
                                new ProtocolKeyword() {
                                    @Override
                                    public byte[] getBytes() {
                                        return "CL.THROTTLE".getBytes();
                                    }

                                    @Override
                                    public String toString() {
                                        return "CL.THROTTLE";
                                    }
                                };
                        String k = uniq("lcl");
                        List<Object> r =
                                s.sync()
                                        .dispatch(
                                                new Kw(kw),
                                                new ArrayOutput<>(StringCodec.UTF8),
                                                new CommandArgs<>(StringCodec.UTF8)
                                                        .addKey(k)
                                                        .add(15)
                                                        .add(30)
                                                        .add(60)
                                                        .add(1));
                        eq(List.of(0L, 16L, 15L, -1L, 2L), r, "first reply");
                    } finally {
                        c.shutdown(0, 1, TimeUnit.SECONDS);
                    }
                });
    }

    record Kw(ProtocolKeyword k) implements ProtocolKeyword {
        @Override
        public byte[] getBytes() {
            return k.getBytes();
        }

        @Override
        public String toString() {
            return k.toString();
        }
    }

    static void exercise(RedisClient client) throws Exception {
        try (StatefulRedisConnection<String, String> con = client.connect()) {
            RedisCommands<String, String> c = con.sync();
            String k = uniq("l");
            eq("PONG", c.ping(), "ping");
            eq("OK", c.set(k, "v", SetArgs.Builder.px(60000)), "set");
            between(c.pttl(k), 1, 60000, "pttl");
            String sha = c.scriptLoad(LUA);
            eq(c.digest(LUA), sha, "sha1");
            List<Object> r =
                    c.evalsha(sha, ScriptOutputType.MULTI, new String[] {k + "s"}, "3", "90000");
            eq(3L, r.get(0), "evalsha");
            eq(
                    true,
                    c.eval("return ARGV[1] == '1'", ScriptOutputType.BOOLEAN, new String[0], "1"),
                    "boolean");
            eq(
                    "OK",
                    c.eval(
                            "return redis.status_reply('OK')",
                            ScriptOutputType.STATUS,
                            new String[0]),
                    "status");
            fails(() -> c.evalsha("f".repeat(40), ScriptOutputType.INTEGER), "NOSCRIPT");
            fails(
                    () ->
                            c.eval(
                                    "return redis.error_reply('MYERR nope')",
                                    ScriptOutputType.STATUS,
                                    new String[0]),
                    "MYERR nope");
            c.multi();
            c.incr(k + "n");
            c.pexpire(k + "n", 60000);
            TransactionResult t = c.exec();
            eq(1L, t.get(0), "exec");
            eq(true, t.get(1), "exec pexpire");
            c.zadd(k + "z", 1, "a");
            c.zadd(k + "z", 2.5, "b");
            eq(2.5, c.zrangeWithScores(k + "z", -1, -1).get(0).getScore(), "score");
            eq(1L, c.zremrangebyscore(k + "z", Range.create(0, 1)), "zremrangebyscore");
            c.hset(k + "h", Map.of("tokens", "1.5"));
            eq("1.5", c.hget(k + "h", "tokens"), "hget");
            eq(2L, c.time().stream().count(), "TIME");
            eq(6L, c.del(k, k + "s", k + "n", k + "z", k + "h", k + "none") + 1, "del");
            con.setAutoFlushCommands(false);
            List<RedisFuture<Long>> fs = new ArrayList<>();
            for (int i = 0; i < 500; i++) fs.add(con.async().incr(k + "p"));
            con.flushCommands();
            eq(500L, fs.get(499).get(30, TimeUnit.SECONDS), "500 pipelined");
            con.setAutoFlushCommands(true);
            c.del(k + "p");
        }
    }
}
