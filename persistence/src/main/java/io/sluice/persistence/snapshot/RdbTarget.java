package io.sluice.persistence.snapshot;

import java.io.IOException;

/** What the content of an RDB file goes to. Addresses are native and valid during the call only. */
interface RdbTarget {

    /** Longest value that is wanted. */
    int valueBytesMax();

    void aux(String name, String value) throws IOException;

    /** The database of all keys that follow. */
    void database(long db) throws IOException;

    void string(long keyAddress, int keyLength, long address, int length, long expireAtMs) throws IOException;

    void own(
        int type, boolean words, long keyAddress, int keyLength, long address, int length, long expireAtMs)
        throws IOException;

    /** Where the elements of the next collection go. */
    ElementSink elements();

    /** The collection whose elements were shown last, complete. */
    void collection(long keyAddress, int keyLength, long expireAtMs) throws IOException;

    /** Longest library of functions that is wanted next. */
    int functionBytesMax();

    /** The source of a library of functions. */
    void function(byte[] source);

    /** A value that cannot be held was passed over. */
    void skipped(String what);

    /** The value of this key cannot be held and was passed over. */
    void skipped(String what, long keyAddress, int keyLength);
}
