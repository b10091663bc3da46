package io.sluice.lua;

/** Writes values as MessagePack, each number in its shortest form. */
final class CmsgpackEncoder {

    /** Tables nested deeper become nil, so that cycles end. */
    private static final int NESTING_MAX = 16;
    private static final int CHECK_MASK = 0x3ff;

    private final LuaRuntime rt;
    private final ByteBuilder out = new ByteBuilder(64);
    private int counted;
    private int steps;

    CmsgpackEncoder(LuaRuntime rt) {
        this.rt = rt;
    }

    LuaString result() {
        return out.toLuaString();
    }

    void value(Object value, int level) {
        rt.allocate(out.length() - counted);
        counted = out.length();
        if ((++steps & CHECK_MASK) == 0) {
            rt.checkpoint();
        }
        if (value instanceof LuaString s) {
            string(s.bytes);
        } else if (value instanceof Boolean b) {
            out.add(b ? 0xc3 : 0xc2);
        } else if (value instanceof Double d) {
            number(d);
        } else if (value instanceof LuaTable t && level < NESTING_MAX) {
            if (isArray(t)) {
                array(t, level);
            } else {
                map(t, level);
            }
        } else {
            out.add(0xc0);
        }
    }

    private void string(byte[] s) {
        if (s.length < 32) {
            out.add(0xa0 | s.length);
        } else if (s.length <= 0xff) {
            out.add(0xd9);
            out.add(s.length);
        } else {
            sized(0xda, 0xdb, s.length);
        }
        rt.allocate(s.length);
        out.add(s);
    }

    private void sized(int code16, int code32, int size) {
        if (size <= 0xffff) {
            out.add(code16);
            bytes(size, 2);
        } else {
            out.add(code32);
            bytes(size, 4);
        }
    }

    private void bytes(long value, int count) {
        for (int i = count - 1; i >= 0; i--) {
            out.add((int) (value >>> 8 * i));
        }
    }

    private void number(double d) {
        long whole = Numbers.toLong(d);
        if (d == whole) {
            integer(whole);
        } else if (d == (float) d) {
            out.add(0xca);
            bytes(Float.floatToRawIntBits((float) d), 4);
        } else {
            out.add(0xcb);
            bytes(Double.doubleToRawLongBits(d), 8);
        }
    }

    private void integer(long n) {
        if (n >= -32 && n <= 127) {
            out.add((int) n);
        } else if (n >= 0) {
            int size = n <= 0xff ? 0 : n <= 0xffff ? 1 : n <= 0xffff_ffffL ? 2 : 3;
            out.add(0xcc + size);
            bytes(n, 1 << size);
        } else {
            int size = n >= -128 ? 0 : n >= -32768 ? 1 : n >= Integer.MIN_VALUE ? 2 : 3;
            out.add(0xd0 + size);
            bytes(n, 1 << size);
        }
    }

    /** Whether the keys are exactly 1..n. */
    private static boolean isArray(LuaTable table) {
        long count = 0;
        double max = 0;
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            if (!(table.keyAt(p) instanceof Double d) || d <= 0 || d != (int) (double) d) {
                return false;
            }
            max = Math.max(max, d);
            count++;
        }
        return max == count;
    }

    private void array(LuaTable table, int level) {
        int length = table.length();
        if (length <= 15) {
            out.add(0x90 | length);
        } else {
            sized(0xdc, 0xdd, length);
        }
        for (int i = 1; i <= length; i++) {
            value(table.get(i), level + 1);
        }
    }

    private void map(LuaTable table, int level) {
        int count = 0;
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            count++;
        }
        if (count <= 15) {
            out.add(0x80 | count);
        } else {
            sized(0xde, 0xdf, count);
        }
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            value(table.keyAt(p), level + 1);
            value(table.valueAt(p), level + 1);
        }
    }
}
