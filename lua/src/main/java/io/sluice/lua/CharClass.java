package io.sluice.lua;

/** C's {@code <ctype.h>} in the C locale, on bytes. */
final class CharClass {

    private CharClass() {
    }

    static boolean isSpace(int c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLower(int c) {
        return c >= 'a' && c <= 'z';
    }

    static boolean isUpper(int c) {
        return c >= 'A' && c <= 'Z';
    }

    static boolean isAlpha(int c) {
        return isLower(c) || isUpper(c);
    }

    static boolean isAlnum(int c) {
        return isAlpha(c) || isDigit(c);
    }

    static boolean isControl(int c) {
        return c >= 0 && c < ' ' || c == 127;
    }

    static boolean isPunctuation(int c) {
        return c > ' ' && c < 127 && !isAlnum(c);
    }

    static boolean isHexDigit(int c) {
        return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }
}
