package io.sluice.lua;

/** Reads MessagePack. Believes no announced size: a table grows by what is really there. */
final class CmsgpackDecoder {

    /** Deeper input is refused: it would need as much Java stack. */
    private static final int NESTING_MAX = 1000;
    private static final int CHECK_MASK = 0x3ff;

    private final LuaRuntime rt;
    private final byte[] data;
    private int at;
    private int level;
    private int steps;

    CmsgpackDecoder(LuaRuntime rt, byte[] data, int from) {
        this.rt = rt;
        this.data = data;
        this.at = from;
    }

    int left() {
        return data.length - at;
    }

    int position() {
        return at;
    }

    private void need(long count) {
        if (count > left()) {
            throw rt.error("Missing bytes in input.");
        }
    }

    Object value() {
        if ((++steps & CHECK_MASK) == 0) {
            rt.checkpoint();
        }
        need(1);
        int code = data[at++] & 0xff;
        if (code <= 0x7f || code >= 0xe0) {
            return (double) (byte) code;
        }
        if (code <= 0x8f) {
            return map(code & 0xf);
        }
        if (code <= 0x9f) {
            return array(code & 0xf);
        }
        if (code <= 0xbf) {
            return string(code & 0x1f);
        }
        switch (code) {
            case 0xc0:
                return null;
            case 0xc2:
                return Boolean.FALSE;
            case 0xc3:
                return Boolean.TRUE;
            case 0xca:
                return (double) Float.intBitsToFloat((int) unsigned(4));
            case 0xcb:
                return Double.longBitsToDouble(unsigned(8));
            case 0xcc, 0xcd, 0xce, 0xcf:
                // The largest ones come out negative, as they do in Redis.
                return (double) unsigned(1 << code - 0xcc);
            case 0xd0, 0xd1, 0xd2, 0xd3:
                int size = 1 << code - 0xd0;
                return (double) (unsigned(size) << 64 - 8 * size >> 64 - 8 * size);
            case 0xd9:
                return string(unsigned(1));
            case 0xda:
                return string(unsigned(2));
            case 0xdb:
                return string(unsigned(4));
            case 0xdc, 0xdd:
                return array(unsigned(code == 0xdc ? 2 : 4));
            case 0xde, 0xdf:
                return map(unsigned(code == 0xde ? 2 : 4));
            default:
                throw rt.error("Bad data format in input.");
        }
    }

    private long unsigned(int count) {
        need(count);
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = value << 8 | data[at++] & 0xff;
        }
        return value;
    }

    private Object string(long length) {
        need(length);
        LuaString s = rt.counted(LuaString.copyOf(data, at, at + (int) length));
        at += (int) length;
        return s;
    }

    private void descend() {
        if (++level > NESTING_MAX) {
            throw rt.error("stack overflow (too many nested values in input)");
        }
        rt.allocate(LuaTable.initialFootprint(0, 0));
    }

    private Object array(long length) {
        descend();
        LuaTable table = new LuaTable();
        for (long i = 1; i <= length; i++) {
            rt.set(table, (double) i, value());
        }
        level--;
        return table;
    }

    private Object map(long length) {
        descend();
        LuaTable table = new LuaTable();
        for (long i = 0; i < length; i++) {
            Object key = value();
            Object item = value();
            if (key == null || key instanceof Double d && d.isNaN()) {
                throw new LuaError("table index is " + (key == null ? "nil" : "NaN")).at(rt);
            }
            rt.set(table, key, item);
        }
        level--;
        return table;
    }
}
