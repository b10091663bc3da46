package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every command of the table, admin and script ones included, with arguments that nobody means and frames that are
 * none. After each the server answers another client, no handler has failed, and in the end no memory has stayed
 * behind. {@code -Dsluice.fuzz.minutes=30} goes on for that long, {@code -Dsluice.fuzz.seed} repeats a run.
 */
final class CommandFuzzTest {
    private static final int ROUNDS = 12_000;
    private static final int ROUNDS_PER_PREPARATION = 500;
    private static final int REMEMBERED = 12;
    private static final int ATTEMPTS_MAX = 5;
    private static final String WITNESS = "witness";
    private static final Set<String> CHANGES_ROLE = Set.of("replicaof", "slaveof", "failover");
    private static final Pattern FAILURE = Pattern.compile("Command \\S+ failed");
    private static final String MARKER = "$6\r\nmarker\r\n";
    private static final String MARKER_COMMAND = RespClient.command("ECHO", "marker");
    /** A client without a reply for so long is taken to be blocked, or to have been sent half a command. */
    private static final Duration PATIENCE = Duration.ofMillis(40);
    /** What a run may leave behind in caches and pools. */
    private static final long HEAP_GROWTH_MAX = 24L << 20;
    private static final long BUFFER_GROWTH_MAX = 48L << 20;
    private static final Duration FREE_MAX = Duration.ofSeconds(20);

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--maxmemory", "64mb", "--busy-reply-threshold", "100",
        "--user", WITNESS, "on", "nopass", "~*", "&*", "+@all");

    private final Deque<String> last = new ArrayDeque<>();
    private final Set<String> succeeded = new TreeSet<>();
    private Map<String, String> settings;
    private Set<String> names;

    @Test
    void shouldSurviveCommandsThatNobodyMeans() {
        long seed = Long.getLong("sluice.fuzz.seed", 20_261_129L);
        long endNs = System.nanoTime() + Duration.ofMinutes(Long.getLong("sluice.fuzz.minutes", 0)).toNanos();
        FuzzGenerator generator;
        try (RespClient client = witness()) {
            settings = settings(client);
            List<CommandShape> shapes = CommandShape.all(client);
            names = shapes.stream().map(CommandShape::name).collect(Collectors.toSet());
            generator = new FuzzGenerator(seed, shapes, settings.entrySet().stream()
                .flatMap(setting -> Stream.of(setting.getKey(), setting.getValue())).toList());
        }
        rounds(generator, ROUNDS / 4);
        long heap = liveHeapBytes();
        long buffers = memory("used_memory_buffers");
        long rounds = ROUNDS / 4;
        report(rounds, heap, buffers);
        long heapThen;
        long buffersThen;
        do {
            rounds(generator, ROUNDS * 3 / 4);
            rounds += ROUNDS * 3 / 4;
            heapThen = liveHeapBytes();
            buffersThen = memory("used_memory_buffers");
            report(rounds, heapThen, buffersThen);
        } while (System.nanoTime() - endNs < 0);
        System.out.printf(Locale.ROOT, "fuzz: %d rounds of %d commands (%d succeeded), seed %d, heap %+d KiB, buffers "
            + "%+d KiB%n", rounds, generator.shapes(), succeeded.size(), seed, heapThen - heap >> 10,
            buffersThen - buffers >> 10);
        assertTrue(heapThen - heap < HEAP_GROWTH_MAX, "heap grew by " + (heapThen - heap));
        assertTrue(buffersThen - buffers < BUFFER_GROWTH_MAX, "buffers grew by " + (buffersThen - buffers));
    }

    private void report(long rounds, long heap, long buffers) {
        System.out.printf(Locale.ROOT, "fuzz: after %d rounds: heap %d KiB, buffers %d KiB, all memory that is neither "
            + "heap nor file %d KiB%n", rounds, heap >> 10, buffers >> 10, anonymousKib());
    }

    private static long anonymousKib() {
        try {
            Matcher anonymous = Pattern.compile("RssAnon:\\s+([0-9]+) kB").matcher(
                Files.readString(Path.of("/proc", Long.toString(SERVER.pid()), "status")));
            assertTrue(anonymous.find());
            return Long.parseLong(anonymous.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void rounds(FuzzGenerator generator, int count) {
        RespClient fuzzed = SERVER.connect();
        RespClient witness = witness();
        try {
            for (int i = 0; i < count; i++) {
                if (i % ROUNDS_PER_PREPARATION == 0) {
                    witness = asked(witness, this::assertSound);
                    witness = asked(witness, this::prepare);
                }
                List<String> words = generator.next();
                String frame = generator.frame(words);
                remember(frame);
                if (!survives(fuzzed, frame, words)) {
                    fuzzed.close();
                    fuzzed = SERVER.connect();
                }
                witness = checked(witness);
                if (CHANGES_ROLE.contains(words.get(0))) {
                    witness = asked(witness, client -> {
                        client.call("FAILOVER", "ABORT");
                        client.call("REPLICAOF", "NO", "ONE");
                    });
                    witness = checked(witness);
                }
            }
            witness = asked(witness, this::assertSound);
            witness = asked(witness, this::prepare);
            witness = asked(witness, client -> client.call("FLUSHALL"));
        } finally {
            fuzzed.close();
            witness.close();
        }
    }

    /** No handler has failed. The log knows it even where the counters have been reset. */
    private void assertSound(RespClient witness) {
        assertEquals(0, stat(witness, "unexpected_error_replies"), this::history);
        assertFalse(FAILURE.matcher(SERVER.stdout()).find(), this::history);
        assertEquals("", SERVER.stderr());
    }

    /** A client whose rights no command here takes away. */
    private RespClient witness() {
        return asked(SERVER.connect(), client -> client.call("AUTH", WITNESS, "any"));
    }

    /**
     * Asks, and asks another client where this one is closed before it is answered: by a change of roles that comes to
     * it only now, or because it was silent for longer than a limit that a command here has set. Returns the client
     * that was answered.
     */
    private RespClient asked(RespClient witness, Consumer<RespClient> questions) {
        RespClient client = witness;
        for (int attempt = 1;; attempt++) {
            try {
                if (attempt > 1) {
                    client.call("AUTH", WITNESS, "any");
                }
                questions.accept(client);
                return client;
            } catch (UncheckedIOException e) {
                if (attempt == ATTEMPTS_MAX || e.getCause() instanceof SocketTimeoutException) {
                    throw new AssertionError(history(), e);
                }
                client.close();
                client = SERVER.connect();
            }
        }
    }

    /** What CONFIG SET may change, with its value. */
    private static Map<String, String> settings(RespClient client) {
        Map<String, String> all = new TreeMap<>();
        List<?> pairs = (List<?>) client.call("CONFIG", "GET", "*");
        for (int i = 0; i < pairs.size(); i += 2) {
            all.put((String) pairs.get(i), (String) pairs.get(i + 1));
        }
        return all;
    }

    private void remember(String frame) {
        last.addLast(frame);
        if (last.size() > REMEMBERED) {
            last.removeFirst();
        }
    }

    private String history() {
        return Programs.tryRun(Path.of("."), new byte[0], jcmd(), Long.toString(SERVER.pid()), "Thread.print").output()
            + "after:\n" + String.join("\n", last).replace("\r\n", " ") + "\n" + SERVER.stdout() + SERVER.stderr();
    }

    /** Settings and users as they were; keys of every type, so that commands meet right and wrong ones. */
    private void prepare(RespClient client) {
        settings(client).forEach((name, value) -> {
            if (!value.equals(settings.get(name))) {
                assertEquals("OK", client.call("CONFIG", "SET", name, settings.get(name)), name);
            }
        });
        ((List<?>) client.call("ACL", "USERS")).forEach(user -> {
            if (!user.equals(WITNESS)) {
                client.call("ACL", "DELUSER", (String) user);
            }
        });
        client.line("ACL SETUSER default reset on nopass ~* &* +@all");
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
    private boolean survives(RespClient client, String frame, List<String> words) {
        try {
            client.patience(PATIENCE);
            client.send(frame + MARKER_COMMAND);
            boolean first = true;
            for (String reply = client.read(); !reply.equals(MARKER); reply = client.read()) {
                assertFalse(reply.startsWith("-ERR internal error"), this::history);
                if (first && !reply.startsWith("-")) {
                    succeeded.add(name(words));
                }
                first = false;
                if (reply.startsWith("-ERR Can't execute 'echo'")) {
                    return false;
                }
                if (reply.equals("+QUEUED\r\n")) {
                    client.send(RespClient.command("EXEC") + MARKER_COMMAND);
                }
            }
            return true;
        } catch (UncheckedIOException | NumberFormatException | IndexOutOfBoundsException e) {
            // The stream of a primary, or what is left of a reply, is no reply.
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
                assertFalse(e.getCause() instanceof SocketTimeoutException, this::history);
                client.close();
                client = witness();
            }
        }
    }

    private static String jcmd() {
        return Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    }

    /** Bytes of the objects that are in use, as the JVM counts them after a collection. */
    private static long liveHeapBytes() {
        String histogram = Programs.run(Path.of("."), jcmd(), Long.toString(SERVER.pid()),
            "GC.class_histogram");
        Matcher total = Pattern.compile("Total +[0-9]+ +([0-9]+)").matcher(histogram);
        assertTrue(total.find(), histogram);
        return Long.parseLong(total.group(1));
    }

    private String name(List<String> words) {
        String both = words.size() > 1 ? words.get(0) + " " + words.get(1) : words.get(0);
        return names.contains(both) ? both : words.get(0);
    }

    private long memory(String field) {
        try (RespClient client = witness()) {
            return stat(client, field);
        }
    }

    private static long stat(RespClient client, String field) {
        Matcher matcher = Pattern.compile("\r\n" + field + ":(-?[0-9]+)\r\n").matcher((String) client.call("INFO"));
        assertTrue(matcher.find(), field);
        return Long.parseLong(matcher.group(1));
    }
}
