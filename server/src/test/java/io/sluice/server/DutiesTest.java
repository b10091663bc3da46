package io.sluice.server;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.Store;
import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DutiesTest {
    private static final long ROUND_MS = 20;

    private boolean failing;
    private int failures;

    private Store failingStore() {
        Store real = new HeapStore(42);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    if (failing && method.getName().equals("forEach")) {
                        failures++;
                        throw new IllegalStateException("an entry that is damaged");
                    }
                    return method.invoke(real, arguments);
                });
    }

    @Test
    void shouldGoOnAfterOneHasFailed() {
        EmbeddedChannel channel = new EmbeddedChannel();
        try (CommandTester redis = new CommandTester(failingStore(), KeyspaceLimits.NONE)) {
            Duties duties = new Duties(channel.eventLoop(), redis.parts(), redis.dispatcher());
            duties.open(redis.dispatcher().database());
            duties.start();
            channel.runPendingTasks();
            assertEquals("+OK", redis.run("SET", "k", "v", "PX", "1"));
            redis.clock().advanceMs(ROUND_MS);
            failing = true;
            for (int i = 0; i < 100; i++) {
                round(redis, channel);
            }
            assertTrue(failures > 1, failures + " failures");
            assertTrue(redis.parts().stats().dutyCycles > 90, "the others are done meanwhile");
            assertEquals(1, redis.keyspace().size());
            failing = false;
            for (int i = 0; i < 100; i++) {
                round(redis, channel);
            }
            assertEquals(0, redis.keyspace().size());
        }
    }

    private static void round(CommandTester redis, EmbeddedChannel channel) {
        redis.clock().advanceMs(ROUND_MS);
        channel.advanceTimeBy(ROUND_MS, TimeUnit.MILLISECONDS);
        channel.runPendingTasks();
    }
}
