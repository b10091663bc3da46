package io.sluice.server.command;

import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.KeyObserver;
import io.sluice.server.config.EventClasses;
import io.sluice.server.pubsub.PubSub;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Publishes keyspace events, as {@code notify-keyspace-events} selects them. Costs one comparison an event while none
 * is selected.
 */
final class KeyNotifier implements KeyObserver {
    private final PubSub pubSub;
    private final boolean[] selected = new boolean[KeyEvent.values().length];
    private boolean byKey;
    private boolean byEvent;
    private boolean active;

    KeyNotifier(PubSub pubSub) {
        this.pubSub = pubSub;
    }

    /** Takes the letters of the setting. */
    void select(String letters) {
        byKey = EventClasses.has(letters, EventClasses.BY_KEY);
        byEvent = EventClasses.has(letters, EventClasses.BY_EVENT);
        active = byKey || byEvent;
        for (KeyEvent event : KeyEvent.values()) {
            selected[event.ordinal()] = EventClasses.has(letters, event.classLetter());
        }
    }

    @Override
    public void keyTouched(int db, long keyAddress, int keyLength) {
        // Only what has a name is published.
    }

    @Override
    public void keyEvent(KeyEvent event, int db, long keyAddress, int keyLength) {
        if (active && selected[event.ordinal()] && !pubSub.isIdle()) {
            publish(event, db, keyAddress, keyLength);
        }
    }

    private void publish(KeyEvent event, int db, long keyAddress, int keyLength) {
        byte[] key = new byte[keyLength];
        for (int i = 0; i < keyLength; i++) {
            key[i] = UnsafeApi.getByte(keyAddress + i);
        }
        byte[] name = event.eventName().getBytes(StandardCharsets.US_ASCII);
        if (byKey) {
            pubSub.publish(channel("__keyspace@", db, key), name);
        }
        if (byEvent) {
            pubSub.publish(channel("__keyevent@", db, name), key);
        }
    }

    private static byte[] channel(String prefix, int db, byte[] rest) {
        byte[] head = (prefix + db + "__:").getBytes(StandardCharsets.US_ASCII);
        byte[] channel = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, channel, head.length, rest.length);
        return channel;
    }

    @Override
    public void databaseReplaced(int db) {
        // As in Redis, a flush is no event of its keys.
    }
}
