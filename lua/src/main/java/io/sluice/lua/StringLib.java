package io.sluice.lua;

import java.util.Arrays;

/**
 * {@code string}; the functions that take patterns are {@link StringSearch}'s, {@code format} is {@link
 * StringFormat}'s.
 */
final class StringLib {

    private StringLib() {
    }

    static void open(LuaRuntime rt) {
        LuaFunction gmatch = LuaHostFunction.internal(StringSearch::gmatch);
        Library lib = new Library()
            .add("byte", StringLib::bytes)
            .add("char", StringLib::character)
            .add("dump", StringLib::dump)
            .add("find", StringSearch::find)
            .add("format", StringFormat::format)
            .add("gfind", gmatch)
            .add("gmatch", gmatch)
            .add("gsub", StringSearch::gsub)
            .add("len", (r, a) -> (double) Args.string(r, a, 0).length())
            .add("lower", (r, a) -> changeCase(r, Args.string(r, a, 0), false))
            .add("match", StringSearch::match)
            .add("rep", StringLib::repeat)
            .add("reverse", StringLib::reverse)
            .add("sub", StringLib::sub)
            .add("upper", (r, a) -> changeCase(r, Args.string(r, a, 0), true));
        rt.define("string", lib.table);
        rt.stringMetatable.set(Metatables.INDEX, lib.table);
    }

    /** A position as Lua counts: negative from the end; what lies before the start becomes 0. */
    static long position(long at, int length) {
        long p = at < 0 ? at + length + 1 : at;
        return Math.max(p, 0);
    }

    private static Object sub(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        long from = Math.max(position(Args.longInteger(rt, args, 1), s.length()), 1);
        long to = Math.min(position(Args.longInteger(rt, args, 2, -1), s.length()), s.length());
        if (from > to) {
            return LuaString.EMPTY;
        }
        if (from == 1 && to == s.length()) {
            return s;
        }
        return rt.counted(LuaString.copyOf(s.bytes, (int) from - 1, (int) to));
    }

    private static Object bytes(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        long first = position(Args.longInteger(rt, args, 1, 1), s.length());
        long from = Math.max(first, 1);
        long to = Math.min(position(Args.longInteger(rt, args, 2, first), s.length()), s.length());
        if (from > to) {
            return LuaValues.NONE;
        }
        if (from == to) {
            return (double) (s.bytes[(int) from - 1] & 0xff);
        }
        if (to - from >= LuaLimits.VALUES_MAX) {
            throw rt.error("stack overflow (string slice too long)");
        }
        Object[] values = new Object[(int) (to - from + 1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (double) (s.bytes[(int) from - 1 + i] & 0xff);
        }
        return values;
    }

    private static Object character(LuaRuntime rt, Object[] args) {
        byte[] out = rt.newBytes(args.length);
        for (int i = 0; i < args.length; i++) {
            int c = Args.integer(rt, args, i);
            Args.check(rt, (c & 0xff) == c, i, "invalid value");
            out[i] = (byte) c;
        }
        return LuaString.of(out);
    }

    private static Object dump(LuaRuntime rt, Object[] args) {
        Args.function(rt, args, 0);
        throw rt.error("unable to dump given function");
    }

    private static Object repeat(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        int count = Args.integer(rt, args, 1);
        if (count <= 0 || s.length() == 0) {
            return LuaString.EMPTY;
        }
        byte[] out = rt.newBytes((long) s.length() * count);
        int done = s.length();
        System.arraycopy(s.bytes, 0, out, 0, done);
        while (done < out.length) {
            int more = Math.min(done, out.length - done);
            System.arraycopy(out, 0, out, done, more);
            done += more;
        }
        return LuaString.of(out);
    }

    private static Object reverse(LuaRuntime rt, Object[] args) {
        byte[] s = Args.string(rt, args, 0).bytes;
        byte[] out = rt.newBytes(s.length);
        for (int i = 0; i < s.length; i++) {
            out[i] = s[s.length - 1 - i];
        }
        return LuaString.of(out);
    }

    private static LuaString changeCase(LuaRuntime rt, LuaString s, boolean upper) {
        rt.allocate(LuaString.OVERHEAD_BYTES + s.length());
        byte[] out = Arrays.copyOf(s.bytes, s.length());
        for (int i = 0; i < out.length; i++) {
            if (upper ? CharClass.isLower(out[i]) : CharClass.isUpper(out[i])) {
                out[i] ^= 0x20;
            }
        }
        return LuaString.of(out);
    }
}
