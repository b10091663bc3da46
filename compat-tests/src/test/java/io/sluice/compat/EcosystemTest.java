package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Unmodified libraries and clients of the Redis world, each doing a small realistic job; see {@code
 * ecosystem/README.md}. Every part runs in its own process against a server of its own, since some of them flush
 * scripts. What is not installed is skipped, and the summary says so; {@code bin/test} installs it.
 */
final class EcosystemTest {
    private static final Path HERE = Path.of("ecosystem").toAbsolutePath();
    private static final Path SUMMARY = Path.of("target", "ecosystem.txt");
    /** The first two take longest. */
    private static final List<String> PARTS = List.of("node", "misc", "java", "spring");
    private static final int AT_ONCE = 3;
    private static final int PART_SECONDS_MAX = 1_200;

    @TestFactory
    Stream<DynamicNode> shouldServeTheEcosystem() throws Exception {
        Map<String, List<String>> lines = new TreeMap<>();
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<List<String>>> running = new ArrayList<>();
            for (String part : PARTS) {
                running.add(pool.submit((Callable<List<String>>) () -> run(part)));
            }
            for (int i = 0; i < PARTS.size(); i++) {
                lines.put(PARTS.get(i), running.get(i).get());
            }
        } finally {
            pool.shutdownNow();
        }
        summarise(lines);
        return lines.entrySet().stream().map(part -> DynamicContainer.dynamicContainer(part.getKey(),
            part.getValue().stream().map(EcosystemTest::test)));
    }

    /** The lines of one part that name scenarios, and one for the part itself if it did not come to its end. */
    private static List<String> run(String part) {
        // What bottleneck needs, and nobody else minds.
        try (SluiceServer server = new SluiceServer("--script-error-code", "bare")) {
            server.start();
            String output = Programs.tryRun(HERE, PART_SECONDS_MAX, new byte[0], HERE.resolve("run").toString(), part,
                Integer.toString(server.port())).output();
            List<String> lines = new ArrayList<>(output.lines()
                .filter(line -> line.matches("(PASS|FAIL|SKIPPED) .*")).toList());
            if (!output.matches("(?s).*[0-9]+ passed, [0-9]+ failed\\s*")) {
                lines.add("FAIL " + part + ": did not come to its end: " + output);
            }
            return lines;
        }
    }

    private static DynamicTest test(String line) {
        String name = line.replaceFirst("^\\w+ ", "").replaceFirst("(: | \\().*", "");
        return DynamicTest.dynamicTest(name, () -> {
            if (line.startsWith("FAIL ")) {
                fail(line);
            } else if (line.startsWith("SKIPPED ")) {
                abort(line);
            }
            assertTrue(line.startsWith("PASS "), line);
        });
    }

    private static void summarise(Map<String, List<String>> lines) throws IOException {
        StringBuilder text = new StringBuilder();
        lines.values().forEach(part -> part.stream().filter(line -> !line.startsWith("PASS "))
            .forEach(line -> text.append(line).append('\n')));
        long skipped = count(lines, "SKIPPED ");
        if (skipped > 0) {
            text.append("*** SKIPPED: the ecosystem run lacks what is named above; see compat-tests/ecosystem ***\n");
        }
        text.append("ecosystem: ").append(count(lines, "PASS ")).append(" passed, ").append(count(lines, "FAIL "))
            .append(" failed\n");
        Files.createDirectories(SUMMARY.getParent());
        Files.writeString(SUMMARY, text);
        System.out.print(text);
    }

    private static long count(Map<String, List<String>> lines, String start) {
        return lines.values().stream().flatMap(List::stream).filter(line -> line.startsWith(start)).count();
    }
}
