package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every command of the table, admin and script ones included, with arguments that nobody means and frames that are
 * none. After each the server answers another client, no handler has failed, and in the end no memory has stayed
 * behind. {@code -Dsluice.fuzz.minutes=30} goes on for that long, {@code -Dsluice.fuzz.seed} repeats a run.
 */
final class CommandFuzzTest {
    private static final int ROUNDS = 12_000;
    private static final int REMEMBERED = 12;
    private static final String MARKER = "$6\r\nmarker\r\n";
    private static final String MARKER_COMMAND = RespClient.command("ECHO", "marker");
    /** A client without a reply for so long is taken to be blocked, or to have been sent half a command. */
    private static final Duration PATIENCE = Duration.ofMillis(40);
    /** What a run may leave behind in caches and pools. */
    private static final long HEAP_GROWTH_MAX = 24L << 20;
    private static final long BUFFER_GROWTH_MAX = 48L << 20;
    private static final Duration FREE_MAX = Duration.ofSeconds(20);

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--maxmemory", "64mb", "--busy-reply-threshold", "100");

    private final Deque<String> last = new ArrayDeque<>();

    @Test
    void shouldSurviveCommandsThatNobodyMeans() {
        long seed = Long.getLong("sluice.fuzz.seed", 20_261_129L);
        long minutes = Long.getLong("sluice.fuzz.minutes", 0);
        long endNs = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
        FuzzGenerator generator;
        try (RespClient client = SERVER.connect()) {
            generator = new FuzzGenerator(seed, CommandShape.all(client));
        }
        rounds(generator, ROUNDS / 4);
        long heap = liveHeapBytes();
        long buffers = memory("used_memory_buffers");
        long rounds = ROUNDS / 4;
        do {
            rounds(generator, ROUNDS * 3 / 4);
            rounds += ROUNDS * 3 / 4;
        } while (System.nanoTime() - endNs < 0);
        long heapGrowth = liveHeapBytes() - heap;
        long bufferGrowth = memory("used_memory_buffers") - buffers;
        System.out.printf(Locale.ROOT, "fuzz: %d rounds of %d commands (%d succeeded), seed %d, heap %+d KiB, buffers "
            + "%+d KiB%n", rounds, generator.shapes(), succeeded(), seed, heapGrowth >> 10, bufferGrowth >> 10);
        assertTrue(heapGrowth < HEAP_GROWTH_MAX, "heap grew by " + heapGrowth);
        assertTrue(bufferGrowth < BUFFER_GROWTH_MAX, "buffers grew by " + bufferGrowth);
    }

    private void rounds(FuzzGenerator generator, int count) {
        RespClient fuzzed = SERVER.connect();
        RespClient witness = SERVER.connect();
        try {
            for (int i = 0; i < count; i++) {
                if (i % 500 == 0) {
                    prepare(witness);
                }
                List<String> words = generator.next();
                String frame = generator.frame(words);
                remember(frame);
                if (!survives(fuzzed, frame)) {
                    fuzzed.close();
                    fuzzed = SERVER.connect();
                }
                witness = checked(witness);
            }
            assertEquals(0, stat(witness, "unexpected_error_replies"), this::history);
            assertFalse(SERVER.stdout().contains(" failed\n"), this::history);
            witness.call("FLUSHALL");
        } finally {
            fuzzed.close();
            witness.close();
        }
    }

    private void remember(String frame) {
        last.addLast(frame);
        if (last.size() > REMEMBERED) {
            last.removeFirst();
        }
    }

    private String history() {
        return "after:\n" + String.join("\n", last).replace("\r\n", " ") + "\n" + SERVER.stdout() + SERVER.stderr();
    }

    /** Keys of every type, so that commands meet right and wrong ones. */
    private static void prepare(RespClient client) {
        client.call("FLUSHALL");
        for (String line : List.of("SET string value", "SET int 42", "HSET hash f v g 1", "RPUSH list a b c",
            "SADD set a b 3", "ZADD zset 1 a 2 b", "GCRA gcra 5 10 60", "RL.BUCKET bucket 10 1 1", "RL.LOG log 5 10",
            "SETRANGE bits 20 abc")) {
            client.line(line);
        }
    }

    /**
     * Sends a frame with a marker behind it and reads up to the marker. False where the connection is of no use after
     * that: it was closed, waits for something, or lost count of what is a reply.
     */
    private boolean survives(RespClient client, String frame) {
        try {
            client.patience(PATIENCE);
            client.send(frame + MARKER_COMMAND);
            for (String reply = client.read(); !reply.equals(MARKER); reply = client.read()) {
                assertFalse(reply.startsWith("-ERR internal error"), this::history);
                if (reply.startsWith("-ERR Can't execute 'echo'")) {
                    return false;
                }
                if (reply.equals("+QUEUED\r\n")) {
                    client.send(RespClient.command("EXEC") + MARKER_COMMAND);
                }
            }
            return true;
        } catch (UncheckedIOException | NumberFormatException e) {
            return false;
        }
    }

    /** A client that has just been answered: this one, or a new one where this one was closed by what was run. */
    private RespClient checked(RespClient witness) {
        RespClient client = witness;
        long endNs = System.nanoTime() + FREE_MAX.toNanos();
        while (true) {
            assertTrue(SERVER.isRunning(), this::history);
            assertTrue(System.nanoTime() - endNs < 0, this::history);
            try {
                String reply = client.raw("PING");
                if (reply.equals("+PONG\r\n")) {
                    return client;
                }
                assertTrue(reply.startsWith("-BUSY "), () -> reply + history());
                client.raw(reply.contains("FUNCTION KILL") ? "FUNCTION" : "SCRIPT", "KILL");
            } catch (UncheckedIOException e) {
                client.close();
                client = SERVER.connect();
            }
        }
    }

    /** Bytes of the objects that are in use, as the JVM counts them after a collection. */
    private static long liveHeapBytes() {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        String histogram = Programs.run(Path.of("."), jcmd.toString(), Long.toString(SERVER.pid()),
            "GC.class_histogram");
        Matcher total = Pattern.compile("Total +[0-9]+ +([0-9]+)").matcher(histogram);
        assertTrue(total.find(), histogram);
        return Long.parseLong(total.group(1));
    }

    /** Commands that did what they are for at least once. */
    private static long succeeded() {
        try (RespClient client = SERVER.connect()) {
            return ((String) client.call("INFO", "commandstats")).lines()
                .map(Pattern.compile("cmdstat_.*:calls=([0-9]+),.*failed_calls=([0-9]+)")::matcher)
                .filter(line -> line.matches() && Long.parseLong(line.group(1)) > Long.parseLong(line.group(2)))
                .count();
        }
    }

    private static long memory(String field) {
        try (RespClient client = SERVER.connect()) {
            return stat(client, field);
        }
    }

    private static long stat(RespClient client, String field) {
        Matcher matcher = Pattern.compile("\r\n" + field + ":(-?[0-9]+)\r\n").matcher((String) client.call("INFO"));
        assertTrue(matcher.find(), field);
        return Long.parseLong(matcher.group(1));
    }
}
