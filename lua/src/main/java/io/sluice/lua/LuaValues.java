package io.sluice.lua;

/**
 * Lua values in Java: null is nil, {@link Boolean}, {@link Double}, {@link LuaString}, {@link LuaTable},
 * {@link LuaFunction}, {@link LuaUserdata}, coroutines. And the conversions that belong to the language.
 */
public final class LuaValues {

    /** No results. */
    public static final Object[] NONE = new Object[0];

    private LuaValues() {
    }

    /**
     * What {@code type(value)} says.
     *
     * @param value any Lua value
     * @return "nil", "boolean", "number", "string", "table", "function", "userdata" or "thread"
     */
    public static String typeName(Object value) {
        if (value == null) {
            return "nil";
        }
        if (value instanceof LuaString) {
            return "string";
        }
        if (value instanceof Double) {
            return "number";
        }
        if (value instanceof LuaTable) {
            return "table";
        }
        if (value instanceof Boolean) {
            return "boolean";
        }
        if (value instanceof LuaFunction) {
            return "function";
        }
        return value instanceof Coroutine ? "thread" : "userdata";
    }

    /**
     * Whether a value counts as true: everything but nil and false.
     *
     * @param value any Lua value
     * @return its truth
     */
    public static boolean isTrue(Object value) {
        return value != null && value != Boolean.FALSE;
    }

    /**
     * Whether a value is a number or a string that spells one.
     *
     * @param value any Lua value
     * @return true if {@link #toNumber} can be asked
     */
    public static boolean isNumber(Object value) {
        return value instanceof Double || value instanceof LuaString s && s.isNumber();
    }

    /**
     * The number of a number or of a string that spells one.
     *
     * @param value a value for which {@link #isNumber} is true
     * @return the number
     */
    public static double toNumber(Object value) {
        return value instanceof Double d ? d : ((LuaString) value).number();
    }

    /**
     * A string as it is, a number as its {@code %.14g} text, anything else null.
     *
     * @param value any Lua value
     * @return the string or null
     */
    public static LuaString toLuaString(Object value) {
        if (value instanceof LuaString s) {
            return s;
        }
        return value instanceof Double d ? NumberText.toLuaString(d) : null;
    }

    /**
     * A number as text for a command's argument: {@code %.17g}, so that integers up to 2^53 and every double arrive
     * whole.
     *
     * @param number the number
     * @return its ASCII text
     */
    public static byte[] argumentText(double number) {
        return NumberText.general(number, NumberText.ARGUMENT_DIGITS);
    }

    /**
     * A number as an integer reply: truncated toward zero; what does not fit (NaN too) is the smallest integer.
     *
     * @param number the number
     * @return the integer
     */
    public static long replyInteger(double number) {
        return Numbers.toLong(number);
    }

    /**
     * The first of a call's results.
     *
     * @param results what a call returned: one value, or an array of any number
     * @return the first, null if there is none
     */
    public static Object first(Object results) {
        if (results instanceof Object[] many) {
            return many.length > 0 ? many[0] : null;
        }
        return results;
    }

    /**
     * A call's results as an array.
     *
     * @param results what a call returned
     * @return all of them
     */
    public static Object[] all(Object results) {
        return results instanceof Object[] many ? many : new Object[] {results};
    }

    /** Raw equality: numbers by value, strings by content, the rest by identity. */
    static boolean rawEquals(Object a, Object b) {
        if (a == b) {
            return !(a instanceof Double d) || !d.isNaN();
        }
        if (a instanceof Double x) {
            return b instanceof Double y && x.doubleValue() == y.doubleValue();
        }
        return a instanceof LuaString s && b instanceof LuaString t && s.contentEquals(t);
    }
}
