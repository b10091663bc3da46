package io.sluice.lua;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code struct}: packing values into byte strings by a format, as Redis ships it. */
final class StructLib {

    private static final int ALIGN_MAX = 8;
    private static final int INTEGER_BYTES_MAX = 32;

    private final LuaRuntime rt;
    private final byte[] format;
    private int at;
    private boolean big;
    private int align = 1;

    private StructLib(LuaRuntime rt, Object[] args) {
        this.rt = rt;
        this.format = Args.string(rt, args, 0).bytes;
    }

    static void open(LuaRuntime rt) {
        Library lib = new Library()
            .add("pack", (r, a) -> new StructLib(r, a).pack(Arrays.copyOf(a, a.length + 1)))
            .add("unpack", (r, a) -> new StructLib(r, a).unpack(a))
            .add("size", (r, a) -> new StructLib(r, a).size());
        rt.define("struct", lib.table);
    }

    private boolean more() {
        return at < format.length && format[at] != 0;
    }

    private int number(int otherwise) {
        if (!more() || !CharClass.isDigit(format[at])) {
            return otherwise;
        }
        long value = 0;
        while (more() && CharClass.isDigit(format[at])) {
            value = value * 10 + format[at++] - '0';
            if (value > Integer.MAX_VALUE) {
                throw rt.error("integral size overflow");
            }
        }
        return (int) value;
    }

    /** Bytes of the option just read; reads a size that follows it. */
    private int optionSize(int option) {
        switch (option) {
            case 'B', 'b', 'x':
                return 1;
            case 'H', 'h':
                return 2;
            case 'L', 'l', 'T', 'd':
                return 8;
            case 'f':
                return 4;
            case 'c':
                return number(1);
            case 'i', 'I':
                int size = number(4);
                if (size > INTEGER_BYTES_MAX) {
                    throw rt.error("integral size " + size + " is larger than limit of " + INTEGER_BYTES_MAX);
                }
                return size;
            default:
                return 0;
        }
    }

    private int padding(long position, int option, int size) {
        if (size == 0 || option == 'c') {
            return 0;
        }
        int unit = Math.min(size, align);
        return (int) (unit - (position & unit - 1)) & unit - 1;
    }

    private void control(int option) {
        switch (option) {
            case ' ' -> {
            }
            case '>' -> big = true;
            case '<' -> big = false;
            case '!' -> {
                int a = number(ALIGN_MAX);
                if (a <= 0 || (a & a - 1) != 0) {
                    throw rt.error("alignment " + a + " is not a power of 2");
                }
                align = a;
            }
            default -> throw rt.argumentError(1, "invalid format option '" + (char) option + "'");
        }
    }

    private Object pack(Object[] args) {
        ByteBuilder out = new ByteBuilder(32);
        int argument = 1;
        while (more()) {
            int option = format[at++] & 0xff;
            int size = optionSize(option);
            out.fill(0, padding(out.length(), option, size));
            switch (option) {
                case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I' ->
                    putInteger(out, Args.number(rt, args, argument++), size);
                case 'x' -> out.add(0);
                case 'f' -> put(out, Float.floatToRawIntBits((float) Args.number(rt, args, argument++)), 4);
                case 'd' -> put(out, Double.doubleToRawLongBits(Args.number(rt, args, argument++)), 8);
                case 'c', 's' -> putString(out, args, argument++, option, size);
                default -> control(option);
            }
        }
        return rt.counted(out.toLuaString());
    }

    private void putString(ByteBuilder out, Object[] args, int argument, int option, int wanted) {
        byte[] s = Args.string(rt, args, argument).bytes;
        int size = wanted == 0 ? s.length : wanted;
        Args.check(rt, s.length >= size, argument + 1, "string too short");
        rt.allocate(size);
        out.add(s, 0, size);
        if (option == 's') {
            out.add(0);
        }
    }

    private void putInteger(ByteBuilder out, double n, int size) {
        put(out, n < 0 ? Numbers.toLong(n) : Numbers.toUnsigned(n), size);
    }

    /** The low bytes of a value; where more than eight are wanted the rest is zero, as shifting in C leaves it. */
    private void put(ByteBuilder out, long value, int size) {
        for (int i = 0; i < size; i++) {
            int index = big ? size - 1 - i : i;
            out.add(index < 8 ? (int) (value >>> 8 * index) : 0);
        }
    }

    private Object unpack(Object[] args) {
        byte[] data = Args.string(rt, args, 1).bytes;
        long position = Args.longInteger(rt, args, 2, 1) - 1;
        Args.check(rt, position != -1, 2, "offset must be 1 or greater");
        List<Object> values = new ArrayList<>();
        while (more()) {
            int option = format[at++] & 0xff;
            int size = optionSize(option);
            position += padding(position, option, size);
            Args.check(rt, fits(position, size, data), 1, "data string too short");
            if (values.size() >= LuaLimits.VALUES_MAX) {
                throw rt.error("stack overflow (too many results)");
            }
            int from = (int) position;
            switch (option) {
                case 'b', 'h', 'l', 'i' -> values.add(signed(data, from, size));
                case 'B', 'H', 'L', 'T', 'I' -> values.add(Numbers.unsignedToDouble(get(data, from, size)));
                case 'x' -> {
                }
                case 'f' -> values.add((double) Float.intBitsToFloat((int) get(data, from, 4)));
                case 'd' -> values.add(Double.longBitsToDouble(get(data, from, 8)));
                case 'c' -> {
                    size = size == 0 ? previousSize(values, data, position) : size;
                    values.add(rt.counted(LuaString.copyOf(data, from, from + size)));
                }
                case 's' -> {
                    int end = zeroFrom(data, from);
                    values.add(rt.counted(LuaString.copyOf(data, from, end)));
                    size = end - from + 1;
                }
                default -> control(option);
            }
            position += size;
        }
        values.add((double) (position + 1));
        return values.toArray();
    }

    private static boolean fits(long position, long size, byte[] data) {
        return position >= 0 && position <= data.length && size >= 0 && size <= data.length - position;
    }

    private int previousSize(List<Object> values, byte[] data, long position) {
        Object last = values.isEmpty() ? data : values.remove(values.size() - 1);
        if (!LuaValues.isNumber(last)) {
            throw rt.error("format 'c0' needs a previous size");
        }
        long size = Numbers.toLong(LuaValues.toNumber(last));
        Args.check(rt, fits(position, size, data), 1, "data string too short");
        return (int) size;
    }

    private int zeroFrom(byte[] data, int from) {
        for (int i = from; i < data.length; i++) {
            if (data[i] == 0) {
                return i;
            }
        }
        throw rt.error("unfinished string in data");
    }

    private long get(byte[] data, int from, int size) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            int index = big ? i : size - 1 - i;
            value = value << 8 | data[from + index] & 0xff;
        }
        return value;
    }

    private double signed(byte[] data, int from, int size) {
        long value = get(data, from, size);
        if (size >= 8) {
            return value;
        }
        int unused = 64 - 8 * size;
        return size == 0 ? value : value << unused >> unused;
    }

    private Object size() {
        long position = 0;
        while (more()) {
            int option = format[at++] & 0xff;
            int size = optionSize(option);
            position += padding(position, option, size);
            Args.check(rt, option != 's', 0, "option 's' has no fixed size");
            Args.check(rt, option != 'c' || size != 0, 0, "option 'c0' has no fixed size");
            if (!CharClass.isAlnum(option)) {
                control(option);
            }
            position += size;
        }
        return (double) position;
    }
}
