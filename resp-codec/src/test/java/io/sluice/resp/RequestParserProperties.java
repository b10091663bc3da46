package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;

class RequestParserProperties {
    private static final RespLimits LIMITS = RespLimits.of(1024 * 1024);

    @Property
    void shouldGiveBackAnyBytesHoweverTheStreamIsCut(
        @ForAll @Size(max = 12) List<@NotEmpty List<byte[]>> commands, @ForAll long seed) {
        StringBuilder stream = new StringBuilder();
        List<List<String>> expected = new ArrayList<>();
        for (List<byte[]> command : commands) {
            List<String> args = texts(command);
            expected.add(args);
            stream.append(Streams.array(args));
        }
        assertEquals(expected, parsed(stream.toString(), new Random(seed)));
    }

    @Property
    void shouldGiveBackAnyBytesQuotedOnALine(@ForAll @NotEmpty List<byte[]> command, @ForAll long seed) {
        List<String> args = texts(command);
        assertEquals(List.of(args), parsed(Streams.quotedLine(args, new Random(seed)), new Random(seed)));
    }

    private static List<List<String>> parsed(String stream, Random random) {
        byte[] bytes = ParserDriver.bytes(stream);
        try (ParserDriver driver = new ParserDriver(LIMITS, true)) {
            Streams.feedInPieces(driver, bytes, random);
            assertNull(driver.parser.errorText());
            assertEquals(0, driver.unreadBytes());
            return driver.commands;
        }
    }

    private static List<String> texts(List<byte[]> command) {
        return command.stream().map(arg -> new String(arg, StandardCharsets.ISO_8859_1)).toList();
    }
}
