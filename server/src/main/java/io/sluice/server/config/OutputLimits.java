package io.sluice.server.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The value of {@code client-output-buffer-limit}: for each class of clients a hard limit, a soft limit, and the
 * seconds that a client may stay above the soft one. Classes that a value leaves out keep what they have.
 */
final class OutputLimits extends ConfigType {
    private static final int WORDS_PER_CLASS = 4;
    private static final List<String> CLASSES = List.of("normal", "slave", "pubsub");

    OutputLimits() {
        super("class hard soft seconds");
    }

    @Override
    boolean isList() {
        return true;
    }

    @Override
    int wordsPerLine() {
        return WORDS_PER_CLASS;
    }

    /** The given classes only; {@link #merge} completes them. */
    @Override
    String canonical(List<String> words) throws ConfigException {
        if (words.isEmpty() || words.size() % WORDS_PER_CLASS != 0) {
            throw new ConfigException("Wrong number of arguments in buffer limit configuration.");
        }
        List<String> canonical = new ArrayList<>();
        for (int i = 0; i < words.size(); i += WORDS_PER_CLASS) {
            String name = words.get(i).toLowerCase(Locale.ROOT);
            name = "replica".equals(name) ? "slave" : name;
            if (!CLASSES.contains(name)) {
                throw new ConfigException("Invalid client class specified in buffer limit configuration.");
            }
            canonical.add(name);
            canonical.add(amount(words.get(i + 1)));
            canonical.add(amount(words.get(i + 2)));
            canonical.add(amount(words.get(i + 3)));
        }
        return String.join(" ", canonical);
    }

    private static String amount(String word) throws ConfigException {
        try {
            return Long.toString(MemoryText.bytes(word));
        } catch (ConfigException e) {
            throw new ConfigException("Error in hard, soft or soft_seconds setting in buffer limit configuration.");
        }
    }

    /** All classes: the later value's where it names them, else the earlier's. */
    static String merge(String earlier, String later) {
        List<String> merged = new ArrayList<>();
        for (String name : CLASSES) {
            merged.addAll(Arrays.asList(ofClass(later, name, ofClass(earlier, name, null))));
        }
        return String.join(" ", merged);
    }

    /** Hard limit, soft limit and seconds of a class in a complete value. */
    static long[] limits(String canonical, String name) {
        String[] words = ofClass(canonical, name, null);
        return new long[] {Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])};
    }

    private static String[] ofClass(String canonical, String name, String[] otherwise) {
        String[] words = canonical.split(" ");
        String[] found = otherwise;
        for (int i = 0; i + WORDS_PER_CLASS <= words.length; i += WORDS_PER_CLASS) {
            if (words[i].equals(name)) {
                found = Arrays.copyOfRange(words, i, i + WORDS_PER_CLASS);
            }
        }
        return found;
    }
}
