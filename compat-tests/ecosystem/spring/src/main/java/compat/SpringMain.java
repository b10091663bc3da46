package compat;

import java.util.ArrayList;
import java.util.List;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.scripting.support.ResourceScriptSource;

/** Spring Cloud Gateway's RedisRateLimiter, unmodified, over Spring Data Redis and Lettuce. usage: SpringMain PORT */
public final class SpringMain {
    private static final String SCRIPT = "META-INF/scripts/request_rate_limiter.lua";
    private static final int ATTEMPTS_MAX = 30;
    private static final long CLOCKS_APART_MS = 100;
    private static final long MS_PER_SECOND = 1000;

    private final LettuceConnectionFactory connections;
    private final RedisRateLimiter limiter = new RedisRateLimiter(1, 3, 1);

    private SpringMain(int port) {
        connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
        connections.afterPropertiesSet();
        connections.start();
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(ReactiveStringRedisTemplate.class, () -> new ReactiveStringRedisTemplate(connections));
        context.registerBean(RedisRateLimiter.REDIS_SCRIPT_NAME, RedisScript.class, SpringMain::script);
        context.refresh();
        limiter.setApplicationContext(context);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static RedisScript<List<Long>> script() {
        DefaultRedisScript<List<Long>> script = new DefaultRedisScript<>();
        script.setScriptSource(new ResourceScriptSource(new ClassPathResource(SCRIPT)));
        script.setResultType((Class) List.class);
        return script;
    }

    public static void main(String[] args) {
        int passed = 0;
        int failed = 0;
        for (String name : List.of("spring-cloud-gateway:RedisRateLimiter", "spring-cloud-gateway:after-script-flush")) {
            try {
                new SpringMain(Integer.parseInt(args[0])).limit(name.endsWith("flush"));
                System.out.println("PASS " + name);
                passed++;
            } catch (Exception | AssertionError e) {
                System.out.println("FAIL " + name + ": " + e);
                failed++;
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed);
    }

    /**
     * The script counts in whole seconds of the server, so five calls tell something only within one of them; and the
     * server's clock need not be this one to the millisecond.
     */
    private void limit(boolean flush) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            String id = "u" + System.nanoTime();
            if (flush) {
                ReactiveRedisConnection connection = connections.getReactiveConnection();
                connection.scriptingCommands().scriptFlush().block();
            }
            awaitNextSecond();
            long beganMs = System.currentTimeMillis();
            List<RateLimiter.Response> got = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                got.add(call(id));
            }
            if (beganMs % MS_PER_SECOND + System.currentTimeMillis() - beganMs < MS_PER_SECOND - CLOCKS_APART_MS) {
                equal(List.of(true, true, true, false, false), got.stream().map(RateLimiter.Response::isAllowed).toList());
                equal(List.of("2", "1", "0", "0", "0"), got.stream()
                    .map(response -> response.getHeaders().get(RedisRateLimiter.REMAINING_HEADER)).toList());
                awaitNextSecond();
                equal(true, call(id).isAllowed());
                return;
            }
        }
        throw new AssertionError("this machine is too slow for five calls within a second");
    }

    private RateLimiter.Response call(String id) {
        return limiter.isAllowed("route", id).block();
    }

    private static void awaitNextSecond() throws InterruptedException {
        Thread.sleep(MS_PER_SECOND + CLOCKS_APART_MS - System.currentTimeMillis() % MS_PER_SECOND);
    }

    private static void equal(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + " but got " + actual);
        }
    }
}
