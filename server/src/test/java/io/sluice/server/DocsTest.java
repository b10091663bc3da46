package io.sluice.server;

import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.CommandTester;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigDocs;
import io.sluice.server.config.ConfigReader;
import io.sluice.server.config.ConfigTable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The sample configuration and the README's tables are made from the tables of settings and commands. To write them
 * anew: {@code mvn -pl server -am test -Dtest=DocsTest -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.docs=write}.
 */
class DocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path SAMPLE = ROOT.resolve("conf/sluice.conf");
    private static final Path README = ROOT.resolve("README.md");
    private static final boolean WRITE = "write".equals(System.getProperty("sluice.docs"));
    private static final String END = "<!-- end -->";

    @Test
    void shouldShipAConfigurationFileThatNamesEverySetting() throws IOException {
        String expected = ConfigDocs.sampleFile();
        if (WRITE) {
            Files.createDirectories(SAMPLE.getParent());
            Files.writeString(SAMPLE, expected);
        }
        assertEquals(expected, Files.readString(SAMPLE), "conf/sluice.conf is stale; see DocsTest");
    }

    @Test
    void shouldShipAConfigurationFileThatSaysWhatHoldsWithoutIt() throws Exception {
        InputStream in = new ByteArrayInputStream(ConfigDocs.sampleFile().getBytes(StandardCharsets.US_ASCII));
        Config sample = new ConfigReader(in).read("-");
        Config defaults = new ConfigReader(InputStream.nullInputStream()).read();
        for (var option : ConfigTable.rows()) {
            assertEquals(defaults.text(option), sample.text(option), option.name());
        }
    }

    @Test
    void shouldListEverySettingInTheReadme() throws IOException {
        check("<!-- settings -->", ConfigDocs.table());
    }

    @Test
    void shouldListEveryCommandInTheReadme() throws IOException {
        try (CommandTester server = new CommandTester()) {
            check("<!-- commands -->", commandTable(server.dispatcher().table().specs()));
        }
    }

    private static void check(String start, String expected) throws IOException {
        String readme = Files.readString(README);
        int from = readme.indexOf(start) + start.length() + 1;
        int to = readme.indexOf(END, from);
        if (WRITE) {
            Files.writeString(README, readme.substring(0, from) + expected + readme.substring(to));
        } else {
            assertEquals(expected, readme.substring(from, to), "README.md is stale; see DocsTest");
        }
    }

    /** One line for each group of commands, one for each limiter, since those are what the README's reader came for. */
    private static String commandTable(List<CommandSpec> specs) {
        Map<String, List<String>> byGroup = new TreeMap<>();
        StringBuilder limiters = new StringBuilder();
        for (CommandSpec spec : specs) {
            if (spec.categories().contains("@rate_limit")) {
                limiters.append("| `").append(spec.syntax().replace("|", "\\|")).append("` | ").append(spec.summary())
                    .append(" |\n");
                continue;
            }
            List<String> names = byGroup.computeIfAbsent(spec.group(), group -> new ArrayList<>());
            if (spec.subcommands().isEmpty()) {
                names.add("`" + spec.name().toUpperCase(java.util.Locale.ROOT) + "`");
            }
            for (CommandSpec sub : spec.subcommands()) {
                names.add("`" + sub.fullName().replace('|', ' ').toUpperCase(java.util.Locale.ROOT) + "`");
            }
        }
        StringBuilder text = new StringBuilder("| limiter | |\n| --- | --- |\n").append(limiters)
            .append("\n| group | commands |\n| --- | --- |\n");
        byGroup.forEach((group, names) -> text.append("| ").append(group).append(" | ").append(String.join(", ", names))
            .append(" |\n"));
        return text.toString();
    }
}
