package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * Replays the scenarios of the limiter commands, with times to the nanosecond, through the dispatcher. The files are
 * those that the compatibility tests replay over TCP.
 */
class VectorsTest {
    private static final Path VECTORS = Path.of("..", "compat-tests", "src", "test", "resources", "vectors");

    @TestFactory
    Stream<DynamicContainer> shouldAnswerAsTheVectorsSay() throws IOException {
        try (Stream<Path> files = Files.list(VECTORS)) {
            List<Path> sorted = files.sorted().toList();
            assertFalse(sorted.isEmpty());
            return sorted.stream()
                .map(file -> DynamicContainer.dynamicContainer(file.getFileName().toString(), tests(file)));
        }
    }

    private static Stream<DynamicTest> tests(Path file) {
        try {
            return Files.readAllLines(file).stream().map(line -> {
                Map<String, Object> scenario = asMap(Json.parse(line));
                return DynamicTest.dynamicTest((String) scenario.get("name"), () -> replay(scenario));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void replay(Map<String, Object> scenario) {
        try (CommandTester redis = new CommandTester()) {
            long epochNs = (Long) scenario.get("epoch_ms") * 1_000_000L;
            for (Object each : (List<?>) scenario.get("steps")) {
                Map<String, Object> step = asMap(each);
                redis.clock().advanceNs(epochNs + (Long) step.get("at_ns") - redis.clock().wallNs());
                String[] words = ((List<?>) step.get("cmd")).stream().map(VectorsTest::word).toArray(String[]::new);
                if (words[0].equals("RPUSH") && redis.dispatcher().table().find("rpush") == null) {
                    putList(redis.keyspace(), words[1]);
                    continue;
                }
                StringBuilder expected = new StringBuilder();
                appendReply(expected, step.get("reply"));
                assertEquals(expected.toString(), redis.client().rawReply(words), () -> String.join(" ", words));
            }
        }
    }

    /** Some value that is no string, which is all that the scenarios use lists for. */
    private static void putList(Keyspace keyspace, String key) {
        ByteBuf bytes = Unpooled.directBuffer();
        bytes.writeBytes(key.getBytes(StandardCharsets.ISO_8859_1));
        Entry entry = new Entry();
        keyspace.lookup(entry, 0, bytes.memoryAddress(), bytes.readableBytes());
        keyspace.putBlob(entry, ValueType.LIST, 1, Entry.NO_EXPIRY);
        keyspace.blobWritten(entry);
        bytes.release();
    }

    private static String word(Object word) {
        if (word instanceof String text) {
            return text;
        }
        byte[] bytes = Base64.getDecoder().decode((String) asMap(word).get("b64"));
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void appendReply(StringBuilder out, Object reply) {
        if (reply == null) {
            out.append("$-1\r\n");
        } else if (reply instanceof Long number) {
            out.append(':').append(number).append("\r\n");
        } else if (reply instanceof String text) {
            out.append('$').append(text.length()).append("\r\n").append(text).append("\r\n");
        } else if (reply instanceof List<?> list) {
            out.append('*').append(list.size()).append("\r\n");
            list.forEach(item -> appendReply(out, item));
        } else {
            Map<String, Object> typed = asMap(reply);
            String line = typed.containsKey("error") ? "-" + typed.get("error") : "+" + typed.get("simple");
            out.append(line).append("\r\n");
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object json) {
        return (Map<String, Object>) json;
    }
}
