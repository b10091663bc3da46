package io.sluice.server.acl;

import io.sluice.server.command.AclCategories;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.CommandTable;
import io.sluice.server.command.KeyAccess;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The language of rules, as Redis 7 reads it. */
final class UserRules {
    private static final String BAD_HASH = "The password hash must be exactly 64 characters and contain only lowercase "
            + "hexadecimal characters";
    private static final String NO_SUCH_PASSWORD = "The password you are trying to remove from the user does not exist";

    private final CommandTable table;
    private final boolean allChannelsByDefault;

    /** @param allChannelsByDefault whether new users may use all channels: {@code acl-pubsub-default} */
    UserRules(CommandTable table, boolean allChannelsByDefault) {
        this.table = table;
        this.allChannelsByDefault = allChannelsByDefault;
    }

    /** A user who may do nothing. */
    User newUser(String name) {
        User user = new User(name);
        user.root().allCommands(false, table.idCount());
        user.root().allChannels(allChannelsByDefault);
        return user;
    }

    /** Whether a text could not be written in a rule. */
    static boolean hasSpaces(String text) {
        return text.chars().anyMatch(c -> c == 0 || c == ' ' || c >= '\t' && c <= '\r');
    }

    /**
     * Joins the words of selectors that were given in several words.
     *
     * @throws IllegalArgumentException if a parenthesis does not close; the message is the word that opens it
     */
    static List<String> joinSelectors(List<String> words) {
        List<String> rules = new ArrayList<>();
        StringBuilder selector = null;
        String opening = null;
        for (String word : words) {
            if (selector != null) {
                selector.append(' ').append(word);
                if (word.endsWith(")")) {
                    rules.add(selector.toString());
                    selector = null;
                }
            } else if (word.startsWith("(") && !word.endsWith(")")) {
                selector = new StringBuilder(word);
                opening = word;
            } else {
                rules.add(word);
            }
        }
        if (selector != null) {
            throw new IllegalArgumentException(opening);
        }
        return rules;
    }

    void apply(User user, String rule) throws RuleException {
        switch (rule.toLowerCase(Locale.ROOT)) {
            case "" -> { }
            case "on" -> user.enabled(true);
            case "off" -> user.enabled(false);
            case "nopass" -> user.passwordless(true);
            case "resetpass" -> user.passwordless(false);
            case "skip-sanitize-payload" -> user.payloadsTrusted(true);
            case "sanitize-payload" -> user.payloadsTrusted(false);
            case "clearselectors" -> user.clearSelectors();
            case "reset" -> user.become(newUser(user.name()));
            default -> applyMarked(user, rule);
        }
    }

    private void applyMarked(User user, String rule) throws RuleException {
        String rest = rule.substring(1);
        switch (rule.charAt(0)) {
            case '>' -> user.addPassword(hash(rest));
            case '#' -> user.addPassword(checkedHash(rest));
            case '<' -> removePassword(user, hash(rest));
            case '!' -> removePassword(user, checkedHash(rest));
            case '(' -> user.addSelector(selector(rule));
            default -> apply(user.root(), rule);
        }
    }

    private static byte[] hash(String password) {
        return Passwords.hash(password.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] checkedHash(String text) throws RuleException {
        if (!Passwords.isHash(text)) {
            throw new RuleException(BAD_HASH);
        }
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void removePassword(User user, byte[] hash) throws RuleException {
        if (!user.removePassword(hash)) {
            throw new RuleException(NO_SUCH_PASSWORD);
        }
    }

    private Selector selector(String rule) throws RuleException {
        if (!rule.endsWith(")")) {
            throw new RuleException(RuleException.SYNTAX);
        }
        Selector selector = new Selector();
        selector.allCommands(false, table.idCount());
        selector.allChannels(allChannelsByDefault);
        for (String word : rule.substring(1, rule.length() - 1).split("\\s+")) {
            if (!word.isEmpty()) {
                apply(selector, word);
            }
        }
        return selector;
    }

    private void apply(Selector selector, String rule) throws RuleException {
        switch (rule.toLowerCase(Locale.ROOT)) {
            case "allkeys", "~*" -> selector.allKeys(true);
            case "resetkeys" -> selector.allKeys(false);
            case "allchannels", "&*" -> selector.allChannels(true);
            case "resetchannels" -> selector.allChannels(false);
            case "allcommands", "+@all" -> selector.allCommands(true, table.idCount());
            case "nocommands", "-@all" -> selector.allCommands(false, table.idCount());
            default -> applyMarked(selector, rule);
        }
    }

    private void applyMarked(Selector selector, String rule) throws RuleException {
        boolean allowed = rule.charAt(0) == '+';
        if (rule.charAt(0) == '~' || rule.charAt(0) == '%') {
            selector.requirePatternsMeaningful();
        }
        if (rule.charAt(0) == '~') {
            selector.addKeys(pattern(rule, 1), KeyAccess.BOTH);
        } else if (rule.charAt(0) == '%') {
            // Without the tilde it is the empty key that is meant, as in Redis.
            int end = rule.indexOf('~') < 0 ? rule.length() : rule.indexOf('~');
            selector.addKeys(pattern(rule, Math.min(end + 1, rule.length())), access(rule.substring(0, end)));
        } else if (rule.charAt(0) == '&') {
            selector.addChannels(pattern(rule, 1));
        } else if (!allowed && rule.charAt(0) != '-') {
            throw new RuleException(RuleException.SYNTAX);
        } else if (rule.startsWith("@", 1)) {
            category(selector, rule.substring(1), allowed);
        } else if (allowed && rule.indexOf('|') >= 0) {
            allowSubcommand(selector, rule.substring(1));
        } else {
            CommandSpec spec = find(rule.substring(1));
            selector.command(spec, allowed);
            selector.noteCommandRule(spec.fullName(), allowed);
        }
    }

    private static String pattern(String rule, int from) throws RuleException {
        String pattern = rule.substring(from);
        if (hasSpaces(pattern)) {
            throw new RuleException(RuleException.SYNTAX);
        }
        return pattern;
    }

    /** The letters between {@code %} and {@code ~}: each at most once, and at least one. */
    private static int access(String letters) throws RuleException {
        int access = 0;
        for (char letter : letters.substring(1).toUpperCase(Locale.ROOT).toCharArray()) {
            int bit = letter == 'R' ? KeyAccess.READ : letter == 'W' ? KeyAccess.WRITE : 0;
            if (bit == 0 || (access & bit) != 0) {
                throw new RuleException(RuleException.SYNTAX);
            }
            access |= bit;
        }
        if (access == 0) {
            throw new RuleException(RuleException.SYNTAX);
        }
        return access;
    }

    private CommandSpec find(String fullName) throws RuleException {
        CommandSpec spec = table.findRow(fullName.toLowerCase(Locale.ROOT));
        if (spec == null) {
            throw new RuleException(RuleException.UNKNOWN_COMMAND);
        }
        return spec;
    }

    private void category(Selector selector, String category, boolean allowed) throws RuleException {
        String lower = category.toLowerCase(Locale.ROOT);
        if (!AclCategories.ALL.contains(lower.substring(1))) {
            throw new RuleException(RuleException.UNKNOWN_COMMAND);
        }
        for (CommandSpec spec : table.rows()) {
            if (spec.categories().contains(lower)) {
                selector.command(spec, allowed);
            }
            for (CommandSpec sub : spec.subcommands()) {
                if (sub.categories().contains(lower)) {
                    selector.command(sub, allowed);
                }
            }
        }
        selector.noteCommandRule(lower, allowed);
    }

    /** {@code command|subcommand}, or a first argument of a command that has no subcommands. */
    private void allowSubcommand(Selector selector, String name) throws RuleException {
        int bar = name.lastIndexOf('|');
        CommandSpec container = find(name.substring(0, bar));
        if (container.parent() != null) {
            throw new RuleException("Allowing first-arg of a subcommand is not supported");
        }
        if (bar == name.length() - 1) {
            throw new RuleException(RuleException.SYNTAX);
        }
        if (container.subcommands().isEmpty()) {
            selector.allowFirstArg(container, name.substring(bar + 1));
        } else {
            selector.command(find(name), true);
        }
        selector.noteCommandRule(name, true);
    }
}
