package io.sluice.compat;

import java.util.List;

/**
 * What a key of the crash test is for. A key's life is a sequence of commands, each with a state that it leads to:
 * after the n-th command the key holds {@code n % period}, and each period-th command deletes the key. Limits refill
 * so slowly that nothing comes back during a test.
 */
enum LedgerKind {
    COUNTER(1_000, "INCR", "GET"),
    /** A text whose length goes up and down, so that it moves from place to place and from file to file. */
    TEXT(1_000, "SET", "GET"),
    GCRA(1_000, "CL.THROTTLE", "4999", "1", "1000"),
    BUCKET(1_000, "RL.BUCKET", "5000", "1", "1000000"),
    LEAKY(1_000, "RL.LEAKY", "5000", "1", "1000000"),
    FIXED(1_000, "RL.FIXED", "5000", "1000000000"),
    SLIDING(1_000, "RL.SLIDING", "5000", "1000000000"),
    /** Its state grows by an entry with each command. */
    LOG(300, "RL.LOG", "5000", "1000000000"),
    LIST(300, "LRANGE", "0", "-1"),
    SORTED_SET(300, "ZRANGE", "0", "-1"),
    HASH(300, "HGETALL");

    private static final long LIMIT = 5_000;
    private static final int TEXT_MAX = 40_000;

    private final int period;
    private final List<String> words;

    LedgerKind(int period, String... words) {
        this.period = period;
        this.words = List.of(words);
    }

    /** The n-th command of a key, from 1. */
    String command(String key, long n) {
        if (n % period == 0) {
            return RespClient.command("DEL", key);
        }
        return switch (this) {
            case COUNTER -> RespClient.command("INCR", key);
            case TEXT -> RespClient.command("SET", key, text(n));
            case LIST -> LedgerCollection.listCommand(key, n % period);
            case SORTED_SET -> LedgerCollection.sortedSetCommand(key, n % period);
            case HASH -> LedgerCollection.hashCommand(key, n % period);
            default -> limit(key, "1");
        };
    }

    /** The command that shows the state of a key and leaves it alone. */
    String peek(String key) {
        return switch (this) {
            case COUNTER, TEXT -> RespClient.command("GET", key);
            case LIST, SORTED_SET -> RespClient.command(words.get(0), key, words.get(1), words.get(2));
            case HASH -> RespClient.command(words.get(0), key);
            default -> limit(key, "0");
        };
    }

    private String limit(String key, String quantity) {
        StringBuilder line = new StringBuilder(words.get(0)).append(' ').append(key);
        words.subList(1, words.size()).forEach(word -> line.append(' ').append(word));
        return RespClient.command(line.append(' ').append(quantity).toString().split(" "));
    }

    /** Tells whether a reply to {@link #peek} is that of a key after n commands. */
    boolean isStateAfter(long n, Object reply) {
        long held = n % period;
        return switch (this) {
            case COUNTER -> held == 0 ? reply == null : Long.toString(held).equals(reply);
            case TEXT -> held == 0 ? reply == null : text(n).equals(reply);
            case LIST -> LedgerCollection.list(held).equals(reply);
            case SORTED_SET -> LedgerCollection.sortedSet(held).equals(reply);
            case HASH -> reply instanceof List<?> flat
                && LedgerCollection.hash(held).equals(LedgerCollection.pairs(flat));
            default -> reply instanceof List<?> numbers && numbers.get(2).equals(LIMIT - held);
        };
    }

    private static String text(long n) {
        String head = n + ":";
        return head + "x".repeat((int) (n * 2_654_435_761L % TEXT_MAX >>> (n & 7)));
    }
}
