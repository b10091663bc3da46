package io.sluice.persistence;

/** What a value is: the first byte of every entry. The codes are stored in files and never change their meaning. */
public final class ValueType {

    /** Bytes or an integer. */
    public static final int STRING = 0;
    /** One arrival time, of the {@code GCRA} command. */
    public static final int GCRA = 1;
    /** Token bucket. */
    public static final int BUCKET = 2;
    /** Leaky bucket as a meter. */
    public static final int LEAKY = 3;
    /** Fixed window counter. */
    public static final int FIXED = 4;
    /** Sliding window counter. */
    public static final int SLIDING = 5;
    /** Sliding window log. */
    public static final int LOG = 6;
    /** Elements in an order. */
    public static final int LIST = 7;
    /** Different members. */
    public static final int SET = 8;
    /** Different members by score. */
    public static final int ZSET = 9;
    /** Fields with values. */
    public static final int HASH = 10;
    /** Number of codes. */
    public static final int COUNT = 11;

    private static final String[] NAMES = {
        "string", "gcra", "bucket", "leaky", "fixed", "sliding", "log", "list", "set", "zset", "hash"};

    private ValueType() {
    }

    /** Whether Redis has no such type. */
    public static boolean isOwn(final int type) {
        return type >= GCRA && type <= LOG;
    }

    /** The name that {@code TYPE} answers. */
    public static String nameOf(final int type) {
        return NAMES[type];
    }
}
