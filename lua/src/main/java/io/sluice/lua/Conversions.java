package io.sluice.lua;

/** {@code tonumber}, {@code tostring} and {@code type}, callable without an argument array. */
final class Conversions {

    private static final int NUMBER_TEXT_BYTES = 64;

    private Conversions() {
    }

    static final class ToNumber extends LuaFunction {
        @Override
        public Object call1(LuaRuntime rt, Object a) {
            if (a instanceof LuaString s) {
                return s.isNumber() ? (Object) s.number() : null;
            }
            return a instanceof Double ? a : null;
        }

        @Override
        public Object call(LuaRuntime rt, Object[] args) {
            int base = Args.integer(rt, args, 1, 10);
            if (base == 10) {
                return call1(rt, Args.any(rt, args, 0));
            }
            LuaString text = Args.string(rt, args, 0);
            Args.check(rt, base >= 2 && base <= 36, 1, "base out of range");
            double value = NumberParser.parseInteger(text.bytes, base);
            return NumberParser.isFailure(value) ? null : (Object) value;
        }
    }

    static final class ToText extends LuaFunction {
        @Override
        public Object call1(LuaRuntime rt, Object a) {
            if (a instanceof LuaString) {
                return a;
            }
            if (a instanceof Double d) {
                rt.allocate(NUMBER_TEXT_BYTES);
                return NumberText.toLuaString(d);
            }
            return text(rt, a);
        }

        @Override
        public Object call(LuaRuntime rt, Object[] args) {
            return call1(rt, Args.any(rt, args, 0));
        }
    }

    static final class TypeName extends LuaFunction {
        @Override
        public Object call1(LuaRuntime rt, Object a) {
            return LuaString.name(LuaValues.typeName(a));
        }

        @Override
        public Object call(LuaRuntime rt, Object[] args) {
            return call1(rt, Args.any(rt, args, 0));
        }
    }

    /** What {@code tostring} gives: any value if a metamethod says so. */
    static Object text(LuaRuntime rt, Object value) {
        Object handler = Metatables.method(rt, value, Metatables.TOSTRING);
        if (handler != null) {
            return LuaValues.first(rt.callValue(handler, value));
        }
        LuaString s = LuaValues.toLuaString(value);
        if (s != null) {
            return s;
        }
        if (value instanceof LuaTable) {
            return LuaString.of("table: " + String.format("0x%012x", System.identityHashCode(value)));
        }
        return LuaString.of(value == null ? "nil" : value.toString());
    }
}
