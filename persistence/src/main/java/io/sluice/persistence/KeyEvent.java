package io.sluice.persistence;

/** Keyspace events, with the class letter by which {@code notify-keyspace-events} selects them. */
public enum KeyEvent {
    SET('$', "set"),
    APPEND('$', "append"),
    SETRANGE('$', "setrange"),
    INCRBY('$', "incrby"),
    INCRBYFLOAT('$', "incrbyfloat"),
    DEL('g', "del"),
    EXPIRE('g', "expire"),
    PERSIST('g', "persist"),
    RENAME_FROM('g', "rename_from"),
    RENAME_TO('g', "rename_to"),
    MOVE_FROM('g', "move_from"),
    MOVE_TO('g', "move_to"),
    COPY_TO('g', "copy_to"),
    RESTORE('g', "restore"),
    EXPIRED('x', "expired"),
    EVICTED('e', "evicted"),
    NEW('n', "new"),
    GCRA('r', "gcra"),
    /** A limiter with a type of its own took units. */
    RATELIMIT('r', "ratelimit");

    private final char classLetter;
    private final String eventName;

    KeyEvent(final char classLetter, final String eventName) {
        this.classLetter = classLetter;
        this.eventName = eventName;
    }

    /** Class, one letter. */
    public char classLetter() {
        return classLetter;
    }

    /** Name as published. */
    public String eventName() {
        return eventName;
    }
}
