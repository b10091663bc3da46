package io.sluice.server.acl;

import io.sluice.persistence.FileReplacement;
import io.sluice.server.command.CommandTable;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The users of the server by name. There always is the user {@link User#DEFAULT}, which is never replaced, only
 * changed. Owned by the event loop.
 */
public final class Users {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);

    private final Config config;
    private final Map<String, User> byName = new TreeMap<>();
    private final User defaultUser = User.UNRESTRICTED.copy();
    private final List<Runnable> followers = new ArrayList<>();
    private CommandTable table;

    /** Only the default user, who may do everything with the password of {@code requirepass}. */
    public Users(Config config) {
        this.config = config;
        byName.put(User.DEFAULT, defaultUser);
        config.follow(() -> {
            usePassword(defaultUser);
            followers.forEach(Runnable::run);
        }, ConfigTable.REQUIRE_PASS);
        config.userSource(this::configLines);
    }

    private void usePassword(User user) {
        String password = config.text(ConfigTable.REQUIRE_PASS);
        user.passwordless(password.isEmpty());
        if (!password.isEmpty()) {
            user.addPassword(Passwords.hash(password.getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    /**
     * Takes the users of the configuration or of {@code aclfile}, whose rules name these commands.
     *
     * @throws IllegalArgumentException with what is wrong with them
     */
    public void open(CommandTable commands) {
        table = commands;
        defaultUser.root().allCommands(true, table.idCount());
        boolean hasFile = !config.text(ConfigTable.ACL_FILE).isEmpty();
        if (hasFile && !config.userLines().isEmpty()) {
            throw new IllegalArgumentException("There are users in the configuration and an aclfile. Declare them in "
                    + "one of the two: with both it would not be clear which ones hold.");
        }
        try {
            if (hasFile) {
                load();
            } else {
                declare(config.userLines());
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("Cannot take the users: " + e.getMessage(), e);
        }
    }

    private void declare(List<List<String>> lines) throws IOException {
        UserRules rules = rules();
        for (List<String> line : lines) {
            String name = line.get(0);
            User user = rules.newUser(name);
            if (UserRules.hasSpaces(name) || byName.containsKey(name) && !User.DEFAULT.equals(name)) {
                throw new IOException("user '" + name + "' is declared twice or has blanks in its name");
            }
            try {
                for (String rule : UserRules.joinSelectors(line.subList(1, line.size()))) {
                    apply(rules, user, rule);
                }
            } catch (IllegalArgumentException e) {
                throw new IOException("user '" + name + "': Unmatched parenthesis in selector definition", e);
            }
            put(user);
        }
    }

    private static void apply(UserRules rules, User user, String rule) throws IOException {
        try {
            rules.apply(user, rule);
        } catch (RuleException e) {
            throw new IOException("user '" + user.name() + "': "
                    + (e.isUnknownCommand() ? "rule '" + rule + "': " : "") + e.getMessage(), e);
        }
    }

    private void put(User user) {
        if (!user.isEnabled()) {
            LOG.info("The user '{}' is disabled: its rules have no 'on'", user.name());
        }
        User known = byName.computeIfAbsent(user.name(), User::new);
        known.become(user);
        followers.forEach(Runnable::run);
    }

    /** Runs whenever a user has changed. */
    public void follow(Runnable listener) {
        followers.add(listener);
        listener.run();
    }

    private UserRules rules() {
        return new UserRules(table, "allchannels".equals(config.text(ConfigTable.ACL_PUBSUB_DEFAULT)));
    }

    public User defaultUser() {
        return defaultUser;
    }

    /** Whether a client that has just connected has to authenticate. */
    public boolean mustAuthenticate() {
        return defaultUser.mustAuthenticate();
    }

    /** The user of this name, or null. */
    public User find(String name) {
        return byName.get(name);
    }

    /** All users by name. */
    public Collection<User> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /** The user whom this password authenticates, or null. Takes the same time for any wrong one. */
    public User authenticate(String name, byte[] password) {
        byte[] hash = Passwords.hash(password);
        User user = byName.get(name);
        return user != null && user.accepts(hash) ? user : null;
    }

    /** The selectors' words joined, as {@code ACL SETUSER} gets them; see {@link UserRules#joinSelectors}. */
    public static List<String> joinSelectors(List<String> words) {
        return UserRules.joinSelectors(words);
    }

    /** Whether no user can have this name. */
    public static boolean isBadName(String name) {
        return UserRules.hasSpaces(name);
    }

    /** A rule that cannot be applied. */
    public static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;
        private final String rule;

        Refusal(String rule, RuleException reason) {
            super(reason.getMessage(), reason, false, false);
            this.rule = rule;
        }

        /** The rule. */
        public String rule() {
            return rule;
        }
    }

    /**
     * Makes or changes a user.
     *
     * @throws Refusal if a rule cannot be applied; then nothing has changed
     */
    public void set(String name, List<String> rules) throws Refusal {
        UserRules language = rules();
        User known = byName.get(name);
        User changed = known == null ? language.newUser(name) : known.copy();
        for (String rule : rules) {
            try {
                language.apply(changed, rule);
            } catch (RuleException e) {
                throw new Refusal(rule, e);
            }
        }
        byName.computeIfAbsent(name, User::new).become(changed);
        followers.forEach(Runnable::run);
    }

    /** Removes a user other than the default one; null if there is none of this name. */
    public User remove(String name) {
        return byName.remove(name);
    }

    /** What must be in the configuration file: nothing of a default user that {@code requirepass} says all about. */
    private List<String> configLines() {
        if (hasFile()) {
            return List.of();
        }
        User plain = undeclaredDefault();
        return byName.values().stream().filter(user -> user != defaultUser || !user.text().equals(plain.text()))
                .map(Users::line).toList();
    }

    private static String line(User user) {
        return "user " + user.name() + " " + user.text();
    }

    /** The users as lines of an ACL file. */
    public List<String> lines() {
        return byName.values().stream().map(Users::line).toList();
    }

    /**
     * Replaces all users by those of {@code aclfile}, or none.
     *
     * @return the users of before that are gone or have changed
     * @throws IOException with all that is wrong with the file
     */
    public List<User> load() throws IOException {
        Map<String, User> loaded = AclFile.read(Path.of(config.text(ConfigTable.ACL_FILE)), rules());
        User newDefault = loaded.computeIfAbsent(User.DEFAULT, name -> undeclaredDefault());
        List<User> affected = new ArrayList<>();
        byName.values().removeIf(user -> {
            User after = loaded.get(user.name());
            if (user != defaultUser && (after == null || !after.text().equals(user.text()))) {
                affected.add(user);
            }
            return after == null;
        });
        defaultUser.become(newDefault);
        loaded.remove(User.DEFAULT);
        loaded.values().forEach(this::put);
        followers.forEach(Runnable::run);
        return affected;
    }

    /** Who may do everything with the password of {@code requirepass}. */
    private User undeclaredDefault() {
        User user = User.UNRESTRICTED.copy();
        user.root().allCommands(true, table.idCount());
        usePassword(user);
        return user;
    }

    /** Whether there is an {@code aclfile}. */
    public boolean hasFile() {
        return !config.text(ConfigTable.ACL_FILE).isEmpty();
    }

    /** Writes all users to {@code aclfile}, which is replaced as a whole. */
    public void save() throws IOException {
        FileReplacement.writeLines(Path.of(config.text(ConfigTable.ACL_FILE)), lines());
    }
}
