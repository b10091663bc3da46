package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Good pipelines damaged where it hurts: in counts, lengths, line ends and quotes, and by splicing. Whatever comes, the
 * parser yields commands or one protocol error, and always the same ones however the stream is cut.
 */
class RequestParserMutationTest {
    private static final int ROUNDS = 10_000;
    private static final RespLimits LIMITS = RespLimits.of(1024 * 1024);
    private static final List<String> NUMBERS = List.of(
        "", "0", "-0", "00", "1", "-1", "2", "9", "10", "11", "99", "100", "16384", "16385", "65536", "1048576",
        "1048577", "2147483647", "2147483648", "4294967297", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551617", "+1", "1.0", "1e1", "0x1", " 1", "1 ", "x", "\0", "\u00ff");
    private static final List<String> LINE_ENDS = List.of("\r", "\n", "\n\r", "\r\r\n", "", "\r\n\r\n", " \r\n");
    private static final List<List<String>> COMMANDS = List.of(
        List.of("PING"), List.of("GET", "k"), List.of("SET", "k", "v\r\n*1\r\n$4\r\nPING\r\n"), List.of("ECHO", ""),
        List.of("CL.THROTTLE", "user:123", "15", "30", "60", "1"), List.of("ECHO", "'\"\\x41\""),
        List.of("MSET", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i", "9"),
        List.of("EVAL", "return redis.call('GET', KEYS[1])\n".repeat(5), "1", "k"));

    @ParameterizedTest
    @ValueSource(longs = {1, 20261129, 0x51CE})
    void shouldYieldCommandsOrOneProtocolError(long seed) {
        Random random = new Random(seed);
        int broken = 0;
        int yielding = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] stream = ParserDriver.bytes(mutated(random));
            boolean authenticated = random.nextInt(4) > 0;
            String at = "seed " + seed + " round " + round;
            try (ParserDriver whole = new ParserDriver(LIMITS, authenticated);
                 ParserDriver pieces = new ParserDriver(LIMITS, authenticated)) {
                whole.feed(stream, 0, stream.length);
                Streams.feedInPieces(pieces, stream, random);
                check(whole, stream, at);
                check(pieces, stream, at);
                assertEquals(whole.commands, pieces.commands, at);
                assertEquals(whole.parser.errorText(), pieces.parser.errorText(), at);
                broken += whole.parser.errorText() == null ? 0 : 1;
                yielding += whole.commands.isEmpty() ? 0 : 1;
            }
        }
        assertTrue(broken > ROUNDS / 20 && yielding > ROUNDS / 20, "damage must neither always nor never tell");
        assertFreshParserWorks();
    }

    /** An argument takes at least two bytes (on a line), and room at most doubles. */
    private static void check(ParserDriver driver, byte[] stream, String at) {
        String error = driver.parser.errorText();
        assertTrue(error == null || error.matches("Protocol error: [ -~\u0080-\u00ff]+"), at);
        assertTrue(driver.argCapacityMax <= Math.max(16, stream.length), at);
        assertTrue(driver.unreadBytes() <= stream.length, at);
    }

    private static void assertFreshParserWorks() {
        try (ParserDriver fresh = new ParserDriver(LIMITS, false)) {
            byte[] ping = ParserDriver.bytes("*1\r\n$4\r\nPING\r\n");
            fresh.feed(ping, 0, ping.length);
            assertEquals(List.of(List.of("PING")), fresh.commands);
        }
    }

    private static String mutated(Random random) {
        List<String> tokens = new ArrayList<>();
        int commands = 1 + random.nextInt(4);
        for (int i = 0; i < commands; i++) {
            addCommand(tokens, pick(COMMANDS, random), random);
        }
        int mutations = random.nextInt(4);
        for (int i = 0; i < mutations; i++) {
            mutate(tokens, random);
        }
        return String.join("", tokens);
    }

    /** Marker, number, line end and payload are tokens of their own, so that damage keeps the grammar in sight. */
    private static void addCommand(List<String> tokens, List<String> args, Random random) {
        if (random.nextInt(4) == 0) {
            tokens.addAll(List.of(Streams.quotedLine(args, random).split("(?<=[ '\"])")));
            return;
        }
        tokens.addAll(List.of("*", String.valueOf(args.size()), "\r\n"));
        for (String arg : args) {
            tokens.addAll(List.of("$", String.valueOf(arg.length()), "\r\n", arg, "\r\n"));
        }
    }

    private static void mutate(List<String> tokens, Random random) {
        int at = random.nextInt(tokens.size());
        String token = tokens.get(at);
        switch (random.nextInt(9)) {
            case 0:
                tokens.set(at, pick(NUMBERS, random));
                break;
            case 1:
                tokens.set(at, pick(LINE_ENDS, random));
                break;
            case 2:
                tokens.remove(at);
                tokens.add("\r\n");
                break;
            case 3:
                tokens.add(at, token);
                break;
            case 4:
                tokens.set(at, tokens.get(random.nextInt(tokens.size())));
                break;
            case 5:
                tokens.set(at, token.isEmpty() ? "*" : token.substring(random.nextInt(token.length())));
                break;
            case 6:
                tokens.set(at, token + (char) random.nextInt(256));
                break;
            case 7:
                tokens.subList(at, tokens.size()).clear();
                tokens.add(token);
                break;
            default:
                tokens.add(at, Streams.array(pick(COMMANDS, random)));
                break;
        }
    }

    private static <T> T pick(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }
}
