package io.sluice.server.acl;

/**
 * Why a request is refused, in the order in which one reason outweighs another when several selectors refuse, which is
 * Redis's.
 */
public enum Denial {
    COMMAND("command"),
    KEY("key"),
    AUTH("auth"),
    CHANNEL("channel");

    private final String text;

    Denial(String text) {
        this.text = text;
    }

    /** The reason as {@code ACL LOG} shows it. */
    public String text() {
        return text;
    }
}
