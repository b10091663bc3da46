package io.sluice.resp;

/**
 * What a command handler answers with. One call writes one RESP value; {@link #array}, {@link #map}, {@link #set} and
 * {@link #push} open an aggregate whose elements are the calls that follow.
 *
 * <p>Types that RESP2 lacks take the form Redis gives them there. Texts are taken as one byte per character
 * (ISO 8859-1), so that bytes echoed from a request come back as they came, except in {@link #bulkText}.
 */
public interface Reply {

    /** The RESP version in use: 2 or 3. */
    int protocol();

    /** {@code +OK}. */
    void ok();

    /** {@code +PONG}. */
    void pong();

    /** A simple string. */
    void simple(String ascii);

    /**
     * An error.
     *
     * @param text all that follows the {@code -}, code first ({@code ERR syntax error}); goes through
     *             {@link ErrorText}, so that it stays one line
     */
    void error(String text);

    /** An integer. */
    void integer(long value);

    /** A bulk string. */
    void bulk(byte[] bytes);

    /** A bulk string of {@code length} bytes at a native address. */
    void bulk(long address, int length);

    /** An integer printed as a bulk string, as {@code GET} shows an integer value. */
    void bulkOfLong(long value);

    /** A bulk string of text, encoded in UTF-8; allocates, for cold paths. */
    void bulkText(String text);

    /** No value: {@code $-1} in RESP2. */
    void nullValue();

    /** No array: {@code *-1} in RESP2. */
    void nullArray();

    /** An array of the next {@code n} values. */
    void array(int n);

    /** A map of the next {@code pairs} pairs of values; a flat array in RESP2. */
    void map(int pairs);

    /** A set of the next {@code n} values; an array in RESP2. */
    void set(int n);

    /** A push message of the next {@code n} values; an array in RESP2. */
    void push(int n);

    /** A floating point number in the shortest form that reads back the same; a bulk string in RESP2. */
    void doubleValue(double value);

    /** A number already in decimal text, typed as a double; a bulk string in RESP2. */
    void doubleText(String decimal);

    /** True or false; {@code :1} or {@code :0} in RESP2. */
    void bool(boolean value);

    /**
     * Text that says how it is to be shown; a bulk string in RESP2.
     *
     * @param format three characters: {@code txt} or {@code mkd}
     * @param bytes  the text
     */
    void verbatim(String format, byte[] bytes);

    /** An integer of any size in decimal digits; a bulk string in RESP2. */
    void bigNumber(String digits);
}
