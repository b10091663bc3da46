package compat;

import static compat.Main.*;

import org.redisson.Redisson;
import org.redisson.api.*;
import org.redisson.config.*;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

final class RedissonScenarios {
    static RedissonClient client(Protocol p) {
        Config c = new Config();
        if (p != null) c.setProtocol(p);
        c.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(8)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setRetryAttempts(1)
                .setTimeout(30000)
                .setClientName("compat-redisson");
        return Redisson.create(c);
    }

    static void with(Protocol p, Consumer3 f) throws Exception {
        RedissonClient r = client(p);
        try {
            f.accept(r);
        } finally {
            r.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    interface Consumer3 {
        void accept(RedissonClient r) throws Exception;
    }

    static void register() {
        core(
                "redisson:default-handshake",
                () -> {
                    RedissonClient r;
                    Config c = new Config();
                    c.useSingleServer().setAddress("redis://127.0.0.1:" + port).setTimeout(30000);
                    r = Redisson.create(c);
                    try {
                        RBucket<String> b = r.getBucket(uniq("r"));
                        b.set("v", Duration.ofSeconds(60));
                        eq("v", b.get(), "bucket");
                        between(b.remainTimeToLive(), 1, 60000, "ttl");
                        b.delete();
                    } finally {
                        r.shutdown(0, 2, TimeUnit.SECONDS);
                    }
                });
        core("redisson:RRateLimiter-overall", () -> with(null, r -> limiter(r, RateType.OVERALL)));
        core(
                "redisson:RRateLimiter-per-client",
                () -> with(null, r -> limiter(r, RateType.PER_CLIENT)));
        core(
                "redisson:RRateLimiter-resp3",
                () -> with(Protocol.RESP3, r -> limiter(r, RateType.OVERALL)));
        core(
                "redisson:RRateLimiter-concurrent",
                () ->
                        with(
                                null,
                                r -> {
                                    RRateLimiter l = r.getRateLimiter(uniq("rc"));
                                    l.trySetRate(RateType.OVERALL, 10, Duration.ofSeconds(600));
                                    AtomicInteger ok = new AtomicInteger();
                                    ExecutorService x = Executors.newFixedThreadPool(8);
                                    for (int i = 0; i < 40; i++)
                                        x.submit(
                                                () -> {
                                                    if (l.tryAcquire()) ok.incrementAndGet();
                                                });
                                    x.shutdown();
                                    x.awaitTermination(50, TimeUnit.SECONDS);
                                    eq(10, ok.get(), "exactly 10 of 40");
                                    l.delete();
                                }));
        core(
                "redisson:RRateLimiter-not-initialised",
                () ->
                        with(
                                null,
                                r ->
                                        fails(
                                                () -> r.getRateLimiter(uniq("rn")).tryAcquire(),
                                                "RateLimiter is not initialized")));
        core(
                "redisson:RLock",
                () ->
                        with(
                                null,
                                r -> {
                                    RLock l = r.getLock(uniq("rl"));
                                    yes(l.tryLock(1, 60, TimeUnit.SECONDS), "lock");
                                    CompletableFuture<Boolean> other =
                                            CompletableFuture.supplyAsync(
                                                    () -> {
                                                        try {
                                                            return l.tryLock(
                                                                    200,
                                                                    5000,
                                                                    TimeUnit.MILLISECONDS);
                                                        } catch (InterruptedException e) {
                                                            return null;
                                                        }
                                                    });
                                    eq(false, other.get(), "second");
                                    l.unlock();
                                }));
        core(
                "redisson:RSemaphore+RAtomicLong",
                () ->
                        with(
                                null,
                                r -> {
                                    RSemaphore s = r.getSemaphore(uniq("rs"));
                                    s.trySetPermits(2);
                                    yes(s.tryAcquire(), "1");
                                    yes(s.tryAcquire(), "2");
                                    yes(!s.tryAcquire(), "3");
                                    s.release();
                                    yes(s.tryAcquire(1, Duration.ofSeconds(10)), "4");
                                    RAtomicLong a = r.getAtomicLong(uniq("ra"));
                                    eq(5L, a.addAndGet(5), "add");
                                    yes(a.expire(Duration.ofSeconds(60)), "expire");
                                    a.delete();
                                    s.delete();
                                }));
        // Redisson 4.4+; needs the server's native GCRA command (called from inside Lua)
        extra(
                "redisson:RGcra",
                () ->
                        with(
                                null,
                                r -> {
                                    Method m =
                                            RedissonClient.class.getMethod("getGcra", String.class);
                                    Object g = m.invoke(r, uniq("rg"));
                                    Class<?> api = Class.forName("org.redisson.api.RGcra");
                                    eq(
                                            true,
                                            api.getMethod(
                                                            "trySetRate",
                                                            long.class,
                                                            long.class,
                                                            Duration.class)
                                                    .invoke(g, 2L, 4L, Duration.ofSeconds(1000)),
                                            "trySetRate");
                                    Object[] res = new Object[4];
                                    for (int i = 0; i < 4; i++)
                                        res[i] = api.getMethod("tryAcquire").invoke(g);
                                    Method lim = res[0].getClass().getMethod("isLimited"),
                                            max = res[0].getClass().getMethod("getMaxTokens"),
                                            ra =
                                                    res[0].getClass()
                                                            .getMethod("getRetryAfterSeconds");
                                    for (int i = 0; i < 3; i++)
                                        eq(false, lim.invoke(res[i]), "limited " + i);
                                    eq(true, lim.invoke(res[3]), "limited 3");
                                    eq(3L, max.invoke(res[0]), "maxTokens");
                                    eq(-1L, ra.invoke(res[0]), "retryAfter");
                                    yes((long) ra.invoke(res[3]) >= 0, "retryAfter limited");
                                }));
    }

    static void limiter(RedissonClient r, RateType type) throws Exception {
        RRateLimiter l = r.getRateLimiter(uniq("rr"));
        yes(l.trySetRate(type, 3, Duration.ofSeconds(600), Duration.ofSeconds(1200)), "trySetRate");
        yes(!l.trySetRate(type, 9, Duration.ofSeconds(1)), "second trySetRate");
        eq(3L, l.availablePermits(), "available");
        eq(3L, l.getConfig().getRate(), "rate");
        eq(type, l.getConfig().getRateType(), "type");
        yes(l.tryAcquire(2), "2 permits");
        yes(l.tryAcquire(), "third");
        yes(!l.tryAcquire(), "fourth");
        eq(0L, l.availablePermits(), "none left");
        fails(() -> l.tryAcquire(4), "Requested permits amount cannot exceed defined rate");
        waits(r, type);
        l.setRate(type, 10, Duration.ofSeconds(1));
        eq(10L, l.availablePermits(), "after setRate");
        yes(l.expire(Duration.ofSeconds(60)), "expire");
        yes(l.delete(), "delete");
        yes(!l.isExists(), "gone");
    }

    /** Of four permits the last is had a window after the first, whenever the window is used up. */
    static void waits(RedissonClient r, RateType type) {
        RRateLimiter l = r.getRateLimiter(uniq("rw"));
        yes(l.trySetRate(type, 3, Duration.ofSeconds(1), Duration.ofSeconds(60)), "short trySetRate");
        List<Long> askedNs = new ArrayList<>();
        do {
            askedNs.add(System.nanoTime());
        } while (l.tryAcquire());
        int granted = askedNs.size() - 1;
        l.acquire();
        long ms = (System.nanoTime() - askedNs.get(granted - 3)) / 1_000_000;
        between(ms, 990, 30_000, "acquire waits for the window");
        yes(l.tryAcquire(1, Duration.ofSeconds(30)), "timed");
        l.delete();
    }
}
