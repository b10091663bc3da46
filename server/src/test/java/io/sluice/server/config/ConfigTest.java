package io.sluice.server.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ConfigTest {
    @TempDir
    private Path dir;

    private static Config read(String... args) throws ConfigException {
        return new ConfigReader(InputStream.nullInputStream()).read(args);
    }

    private static String refusal(Config config, String... pairs) {
        return assertThrows(Config.Refusal.class, () -> config.set(List.of(pairs))).getMessage();
    }

    @Test
    void shouldDescribeEveryRow() {
        Set<String> names = new HashSet<>();
        for (ConfigOption option : ConfigTable.rows()) {
            assertTrue(names.add(option.name()), option.name());
            assertFalse(option.doc().isEmpty(), option.name());
            assertTrue(option.doc().endsWith("."), option.name());
            assertFalse(UnusedDirectives.contains(option.name()), option.name());
            assertFalse(option.alias() != null && UnusedDirectives.contains(option.alias()), option.name());
        }
    }

    @Test
    void shouldAnswerEveryNameThatToolsRead() {
        for (String name : List.of("save", "appendonly", "appendfsync", "databases", "io-threads", "maxclients",
                "maxmemory", "maxmemory-policy", "repl-backlog-size", "client-output-buffer-limit", "timeout",
                "tcp-keepalive",
                "slowlog-log-slower-than", "slowlog-max-len", "latency-monitor-threshold", "notify-keyspace-events",
                "replica-priority", "slave-priority", "min-replicas-to-write", "requirepass", "masterauth", "bind",
                "port", "dir", "dbfilename", "proto-max-bulk-len", "cluster-enabled")) {
            assertNotNull(ConfigTable.find(name), name);
        }
    }

    @Test
    void shouldTellFollowersOfChanges() throws Exception {
        Config config = read();
        List<String> seen = new ArrayList<>();
        config.follow(() -> seen.add(config.text(ConfigTable.TIMEOUT)), ConfigTable.TIMEOUT);
        config.set(List.of("timeout", "5", "maxclients", "7"));
        assertEquals(List.of("0", "5"), seen);
        assertEquals(7, config.number(ConfigTable.MAX_CLIENTS));
    }

    @Test
    void shouldChangeAllOrNothing() throws Exception {
        Config config = read();
        assertEquals("ERR CONFIG SET failed (possibly related to argument 'timeout') - argument couldn't be parsed "
                + "into an integer", refusal(config, "maxclients", "7", "timeout", "x"));
        assertEquals(10_000, config.number(ConfigTable.MAX_CLIENTS));
        assertEquals("ERR Unknown option or number of arguments for CONFIG SET - 'nope'",
                refusal(config, "maxclients", "7", "nope", "x"));
        assertEquals(10_000, config.number(ConfigTable.MAX_CLIENTS));
    }

    @Test
    void shouldTakeEverythingBackIfAFollowerRefuses() throws Exception {
        Config config = read();
        List<Long> seen = new ArrayList<>();
        config.follow(() -> seen.add(config.number(ConfigTable.MAX_CLIENTS)), ConfigTable.MAX_CLIENTS);
        config.follow(() -> {
            if (config.number(ConfigTable.TIMEOUT) == 13) {
                throw new IllegalArgumentException("not thirteen");
            }
        }, ConfigTable.TIMEOUT);
        assertEquals("ERR CONFIG SET failed (possibly related to argument 'timeout') - not thirteen",
                refusal(config, "maxclients", "7", "timeout", "13"));
        assertEquals(List.of(10_000L, 7L, 10_000L), seen);
        assertEquals(0, config.number(ConfigTable.TIMEOUT));
    }

    @Test
    void shouldNotChangeWhatOnlyTheFileMaySay() throws Exception {
        Config config = read();
        for (String name : List.of("dir", "logfile", "aclfile", "port", "enable-debug-command", "databases")) {
            assertEquals("ERR CONFIG SET failed (possibly related to argument '" + name
                    + "') - can't set immutable config", refusal(config, name, "7"));
        }
    }

    @Test
    void shouldNotTakeASettingTwice() throws Exception {
        assertEquals("ERR CONFIG SET failed (possibly related to argument 'slave-priority') - duplicate parameter",
                refusal(read(), "replica-priority", "1", "slave-priority", "2"));
    }

    @Test
    void shouldRewriteTheFileInPlace() throws Exception {
        Path file = dir.resolve("sluice.conf");
        Files.write(file, List.of("# my server", "port   7000 ", "slave-priority 100", "",
                "timeout 1 ", "save 900 1", "daemonize no",
                "save 300 10", "# the end"));
        Config config = read(file.toString());
        config.set(List.of("timeout", "5", "requirepass", "a b", "save", "60 1 30 2", "maxkeys", "9"));
        ConfigRewriter.rewrite(config);
        assertEquals(List.of("# my server", "port   7000 ", "slave-priority 100", "",
                "timeout 5", "save 60 1", "save 30 2", "daemonize no",
                "# the end", "# Generated by CONFIG REWRITE", "requirepass \"a b\"", "maxkeys 9"),
                Files.readAllLines(file));
        ConfigRewriter.rewrite(config);
        assertEquals(12, Files.readAllLines(file).size());
        Config again = read(file.toString());
        for (ConfigOption option : ConfigTable.rows()) {
            assertEquals(config.text(option), again.text(option), option.name());
        }
    }

    /** As certificates do whose files are being exchanged. */
    @Test
    void shouldTakeBackEverySettingThoughAFollowerRefusesWhatWasBeforeToo() throws Exception {
        Config config = read();
        List<String> files = new ArrayList<>(List.of("sound"));
        int[] followed = new int[ConfigTable.rows().size()];
        List<ConfigOption> numbers = List.of(ConfigTable.TIMEOUT, ConfigTable.MAX_CLIENTS, ConfigTable.HZ,
                ConfigTable.TCP_KEEPALIVE, ConfigTable.AUTH_TIMEOUT);
        for (ConfigOption number : numbers) {
            config.follow(() -> followed[number.index()] = config.integer(number), number);
        }
        config.follow(() -> {
            if (files.isEmpty()) {
                throw new IllegalArgumentException("the files do not fit");
            }
        }, ConfigTable.TLS_CERT_FILE);
        files.clear();
        assertEquals("ERR CONFIG SET failed (possibly related to argument 'tls-cert-file') - the files do not fit",
                refusal(config, "timeout", "7", "maxclients", "7", "hz", "7", "tcp-keepalive", "7", "auth-timeout",
                        "7", "tls-cert-file", "x"));
        for (ConfigOption number : numbers) {
            assertEquals(config.integer(number), followed[number.index()], number.name());
        }
    }

    /** A start could not go on with it when all was loaded. */
    @Test
    void shouldRefuseAPrimaryOnAPortThatThereIsNot() throws Exception {
        assertThrows(ConfigException.class, () -> read("--replicaof", "127.0.0.1 65536"));
        assertEquals("127.0.0.1 65535", read("--replicaof", "127.0.0.1 65535").text(ConfigTable.REPLICA_OF));
    }
}
