package io.sluice.server.config;

import java.util.List;
import java.util.Locale;

/** How the words of a setting become the one text that {@code CONFIG GET} shows, and what number they stand for. */
abstract class ConfigType {
    private final String description;

    /** @param description what the README's table calls it */
    ConfigType(String description) {
        this.description = description;
    }

    /** The text that stands for these words, or the reason why they are none. */
    abstract String canonical(List<String> words) throws ConfigException;

    /** The number behind a canonical text; 0 for what is no number. */
    long number(String canonical) {
        return 0;
    }

    /** Whether {@code CONFIG SET} gives several words in one value. */
    boolean isList() {
        return false;
    }

    /** How many words of a list a line of the file holds; 0: all. */
    int wordsPerLine() {
        return 0;
    }

    String description() {
        return description;
    }

    /** The one word of a setting that takes one. */
    static String only(List<String> words) throws ConfigException {
        if (words.size() != 1) {
            throw new ConfigException("wrong number of arguments");
        }
        return words.get(0);
    }

    static String inRange(long value, long min, long max) throws ConfigException {
        if (value < min || value > max) {
            throw new ConfigException("argument must be between " + min + " and " + max + " inclusive");
        }
        return Long.toString(value);
    }

    /** Any text. */
    static ConfigType text() {
        return new ConfigType("text") {
            @Override
            String canonical(List<String> words) throws ConfigException {
                return only(words);
            }
        };
    }

    /** The name of a file, without a path. */
    static ConfigType fileName() {
        return new ConfigType("file name") {
            @Override
            String canonical(List<String> words) throws ConfigException {
                String name = only(words);
                if (name.isEmpty() || name.indexOf('/') >= 0) {
                    throw new ConfigException("dbfilename can't be a path, just a filename");
                }
                return name;
            }
        };
    }

    /** Any number of words, joined by blanks. */
    static ConfigType words() {
        return new ConfigType("words") {
            @Override
            String canonical(List<String> words) {
                return String.join(" ", words).strip();
            }

            @Override
            boolean isList() {
                return true;
            }
        };
    }

    /** Host and port, {@code no one}, or nothing. */
    static ConfigType address() {
        return new ConfigType("host port") {
            @Override
            String canonical(List<String> words) throws ConfigException {
                String text = String.join(" ", words).strip();
                if (text.matches("\\S+ [0-9]{1,5}")) {
                    inRange(Long.parseLong(text.substring(text.indexOf(' ') + 1)), 0, 65_535);
                } else if (!text.isEmpty() && !text.equalsIgnoreCase("no one")) {
                    throw new ConfigException("argument must be a host and a port");
                }
                return text;
            }

            @Override
            boolean isList() {
                return true;
            }
        };
    }

    /** {@code yes} or {@code no}. */
    static ConfigType flag() {
        return new ConfigType("yes, no") {
            @Override
            String canonical(List<String> words) throws ConfigException {
                String word = only(words).toLowerCase(Locale.ROOT);
                if (!"yes".equals(word) && !"no".equals(word)) {
                    throw new ConfigException("argument must be 'yes' or 'no'");
                }
                return word;
            }

            @Override
            long number(String canonical) {
                return "yes".equals(canonical) ? 1 : 0;
            }
        };
    }

    /** One of several words. */
    static ConfigType oneOf(String... choices) {
        List<String> all = List.of(choices);
        return new ConfigType(String.join(", ", all)) {
            @Override
            String canonical(List<String> words) throws ConfigException {
                String word = only(words).toLowerCase(Locale.ROOT);
                if (!all.contains(word)) {
                    throw new ConfigException("argument(s) must be one of the following: " + String.join(", ", all));
                }
                return word;
            }
        };
    }

    /** A whole number of a range. */
    static ConfigType integer(long min, long max) {
        return new ConfigType(max >= Integer.MAX_VALUE ? min + " or more" : min + " to " + max) {
            @Override
            String canonical(List<String> words) throws ConfigException {
                long value;
                try {
                    value = Long.parseLong(only(words));
                } catch (NumberFormatException e) {
                    throw new ConfigException("argument couldn't be parsed into an integer");
                }
                return inRange(value, min, max);
            }

            @Override
            long number(String canonical) {
                return Long.parseLong(canonical);
            }
        };
    }

    /** Bytes, with Redis's units; shown in bytes. */
    static ConfigType memory(long min, long max) {
        return new ConfigType("bytes, or with a unit: 100mb") {
            @Override
            String canonical(List<String> words) throws ConfigException {
                return inRange(MemoryText.bytes(only(words)), min, max);
            }

            @Override
            long number(String canonical) {
                return Long.parseLong(canonical);
            }
        };
    }

    /** File permissions in octal. */
    static ConfigType octal() {
        return new ConfigType("octal") {
            @Override
            String canonical(List<String> words) throws ConfigException {
                try {
                    int mode = Integer.parseInt(only(words), 8);
                    if (mode >= 0 && mode <= 0777) {
                        return Integer.toOctalString(mode);
                    }
                } catch (NumberFormatException e) {
                    // Said below.
                }
                throw new ConfigException("argument must be an octal number of up to three digits");
            }

            @Override
            long number(String canonical) {
                return Integer.parseInt(canonical, 8);
            }
        };
    }
}
