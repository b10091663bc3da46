package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;

/** What every command that changes an expiry does. */
final class Expiries {
    private Expiries() {
    }

    /** Sets the expiry of a key that is there; one that is over already removes the key. */
    static void set(CommandContext ctx, Entry entry, long expireAtMs) {
        Keyspace keyspace = ctx.keyspace();
        if (expireAtMs <= ctx.nowMs()) {
            keyspace.remove(entry);
            keyspace.event(KeyEvent.DEL, entry);
        } else {
            keyspace.expireAt(entry, expireAtMs);
            keyspace.event(KeyEvent.EXPIRE, entry);
        }
    }

    /** Takes the expiry of a key away. Returns whether there was one. */
    static boolean persist(Keyspace keyspace, Entry entry) {
        boolean persisted = keyspace.persist(entry);
        if (persisted) {
            keyspace.event(KeyEvent.PERSIST, entry);
        }
        return persisted;
    }

    /** {@link ExpiryOption}, or a word in its place, for a command's documentation. */
    static Arg option(String otherWord) {
        return Arg.oneOf("expiration", Arg.integer("seconds").token("EX"), Arg.integer("milliseconds").token("PX"),
            Arg.unixTime("unix-time-seconds").token("EXAT"), Arg.unixTime("unix-time-milliseconds").token("PXAT"),
            Arg.word(otherWord)).optional();
    }
}
