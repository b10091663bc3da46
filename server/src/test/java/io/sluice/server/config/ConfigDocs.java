package io.sluice.server.config;

import java.util.ArrayList;
import java.util.List;

/** What people read about the settings, made from the table. */
public final class ConfigDocs {
    private static final int COLUMNS = 100;

    private ConfigDocs() {
    }

    /** The annotated configuration file: every setting with its default. */
    public static String sampleFile() {
        StringBuilder text = new StringBuilder("""
                # Sluice's settings, all of them, each with its default.
                #
                #   bin/sluice-server conf/sluice.conf --port 7000
                #
                # The syntax is that of redis.conf: a name and its words; quotes around words with blanks; 1k is 1000
                # bytes, 1kb is 1024, and so on; include takes in other files. What the command line says wins.
                # Settings marked (at start) need a restart; CONFIG SET changes the others, CONFIG REWRITE writes them
                # here.
                """);
        String section = "";
        for (ConfigOption option : ConfigTable.rows()) {
            if (!option.section().equals(section)) {
                section = option.section();
                text.append("\n\n# ").append(section).append(' ').append("-".repeat(COLUMNS - section.length() - 3));
                text.append('\n');
            }
            text.append('\n');
            String doc = option.doc() + " (" + option.type().description() + (option.isMutable() ? ")" : "; at start)");
            wrapped(doc).forEach(line -> text.append("# ").append(line).append('\n'));
            defaults(option).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private static List<String> defaults(ConfigOption option) {
        int step = option.type().wordsPerLine();
        List<String> words = Words.split(option.defaultText());
        if (step == 0 || words.isEmpty()) {
            return List.of(option.name() + " " + (option.defaultText().isEmpty() ? "\"\"" : option.defaultText()));
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < words.size(); i += step) {
            lines.add(option.name() + " " + String.join(" ", words.subList(i, i + step)));
        }
        return lines;
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + word.length() >= COLUMNS - 3) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** The README's table. */
    public static String table() {
        StringBuilder text = new StringBuilder("| setting | default | changeable | meaning |\n");
        text.append("| --- | --- | --- | --- |\n");
        for (ConfigOption option : ConfigTable.rows()) {
            text.append("| `").append(option.name()).append("` | ")
                .append(option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`").append(" | ")
                .append(option.isMutable() ? "yes" : "at start").append(" | ").append(option.doc()).append(" |\n");
        }
        return text.toString();
    }
}
