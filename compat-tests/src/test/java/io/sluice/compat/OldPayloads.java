package io.sluice.compat;

import java.util.List;

/** Collections as releases of Redis before 7.0 wrote them, in one piece of memory. Characters stand for bytes. */
final class OldPayloads {
    static final int LIST_ZIPLIST = 10;
    static final int SET_INTSET = 11;
    static final int ZSET_ZIPLIST = 12;
    static final int HASH_ZIPLIST = 13;
    static final int LIST_QUICKLIST = 14;
    static final int HASH_ZIPMAP = 9;
    private static final long POLYNOMIAL_REFLECTED = Long.reverse(0xad93d23594c935a9L);

    private OldPayloads() {
    }

    /** A ziplist of texts of up to 63 characters. */
    static String ziplist(List<String> elements) {
        StringBuilder body = new StringBuilder();
        int previous = 0;
        int last = 10;
        for (String element : elements) {
            last = 10 + body.length();
            body.append((char) previous).append((char) element.length()).append(element);
            previous = 2 + element.length();
        }
        return little(11 + body.length(), 4) + little(last, 4) + little(elements.size(), 2) + body + '\u00ff';
    }

    /** An intset of numbers of 16 bits, in ascending order. */
    static String intset(int... numbers) {
        StringBuilder body = new StringBuilder(little(2, 4) + little(numbers.length, 4));
        for (int number : numbers) {
            body.append(little(number, 2));
        }
        return body.toString();
    }

    /** A zipmap of one field. */
    static String zipmap(String field, String value) {
        return "\1" + (char) field.length() + field + (char) value.length() + "\0" + value + '\u00ff';
    }

    /** As the value of a key in a file: a string of up to 16,383 characters. */
    static String string(String content) {
        int length = content.length();
        return (length < 64 ? "" + (char) length : "" + (char) (length >> 8 | 0x40) + (char) (length & 0xff)) + content;
    }

    /** As {@code RESTORE} takes it: of the format's version 9. */
    static String payload(int type, String value) {
        StringBuilder payload = new StringBuilder("" + (char) type + value + "\t\0");
        long crc = 0;
        for (int i = 0; i < payload.length(); i++) {
            crc ^= payload.charAt(i);
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : POLYNOMIAL_REFLECTED);
            }
        }
        return payload + little(crc, Long.BYTES);
    }

    private static String little(long value, int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            text.append((char) (value >>> i * Byte.SIZE & 0xff));
        }
        return text.toString();
    }
}
