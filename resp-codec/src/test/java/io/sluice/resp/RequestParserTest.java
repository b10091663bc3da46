package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParserTest {
    private static final RespLimits LIMITS = RespLimits.of(512 * 1024 * 1024);
    private static final List<String> PING = List.of("PING");
    /** Longer streams are cut at some offsets only. */
    private static final int CUT_EVERYWHERE_MAX = 600;

    /** What a stream of bytes amounts to; texts and outcomes as seen on Redis 7.0.15. */
    private record Case(String name, String stream, boolean authenticated, List<List<String>> commands, String error) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case yields(String name, String stream, List<?>... commands) {
        return new Case(name, stream, true, Stream.of(commands).map(RequestParserTest::texts).toList(), null);
    }

    private static Case fails(String name, String stream, String error, List<?>... commands) {
        return new Case(name, stream, true, Stream.of(commands).map(RequestParserTest::texts).toList(), error);
    }

    private static Case failsUnauthenticated(String name, String stream, String error) {
        return new Case(name, stream, false, List.of(), error);
    }

    private static List<String> texts(List<?> args) {
        return args.stream().map(String.class::cast).toList();
    }

    static Stream<Case> arrays() {
        return Stream.of(
            yields("one command", "*1\r\n$4\r\nPING\r\n", PING),
            yields("nothing", ""),
            yields("an unfinished command", "*2\r\n$3\r\nGET\r\n$1\r\n"),
            yields("an empty line before a command", "\r\n*1\r\n$4\r\nPING\r\n", PING),
            yields("an empty argument", "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n", List.of("ECHO", "")),
            yields("an empty command name", "*1\r\n$0\r\n\r\n", List.of("")),
            yields("an argument that looks like a command", "*2\r\n$4\r\nECHO\r\n$6\r\n*1\r\n$4\r\n",
                List.of("ECHO", "*1\r\n$4")),
            yields("an argument with line ends", "*2\r\n$4\r\nECHO\r\n$4\r\na\r\nb\r\n", List.of("ECHO", "a\r\nb")),
            yields("a name that forges replies", "*1\r\n$12\r\nFOO\r\n+OK\r\n:1\r\n*1\r\n$4\r\nPING\r\n",
                List.of("FOO\r\n+OK\r\n:1"), PING),
            yields("any byte", "*2\r\n$4\r\nECHO\r\n$5\r\n\0\1\u007f\u0080\u00ff\r\n",
                List.of("ECHO", "\0\1\u007f\u0080\u00ff")),
            yields("no arguments", "*0\r\nPING\r\n", PING),
            yields("minus one argument", "*-1\r\n*1\r\n$4\r\nPING\r\n", PING),
            yields("the least count", "*-9223372036854775808\r\nPING\r\n", PING),
            yields("lengths of one, two and three digits",
                "*4\r\n$9\r\n" + "a".repeat(9) + "\r\n$10\r\n" + "b".repeat(10) + "\r\n$99\r\n" + "c".repeat(99)
                    + "\r\n$100\r\n" + "d".repeat(100) + "\r\n",
                List.of("a".repeat(9), "b".repeat(10), "c".repeat(99), "d".repeat(100))),
            yields("more arguments than one digit counts", "*12\r\n" + "$1\r\nx\r\n".repeat(12),
                List.of("x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x")),
            yields("any byte for a line feed", "*1\rX$4\rYPINGZZ*1\r\n$4\r\nPING\r\n", PING, PING),
            yields("a pipeline", "*1\r\n$4\r\nPING\r\nPING\r\n\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*0\r\n \r\nGET 'a b'\n",
                PING, PING, List.of("GET", "k"), List.of("GET", "a b")),
            yields("a browser's first line", "POST / HTTP/1.1\r\nHost: x\r\n\r\n",
                List.of("POST", "/", "HTTP/1.1"), List.of("Host:", "x")));
    }

    static Stream<Case> brokenArrays() {
        String count = "Protocol error: invalid multibulk length";
        String bulk = "Protocol error: invalid bulk length";
        return Stream.of(
            fails("no count", "*\r\n", count),
            fails("a count with a leading zero", "*01\r\n", count),
            fails("a count with a plus", "*+1\r\n", count),
            fails("minus zero", "*-0\r\n", count),
            fails("a count with a blank", "* 1\r\n", count),
            fails("a count with a blank behind", "*1 \r\n", count),
            fails("a count that is no number", "*a\r\n", count),
            fails("a count without CR", "*1\n$4\r\nPING\r\n", count),
            fails("a count over the limit", "*1048577\r\n", count),
            fails("a count over 32 bits", "*2147483648\r\n", count),
            fails("a count over 64 bits", "*9223372036854775808\r\n", count),
            fails("a count below 64 bits", "*-9223372036854775809\r\n", count),
            fails("a count with a NUL", "*1\0\r\n", count),
            fails("no length", "*1\r\n$\r\n", bulk),
            fails("a negative length", "*1\r\n$-1\r\n", bulk),
            fails("a length of minus zero", "*1\r\n$-0\r\n", bulk),
            fails("a length with a leading zero", "*1\r\n$01\r\nx\r\n", bulk),
            fails("a length with two leading zeros", "*1\r\n$001\r\nx\r\n", bulk),
            fails("a length with a plus", "*1\r\n$+4\r\nPING\r\n", bulk),
            fails("a length that is no number", "*1\r\n$a\r\n", bulk),
            fails("a length half a number", "*1\r\n$1a\r\n", bulk),
            fails("a length with a byte above the digits", "*1\r\n$:\r\n", bulk),
            fails("a length without CR", "*1\r\n$4\nPING\r\n", bulk),
            fails("a length over the limit", "*1\r\n$536870913\r\n", bulk),
            fails("a length over 64 bits", "*1\r\n$9223372036854775808\r\n", bulk),
            fails("another type for an argument", "*1\r\n+PING\r\n", "Protocol error: expected '$', got '+'"),
            fails("a number for an argument", "*1\r\n:1\r\n", "Protocol error: expected '$', got ':'"),
            fails("a line end for an argument", "*1\r\n\r\n", "Protocol error: expected '$', got ' '"),
            fails("a NUL for an argument", "*1\r\n\0\r\n", "Protocol error: expected '$', got ' '"),
            fails("a byte that is no ASCII", "*1\r\n\u00ff\r\n", "Protocol error: expected '$', got '\u00ff'"),
            fails("a second argument that is none", "*2\r\n$3\r\nGET\r\nk\r\n\r\n",
                "Protocol error: expected '$', got 'k'"),
            fails("good commands before a bad one", "PING\r\n*1\r\n$4\r\nPING\r\n*x\r\n*1\r\n$4\r\nPING\r\n", count,
                PING, PING));
    }

    static Stream<Case> unauthenticated() {
        return Stream.of(
            failsUnauthenticated("eleven arguments", "*11\r\n", "Protocol error: unauthenticated multibulk length"),
            failsUnauthenticated("a count over the limit", "*1048577\r\n", "Protocol error: invalid multibulk length"),
            failsUnauthenticated("a long argument", "*1\r\n$16385\r\n",
                "Protocol error: unauthenticated bulk length"),
            failsUnauthenticated("a length over the limit", "*1\r\n$536870913\r\n",
                "Protocol error: invalid bulk length"),
            failsUnauthenticated("ten arguments of which one is long",
                "*10\r\n$4\r\nPING\r\n$16384\r\n" + "x".repeat(16384) + "\r\n$16385\r\n",
                "Protocol error: unauthenticated bulk length"),
            new Case("ten arguments", "*10\r\n" + "$1\r\nx\r\n".repeat(10), false,
                List.of(List.of("x", "x", "x", "x", "x", "x", "x", "x", "x", "x")), null),
            new Case("twelve arguments in a line", "a b c d e f g h i j k l\r\n", false,
                List.of(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l")), null));
    }

    static Stream<Case> inline() {
        String unbalanced = "Protocol error: unbalanced quotes in request";
        return Stream.of(
            yields("a word", "PING\r\n", PING),
            yields("a line without CR", "PING\n", PING),
            yields("blanks around", "  PING \t \r\n", PING),
            yields("every blank C knows before a word", " \t\u000b\f\rPING\r\n", PING),
            yields("a vertical tab inside a word", "ECHO\ta\u000b\r\n", List.of("ECHO", "a\u000b")),
            yields("a carriage return between words", "ECHO a\rb\r\n", List.of("ECHO", "a", "b")),
            yields("empty lines", "\n\r\n \r\n\r\r\n"),
            yields("double quotes", "PING \"a b\"\r\n", List.of("PING", "a b")),
            yields("single quotes", "PING 'a b'\r\n", List.of("PING", "a b")),
            yields("empty quotes", "ECHO \"\" ''\r\n", List.of("ECHO", "", "")),
            yields("an empty name", "\"\" x\r\n", List.of("", "x")),
            yields("quotes that open inside a word", "ECHO a\"b c\" d'e'\r\n", List.of("ECHO", "ab c", "de")),
            yields("escapes", "ECHO \"a\\x41\\n\\r\\t\\b\\a\\q\\\"z\\\\\"\r\n",
                List.of("ECHO", "aA\n\r\t\b\u0007q\"z\\")),
            yields("hexadecimal in both cases", "ECHO \"\\x4a\\x4A\\xfF\\x00\"\r\n", List.of("ECHO", "JJ\u00ff\0")),
            yields("unfinished hexadecimal", "ECHO \"\\xZZ\\x4\"\r\n", List.of("ECHO", "xZZx4")),
            yields("a quoted apostrophe", "ECHO 'a\\'b\\n' \"'\"\r\n", List.of("ECHO", "a'b\\n", "'")),
            yields("a backslash outside quotes", "ECHO a\\x41\r\n", List.of("ECHO", "a\\x41")),
            yields("bytes that are no ASCII", "ECHO \u0085a\u00a0\r\n", List.of("ECHO", "\u0085a\u00a0")),
            yields("a NUL", "PI\0NG\r\n", List.of("PI\0NG")),
            yields("a length for a command", "$4\r\nPING\r\n", List.of("$4"), PING),
            yields("quotes next to the array that follows", "ECHO \"\\x41 b\"\r\n*1\r\n$4\r\nPING\r\n",
                List.of("ECHO", "A b"), PING),
            fails("a double quote left open", "ECHO \"abc\r\n", unbalanced),
            fails("a single quote left open", "ECHO 'abc\r\n", unbalanced),
            fails("an escaped closing quote", "ECHO \"abc\\\"\r\n", unbalanced),
            fails("a backslash at the end of quotes left open", "ECHO \"abc\\\r\n", unbalanced),
            fails("a word behind a closing quote", "ECHO \"a\"b\r\n", unbalanced),
            fails("a quote inside a word left open", "ECHO a\"b\r\n", unbalanced),
            fails("a quote behind a backslash", "ECHO \\\"a\r\n", unbalanced),
            fails("quotes behind a good line", "PING\r\n'\r\nPING\r\n", unbalanced, PING));
    }

    static Stream<Case> lineLimits() {
        String longest = "a".repeat(65536);
        return Stream.of(
            yields("the longest line so far", longest),
            yields("the longest line", longest + "\n", List.of(longest)),
            fails("a line too long", longest + "a", "Protocol error: too big inline request"),
            fails("a line too long that ends", longest + "a\n", "Protocol error: too big inline request"),
            fails("a count too long", "*" + "1".repeat(65536), "Protocol error: too big mbulk count string"),
            yields("the longest count so far", "*" + "1".repeat(65535)),
            fails("a length too long", "*1\r\n$" + "1".repeat(65536), "Protocol error: too big bulk count string"),
            yields("the longest length so far", "*1\r\n$" + "1".repeat(65535)),
            fails("no argument, and too long", "*1\r\nx" + "1".repeat(65536),
                "Protocol error: too big bulk count string"));
    }

    static Stream<Case> cases() {
        return Stream.of(arrays(), brokenArrays(), unauthenticated(), inline(), lineLimits()).flatMap(s -> s);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldParseWhole(Case c) {
        check(c, new int[0]);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldParseByteByByte(Case c) {
        int[] cuts = new int[c.stream.length()];
        Arrays.setAll(cuts, i -> i);
        check(c, cuts);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldParseInTwoPiecesCutAnywhere(Case c) {
        int length = c.stream.length();
        int step = length <= CUT_EVERYWHERE_MAX ? 1 : length / CUT_EVERYWHERE_MAX;
        for (int cut = 1; cut < length; cut += step) {
            check(c, new int[] {cut});
        }
    }

    private static void check(Case c, int[] cuts) {
        byte[] stream = ParserDriver.bytes(c.stream);
        try (ParserDriver driver = new ParserDriver(LIMITS, c.authenticated)) {
            int from = 0;
            for (int cut : cuts) {
                driver.feed(stream, from, cut);
                from = cut;
            }
            RequestParser.Result last = driver.feed(stream, from, stream.length);
            assertEquals(c.commands, driver.commands);
            assertEquals(c.error, driver.parser.errorText());
            assertEquals(c.error == null ? RequestParser.Result.INCOMPLETE : RequestParser.Result.PROTOCOL_ERROR, last);
        }
    }

    @Test
    void shouldStayBrokenAfterAProtocolError() {
        try (ParserDriver driver = new ParserDriver(LIMITS, true)) {
            assertEquals(RequestParser.Result.PROTOCOL_ERROR, feed(driver, "*x\r\n"));
            assertEquals(RequestParser.Result.PROTOCOL_ERROR, feed(driver, "PING\r\n"));
            assertEquals(List.of(), driver.commands);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*2\r\n$4\r\nECHO\r\n$3\r\na b\r\n", "\r\nECHO \"a\\x20b\"\r\n", "ECHO a' b'\n"})
    void shouldYieldACommandAgainThatWasPutBack(String echo) {
        ByteBuf in = Unpooled.directBuffer().writeBytes(ParserDriver.bytes("PING\r\n" + echo + "PING\r\n"));
        RequestParser parser = new RequestParser();
        parser.parse(in, LIMITS, true);
        for (int i = 0; i < 3; i++) {
            assertEquals(RequestParser.Result.COMPLETE, parser.parse(in, LIMITS, true));
            assertEquals(List.of("ECHO", "a b"), ParserDriver.args(parser.request()));
            parser.putBack(in);
            in.discardReadBytes();
        }
        parser.parse(in, LIMITS, true);
        assertEquals(RequestParser.Result.COMPLETE, parser.parse(in, LIMITS, true));
        assertEquals(PING, ParserDriver.args(parser.request()));
        assertEquals(RequestParser.Result.INCOMPLETE, parser.parse(in, LIMITS, true));
        in.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*3\r\n$3\r\nSET\r\n$1\r\nk", "*1\r\n+PING\r\n"})
    void shouldYieldArraysAgainThatWereReadAhead(String behind) {
        String stream = "*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nECHO\r\n$3\r\na b\r\n*1\r\n$4\r\nPING\r\n" + behind;
        ByteBuf in = Unpooled.directBuffer().writeBytes(ParserDriver.bytes(stream));
        RequestParser parser = new RequestParser();
        assertEquals(RequestParser.Result.COMPLETE, parser.parse(in, LIMITS, true));
        Request first = new Request().copy(parser.request());
        int second = in.readerIndex();
        assertEquals(RequestParser.Result.COMPLETE, parser.parseArray(in, LIMITS));
        assertEquals(RequestParser.Result.COMPLETE, parser.parseArray(in, LIMITS));
        parser.parseArray(in, LIMITS);
        assertEquals(PING, ParserDriver.args(first));
        parser.rewind(in, second);
        assertNull(parser.errorText());
        assertEquals(RequestParser.Result.COMPLETE, parser.parse(in, LIMITS, true));
        assertEquals(List.of("ECHO", "a b"), ParserDriver.args(parser.request()));
        assertEquals(RequestParser.Result.COMPLETE, parser.parse(in, LIMITS, true));
        assertEquals(PING, ParserDriver.args(parser.request()));
        in.release();
    }

    @Test
    void shouldReadAheadUpToAnInlineCommandOnly() {
        ByteBuf in = Unpooled.directBuffer().writeBytes(ParserDriver.bytes("*0\r\nECHO \"a b\"\r\n"));
        RequestParser parser = new RequestParser();
        assertEquals(RequestParser.Result.INCOMPLETE, parser.parseArray(in, LIMITS));
        assertEquals(RequestParser.Result.COMPLETE, parser.parse(in, LIMITS, true));
        assertEquals(List.of("ECHO", "a b"), ParserDriver.args(parser.request()));
        assertTrue(parser.isInline());
        in.release();
    }

    @Test
    void shouldNotReserveRoomForArgumentsAnnounced() {
        try (ParserDriver driver = new ParserDriver(LIMITS, true)) {
            int before = driver.parser.argCapacity();
            feed(driver, "*1048576\r\n$536870912\r\n");
            assertEquals(before, driver.parser.argCapacity());
            assertNull(driver.parser.errorText());
        }
    }

    @Test
    void shouldGiveRoomBackAfterACommandWithManyArguments() {
        try (ParserDriver driver = new ParserDriver(LIMITS, true)) {
            int before = driver.parser.argCapacity();
            int count = 100_000;
            feed(driver, "*" + count + "\r\n" + "$0\r\n\r\n".repeat(count));
            assertEquals(count, driver.commands.get(0).size());
            assertTrue(driver.argCapacityMax >= count);
            assertEquals(before, driver.parser.argCapacity());
            assertEquals(0, driver.parser.request().argCount(), "nor does the request hold it");
        }
    }

    @Test
    void shouldKeepRoomWithinTwiceTheArgumentsReceived() {
        try (ParserDriver driver = new ParserDriver(LIMITS, true)) {
            feed(driver, "*1000000\r\n");
            for (int received = 1; received <= 1000; received++) {
                feed(driver, "$0\r\n\r\n");
                assertTrue(driver.parser.argCapacity() <= Math.max(16, 2 * received));
            }
        }
    }

    @Test
    void shouldApplyTheLimitsItIsGiven() {
        RespLimits tight = new RespLimits(8, 2, 3, 1, 2);
        assertEquals("Protocol error: invalid multibulk length", errorOf(tight, true, "*3\r\n"));
        assertEquals("Protocol error: invalid bulk length", errorOf(tight, true, "*1\r\n$4\r\n"));
        assertEquals("Protocol error: too big inline request", errorOf(tight, true, "123456789"));
        assertEquals("Protocol error: unauthenticated multibulk length", errorOf(tight, false, "*2\r\n"));
        assertEquals("Protocol error: unauthenticated bulk length", errorOf(tight, false, "*1\r\n$3\r\n"));
        assertNull(errorOf(tight, true, "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n1234567\r\n"));
    }

    private static String errorOf(RespLimits limits, boolean authenticated, String stream) {
        try (ParserDriver driver = new ParserDriver(limits, authenticated)) {
            feed(driver, stream);
            return driver.parser.errorText();
        }
    }

    private static RequestParser.Result feed(ParserDriver driver, String stream) {
        byte[] bytes = ParserDriver.bytes(stream);
        return driver.feed(bytes, 0, bytes.length);
    }
}
