package io.sluice.server.acl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A user: whether and with which passwords clients may be it, and the selectors, one of which has to allow a request as
 * a whole. Connections hold on to it, so that a change acts on their next command.
 */
public final class User {
    /** The name of the user that clients are before they authenticate. */
    public static final String DEFAULT = "default";

    /** Who may do everything; for connections that no rules apply to. */
    public static final User UNRESTRICTED = unrestricted(DEFAULT);

    private final String name;
    private boolean enabled;
    private boolean passwordless;
    private boolean payloadsTrusted;
    private final List<byte[]> passwords = new ArrayList<>();
    private Selector[] selectors = {new Selector()};
    private boolean unrestricted;

    User(String name) {
        this.name = name;
    }

    private static User unrestricted(String name) {
        User user = new User(name);
        user.enabled = true;
        user.passwordless = true;
        user.root().allKeys(true);
        user.root().allChannels(true);
        user.root().allCommands(true, 0);
        user.changed();
        return user;
    }

    User copy() {
        User copy = new User(name);
        copy.become(this);
        return copy;
    }

    /** Takes over everything but the name. */
    void become(User other) {
        enabled = other.enabled;
        passwordless = other.passwordless;
        payloadsTrusted = other.payloadsTrusted;
        List<byte[]> taken = List.copyOf(other.passwords);
        passwords.clear();
        passwords.addAll(taken);
        selectors = Arrays.stream(other.selectors).map(Selector::copy).toArray(Selector[]::new);
        changed();
    }

    private void changed() {
        unrestricted = selectors[0].allowsEverything();
    }

    public String name() {
        return name;
    }

    /** Whether this user may do everything, so that nothing need be checked. */
    public boolean isUnrestricted() {
        return unrestricted;
    }

    public boolean isEnabled() {
        return enabled;
    }

    /** Whether any password will do. */
    public boolean isPasswordless() {
        return passwordless;
    }

    /** Whether a client that is this user by default has to authenticate first. */
    boolean mustAuthenticate() {
        return !passwordless || !enabled;
    }

    /** Takes the same time for any wrong password. */
    boolean accepts(byte[] hash) {
        boolean found = false;
        for (byte[] password : passwords) {
            found |= MessageDigest.isEqual(password, hash);
        }
        return enabled && (passwordless || found);
    }

    void enabled(boolean value) {
        enabled = value;
    }

    void passwordless(boolean value) {
        passwordless = value;
        passwords.clear();
    }

    void payloadsTrusted(boolean value) {
        payloadsTrusted = value;
    }

    void addPassword(byte[] hash) {
        if (passwords.stream().noneMatch(each -> Arrays.equals(each, hash))) {
            passwords.add(hash);
        }
        passwordless = false;
    }

    boolean removePassword(byte[] hash) {
        return passwords.removeIf(each -> Arrays.equals(each, hash));
    }

    /** The selector that rules outside of parentheses change. */
    public Selector root() {
        return selectors[0];
    }

    /** All selectors, the root first. Not to be changed. */
    Selector[] selectors() {
        return selectors;
    }

    /** The selectors besides the root. */
    public List<Selector> furtherSelectors() {
        return List.of(selectors).subList(1, selectors.length);
    }

    void addSelector(Selector selector) {
        selectors = Arrays.copyOf(selectors, selectors.length + 1);
        selectors[selectors.length - 1] = selector;
    }

    void clearSelectors() {
        selectors = new Selector[] {selectors[0]};
    }

    /** The words that {@code ACL GETUSER} shows as flags. */
    public List<String> flags() {
        List<String> flags = new ArrayList<>();
        flags.add(enabled ? "on" : "off");
        if (passwordless) {
            flags.add("nopass");
        }
        flags.add(payloadsTrusted ? "skip-sanitize-payload" : "sanitize-payload");
        return flags;
    }

    /** The hashes of the passwords. */
    public List<String> passwordHashes() {
        return passwords.stream().map(hash -> new String(hash, StandardCharsets.US_ASCII)).toList();
    }

    /** The rules that make this user from a new one. */
    public String text() {
        StringBuilder text = new StringBuilder(String.join(" ", flags()));
        passwordHashes().forEach(hash -> text.append(" #").append(hash));
        text.append(' ').append(root().text());
        furtherSelectors().forEach(selector -> text.append(" (").append(selector.text()).append(')'));
        return text.toString();
    }
}
