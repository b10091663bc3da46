package compat;

import static compat.Main.*;

import redis.clients.jedis.*;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.params.SetParams;

import java.util.*;
import java.util.concurrent.atomic.AtomicReference;

final class JedisScenarios {
    static DefaultJedisClientConfig.Builder cfg() {
        return DefaultJedisClientConfig.builder().clientName("compat-jedis").timeoutMillis(30000);
    }

    /** Jedis' own settings, but for its patience, which is two seconds. */
    static DefaultJedisClientConfig patient() {
        return DefaultJedisClientConfig.builder().timeoutMillis(30000).build();
    }

    static HostAndPort address() {
        return new HostAndPort("127.0.0.1", port);
    }

    static void register() {
        core(
                "jedis:default-handshake",
                () ->
                        exercise(
                                RedisClient.builder()
                                        .hostAndPort("127.0.0.1", port)
                                        .clientConfig(patient())
                                        .build()));
        core(
                "jedis:resp2+select",
                () ->
                        exercise(
                                RedisClient.builder()
                                        .hostAndPort("127.0.0.1", port)
                                        .clientConfig(
                                                cfg().protocol(RedisProtocol.RESP2)
                                                        .database(4)
                                                        .build())
                                        .build()));
        core(
                "jedis:resp3",
                () ->
                        exercise(
                                RedisClient.builder()
                                        .hostAndPort("127.0.0.1", port)
                                        .clientConfig(cfg().protocol(RedisProtocol.RESP3).build())
                                        .build()));
        core(
                "jedis:pool",
                () -> {
                    try (JedisPool p = new JedisPool(address(), patient());
                            Jedis j = p.getResource()) {
                        eq("PONG", j.ping(), "ping");
                        String k = uniq("jp");
                        j.watch(k);
                        Transaction t = j.multi();
                        Response<Long> r = t.incr(k);
                        t.pexpire(k, 2000L);
                        t.exec();
                        eq(1L, r.get(), "incr");
                        j.del(k);
                    }
                });
        core(
                "jedis:watch-conflict",
                () -> {
                    String k = uniq("jw");
                    try (Jedis a = new Jedis(address(), patient());
                            Jedis b = new Jedis(address(), patient())) {
                        a.watch(k);
                        Transaction t = a.multi();
                        t.set(k, "1");
                        b.set(k, "2");
                        eq(null, t.exec(), "conflicting EXEC must be nil");
                        eq("2", b.get(k), "value");
                        b.del(k);
                    }
                });
        core(
                "jedis:pubsub",
                () -> {
                    String ch = uniq("jch");
                    AtomicReference<String> got = new AtomicReference<>();
                    try (Jedis s = new Jedis(address(), patient());
                            Jedis p = new Jedis(address(), patient())) {
                        JedisPubSub ps =
                                new JedisPubSub() {
                                    @Override
                                    public void onMessage(String c, String m) {
                                        got.set(m);
                                        unsubscribe();
                                    }
                                };
                        Thread t = new Thread(() -> s.subscribe(ps, ch));
                        t.start();
                        for (int i = 0; i < 2000 && p.publish(ch, "hi") == 0; i++) Thread.sleep(10);
                        t.join(30000);
                        eq("hi", got.get(), "message");
                    }
                });
        extra(
                "jedis:CL.THROTTLE",
                () -> {
                    try (RedisClient c =
                            RedisClient.builder()
                                    .hostAndPort("127.0.0.1", port)
                                    .clientConfig(patient())
                                    .build()) {
                        ProtocolCommand cmd = () -> "CL.THROTTLE".getBytes();
                        String k = uniq("jcl");
                        eq(
                                List.of(0L, 16L, 15L, -1L, 2L),
                                c.sendCommand(cmd, k, "15", "30", "60", "1"),
                                "first reply");
                        String slow = uniq("jcs");
                        for (int i = 0; i < 16; i++) c.sendCommand(cmd, slow, "15", "30", "3600");
                        List<?> r = (List<?>) c.sendCommand(cmd, slow, "15", "30", "3600");
                        eq(1L, r.get(0), "limited");
                        eq(0L, r.get(2), "remaining");
                    }
                });
    }

    static void exercise(RedisClient c) throws Exception {
        try (c) {
            String k = uniq("j");
            eq("OK", c.set(k, "v", SetParams.setParams().px(60000)), "set");
            between(c.pttl(k), 1, 60000, "pttl");
            eq(null, c.set(k, "w", SetParams.setParams().nx().px(10)), "set nx");
            String sha = c.scriptLoad(LUA, k);
            eq(40, sha.length(), "sha");
            eq(true, c.scriptExists(List.of(sha)).get(0), "script exists");
            eq(false, c.scriptExists(List.of("f".repeat(40))).get(0), "script missing");
            eq(
                    3L,
                    ((List<?>) c.evalsha(sha, List.of(k + "s"), List.of("3", "90000"))).get(0),
                    "evalsha");
            eq(6L, ((List<?>) c.eval(LUA, List.of(k + "s"), List.of("3", "90000"))).get(0), "eval");
            fails(() -> c.evalsha("f".repeat(40), List.of(), List.of()), "NOSCRIPT");
            fails(() -> c.incr(k), "not an integer");
            fails(() -> c.lpush(k, "x"), "WRONGTYPE");
            try (AbstractPipeline p = c.pipelined()) {
                Response<Long> a = p.incr(k + "n");
                Response<Long> b = p.incrBy(k + "n", 4);
                p.expire(k + "n", 500);
                p.sync();
                eq(1L, a.get(), "p1");
                eq(5L, b.get(), "p2");
            }
            c.zadd(k + "z", Map.of("a", 1d, "b", 2.5d));
            eq(2L, c.zcard(k + "z"), "zcard");
            eq(1L, c.zremrangeByScore(k + "z", 0, 1), "zrem");
            eq(2.5d, c.zrangeWithScores(k + "z", 0, -1).get(0).getScore(), "score");
            c.hset(k + "h", Map.of("tokens", "1.5", "ts", "7"));
            eq(List.of("1.5", "7"), c.hmget(k + "h", "tokens", "ts"), "hmget");
            eq(2, c.hgetAll(k + "h").size(), "hgetall");
            byte[] bin = new byte[256];
            for (int i = 0; i < 256; i++) bin[i] = (byte) i;
            c.set((k + "b").getBytes(), bin);
            yes(Arrays.equals(bin, c.get((k + "b").getBytes())), "binary safe");
            yes(c.info("server").contains("redis_version"), "INFO server");
            c.del(k, k + "s", k + "n", k + "z", k + "h", k + "b");
        }
    }
}
