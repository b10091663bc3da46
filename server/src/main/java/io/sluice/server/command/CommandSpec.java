package io.sluice.server.command;

import io.sluice.resp.Request;
import io.sluice.server.stats.CommandStats;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One row of the command table: everything that is known about a command. Dispatch, {@code COMMAND}, access
 * categories and the README's table come from here and from nowhere else.
 *
 * <pre>{@code
 * CommandSpec.named("get", 2, StringCommands::get)
 *     .flags(READONLY, FAST).key(1, "RO access").acl("string")
 *     .group("string").since("1.0.0").summary("Returns the string value of a key.").complexity("O(1)")
 *     .args(Arg.key("key"))
 *     .build()
 * }</pre>
 */
public final class CommandSpec {
    private final String name;
    private final int arity;
    private final int flagBits;
    private final List<CommandFlag> flags;
    private final List<String> categories;
    private final List<KeySpec> keySpecs;
    private final int firstKey;
    private final int[] keyAccess;
    private final KeyAccess firstKeyAccess;
    private final int firstChannel;
    private final boolean manyChannels;
    private final boolean channelPatterns;
    private final List<String> tips;
    private final String group;
    private final String since;
    private final String summary;
    private final String complexity;
    private final List<Arg> args;
    private final List<CommandSpec> subcommands;
    private final CommandTable subcommandTable;
    private final CommandHandler handler;
    private final CommandStats stats = new CommandStats();
    private CommandSpec parent;
    private String fullName;
    private int id;

    private CommandSpec(Builder b) {
        name = b.name;
        fullName = b.name;
        arity = b.arity;
        flags = List.copyOf(b.flags);
        flagBits = flags.stream().mapToInt(CommandFlag::bit).reduce(0, (x, y) -> x | y);
        categories = AclCategories.of(flags, b.acl);
        keySpecs = List.copyOf(b.keySpecs);
        firstKey = keySpecs.isEmpty() || keySpecs.get(0).byKeyCount() ? 0 : keySpecs.get(0).begin();
        keyAccess = keySpecs.stream().mapToInt(key -> KeyAccess.of(key.flags())).toArray();
        firstKeyAccess = b.firstKeyAccess;
        firstChannel = b.firstChannel;
        manyChannels = b.manyChannels;
        channelPatterns = b.channelPatterns;
        tips = List.copyOf(b.tips);
        group = b.group;
        since = b.since;
        summary = b.summary;
        complexity = b.complexity;
        args = List.copyOf(b.args);
        subcommands = List.copyOf(b.subcommands);
        subcommandTable = subcommands.isEmpty() ? null : new CommandTable(subcommands);
        handler = b.handler;
        subcommands.forEach(sub -> sub.adoptedBy(this));
    }

    /**
     * Starts a row.
     *
     * @param name    in lower case; for a subcommand its own word only
     * @param arity   number of words including the command's own (and its container's); negative: at least that many
     * @param handler null for a pure container of subcommands
     */
    public static Builder named(String name, int arity, CommandHandler handler) {
        return new Builder(name, arity, handler);
    }

    /** Starts the row of a command that only holds subcommands. */
    public static Builder container(String name) {
        return new Builder(name, -2, null);
    }

    public String name() {
        return name;
    }

    /** {@code client|kill} for a subcommand, else the name. */
    public String fullName() {
        return fullName;
    }

    private void adoptedBy(CommandSpec container) {
        parent = container;
        fullName = container.name + "|" + name;
    }

    /** A small number of its own in the table. */
    public int id() {
        return id;
    }

    void id(int value) {
        id = value;
    }

    public int arity() {
        return arity;
    }

    /** Whether the command has a flag. */
    public boolean has(CommandFlag flag) {
        return (flagBits & flag.bit()) != 0;
    }

    /** Whether what it writes depends on the time, so that it cannot be repeated elsewhere at no time at all. */
    boolean needsTime() {
        return "ratelimit".equals(group);
    }

    public CommandStats stats() {
        return stats;
    }

    public List<CommandSpec> subcommands() {
        return subcommands;
    }

    public List<KeySpec> keySpecs() {
        return keySpecs;
    }

    /** Index of the first key's argument where that is the same for every call, else 0. */
    int firstKey() {
        return firstKey;
    }

    /**
     * How the keys of a key specification are used in this call: bits of {@link KeyAccess}.
     *
     * @param keySpec its index in {@link #keySpecs}
     */
    public int keyAccess(int keySpec, Request request) {
        return keySpec == 0 && firstKeyAccess != null ? firstKeyAccess.of(request) : keyAccess[keySpec];
    }

    /** The argument of the first channel; 0 if none is used in a way that needs rights. */
    public int firstChannel() {
        return firstChannel;
    }

    /** Whether all arguments from the first channel on are channels. */
    public boolean hasManyChannels() {
        return manyChannels;
    }

    /** Whether channels are given as patterns. */
    public boolean hasChannelPatterns() {
        return channelPatterns;
    }

    public String group() {
        return group;
    }

    public String summary() {
        return summary;
    }

    public String since() {
        return since;
    }

    /** The categories with their {@code @}. */
    public List<String> categories() {
        return categories;
    }

    /** The command with its arguments as the manual writes them. */
    public String syntax() {
        StringBuilder text = new StringBuilder(fullName().replace('|', ' ').toUpperCase(Locale.ROOT));
        args.forEach(arg -> text.append(' ').append(arg.syntax()));
        return text.toString();
    }

    int flagBits() {
        return flagBits;
    }

    List<CommandFlag> flags() {
        return flags;
    }

    List<String> tips() {
        return tips;
    }

    String complexity() {
        return complexity;
    }

    List<Arg> args() {
        return args;
    }

    CommandTable subcommandTable() {
        return subcommandTable;
    }

    /** The container of a subcommand, else null. */
    public CommandSpec parent() {
        return parent;
    }

    CommandHandler handler() {
        return handler;
    }

    boolean arityAllows(int argCount) {
        return arity >= 0 ? argCount == arity : argCount >= -arity;
    }

    /** The index of the first argument behind the command's name. */
    public int firstArg() {
        return parent == null ? 1 : 2;
    }

    /** Collects a row. */
    public static final class Builder {
        private final String name;
        private final int arity;
        private final CommandHandler handler;
        private final List<CommandFlag> flags = new ArrayList<>();
        private final List<String> acl = new ArrayList<>();
        private final List<KeySpec> keySpecs = new ArrayList<>();
        private final List<String> tips = new ArrayList<>();
        private final List<Arg> args = new ArrayList<>();
        private final List<CommandSpec> subcommands = new ArrayList<>();
        private KeyAccess firstKeyAccess;
        private int firstChannel;
        private boolean manyChannels;
        private boolean channelPatterns;
        private String group = "";
        private String since = "";
        private String summary = "";
        private String complexity = "";

        private Builder(String name, int arity, CommandHandler handler) {
            this.name = name;
            this.arity = arity;
            this.handler = handler;
        }

        public Builder flags(CommandFlag... values) {
            flags.addAll(List.of(values));
            return this;
        }

        /** Access categories beyond those that follow from the flags, without their {@code @}. */
        public Builder acl(String... categories) {
            acl.addAll(List.of(categories));
            return this;
        }

        /**
         * One key at argument {@code index}; {@code how} is Redis's words for its use, such as {@code RW access
         * update}.
         */
        public Builder key(int index, String how) {
            return keys(index, index, 1, how);
        }

        /** Keys from {@code first} to {@code last} (negative: counted from the end), {@code step} apart. */
        public Builder keys(int first, int last, int step, String how) {
            keySpecs.add(KeySpec.range(first, last, step, how));
            return this;
        }

        /** A key count at argument {@code index} with its keys behind it, as EVAL has. */
        public Builder countedKeys(int index, String how) {
            keySpecs.add(KeySpec.counted(index, how));
            flags.add(CommandFlag.MOVABLEKEYS);
            return this;
        }

        /** Keys that {@link KeySpec} has to look for. */
        Builder keys(KeySpec keySpec) {
            keySpecs.add(keySpec);
            if (!flags.contains(CommandFlag.MOVABLEKEYS)) {
                flags.add(CommandFlag.MOVABLEKEYS);
            }
            return this;
        }

        /** How the keys of the first key specification are used, where that depends on the call. */
        public Builder access(KeyAccess value) {
            firstKeyAccess = value;
            return this;
        }

        /** The argument {@code index} is a channel that the client needs rights for. */
        public Builder channel(int index) {
            firstChannel = index;
            return this;
        }

        /** All arguments from {@code index} on are channels, or patterns of them, that the client needs rights for. */
        public Builder channels(int index, boolean arePatterns) {
            firstChannel = index;
            manyChannels = true;
            channelPatterns = arePatterns;
            return this;
        }

        public Builder tips(String... values) {
            tips.addAll(List.of(values));
            return this;
        }

        public Builder group(String value) {
            group = value;
            return this;
        }

        public Builder since(String value) {
            since = value;
            return this;
        }

        public Builder summary(String value) {
            summary = value;
            return this;
        }

        public Builder complexity(String value) {
            complexity = value;
            return this;
        }

        public Builder args(Arg... values) {
            args.addAll(List.of(values));
            return this;
        }

        public Builder subcommands(CommandSpec... values) {
            subcommands.addAll(List.of(values));
            return this;
        }

        public CommandSpec build() {
            return new CommandSpec(this);
        }
    }
}
