package io.sluice.server.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads settings from files in the syntax of {@code redis.conf}, from standard input, and from the command line,
 * which wins. A setting that is wrong stops the reading with its line; a directive of Redis that means nothing here
 * is noted as a warning.
 */
public final class ConfigReader {
    private static final int INCLUDE_DEPTH_MAX = 16;
    private static final String BAD_DIRECTIVE = "Bad directive or wrong number of arguments";

    private final Map<ConfigOption, String> values = new HashMap<>();
    private final TreeSet<String> unused = new TreeSet<>();
    private final List<List<String>> userLines = new ArrayList<>();
    private final InputStream standardInput;
    private Path file;

    /** @param standardInput what a file named {@code -} means */
    public ConfigReader(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    /**
     * Reads what the command line says: {@code [file] [-] [--option value ...]}.
     *
     * @throws ConfigException with a message for the operator, which names file and line
     */
    public Config read(String... args) throws ConfigException {
        int next = 0;
        if (args.length > 0 && !args[0].startsWith("--") && !"-".equals(args[0])) {
            file = Path.of(args[0]).toAbsolutePath();
            readFile(file, 0);
            next = 1;
        }
        if (next < args.length && "-".equals(args[next])) {
            readLines(standardInput, "standard input", 0);
            next++;
        }
        readOptions(args, next);
        return new Config(values, file, List.copyOf(unused), List.copyOf(userLines));
    }

    private void readOptions(String[] args, int first) throws ConfigException {
        int i = first;
        while (i < args.length) {
            if (!args[i].startsWith("--")) {
                throw new ConfigException("'" + args[i] + "': an option must start with --");
            }
            List<String> words = new ArrayList<>();
            words.add(args[i++].substring(2));
            while (i < args.length && !args[i].startsWith("--")) {
                words.add(args[i++]);
            }
            // A whole option may come as one word, quoted for the shell: '--save 60 1'.
            if (words.size() == 1) {
                List<String> split = Words.split(words.get(0));
                words = split == null ? words : split;
            }
            try {
                take(words, 0);
            } catch (ConfigException e) {
                throw ConfigException.placed("command line, '--" + String.join(" ", words) + "': " + e.getMessage());
            }
        }
    }

    private void readFile(Path path, int depth) throws ConfigException {
        try (InputStream in = Files.newInputStream(path)) {
            readLines(in, path.toString(), depth);
        } catch (IOException e) {
            throw new ConfigException("Can't open config file '" + path + "': " + FileErrors.reason(e));
        }
    }

    private void readLines(InputStream in, String source, int depth) throws ConfigException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        int number = 0;
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                String text = line.strip();
                if (!text.isEmpty() && text.charAt(0) != '#') {
                    takeLine(text, source, number, depth);
                }
            }
        } catch (IOException e) {
            throw new ConfigException("Can't read " + source + ": " + FileErrors.reason(e));
        }
    }

    private void takeLine(String text, String source, int number, int depth) throws ConfigException {
        try {
            List<String> words = Words.split(text);
            if (words == null) {
                throw new ConfigException("Unbalanced quotes in configuration line");
            }
            take(words, depth);
        } catch (ConfigException e) {
            if (e.isPlaced()) {
                throw e;
            }
            throw ConfigException.placed("Reading " + source + ", at line " + number + "\n>>> '" + text + "'\n"
                    + e.getMessage());
        }
    }

    private void take(List<String> words, int depth) throws ConfigException {
        String name = words.get(0).toLowerCase(Locale.ROOT);
        List<String> arguments = words.subList(1, words.size());
        if ("include".equals(name)) {
            include(ConfigType.only(arguments), depth);
            return;
        }
        if ("user".equals(name) && !arguments.isEmpty()) {
            userLines.add(List.copyOf(arguments));
            return;
        }
        ConfigOption option = ConfigTable.find(name);
        if (option != null && !arguments.isEmpty()) {
            values.merge(option, option.type().canonical(arguments),
                    (earlier, later) -> option.isRepeated() ? combined(option, earlier, later) : later);
        } else if (option == null && UnusedDirectives.contains(name)) {
            unused.add(name);
        } else {
            throw new ConfigException(BAD_DIRECTIVE);
        }
    }

    /** A repeated directive adds to the lines before it; an empty one starts over. */
    private static String combined(ConfigOption option, String earlier, String later) {
        return later.isEmpty() || earlier.isEmpty() ? later : earlier + " " + later;
    }

    private void include(String pattern, int depth) throws ConfigException {
        if (depth >= INCLUDE_DEPTH_MAX) {
            throw new ConfigException("include goes deeper than " + INCLUDE_DEPTH_MAX + " files");
        }
        Path path = Path.of(pattern).toAbsolutePath();
        String name = path.getFileName().toString();
        List<Path> files = new ArrayList<>();
        if (name.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0)) {
            try (DirectoryStream<Path> matches = Files.newDirectoryStream(path.getParent(), name)) {
                matches.forEach(files::add);
            } catch (IOException e) {
                throw new ConfigException("Can't list '" + pattern + "': " + FileErrors.reason(e));
            }
            files.sort(null);
        } else {
            files.add(path);
        }
        for (Path included : files) {
            readFile(included, depth + 1);
        }
    }
}
