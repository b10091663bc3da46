package io.sluice.persistence;

/** Keyspace events, with the class letter by which {@code notify-keyspace-events} selects them. */
public enum KeyEvent {
    SET('$', "set"),
    APPEND('$', "append"),
    SETRANGE('$', "setrange"),
    SETBIT('$', "setbit"),
    INCRBY('$', "incrby"),
    INCRBYFLOAT('$', "incrbyfloat"),
    LPUSH('l', "lpush"),
    RPUSH('l', "rpush"),
    LPOP('l', "lpop"),
    RPOP('l', "rpop"),
    LSET('l', "lset"),
    LREM('l', "lrem"),
    LTRIM('l', "ltrim"),
    LINSERT('l', "linsert"),
    SORTSTORE('l', "sortstore"),
    SADD('s', "sadd"),
    SREM('s', "srem"),
    SPOP('s', "spop"),
    SINTERSTORE('s', "sinterstore"),
    SUNIONSTORE('s', "sunionstore"),
    SDIFFSTORE('s', "sdiffstore"),
    HSET('h', "hset"),
    HDEL('h', "hdel"),
    HINCRBY('h', "hincrby"),
    HINCRBYFLOAT('h', "hincrbyfloat"),
    ZADD('z', "zadd"),
    ZINCR('z', "zincr"),
    ZREM('z', "zrem"),
    ZREMRANGEBYSCORE('z', "zremrangebyscore"),
    ZREMRANGEBYRANK('z', "zremrangebyrank"),
    ZREMRANGEBYLEX('z', "zremrangebylex"),
    ZPOPMIN('z', "zpopmin"),
    ZPOPMAX('z', "zpopmax"),
    ZRANGESTORE('z', "zrangestore"),
    ZUNIONSTORE('z', "zunionstore"),
    ZINTERSTORE('z', "zinterstore"),
    ZDIFFSTORE('z', "zdiffstore"),
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
