package io.sluice.limiter;

/**
 * What is stored of one key, loaded into a reusable object: whether the key exists, and its words.
 *
 * <p>The meaning of the words is the algorithm's. All algorithms share one rule that makes a process killed in the
 * middle of a store harmless: <b>words are written in index order</b>, and after any prefix of the writes the key
 * admits at most what it would have admitted without the unfinished request.
 */
public final class LimiterState {
    /** The most words any algorithm needs. */
    public static final int WORDS_MAX = 4;

    private final long[] words = new long[WORDS_MAX];
    private boolean exists;

    /** @return true if the key exists; otherwise the words mean nothing. */
    public boolean exists() {
        return exists;
    }

    /**
     * Says whether the key exists; to be called before each decision.
     *
     * @param keyExists true after the words have been loaded.
     * @return this.
     */
    public LimiterState exists(final boolean keyExists) {
        exists = keyExists;
        return this;
    }

    /** @return word {@code index}. */
    public long word(final int index) {
        return words[index];
    }

    /** Sets word {@code index}. */
    public void word(final int index, final long value) {
        words[index] = value;
    }

    /** @return the words themselves, for bulk loading and storing. */
    public long[] words() {
        return words;
    }
}
