package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Replays the scenarios of the vector files: commands at stated instants on a frozen clock, with the exact reply to
 * each. The clock goes back where a scenario wants it to.
 */
final class VectorsTest {
    private static final Path VECTORS = Path.of("src/test/resources/vectors");

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    private static RespClient client;

    @BeforeAll
    static void connect() {
        client = SERVER.connect();
    }

    @AfterAll
    static void disconnect() {
        client.close();
    }

    @TestFactory
    Stream<DynamicNode> shouldReplyAsTheVectorsSay() throws IOException {
        try (Stream<Path> files = Files.list(VECTORS)) {
            return files.sorted().map(VectorsTest::scenariosOf).toList().stream();
        }
    }

    private static DynamicNode scenariosOf(Path file) {
        try {
            return dynamicContainer(file.getFileName().toString(), Files.readAllLines(file).stream()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .map(scenario -> dynamicTest(scenario.get("name").getAsString(), () -> replay(scenario))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void replay(JsonObject scenario) {
        client.call("FLUSHALL");
        long epochNs = Math.multiplyExact(scenario.get("epoch_ms").getAsLong(), 1_000_000L);
        for (JsonElement element : scenario.getAsJsonArray("steps")) {
            JsonObject step = element.getAsJsonObject();
            long nowNs = Math.addExact(epochNs, step.get("at_ns").getAsLong());
            assertEquals("+OK\r\n", client.raw("DEBUG", "CLOCK", Long.toString(nowNs)));
            List<String> command = command(step.getAsJsonArray("cmd"));
            if (command.get(0).equals("RPUSH")) {
                // There are no lists yet: to have a value of another type, any will do.
                client.call("RL.FIXED", command.get(1), "1", "3600");
                continue;
            }
            client.send(RespClient.command(command));
            assertEquals(reply(step.get("reply")), client.read(), "at " + step.get("at_ns") + " ns: " + command);
        }
    }

    private static List<String> command(JsonArray words) {
        return StreamSupport.stream(words.spliterator(), false).map(VectorsTest::word).toList();
    }

    private static String word(JsonElement word) {
        byte[] bytes = word.isJsonObject()
            ? Base64.getDecoder().decode(word.getAsJsonObject().get("b64").getAsString())
            : word.getAsString().getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns the bytes of a reply in RESP2. */
    private static String reply(JsonElement reply) {
        if (reply.isJsonNull()) {
            return "$-1\r\n";
        }
        if (reply.isJsonArray()) {
            StringBuilder bytes = new StringBuilder("*" + reply.getAsJsonArray().size() + "\r\n");
            reply.getAsJsonArray().forEach(item -> bytes.append(reply(item)));
            return bytes.toString();
        }
        if (reply.isJsonObject()) {
            Map.Entry<String, JsonElement> text = reply.getAsJsonObject().entrySet().iterator().next();
            return (text.getKey().equals("error") ? "-" : "+") + text.getValue().getAsString() + "\r\n";
        }
        if (reply.getAsJsonPrimitive().isNumber()) {
            return ":" + reply.getAsLong() + "\r\n";
        }
        String text = reply.getAsString();
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }
}
