package io.sluice.server.command;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The rows of Redis's commands on keys against what a Redis 7.0.15 tells of them ({@code COMMAND INFO}, {@code COMMAND
 * DOCS}). Summaries and complexities are our own words.
 */
class RedisRowsTest {
    private static final String FACTS = "/redis-7.0.15-commands.txt";

    @TestFactory
    Stream<DynamicTest> shouldSayWhatRedisSays() throws IOException {
        try (CommandTester redis = new CommandTester()) {
            CommandTable table = redis.dispatcher().table();
            return facts().entrySet().stream().map(fact -> DynamicTest.dynamicTest(fact.getKey(),
                () -> assertEquals(fact.getValue(), describe(table.find(fact.getKey())))));
        }
    }

    private static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        String name = null;
        for (String line : resource().split("\n")) {
            if (!line.startsWith(" ")) {
                name = line;
            }
            facts.merge(name, line, (before, next) -> before + "\n" + next);
        }
        return facts;
    }

    private static String resource() {
        try (InputStream in = RedisRowsTest.class.getResourceAsStream(FACTS)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String describe(CommandSpec spec) {
        List<String> lines = new ArrayList<>();
        lines.add(spec.fullName());
        lines.add("  arity " + spec.arity() + " group " + spec.group() + " since " + spec.since());
        lines.add("  flags " + spec.flags().stream().map(CommandFlag::text).filter(Objects::nonNull).sorted()
            .collect(Collectors.joining(" ")));
        lines.add("  acl " + spec.categories().stream().sorted().collect(Collectors.joining(" ")));
        spec.tips().stream().sorted().forEach(tip -> lines.add("  tip " + tip));
        spec.keySpecs().forEach(key -> lines.add("  key " + String.join(" ", key.flags()) + " begin " + key.begin()
            + " last " + key.lastKey() + " step " + key.keyStep()));
        spec.args().forEach(arg -> lines.add("  arg " + describe(arg)));
        return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n"));
    }

    private static String describe(Arg arg) {
        StringBuilder text = new StringBuilder(arg.name() + ":" + arg.type());
        if (arg.token() != null) {
            text.append(':').append(arg.token());
        }
        arg.flags().forEach(flag -> text.append(' ').append(flag));
        if (!arg.children().isEmpty()) {
            text.append(arg.children().stream().map(RedisRowsTest::describe)
                .collect(Collectors.joining(", ", " (", ")")));
        }
        return text.toString();
    }
}
