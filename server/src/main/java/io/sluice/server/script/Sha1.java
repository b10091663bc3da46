package io.sluice.server.script;

import io.sluice.resp.Request;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-1, by which scripts are named. Not thread-safe. */
final class Sha1 {
    /** Characters of its text form. */
    static final int TEXT_LENGTH = 40;

    private static final HexFormat HEX = HexFormat.of();

    private final MessageDigest digest = digest();

    /** Of these bytes, as text. */
    String of(byte[] bytes) {
        return HEX.formatHex(digest.digest(bytes));
    }

    /** Of an argument of a command, into {@code key}. */
    void of(Request request, int arg, Key key) {
        digest.update(request.buffer().nioBuffer(request.argOffset(arg), request.argLength(arg)));
        key.set(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A digest as a key of a map; the one that is used for looking up changes. */
    static final class Key {
        private long first;
        private long second;
        private int third;

        private void set(byte[] bytes) {
            first = word(bytes, 0);
            second = word(bytes, Long.BYTES);
            third = (int) (word(bytes, bytes.length - Long.BYTES));
        }

        private static long word(byte[] bytes, int offset) {
            long word = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                word = word << Byte.SIZE | bytes[offset + i] & 0xff;
            }
            return word;
        }

        /** Takes the 40 digits, in any case, of an argument; false if it is something else. */
        boolean parse(Request request, int arg) {
            if (request.argLength(arg) != TEXT_LENGTH) {
                return false;
            }
            first = 0;
            second = 0;
            third = 0;
            int bad = 0;
            for (int i = 0; i < TEXT_LENGTH; i++) {
                int digit = Character.digit(request.argByte(arg, i), 16);
                bad |= digit;
                if (i < 16) {
                    first = first << 4 | digit;
                } else if (i < 32) {
                    second = second << 4 | digit;
                } else {
                    third = third << 4 | digit;
                }
            }
            return bad >= 0;
        }

        Key copy() {
            Key copy = new Key();
            copy.first = first;
            copy.second = second;
            copy.third = third;
            return copy;
        }

        @Override
        public int hashCode() {
            return (int) first;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.first == first && key.second == second && key.third == third;
        }

        @Override
        public String toString() {
            return HEX.toHexDigits(first) + HEX.toHexDigits(second) + HEX.toHexDigits(third);
        }
    }
}
