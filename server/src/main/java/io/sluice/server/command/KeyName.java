package io.sluice.server.command;

import org.agrona.UnsafeApi;

import java.util.Arrays;

/** A key of a database on the heap. One that is used for finding others may be set anew; one in a map must not. */
final class KeyName {
    private static final int HASH_FACTOR = 31;

    int db;
    byte[] bytes;
    int length;
    private int hash;

    KeyName(int capacity) {
        bytes = new byte[capacity];
    }

    KeyName set(int newDb, long address, int newLength) {
        if (bytes.length < newLength) {
            bytes = new byte[newLength];
        }
        db = newDb;
        length = newLength;
        hash = newDb;
        for (int i = 0; i < newLength; i++) {
            bytes[i] = UnsafeApi.getByte(address + i);
            hash = HASH_FACTOR * hash + bytes[i];
        }
        return this;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyName key && key.db == db
            && Arrays.equals(bytes, 0, length, key.bytes, 0, key.length);
    }
}
