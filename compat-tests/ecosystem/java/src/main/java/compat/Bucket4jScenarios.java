package compat;

import static compat.Main.*;

import io.github.bucket4j.*;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.serialization.Mapper;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.bucket4j.redis.redisson.Bucket4jRedisson;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

import java.time.Duration;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

final class Bucket4jScenarios {
    static ExpirationAfterWriteStrategy exp() {
        return ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                Duration.ofSeconds(10));
    }

    static void register() {
        core(
                "bucket4j-jedis:RedisClient",
                () -> {
                    try (redis.clients.jedis.RedisClient c =
                            redis.clients.jedis.RedisClient.builder()
                                    .hostAndPort("127.0.0.1", port)
                                    .clientConfig(JedisScenarios.patient())
                                    .build()) {
                        exercise(
                                Bucket4jJedis.casBasedBuilder(c)
                                        .keyMapper(Mapper.STRING)
                                        .expirationAfterWrite(exp())
                                        .build());
                        exercise(Bucket4jJedis.casBasedBuilder(c).keyMapper(Mapper.STRING).build());
                    }
                });
        core(
                "bucket4j-jedis:JedisPool",
                () -> {
                    try (redis.clients.jedis.JedisPool c =
                            new redis.clients.jedis.JedisPool(
                                    new redis.clients.jedis.HostAndPort("127.0.0.1", port),
                                    JedisScenarios.patient())) {
                        exercise(
                                Bucket4jJedis.casBasedBuilder(c)
                                        .keyMapper(Mapper.STRING)
                                        .expirationAfterWrite(exp())
                                        .build());
                    }
                });
        core(
                "bucket4j-lettuce",
                () -> {
                    io.lettuce.core.RedisClient c =
                            io.lettuce.core.RedisClient.create("redis://127.0.0.1:" + port);
                    try {
                        ProxyManager<String> pm =
                                Bucket4jLettuce.casBasedBuilder(
                                                c.connect(
                                                        io.lettuce.core.codec.RedisCodec.of(
                                                                io.lettuce.core.codec.StringCodec
                                                                        .UTF8,
                                                                io.lettuce.core.codec.ByteArrayCodec
                                                                        .INSTANCE)))
                                        .expirationAfterWrite(exp())
                                        .build();
                        exercise(pm);
                        async(pm);
                    } finally {
                        c.shutdown(0, 1, TimeUnit.SECONDS);
                    }
                });
        core(
                "bucket4j-redisson",
                () -> {
                    RedissonClient r = RedissonScenarios.client(null);
                    try {
                        ProxyManager<String> pm =
                                Bucket4jRedisson.casBasedBuilder(
                                                ((Redisson) r).getCommandExecutor())
                                        .expirationAfterWrite(exp())
                                        .build();
                        exercise(pm);
                        async(pm);
                    } finally {
                        r.shutdown(0, 2, TimeUnit.SECONDS);
                    }
                });
    }

    static void exercise(ProxyManager<String> pm) throws Exception {
        String key = uniq("b4j");
        Bucket b = pm.builder().build(key, () -> five(Duration.ofSeconds(2000)));
        for (int i = 0; i < 5; i++) yes(b.tryConsume(1), "token " + i);
        ConsumptionProbe p = b.tryConsumeAndReturnRemaining(1);
        yes(!p.isConsumed(), "sixth");
        between(p.getNanosToWaitForRefill(), 1, 400_000_000_000L, "nanosToWait");
        eq(0L, b.getAvailableTokens(), "available");
        String shortKey = uniq("b4s");
        Bucket s = pm.builder().build(shortKey, () -> five(Duration.ofSeconds(2)));
        // On a slow machine as much may come back as is spent, for a while.
        while (s.tryConsume(1)) {}
        Thread.sleep(450);
        yes(s.tryConsume(1), "after refill");
        pm.removeProxy(shortKey);
        b.addTokens(3);
        between(b.getAvailableTokens(), 3, 5, "added");
        yes(pm.getProxyConfiguration(key).isPresent(), "stored configuration");
        pm.removeProxy(key);
        yes(pm.getProxyConfiguration(key).isEmpty(), "removed");
        String k2 = uniq("b4c");
        BucketConfiguration c2 =
                BucketConfiguration.builder()
                        .addLimit(l -> l.capacity(20).refillIntervally(1, Duration.ofMinutes(1)))
                        .build();
        AtomicInteger ok = new AtomicInteger();
        ExecutorService x = Executors.newFixedThreadPool(6);
        for (int i = 0; i < 60; i++)
            x.submit(
                    () -> {
                        if (pm.builder().build(k2, () -> c2).tryConsume(1)) ok.incrementAndGet();
                    });
        x.shutdown();
        yes(x.awaitTermination(30, TimeUnit.SECONDS), "finished");
        eq(20, ok.get(), "exactly 20 of 60 under contention");
        pm.removeProxy(k2);
    }

    static BucketConfiguration five(Duration period) {
        return BucketConfiguration.builder()
                .addLimit(l -> l.capacity(5).refillGreedy(5, period))
                .build();
    }

    static void async(ProxyManager<String> pm) throws Exception {
        BucketConfiguration conf =
                BucketConfiguration.builder()
                        .addLimit(l -> l.capacity(2).refillGreedy(2, Duration.ofSeconds(600)))
                        .build();
        var b =
                pm.asAsync()
                        .builder()
                        .build(uniq("b4a"), () -> CompletableFuture.completedFuture(conf));
        eq(true, b.tryConsume(2).get(30, TimeUnit.SECONDS), "async 2");
        eq(false, b.tryConsume(1).get(30, TimeUnit.SECONDS), "async 3");
    }
}
