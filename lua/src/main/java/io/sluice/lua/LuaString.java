package io.sluice.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A Lua string: immutable bytes, no encoding. Its hash and the number it spells are computed once, on first use.
 *
 * <p>The array given to {@link #of(byte[])} and the one handed out by {@link #bytes()} are not copied; nobody may write
 * to them.
 */
public final class LuaString implements Comparable<LuaString> {

    /** Heap a string takes beside its bytes: two object headers and the fields. */
    static final int OVERHEAD_BYTES = 64;

    static final LuaString EMPTY = new LuaString(new byte[0]);

    /**
     * Names that Java code gives to globals, library functions and fields: one object each, so that they meet by
     * ==.
     */
    private static final ConcurrentHashMap<String, LuaString> NAMES = new ConcurrentHashMap<>();

    /** Differs from run to run, so that nobody can prepare keys that collide. Iteration order does not depend on it. */
    private static final int HASH_MULTIPLIER = (int) System.nanoTime() * 2 + 0x01000193;

    private static final int NUMBER_YES = 1;
    private static final int NUMBER_NO = 2;
    private static final int NUMBER_MASK = 3;

    /** Largest mark. */
    static final int MARK_MAX = (1 << 29) - 1;

    private static final LuaString[] SINGLE_BYTES = new LuaString[256];

    static {
        for (int i = 0; i < 256; i++) {
            SINGLE_BYTES[i] = new LuaString(new byte[] {(byte) i});
        }
    }

    final byte[] bytes;
    private int hash;
    /** The low two bits say what is known of {@link #number}, the rest is the mark of the last memory measurement. */
    private int state;
    private double number;

    private LuaString(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A string over these bytes, which the caller gives away.
     *
     * @param bytes the content; not copied
     * @return the string
     */
    public static LuaString of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new LuaString(bytes);
    }

    /**
     * A string of the Latin-1 bytes of a text, one byte a character.
     *
     * @param text the content
     * @return the string
     */
    public static LuaString of(String text) {
        return of(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * The one string object for a name known to Java code (a global, a field); never call it with data.
     *
     * @param name the name, Latin-1
     * @return the same object for the same name, always
     */
    public static LuaString name(String name) {
        return NAMES.computeIfAbsent(name, LuaString::of);
    }

    /** The shared object if this content is a {@link #name(String)} somebody uses, else null. */
    static LuaString knownName(String name) {
        return NAMES.get(name);
    }

    static LuaString copyOf(byte[] source, int from, int to) {
        int length = to - from;
        if (length <= 1) {
            return length <= 0 ? EMPTY : SINGLE_BYTES[source[from] & 0xff];
        }
        return new LuaString(Arrays.copyOfRange(source, from, to));
    }

    /**
     * The content.
     *
     * @return the bytes themselves; do not write to them
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * The number of bytes.
     *
     * @return the length
     */
    public int length() {
        return bytes.length;
    }

    /** Whether Lua's rules read a number from it ({@code " 0x10 "} yes, {@code ""} no). */
    boolean isNumber() {
        if ((state & NUMBER_MASK) == 0) {
            parseNumber();
        }
        return (state & NUMBER_MASK) == NUMBER_YES;
    }

    /** The number it spells; only after {@link #isNumber()} said yes. */
    double number() {
        return number;
    }

    private void parseNumber() {
        double value = NumberParser.parse(bytes);
        number = value;
        state |= NumberParser.isFailure(value) ? NUMBER_NO : NUMBER_YES;
    }

    /** Sets the mark; false if it was set already. */
    boolean mark(int epoch) {
        if (state >>> 2 == epoch) {
            return false;
        }
        state = epoch << 2 | state & NUMBER_MASK;
        return true;
    }

    boolean contentEquals(LuaString other) {
        return this == other || hashCode() == other.hashCode() && Arrays.equals(bytes, other.bytes);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = computeHash();
            hash = h;
        }
        return h;
    }

    private int computeHash() {
        int h = bytes.length;
        for (byte b : bytes) {
            h = (h ^ b & 0xff) * HASH_MULTIPLIER;
        }
        h ^= h >>> 15;
        return h == 0 ? 1 : h;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LuaString s && contentEquals(s);
    }

    /** Order of the unsigned bytes, as C's {@code strcoll} has it in the C locale. */
    @Override
    public int compareTo(LuaString other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    /** The content as Latin-1 text: for messages and tests. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
