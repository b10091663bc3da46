package io.sluice.server.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ConfigReaderTest {
    @TempDir
    private Path dir;

    private static Config read(String... args) throws ConfigException {
        return new ConfigReader(InputStream.nullInputStream()).read(args);
    }

    private String file(String name, String... lines) throws IOException {
        return Files.write(dir.resolve(name), List.of(lines)).toString();
    }

    private static String refusal(String... args) {
        return assertThrows(ConfigException.class, () -> read(args)).getMessage();
    }

    @Test
    void shouldHaveADefaultForEverything() throws ConfigException {
        Config config = read();
        assertEquals(6379, config.number(ConfigTable.PORT));
        assertEquals(List.of("127.0.0.1", "-::1"), config.words(ConfigTable.BIND));
        assertEquals("", config.text(ConfigTable.SAVE));
        assertEquals("normal 16777216 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
                config.text(ConfigTable.OUTPUT_LIMIT));
        assertNull(config.file());
    }

    @Test
    void shouldReadAFileWithCommentsQuotesAndUnits() throws Exception {
        Config config = read(file("a.conf", "# a comment", "", "  port   7000  ", "maxmemory 100mb",
                "requirepass \"a \\\"b\\\" \\x41\\n\"", "masterauth 'it\\'s'", "protected-mode NO", "maxmemory 1g"));
        assertEquals(7000, config.number(ConfigTable.PORT));
        assertEquals(1_000_000_000, config.number(ConfigTable.MAX_MEMORY));
        assertEquals("a \"b\" A\n", config.text(ConfigTable.REQUIRE_PASS));
        assertEquals("it's", config.text(ConfigTable.MASTER_AUTH));
        assertEquals("no", config.text(ConfigTable.PROTECTED_MODE));
    }

    @Test
    void shouldKnowAllOfRedisUnits() throws ConfigException {
        String[] texts = {"7", "7b", "7k", "7kb", "7m", "7Mb", "7g", "7GB"};
        long[] values = {7, 7, 7_000, 7 << 10, 7_000_000, 7 << 20, 7_000_000_000L, 7L << 30};
        for (int i = 0; i < texts.length; i++) {
            assertEquals(values[i], read("--maxmemory", texts[i]).number(ConfigTable.MAX_MEMORY), texts[i]);
        }
        for (String bad : List.of("", "x", "7x", "-7", "7 mb", "99999999999999999999", "9999999999g")) {
            assertEquals("argument must be a memory value", lastLine(refusal("--maxmemory", bad)), bad);
        }
    }

    private static String lastLine(String message) {
        return message.substring(message.lastIndexOf(": ") + 2);
    }

    @Test
    void shouldNameAFileThatIsNotThereOnce() throws Exception {
        String missing = dir.resolve("none.conf").toString();
        assertEquals("Can't open config file '" + missing + "': No such file or directory", refusal(missing));
        String including = refusal(file("a.conf", "include " + missing));
        assertTrue(including.endsWith("'\nCan't open config file '" + missing + "': No such file or directory"),
                including);
        assertEquals("Can't read " + dir + ": Is a directory", refusal(dir.toString()));
    }

    @Test
    void shouldLetTheCommandLineWin() throws Exception {
        Config config = read(file("a.conf", "port 7000", "save 60 1"), "--port", "7001", "--save", "",
                "--bind", "10.0.0.1", "10.0.0.2", "--loglevel verbose");
        assertEquals(7001, config.number(ConfigTable.PORT));
        assertEquals("", config.text(ConfigTable.SAVE));
        assertEquals(List.of("10.0.0.1", "10.0.0.2"), config.words(ConfigTable.BIND));
        assertEquals("verbose", config.text(ConfigTable.LOG_LEVEL));
    }

    @Test
    void shouldAddUpRepeatedDirectives() throws Exception {
        Config config = read(file("a.conf", "save 900 1", "save 300 10", "client-output-buffer-limit normal 1mb 0 0",
                "client-output-buffer-limit replica 2mb 1mb 5"));
        assertEquals("900 1 300 10", config.text(ConfigTable.SAVE));
        assertEquals("normal 1048576 0 0 slave 2097152 1048576 5 pubsub 33554432 8388608 60",
                config.text(ConfigTable.OUTPUT_LIMIT));
        assertEquals(Map.of("flushall", "", "config", "c-1"), read(file("b.conf", "rename-command FLUSHALL \"\"",
                "rename-command config C-1")).renamedCommands());
        assertEquals("60 5", read("--save", "900", "1", "--save", "", "--save", "60", "5").text(ConfigTable.SAVE));
    }

    @Test
    void shouldReadWhatIsIncludedInItsPlace() throws Exception {
        file("b.inc", "port 7002", "maxkeys 5");
        file("c.inc", "maxkeys 6");
        Config config = read(file("a.conf", "maxkeys 1", "include " + dir.resolve("*.inc"), "port 7003"));
        assertEquals(7003, config.number(ConfigTable.PORT));
        assertEquals(6, config.number(ConfigTable.MAX_KEYS));
    }

    @Test
    void shouldNameTheLineOfAnIncludedFileThatIsWrong() throws Exception {
        String inner = file("b.inc", "port 1", "nonsense");
        assertEquals("Reading " + inner + ", at line 2\n>>> 'nonsense'\nBad directive or wrong number of arguments",
                refusal(file("a.conf", "include " + inner)));
    }

    @Test
    void shouldNotIncludeItselfForEver() throws Exception {
        Path self = dir.resolve("a.conf");
        assertEquals("include goes deeper than 16 files",
                lastOf(refusal(file("a.conf", "include " + self))));
    }

    private static String lastOf(String message) {
        return message.substring(message.lastIndexOf('\n') + 1);
    }

    @Test
    void shouldReadStandardInputBehindTheFile() throws Exception {
        String path = file("a.conf", "port 7000", "maxkeys 1");
        InputStream in = new ByteArrayInputStream("maxkeys 2\n".getBytes(StandardCharsets.US_ASCII));
        Config config = new ConfigReader(in).read(path, "-", "--maxclients", "3");
        assertEquals(7000, config.number(ConfigTable.PORT));
        assertEquals(2, config.number(ConfigTable.MAX_KEYS));
        assertEquals(3, config.number(ConfigTable.MAX_CLIENTS));
    }

    @Test
    void shouldStopAtAnUnknownDirectiveWithItsLine() throws Exception {
        String path = file("a.conf", "port 7000", "prot 7001");
        assertEquals("Reading " + path + ", at line 2\n>>> 'prot 7001'\nBad directive or wrong number of arguments",
                refusal(path));
        assertEquals("Reading " + path + ", at line 1\n>>> 'port'\nBad directive or wrong number of arguments",
                refusal(file("a.conf", "port")));
        assertEquals("Reading " + path + ", at line 1\n>>> 'port \"1'\nUnbalanced quotes in configuration line",
                refusal(file("a.conf", "port \"1")));
        assertEquals("Reading " + path + ", at line 1\n>>> 'port 70000'\n"
                + "argument must be between 0 and 65535 inclusive", refusal(file("a.conf", "port 70000")));
    }

    @Test
    void shouldStopAtWhatTheCommandLineHasWrong() {
        assertEquals("'port': an option must start with --", refusal("-", "port"));
        assertEquals("command line, '--prot 1': Bad directive or wrong number of arguments", refusal("--prot", "1"));
        assertEquals("Can't open config file '/no/such/file': No such file or directory", refusal("/no/such/file"));
    }

    @Test
    void shouldPassOverDirectivesOfRedisThatMeanNothingHere() throws Exception {
        Config config = read(file("a.conf", "daemonize no", "stream-node-max-entries 128", "daemonize yes"));
        assertEquals(List.of("daemonize", "stream-node-max-entries"), config.unusedDirectives());
    }

    @Test
    void shouldKeepTheLinesThatDeclareUsers() throws Exception {
        Config config = read(file("a.conf", "user alice on >pw ~a*", "USER bob \"(+get ~x)\""));
        assertEquals(List.of(List.of("alice", "on", ">pw", "~a*"), List.of("bob", "(+get ~x)")), config.userLines());
        assertEquals("Bad directive or wrong number of arguments", lastOf(refusal(file("b.conf", "user"))));
    }

    @Test
    void shouldTakeOlderNames() throws ConfigException {
        assertEquals(7, read("--slave-priority", "7").number(ConfigTable.REPLICA_PRIORITY));
    }

    @Test
    void shouldReadBackWhateverItQuotes() {
        for (String word : List.of("", "plain", "a b", "\"", "'", "\\", "a\tb\nc\rd", "#", "x=y", "\u00e9")) {
            assertEquals(List.of(word), Words.split(Words.quote(word)), word);
        }
    }

    @Test
    void shouldRefuseTextRightBehindAClosingQuote() {
        assertNull(Words.split("\"a\"b"));
        assertNull(Words.split("'a'b"));
        assertEquals(List.of("a", "b"), Words.split("\"a\" 'b'"));
    }
}
