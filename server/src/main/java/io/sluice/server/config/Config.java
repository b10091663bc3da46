package io.sluice.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The settings in force. Owned by the event loop once the server runs. */
public final class Config {
    private final String[] texts = new String[ConfigTable.rows().size()];
    private final Map<ConfigOption, List<Runnable>> listeners = new HashMap<>();
    private final Path file;
    private final List<String> unusedDirectives;
    private final List<List<String>> userLines;
    private Supplier<List<String>> userSource = List::of;

    Config(Map<ConfigOption, String> given, Path file, List<String> unusedDirectives, List<List<String>> userLines) {
        this.file = file;
        this.unusedDirectives = unusedDirectives;
        this.userLines = userLines;
        for (ConfigOption option : ConfigTable.rows()) {
            texts[option.index()] = initial(option, given.get(option));
        }
    }

    private static String initial(ConfigOption option, String given) {
        String byDefault = byDefault(option);
        return given == null ? byDefault : completed(option, byDefault, given);
    }

    private static String byDefault(ConfigOption option) {
        try {
            String canonical = option.type().canonical(option.type().isList()
                    ? Words.split(option.defaultText()) : List.of(option.defaultText()));
            return completed(option, canonical, canonical);
        } catch (ConfigException e) {
            throw new IllegalStateException("default of " + option.name() + ": " + e.getMessage(), e);
        }
    }

    boolean isDefault(ConfigOption option) {
        return text(option).equals(byDefault(option));
    }

    private static String completed(ConfigOption option, String before, String given) {
        return option == ConfigTable.OUTPUT_LIMIT ? OutputLimits.merge(before, given) : given;
    }

    /** The value as {@code CONFIG GET} shows it. */
    public String text(ConfigOption option) {
        return texts[option.index()];
    }

    /** The value of a number, an amount of memory in bytes, or 1 for {@code yes}. */
    public long number(ConfigOption option) {
        return option.type().number(texts[option.index()]);
    }

    /** As {@link #number}, for settings whose bounds fit. */
    public int integer(ConfigOption option) {
        return Math.toIntExact(number(option));
    }

    /** The value of a setting that is {@code yes} or {@code no}. */
    public boolean flag(ConfigOption option) {
        return number(option) != 0;
    }

    /** The words of a value that has several. */
    public List<String> words(ConfigOption option) {
        String text = text(option);
        return Words.split(text);
    }

    /** New names of commands by their names, all in lower case; an empty one takes the command away. */
    public Map<String, String> renamedCommands() {
        Map<String, String> names = new HashMap<>();
        List<String> words = words(ConfigTable.RENAME_COMMAND);
        for (int i = 0; i < words.size(); i += 2) {
            names.put(words.get(i), words.get(i + 1));
        }
        return names;
    }

    /**
     * Hard limit, soft limit (bytes) and seconds of a class of clients: {@code normal}, {@code slave}, {@code
     * pubsub}.
     */
    public long[] outputLimit(String clientClass) {
        return OutputLimits.limits(text(ConfigTable.OUTPUT_LIMIT), clientClass);
    }

    /** Where the settings came from, or null. */
    public Path file() {
        return file;
    }

    /** Directives in the file that mean nothing here. */
    public List<String> unusedDirectives() {
        return unusedDirectives;
    }

    /** The words of each line that declares a user, the user's name first. */
    public List<List<String>> userLines() {
        return userLines;
    }

    /** Where {@link ConfigRewriter} gets the users from, as lines of a configuration file. */
    public void userSource(Supplier<List<String>> source) {
        userSource = source;
    }

    List<String> currentUserLines() {
        return userSource.get();
    }

    /** Changes what a command of its own changes. */
    public void replace(ConfigOption option, String text) {
        texts[option.index()] = text;
        tellFollowers(option);
    }

    /** Lowers a number to what this machine can do. */
    public void reduce(ConfigOption option, long value) {
        texts[option.index()] = Long.toString(value);
        tellFollowers(option);
    }

    /**
     * Runs now and whenever one of the settings has changed. A listener may refuse by throwing
     * IllegalArgumentException.
     */
    public void follow(Runnable listener, ConfigOption... options) {
        for (ConfigOption option : options) {
            listeners.computeIfAbsent(option, none -> new ArrayList<>()).add(listener);
        }
        listener.run();
    }

    /** A change that is refused: which setting, and why. */
    public static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        Refusal(String reply) {
            super(reply, null, false, false);
        }
    }

    /** Changes settings that are not protected, all or none. */
    public void set(List<String> pairs) throws Refusal {
        set(pairs, false);
    }

    /**
     * Changes settings, all or none.
     *
     * @param pairs              name, value, name, value ...
     * @param mayChangeProtected whether protected settings may be among them
     * @throws Refusal with the text of the error reply
     */
    public void set(List<String> pairs, boolean mayChangeProtected) throws Refusal {
        Map<ConfigOption, String> given = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (given.put(optionOf(pairs.get(i)), pairs.get(i + 1)) != null) {
                throw failed(pairs.get(i), "duplicate parameter");
            }
        }
        Map<ConfigOption, String> accepted = new LinkedHashMap<>();
        for (Map.Entry<ConfigOption, String> change : given.entrySet()) {
            if (change.getKey().isProtected() && !mayChangeProtected) {
                throw failed(change.getKey().name(), "can't set protected config");
            }
            accepted.put(change.getKey(), accept(change.getKey(), change.getValue()));
        }
        Map<ConfigOption, String> before = new HashMap<>();
        accepted.forEach((option, text) -> before.put(option, texts[option.index()]));
        accepted.forEach((option, text) -> texts[option.index()] = text);
        for (ConfigOption option : accepted.keySet()) {
            try {
                tellFollowers(option);
            } catch (IllegalArgumentException e) {
                before.forEach((changed, text) -> texts[changed.index()] = text);
                before.keySet().forEach(this::tellFollowersAgain);
                throw failed(option.name(), e.getMessage());
            }
        }
    }

    private void tellFollowers(ConfigOption option) {
        listeners.getOrDefault(option, List.of()).forEach(Runnable::run);
    }

    /** What was before is in force again, even if it would be refused by now: so each follower still has it. */
    private void tellFollowersAgain(ConfigOption option) {
        for (Runnable follower : listeners.getOrDefault(option, List.of())) {
            try {
                follower.run();
            } catch (IllegalArgumentException e) {
                // As certificates whose files have been exchanged meanwhile; the others must be told all the same.
            }
        }
    }

    private static ConfigOption optionOf(String name) throws Refusal {
        ConfigOption option = ConfigTable.find(name);
        if (option == null) {
            throw new Refusal("ERR Unknown option or number of arguments for CONFIG SET - '" + name + "'");
        }
        return option;
    }

    private String accept(ConfigOption option, String value) throws Refusal {
        String name = option.name();
        if (!option.isMutable()) {
            throw failed(name, "can't set immutable config");
        }
        try {
            List<String> words = option.type().isList() ? Words.split(value) : List.of(value);
            if (words == null) {
                throw new ConfigException("argument couldn't be parsed into words");
            }
            return completed(option, text(option), option.type().canonical(words));
        } catch (ConfigException e) {
            throw failed(name, e.getMessage());
        }
    }

    private static Refusal failed(String name, String reason) {
        return new Refusal("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
    }
}
