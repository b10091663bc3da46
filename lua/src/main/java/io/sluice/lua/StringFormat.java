package io.sluice.lua;

import java.util.Locale;

/** {@code string.format}: C's printf for the directives that Lua 5.1 takes. */
final class StringFormat {

    private static final String FLAGS = "-+ #0";
    /** From this length a plain %s copies its argument whole, zero bytes included. */
    private static final int LONG_STRING = 100;

    private final LuaRuntime rt;
    private final Object[] args;
    private final byte[] format;
    private final ByteBuilder out;
    private int at;
    private int argument;
    private boolean left;
    private boolean plus;
    private boolean space;
    private boolean alternate;
    private boolean zero;
    private int width;
    /** -1 for none given. */
    private int precision;

    private StringFormat(LuaRuntime rt, Object[] args) {
        this.rt = rt;
        this.args = args;
        this.format = Args.string(rt, args, 0).bytes;
        this.out = new ByteBuilder(format.length + 32);
    }

    static Object format(LuaRuntime rt, Object[] args) {
        StringFormat f = new StringFormat(rt, args);
        f.run();
        return rt.counted(f.out.toLuaString());
    }

    private void run() {
        while (at < format.length) {
            int c = format[at++];
            if (c != '%') {
                out.add(c);
            } else if (peek() == '%') {
                at++;
                out.add('%');
            } else {
                argument++;
                if (argument >= args.length) {
                    throw rt.argumentError(argument + 1, "no value");
                }
                readSpec();
                directive(at < format.length ? format[at++] & 0xff : 0);
            }
        }
    }

    private int peek() {
        return at < format.length ? format[at] & 0xff : 0;
    }

    private void readSpec() {
        left = false;
        plus = false;
        space = false;
        alternate = false;
        zero = false;
        int flags = 0;
        while (peek() != 0 && FLAGS.indexOf(peek()) >= 0) {
            int flag = peek();
            left |= flag == '-';
            plus |= flag == '+';
            space |= flag == ' ';
            alternate |= flag == '#';
            zero |= flag == '0';
            at++;
            if (++flags > FLAGS.length()) {
                throw rt.error("invalid format (repeated flags)");
            }
        }
        width = twoDigits();
        precision = -1;
        if (peek() == '.') {
            at++;
            precision = twoDigits();
        }
        if (CharClass.isDigit(peek())) {
            throw rt.error("invalid format (width or precision too long)");
        }
    }

    private int twoDigits() {
        int value = 0;
        for (int i = 0; i < 2 && CharClass.isDigit(peek()); i++) {
            value = value * 10 + peek() - '0';
            at++;
        }
        return value;
    }

    private void directive(int letter) {
        switch (letter) {
            case 'c' -> character(Numbers.castToInt(Args.number(rt, args, argument)) & 0xff);
            case 'd', 'i' -> integer(Numbers.toLong(Args.number(rt, args, argument)));
            case 'o' -> unsigned(Long.toOctalString(unsignedArgument()), alternate ? "0" : "");
            case 'u' -> unsigned(Long.toUnsignedString(unsignedArgument()), "");
            case 'x' -> unsigned(Long.toHexString(unsignedArgument()), alternate ? "0x" : "");
            case 'X' -> unsigned(Long.toHexString(unsignedArgument()).toUpperCase(Locale.ROOT),
                alternate ? "0X" : "");
            case 'e', 'E', 'f', 'g', 'G' -> floating((char) letter, Args.number(rt, args, argument));
            case 'q' -> quoted(Args.string(rt, args, argument).bytes);
            case 's' -> string(Args.string(rt, args, argument));
            default -> throw rt.error("invalid option '%" + (letter == 0 ? "" : String.valueOf((char) letter))
                + "' to 'format'");
        }
    }

    /** C's result ends at a zero byte: of a zero only the blanks in front remain. */
    private void character(int c) {
        if (c != 0) {
            pad(new byte[] {(byte) c}, 1);
        } else if (!left) {
            out.fill(' ', width - 1);
        }
    }

    private long unsignedArgument() {
        return Numbers.toUnsigned(Args.number(rt, args, argument));
    }

    private void integer(long value) {
        String digits = value < 0 ? Long.toString(value).substring(1) : Long.toString(value);
        number(value < 0 ? "-" : plus ? "+" : space ? " " : "", value == 0 && precision == 0 ? "" : digits);
    }

    private void unsigned(String digits, String prefix) {
        boolean isZero = "0".equals(digits);
        String shown = isZero && precision == 0 ? "" : digits;
        if ("0".equals(prefix)) {
            boolean leads = shown.startsWith("0") || shown.length() < precision;
            number("", leads ? shown : "0" + shown);
        } else {
            number(isZero ? "" : prefix, shown);
        }
    }

    /** Sign or prefix, zeros up to the precision or (flag 0) the width, digits. */
    private void number(String prefix, String digits) {
        int zeros = Math.max(0, precision - digits.length());
        if (zero && !left && precision < 0) {
            zeros = Math.max(0, width - prefix.length() - digits.length());
        }
        emit(prefix, zeros, digits);
    }

    private void emit(String prefix, int zeros, String text) {
        int blanks = width - prefix.length() - zeros - text.length();
        if (!left) {
            out.fill(' ', blanks);
        }
        out.addAscii(prefix);
        out.fill('0', zeros);
        out.addAscii(text);
        if (left) {
            out.fill(' ', blanks);
        }
    }

    private void floating(char letter, double value) {
        boolean negative = Double.doubleToRawLongBits(value) < 0;
        String sign = negative ? "-" : plus ? "+" : space ? " " : "";
        String text;
        if (value != value || Double.isInfinite(value)) {
            text = value != value ? "nan" : "inf";
            text = letter < 'a' ? text.toUpperCase(Locale.ROOT) : text;
            emit(sign, 0, text);
            return;
        }
        text = FloatText.format(Math.abs(value), letter, precision < 0 ? 6 : precision, alternate);
        emit(sign, zero && !left ? Math.max(0, width - sign.length() - text.length()) : 0, text);
    }

    /** Lua source for the string. */
    private void quoted(byte[] s) {
        rt.allocate(2L * s.length);
        out.add('"');
        for (byte b : s) {
            switch (b) {
                case '"', '\\', '\n' -> {
                    out.add('\\');
                    out.add(b);
                }
                case '\r' -> out.addAscii("\\r");
                case 0 -> out.addAscii("\\000");
                default -> out.add(b);
            }
        }
        out.add('"');
    }

    private void string(LuaString s) {
        if (precision < 0 && s.length() >= LONG_STRING) {
            rt.allocate(s.length());
            out.add(s.bytes);
            return;
        }
        int length = 0;
        while (length < s.length() && s.bytes[length] != 0 && (precision < 0 || length < precision)) {
            length++;
        }
        pad(s.bytes, length);
    }

    private void pad(byte[] text, int length) {
        if (!left) {
            out.fill(' ', width - length);
        }
        out.add(text, 0, length);
        if (left) {
            out.fill(' ', width - length);
        }
    }
}
