package io.sluice.resp;

/**
 * A pattern as {@code KEYS}, {@code SCAN MATCH} and {@code PSUBSCRIBE} take it: {@code *}, {@code ?}, {@code [a-z]},
 * {@code [^a]} and {@code \x}. Accepts exactly what Redis's matcher accepts, in time that never grows beyond the
 * product of the two lengths.
 */
public final class Glob {
    private Glob() {
    }

    /** Prepares a pattern. */
    public static Glob of(byte[] pattern) {
        throw new UnsupportedOperationException();
    }

    /** Prepares a pattern that ignores the case of ASCII letters, as {@code CONFIG GET} does. */
    public static Glob ofAnyCase(byte[] pattern) {
        throw new UnsupportedOperationException();
    }

    /** Whether the pattern matches the whole of the text. */
    public boolean matches(byte[] text, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Whether the pattern matches the whole of the text. */
    public boolean matches(byte[] text) {
        return matches(text, 0, text.length);
    }
}
