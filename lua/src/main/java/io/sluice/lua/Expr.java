package io.sluice.lua;

/** A node that gives a value. */
abstract class Expr {

    /** The one value, null for nil. */
    abstract Object eval(Frame f);

    /**
     * The value as a number without boxing it. When the value is not a number the result is NaN and
     * {@link Frame#odd} holds the value: whoever asks must check that before anything else runs in the frame.
     */
    double evalNumber(Frame f) {
        Object value = eval(f);
        return value instanceof Double d ? d : f.notNumber(value);
    }

    /** The value's truth. */
    boolean test(Frame f) {
        Object value = eval(f);
        return value != null && value != Boolean.FALSE;
    }

    /** All values where several may be: one value as it is, none or several as an array. */
    Object evalResults(Frame f) {
        return eval(f);
    }

    /** Whether {@link #evalResults} may give other than one value. */
    boolean isMulti() {
        return false;
    }

    /** What messages call the thing this reads ("local", "global", "field", ...), or null. */
    String kind() {
        return null;
    }

    String name() {
        return null;
    }
}
