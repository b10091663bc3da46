package io.sluice.lua;

import java.util.Arrays;

/** A growing byte buffer. */
final class ByteBuilder {

    private byte[] bytes;
    private int length;

    ByteBuilder(int capacity) {
        bytes = new byte[capacity];
    }

    int length() {
        return length;
    }

    void add(int b) {
        if (length == bytes.length) {
            grow(1);
        }
        bytes[length++] = (byte) b;
    }

    void add(byte[] source) {
        add(source, 0, source.length);
    }

    void add(byte[] source, int from, int to) {
        int count = to - from;
        if (count > bytes.length - length) {
            grow(count);
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    void addAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
    }

    void fill(int b, int count) {
        for (int i = 0; i < count; i++) {
            add(b);
        }
    }

    private void grow(int more) {
        bytes = Arrays.copyOf(bytes, Math.max(length + more, length + (length >> 1) + 16));
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    LuaString toLuaString() {
        return LuaString.copyOf(bytes, 0, length);
    }
}
