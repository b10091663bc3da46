package io.sluice.lua;

/** Node of a whole chain {@code a .. b .. c}: one copy, whatever its length. */
final class Concat extends Expr {

    private final Expr[] parts;
    private final int line;

    Concat(Expr[] parts, int line) {
        this.parts = parts;
        this.line = line;
    }

    @Override
    Object eval(Frame f) {
        Object[] values = new Object[parts.length];
        boolean plain = true;
        for (int i = 0; i < values.length; i++) {
            Object value = parts[i].eval(f);
            if (value instanceof Double d) {
                value = NumberText.toLuaString(d);
            } else {
                plain &= value instanceof LuaString;
            }
            values[i] = value;
        }
        return plain ? join(f.rt, values, 0, values.length) : withMetamethods(f, values);
    }

    private static LuaString join(LuaRuntime rt, Object[] values, int from, int to) {
        long length = 0;
        for (int i = from; i < to; i++) {
            length += ((LuaString) values[i]).bytes.length;
        }
        byte[] out = rt.newBytes(length);
        int at = 0;
        for (int i = from; i < to; i++) {
            byte[] part = ((LuaString) values[i]).bytes;
            System.arraycopy(part, 0, out, at, part.length);
            at += part.length;
        }
        return LuaString.of(out);
    }

    /** From the right, pair by pair, as {@code ..} associates. */
    private Object withMetamethods(Frame f, Object[] values) {
        int last = values.length - 1;
        Object result = values[last];
        while (last > 0) {
            Object left = values[last - 1];
            if (left instanceof LuaString && result instanceof LuaString) {
                result = join(f.rt, new Object[] {left, result}, 0, 2);
            } else {
                result = meta(f, left, result, last);
            }
            last--;
        }
        return result;
    }

    private Object meta(Frame f, Object left, Object right, int rightIndex) {
        Object handler = Metatables.method(f.rt, left, Metatables.CONCAT);
        if (handler == null) {
            handler = Metatables.method(f.rt, right, Metatables.CONCAT);
        }
        if (handler == null) {
            boolean blameRight = left instanceof LuaString;
            boolean rightIsOperand = rightIndex == parts.length - 1;
            Expr what = blameRight ? rightIsOperand ? parts[rightIndex] : null : parts[rightIndex - 1];
            throw Operations.typeError(f, line, "concatenate", blameRight ? right : left, what);
        }
        Object result = LuaValues.first(Operations.callMeta(f, line, handler, left, right));
        return result instanceof Double d ? NumberText.toLuaString(d) : result;
    }
}
