package io.sluice.server.acl;

import io.sluice.resp.Glob;
import io.sluice.resp.Request;
import io.sluice.server.command.CommandFlag;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.KeyAccess;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One set of rights: commands, keys and channels that may be used together. Commands are a bit each, by {@link
 * CommandSpec#id}; a check allocates nothing.
 */
public final class Selector {
    private long[] commands = new long[0];
    /** Whether every bit is set, so that none need be looked at. */
    private boolean allCommands;
    /** Whether {@code +@all} is what the other rules take away from, so that new commands would be allowed. */
    private boolean allByDefault;
    /** First arguments that are allowed to a command that is not, by its id. */
    private byte[][][] firstArgs = new byte[0][][];
    private final List<String> commandRules = new ArrayList<>();
    private boolean allKeys;
    private final List<KeyPattern> keys = new ArrayList<>();
    private boolean allChannels;
    private final Map<String, Glob> channels = new LinkedHashMap<>();

    Selector copy() {
        Selector copy = new Selector();
        copy.commands = commands.clone();
        copy.allCommands = allCommands;
        copy.allByDefault = allByDefault;
        copy.firstArgs = firstArgs.clone();
        copy.commandRules.addAll(commandRules);
        copy.allKeys = allKeys;
        copy.keys.addAll(keys);
        copy.allChannels = allChannels;
        copy.channels.putAll(channels);
        return copy;
    }

    boolean allowsEverything() {
        return allCommands && allKeys && allChannels;
    }

    boolean allowsAllKeys() {
        return allKeys;
    }

    boolean allowsAllChannels() {
        return allChannels;
    }

    /** Whether the command may be called, whatever its keys. Commands for clients without a user always may. */
    boolean allows(CommandSpec spec, Request request) {
        return allCommands || spec.has(CommandFlag.NO_AUTH) || isSet(spec.id()) || allowsFirstArg(spec, request);
    }

    private boolean isSet(int id) {
        return id >> 6 < commands.length && (commands[id >> 6] & 1L << id) != 0;
    }

    private boolean allowsFirstArg(CommandSpec spec, Request request) {
        if (spec.id() >= firstArgs.length || firstArgs[spec.id()] == null || request.argCount() < 2) {
            return false;
        }
        for (byte[] allowed : firstArgs[spec.id()]) {
            if (request.argIs(spec.firstArg(), allowed)) {
                return true;
            }
        }
        return false;
    }

    /** @param access bits of {@link KeyAccess} */
    boolean allowsKey(byte[] bytes, int length, int access) {
        for (int i = 0; i < keys.size(); i++) {
            KeyPattern pattern = keys.get(i);
            if ((pattern.access() & access) == access && pattern.glob().matches(bytes, 0, length)) {
                return true;
            }
        }
        return allKeys;
    }

    /** @param isPattern whether a subscription to a pattern is meant, which only that same pattern allows */
    boolean allowsChannel(byte[] bytes, int length, boolean isPattern) {
        if (allChannels) {
            return true;
        }
        if (isPattern) {
            return channels.containsKey(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        }
        for (Glob glob : channels.values()) {
            if (glob.matches(bytes, 0, length)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any key may be read. */
    boolean readsAllKeys() {
        return allKeys || keys.stream().anyMatch(key -> key.text().equals("*") && (key.access() & KeyAccess.READ) != 0);
    }

    void allKeys(boolean value) {
        allKeys = value;
        keys.clear();
    }

    /** Throws if all keys are allowed, so that a pattern would mean nothing. */
    void requirePatternsMeaningful() throws RuleException {
        if (allKeys) {
            throw new RuleException("Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and "
                    + "does not have any effect. Try 'resetkeys' to start with an empty list of patterns");
        }
    }

    void addKeys(String pattern, int access) {
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).text().equals(pattern)) {
                keys.set(i, new KeyPattern(pattern, keys.get(i).access() | access));
                return;
            }
        }
        keys.add(new KeyPattern(pattern, access));
    }

    void allChannels(boolean value) {
        allChannels = value;
        channels.clear();
    }

    void addChannels(String pattern) throws RuleException {
        if (allChannels) {
            throw new RuleException("Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid "
                    + "and does not have any effect. Try 'resetchannels' to start with an empty list of channels");
        }
        channels.putIfAbsent(pattern, Glob.of(pattern.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** @param ids how many commands there are */
    void allCommands(boolean allowed, int ids) {
        commands = new long[(ids + Long.SIZE - 1) / Long.SIZE];
        Arrays.fill(commands, allowed ? -1 : 0);
        allCommands = allowed;
        allByDefault = allowed;
        commandRules.clear();
        firstArgs = new byte[0][][];
    }

    /** Allows or forbids a command with all of its subcommands. */
    void command(CommandSpec spec, boolean allowed) {
        int id = spec.id();
        commands = id >> 6 < commands.length ? commands : Arrays.copyOf(commands, (id >> 6) + 1);
        if (allowed) {
            commands[id >> 6] |= 1L << id;
        } else {
            commands[id >> 6] &= ~(1L << id);
            allCommands = false;
        }
        if (id < firstArgs.length) {
            firstArgs[id] = null;
        }
        spec.subcommands().forEach(sub -> command(sub, allowed));
    }

    void allowFirstArg(CommandSpec spec, String arg) {
        int id = spec.id();
        firstArgs = id < firstArgs.length ? firstArgs : Arrays.copyOf(firstArgs, id + 1);
        byte[][] args = firstArgs[id] == null ? new byte[0][] : firstArgs[id];
        byte[] added = arg.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
        if (Arrays.stream(args).noneMatch(each -> Arrays.equals(each, added))) {
            args = Arrays.copyOf(args, args.length + 1);
            args[args.length - 1] = added;
        }
        firstArgs[id] = args;
    }

    /** Notes a rule on commands, in place of earlier ones that it makes meaningless. */
    void noteCommandRule(String rule, boolean allowed) {
        String lower = rule.toLowerCase(Locale.ROOT);
        commandRules.removeIf(each -> each.substring(1).equals(lower) || each.startsWith(lower + "|", 1));
        commandRules.add((allowed ? "+" : "-") + lower);
    }

    /** The rules on commands, blanks between them. */
    public String commandText() {
        return (allByDefault ? "+@all" : "-@all")
                + (commandRules.isEmpty() ? "" : " " + String.join(" ", commandRules));
    }

    /** The rules on keys, blanks between them. */
    public String keyText() {
        return allKeys ? "~*" : String.join(" ", keys.stream().map(KeyPattern::rule).toList());
    }

    /** The rules on channels, blanks between them. */
    public String channelText() {
        return allChannels ? "&*" : String.join(" ", channels.keySet().stream().map(each -> "&" + each).toList());
    }

    /** All rules, such that they make this selector from an empty one. */
    String text() {
        String keyText = keyText();
        String channelText = channelText();
        return (keyText.isEmpty() ? "" : keyText + " ") + (allChannels ? "" : "resetchannels ")
                + (channelText.isEmpty() ? "" : channelText + " ") + commandText();
    }
}
