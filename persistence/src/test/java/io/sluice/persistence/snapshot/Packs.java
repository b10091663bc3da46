package io.sluice.persistence.snapshot;

import java.util.HexFormat;

/** Packs as older and newer releases of Redis write them, from elements that are encoded already, as hexadecimal. */
final class Packs {

    private Packs() {
    }

    static String ziplist(final String... elements) {
        final StringBuilder body = new StringBuilder();
        int previousBytes = 0;
        int lastOffset = 10;
        for (final String element : elements) {
            lastOffset = 10 + body.length() / 2;
            body.append(previousBytes < 254 ? hex(previousBytes, 1) : "fe" + hex(previousBytes, 4)).append(element);
            previousBytes = 10 + body.length() / 2 - lastOffset;
        }
        return hex(11 + body.length() / 2, 4) + hex(lastOffset, 4) + hex(elements.length, 2) + body + "ff";
    }

    static String listpack(final String... elements) {
        final StringBuilder body = new StringBuilder();
        for (final String element : elements) {
            body.append(element).append(backLength(element.length() / 2));
        }
        return hex(7 + body.length() / 2, 4) + hex(elements.length, 2) + body + "ff";
    }

    private static String backLength(final int bytes) {
        return bytes <= 127 ? hex(bytes, 1) : hex(bytes >> 7, 1) + hex(bytes & 127 | 128, 1);
    }

    /** A text of up to 63 characters as an element of either kind of pack. */
    static String element(final boolean listpack, final String text) {
        return hex(text.length() | (listpack ? 0x80 : 0), 1) + textHex(text);
    }

    /** A string of the file: its length and its bytes, which are given as hexadecimal. */
    static String string(final String hex) {
        final int length = hex.length() / 2;
        return (length < 64 ? hex(length, 1) : hex(length >> 8 | 0x40, 1) + hex(length & 0xFF, 1)) + hex;
    }

    static String textHex(final String text) {
        return HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    /** Little-endian. */
    static String hex(final long value, final int bytes) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            text.append(String.format("%02x", value >>> i * Byte.SIZE & 0xFF));
        }
        return text.toString();
    }
}
