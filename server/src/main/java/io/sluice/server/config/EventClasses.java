package io.sluice.server.config;

import java.util.List;

/**
 * The value of {@code notify-keyspace-events}: letters of the events and of the channels that are published on. Shown
 * in Redis's order; {@code A} stands for all classes of events but {@code m} and {@code n}.
 */
public final class EventClasses extends ConfigType {
    /** Publish on the channel of the key. */
    public static final char BY_KEY = 'K';
    /** Publish on the channel of the event. */
    public static final char BY_EVENT = 'E';

    /** The classes that {@code A} stands for; {@code r} is that of limiters. */
    private static final String ALL = "g$lshzxetdr";
    private static final String KNOWN = ALL + "KEmn";

    EventClasses() {
        super("letters of K, E, A, " + ALL + ", m, n");
    }

    @Override
    String canonical(List<String> words) throws ConfigException {
        String given = only(words);
        for (char letter : given.toCharArray()) {
            if (letter != 'A' && KNOWN.indexOf(letter) < 0) {
                throw new ConfigException("Invalid event class character. Use 'A" + KNOWN + "'.");
            }
        }
        StringBuilder text = new StringBuilder();
        boolean all = given.indexOf('A') >= 0 || ALL.chars().allMatch(letter -> given.indexOf(letter) >= 0);
        if (all) {
            text.append('A');
        }
        for (char letter : KNOWN.toCharArray()) {
            if (given.indexOf(letter) >= 0 && !(all && ALL.indexOf(letter) >= 0)) {
                text.append(letter);
            }
        }
        return text.toString();
    }

    /** Whether a canonical value has a class of events, or a kind of channel. */
    public static boolean has(String canonical, char letter) {
        return canonical.indexOf(letter) >= 0 || canonical.indexOf('A') >= 0 && ALL.indexOf(letter) >= 0;
    }
}
