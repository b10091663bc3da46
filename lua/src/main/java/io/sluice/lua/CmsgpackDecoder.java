package io.sluice.lua;

import java.util.ArrayDeque;

/**
 * Reads MessagePack. Believes no announced size: a table grows by what is really there. Nesting is kept in a list of
 * open
 * tables, so that it takes no Java stack.
 */
final class CmsgpackDecoder {

    private static final int CHECK_MASK = 0x3ff;
    private static final int LEVEL_BYTES = 48;

    private final LuaRuntime rt;
    private final byte[] data;
    private final ArrayDeque<Level> levels = new ArrayDeque<>();
    private LuaTable opened;
    private int at;
    private int steps;

    /** An array or map that is being read. */
    private static final class Level {
        final LuaTable table = new LuaTable();
        final boolean map;
        /** Values to come, of a map twice its entries. */
        long left;
        Object key;
        int count;

        Level(boolean map, long length) {
            this.map = map;
            this.left = map ? 2 * length : length;
        }
    }

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
        Object result = read();
        while (!levels.isEmpty()) {
            Level level = levels.peek();
            if (result != null || level.table != opened) {
                add(level, result);
            }
            opened = null;
            result = level.left == 0 ? levels.pop().table : read();
        }
        return result;
    }

    private void add(Level level, Object value) {
        level.left--;
        if (!level.map) {
            rt.set(level.table, (double) ++level.count, value);
        } else if ((level.left & 1) == 1) {
            level.key = value;
        } else {
            if (level.key == null || level.key instanceof Double d && d.isNaN()) {
                throw new LuaError("table index is " + (level.key == null ? "nil" : "NaN")).at(rt);
            }
            rt.set(level.table, level.key, value);
        }
    }

    /** The next value; null also when it is a table, which is then {@link #opened} and the innermost level. */
    private Object read() {
        if ((++steps & CHECK_MASK) == 0) {
            rt.checkpoint();
        }
        need(1);
        int code = data[at++] & 0xff;
        if (code <= 0x7f || code >= 0xe0) {
            return (double) (byte) code;
        }
        if (code <= 0x8f) {
            return open(true, code & 0xf);
        }
        if (code <= 0x9f) {
            return open(false, code & 0xf);
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
                return open(false, unsigned(code == 0xdc ? 2 : 4));
            case 0xde, 0xdf:
                return open(true, unsigned(code == 0xde ? 2 : 4));
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

    private Object open(boolean map, long length) {
        rt.allocate(LuaTable.initialFootprint(0, 0) + LEVEL_BYTES);
        Level level = new Level(map, length);
        opened = level.table;
        levels.push(level);
        return null;
    }
}
