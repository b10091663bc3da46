package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends the same random commands to Redis and to Sluice, over two connections each, and wants the same bytes back.
 * {@code -Dsluice.seed=n} and {@code -Dsluice.commands=n} make another or a longer run.
 */
final class DifferentialTest {
    private static final long SEED = Long.getLong("sluice.seed", 1);
    private static final int COMMANDS = Integer.getInteger("sluice.commands", 60_000);
    private static final int HISTORY = 40;

    @RegisterExtension
    static final RedisServer REDIS = new RedisServer("--proto-max-bulk-len", "1mb");

    @RegisterExtension
    static final SluiceServer SLUICE = new SluiceServer("--proto-max-bulk-len", "1mb");

    private final ReplyComparison comparison = new ReplyComparison();

    @ParameterizedTest(name = "RESP{0}")
    @ValueSource(strings = {"2", "3"})
    void shouldReplyAsRedisDoes(String protocol) {
        CommandGenerator generator = new CommandGenerator(SEED);
        Random random = new Random(SEED);
        List<String> history = new ArrayList<>();
        try (Pair first = new Pair(protocol); Pair second = new Pair(protocol)) {
            first.redis.call("FLUSHALL");
            first.sluice.call("FLUSHALL");
            for (int i = 0; i < COMMANDS; i++) {
                Pair pair = random.nextInt(5) == 0 ? second : first;
                List<String> command = generator.next();
                String difference = pair.send(command);
                history.add((pair == first ? "1: " : "2: ") + ReplyComparison.shown(String.join(" ", command)));
                assertTrue(difference.isEmpty(), () -> "seed " + SEED + ", RESP" + protocol + ", after\n"
                    + String.join("\n", history.subList(Math.max(0, history.size() - HISTORY), history.size()))
                    + "\n" + difference);
            }
        }
    }

    /** A connection to either server; and the commands that either has queued. */
    private final class Pair implements AutoCloseable {
        private final RespClient redis = REDIS.connect();
        private final RespClient sluice = SLUICE.connect();
        private final List<List<String>> queued = new ArrayList<>();

        Pair(String protocol) {
            redis.call("HELLO", protocol);
            sluice.call("HELLO", protocol);
        }

        /** Returns what differs in the replies, nothing where they agree. */
        String send(List<String> command) {
            redis.send(RespClient.command(command));
            sluice.send(RespClient.command(command));
            String expected = redis.read();
            String actual = sluice.read();
            boolean same = command.get(0).equalsIgnoreCase("EXEC") && expected.startsWith("*") && !queued.isEmpty()
                ? comparison.sameInTransaction(queued, expected, actual)
                : comparison.same(command, expected, actual);
            if (expected.equals("+QUEUED\r\n")) {
                queued.add(command);
            } else if (command.get(0).equalsIgnoreCase("EXEC") || command.get(0).equalsIgnoreCase("DISCARD")) {
                queued.clear();
            }
            return same ? "" : "Redis:  " + ReplyComparison.shown(expected) + "\nSluice: "
                + ReplyComparison.shown(actual);
        }

        @Override
        public void close() {
            redis.close();
            sluice.close();
        }
    }
}
