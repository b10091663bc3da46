package io.sluice.resp;

import java.util.Arrays;

/**
 * A pattern as {@code KEYS}, {@code SCAN MATCH} and {@code PSUBSCRIBE} take it: {@code *}, {@code ?}, {@code [a-z]},
 * {@code [^a]} and {@code \x}. Accepts exactly what Redis's {@code stringmatchlen} accepts, its corners included: bytes
 * are signed in ranges, a class may lack its end, and an empty text is matched by the empty pattern only (whence
 * {@link #matchesAll()}).
 *
 * <p>Takes at most (text length + 1) x (pattern length + 1) steps: every element but {@code *} consumes one byte, so
 * going back to the latest {@code *} is enough (cf. CVE-2022-36021, where the matcher tried every one).
 */
public final class Glob {
    private static final int ANY = -1;
    private static final int STAR = -2;
    /** Class {@code i} is the element {@code CLASS_FIRST - i}. */
    private static final int CLASS_FIRST = -3;
    private static final int CLASS_WORDS = 256 / Long.SIZE;

    private final byte[] pattern;
    private final boolean anyCase;
    /** One element per byte of text to match: a byte's value, {@link #ANY}, {@link #STAR}, or a class. */
    private final int[] elements;
    private int elementCount;
    /** A bit per byte value and class. */
    private long[] classBits = new long[0];
    private int classCount;

    private Glob(byte[] pattern, boolean anyCase) {
        this.pattern = pattern.clone();
        this.anyCase = anyCase;
        this.elements = new int[pattern.length];
        compile();
    }

    /** Prepares a pattern. */
    public static Glob of(byte[] pattern) {
        return new Glob(pattern, false);
    }

    /** Prepares a pattern that ignores the case of ASCII letters, as {@code CONFIG GET} does. */
    public static Glob ofAnyCase(byte[] pattern) {
        return new Glob(pattern, true);
    }

    /** Whether this is {@code *}, which {@code KEYS} and {@code SCAN} take for everything, the empty key included. */
    public boolean matchesAll() {
        return pattern.length == 1 && pattern[0] == '*';
    }

    /** Whether the pattern matches the whole of the text. */
    public boolean matches(byte[] text) {
        return matches(text, 0, text.length);
    }

    /** Whether the pattern matches the whole of the text. */
    public boolean matches(byte[] text, int offset, int length) {
        return match(text, offset, length) >= 0;
    }

    /** The steps that a match took, or their complement for a mismatch. */
    int match(byte[] text, int offset, int length) {
        if (length == 0) {
            return pattern.length == 0 ? 0 : ~0;
        }
        int steps = 0;
        int element = 0;
        int at = offset;
        int end = offset + length;
        int afterStar = -1;
        int starAt = 0;
        while (at < end) {
            steps++;
            if (element < elementCount && elements[element] == STAR) {
                afterStar = ++element;
                starAt = at;
            } else if (element < elementCount && accepts(elements[element], text[at])) {
                element++;
                at++;
            } else if (afterStar >= 0) {
                element = afterStar;
                at = ++starAt;
            } else {
                return ~steps;
            }
        }
        if (element < elementCount && elements[element] == STAR) {
            element++;
        }
        return element == elementCount ? steps : ~steps;
    }

    private boolean accepts(int element, byte b) {
        if (element >= 0) {
            return element == fold(b);
        }
        if (element == ANY) {
            return true;
        }
        int bit = b & 0xFF;
        return (classBits[(CLASS_FIRST - element) * CLASS_WORDS + bit / Long.SIZE] >>> bit & 1) != 0;
    }

    private void compile() {
        int at = 0;
        while (at < pattern.length) {
            byte b = pattern[at++];
            if (b == '*') {
                if (elementCount == 0 || elements[elementCount - 1] != STAR) {
                    elements[elementCount++] = STAR;
                }
            } else if (b == '?') {
                elements[elementCount++] = ANY;
            } else if (b == '[') {
                at = compileClass(at);
            } else {
                if (b == '\\' && at < pattern.length) {
                    b = pattern[at++];
                }
                elements[elementCount++] = fold(b);
            }
        }
    }

    /** Reads a class from behind its bracket; returns the index behind its end. */
    private int compileClass(int start) {
        int at = start;
        boolean negated = at < pattern.length && pattern[at] == '^';
        if (negated) {
            at++;
        }
        addClass();
        while (at < pattern.length && pattern[at] != ']') {
            if (pattern[at] == '\\' && at + 1 < pattern.length) {
                addByte(pattern[at + 1], false);
                at += 2;
            } else if (at + 2 < pattern.length && pattern[at + 1] == '-') {
                addRange(pattern[at], pattern[at + 2]);
                at += 3;
            } else {
                addByte(pattern[at], anyCase);
                at++;
            }
        }
        if (negated) {
            for (int i = 1; i <= CLASS_WORDS; i++) {
                classBits[classCount * CLASS_WORDS - i] ^= -1;
            }
        }
        return Math.min(at + 1, pattern.length);
    }

    private void addClass() {
        elements[elementCount++] = CLASS_FIRST - classCount++;
        if (classBits.length < classCount * CLASS_WORDS) {
            classBits = Arrays.copyOf(classBits, classCount * 2 * CLASS_WORDS);
        }
    }

    private void addRange(byte first, byte last) {
        int low = fold((byte) Math.min(first, last));
        int high = fold((byte) Math.max(first, last));
        for (int b = Byte.MIN_VALUE; b <= Byte.MAX_VALUE; b++) {
            int folded = (byte) fold((byte) b);
            if (folded >= (byte) low && folded <= (byte) high) {
                addBit(b);
            }
        }
    }

    private void addByte(byte wanted, boolean ignoreCase) {
        addBit(wanted);
        int folded = fold(wanted);
        if (ignoreCase && folded >= 'a' && folded <= 'z') {
            addBit(folded);
            addBit(folded - ('a' - 'A'));
        }
    }

    private void addBit(int b) {
        int bit = b & 0xFF;
        classBits[(classCount - 1) * CLASS_WORDS + bit / Long.SIZE] |= 1L << bit;
    }

    /** The byte's value from 0 to 255, in lower case if case is to be ignored. */
    private int fold(byte b) {
        return anyCase && b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b & 0xFF;
    }
}
