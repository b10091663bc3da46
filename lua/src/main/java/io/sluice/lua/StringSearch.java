package io.sluice.lua;

/** {@code string.find}, {@code match}, {@code gmatch} and {@code gsub}. */
final class StringSearch {

    private static final String SPECIALS = "^$*+?.([%-";
    /** Bytes compared between two looks at the interrupt flag. */
    private static final int CHECK_MASK = 0xfff;

    private static final int ITERATOR_BYTES = 128;

    private StringSearch() {
    }

    static Object find(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        LuaString p = Args.string(rt, args, 1);
        int init = init(rt, args, s);
        if (LuaValues.isTrue(Args.get(args, 3)) || !hasSpecials(p)) {
            int at = indexOf(rt, s.bytes, p.bytes, init);
            return at < 0 ? null : new Object[] {at + 1.0, (double) (at + p.length())};
        }
        Pattern pattern = new Pattern(rt, s, p);
        int start = search(pattern, s, init);
        if (start < 0) {
            return null;
        }
        int end = pattern.end;
        Object[] results = new Object[2 + pattern.level];
        results[0] = start + 1.0;
        results[1] = (double) end;
        for (int i = 0; i < pattern.level; i++) {
            results[2 + i] = pattern.capture(i, start, end);
        }
        return results;
    }

    static Object match(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        Pattern pattern = new Pattern(rt, s, Args.string(rt, args, 1));
        int start = search(pattern, s, init(rt, args, s));
        return start < 0 ? null : captures(pattern, start, pattern.end);
    }

    private static int init(LuaRuntime rt, Object[] args, LuaString s) {
        long at = StringLib.position(Args.longInteger(rt, args, 2, 1), s.length()) - 1;
        return (int) Math.min(Math.max(at, 0), s.length());
    }

    /** Where the first match at or after {@code init} begins, or -1; its end is then in the pattern. */
    private static int search(Pattern pattern, LuaString s, int init) {
        int anchor = pattern.anchor();
        int at = init;
        do {
            int end = pattern.match(at, anchor);
            if (end >= 0) {
                pattern.end = end;
                return at;
            }
            at++;
        } while (at <= s.length() && anchor == 0);
        return -1;
    }

    private static Object captures(Pattern pattern, int start, int end) {
        int count = pattern.captureCount();
        if (count == 1) {
            return pattern.capture(0, start, end);
        }
        Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
            values[i] = pattern.capture(i, start, end);
        }
        return values;
    }

    private static boolean hasSpecials(LuaString p) {
        for (byte b : p.bytes) {
            if (b == 0) {
                return false;
            }
            if (SPECIALS.indexOf(b & 0xff) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static int indexOf(LuaRuntime rt, byte[] s, byte[] p, int from) {
        int steps = 0;
        for (int i = from; i <= s.length - p.length; i++) {
            int j = 0;
            while (j < p.length && s[i + j] == p[j]) {
                j++;
                if ((++steps & CHECK_MASK) == 0) {
                    rt.checkpoint();
                }
            }
            if (j == p.length) {
                return i;
            }
        }
        return -1;
    }

    static Object gmatch(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        LuaString p = Args.string(rt, args, 1);
        int[] next = {0};
        rt.allocate(ITERATOR_BYTES);
        return LuaHostFunction.internal((r, none) -> {
            Pattern pattern = new Pattern(r, s, p);
            for (int at = next[0]; at <= s.length(); at++) {
                int end = pattern.match(at, 0);
                if (end >= 0) {
                    next[0] = end == at ? end + 1 : end;
                    return captures(pattern, at, end);
                }
            }
            next[0] = s.length() + 1;
            return null;
        }, s, p);
    }

    static Object gsub(LuaRuntime rt, Object[] args) {
        LuaString s = Args.string(rt, args, 0);
        LuaString p = Args.string(rt, args, 1);
        Object replacement = Args.get(args, 2);
        boolean usable = LuaValues.toLuaString(replacement) != null || replacement instanceof LuaTable
            || replacement instanceof LuaFunction;
        Args.check(rt, usable, 2, "string/function/table expected");
        int max = Args.integer(rt, args, 3, s.length() + 1);
        Pattern pattern = new Pattern(rt, s, p);
        int anchor = pattern.anchor();
        ByteBuilder out = new ByteBuilder(s.length() + 16);
        int at = 0;
        int count = 0;
        while (count < max) {
            int end = pattern.match(at, anchor);
            if (end >= 0) {
                count++;
                addReplacement(rt, out, pattern, replacement, s, at, end);
            }
            if (end > at) {
                at = end;
            } else if (at < s.length()) {
                out.add(s.bytes[at++]);
            } else {
                break;
            }
            if (anchor == 1) {
                break;
            }
        }
        rt.allocate(s.length() - at);
        out.add(s.bytes, at, s.length());
        return new Object[] {out.toLuaString(), (double) count};
    }

    private static void addReplacement(LuaRuntime rt, ByteBuilder out, Pattern pattern, Object replacement, LuaString s,
        int start, int end) {
        int before = out.length();
        LuaString template = LuaValues.toLuaString(replacement);
        if (template != null) {
            addTemplate(out, pattern, template.bytes, s, start, end);
        } else {
            Object value;
            if (replacement instanceof LuaTable t) {
                value = Indexer.get(rt, t, pattern.capture(0, start, end));
            } else {
                Object captures = captures(pattern, start, end);
                value = LuaValues.first(rt.call((LuaFunction) replacement, LuaValues.all(captures)));
            }
            if (!LuaValues.isTrue(value)) {
                out.add(s.bytes, start, end);
            } else {
                LuaString text = LuaValues.toLuaString(value);
                if (text == null) {
                    throw rt.error("invalid replacement value (a " + LuaValues.typeName(value) + ")");
                }
                rt.allocate(text.length());
                out.add(text.bytes);
                return;
            }
        }
        rt.allocate(2L * (out.length() - before));
    }

    private static void addTemplate(ByteBuilder out, Pattern pattern, byte[] template, LuaString s, int start,
        int end) {
        for (int i = 0; i < template.length; i++) {
            int c = template[i] & 0xff;
            if (c != '%') {
                out.add(c);
                continue;
            }
            i++;
            int d = i < template.length ? template[i] & 0xff : 0;
            if (!CharClass.isDigit(d)) {
                out.add(d);
            } else if (d == '0') {
                out.add(s.bytes, start, end);
            } else {
                out.add(LuaValues.toLuaString(pattern.capture(d - '1', start, end)).bytes);
            }
        }
    }
}
