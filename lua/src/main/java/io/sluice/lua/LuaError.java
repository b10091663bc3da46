package io.sluice.lua;

/**
 * What a script throws: any Lua value, and where it was thrown. The only exception that leaves the engine for
 * anything a
 * script can do. It carries no Java stack trace.
 */
public class LuaError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Object value;
    private final boolean catchable;
    private String source;
    private int line = -1;

    /**
     * An error with a value, as {@code error(value)} throws it.
     *
     * @param value any Lua value, null for nil
     */
    public LuaError(Object value) {
        this(value, true);
    }

    /**
     * An error with a text and no position in front of it.
     *
     * @param message the text
     */
    public LuaError(String message) {
        this(LuaString.of(message), true);
    }

    private LuaError(Object value, boolean catchable) {
        super(null, null, false, false);
        this.value = value;
        this.catchable = catchable;
    }

    /**
     * An error that ends the script whatever {@code pcall} is around it: for a script that was killed.
     *
     * @param message the text
     * @return the error to throw
     */
    public static LuaError kill(String message) {
        return kill(LuaString.of(message));
    }

    /**
     * As {@link #kill(String)}, with any value.
     *
     * @param value any Lua value, null for nil
     * @return the error to throw
     */
    public static LuaError kill(Object value) {
        return new LuaError(value, false);
    }

    /**
     * The value thrown.
     *
     * @return any Lua value, null for nil
     */
    public Object value() {
        return value;
    }

    /**
     * Whether {@code pcall} may catch it.
     *
     * @return false only for {@link #kill}
     */
    public boolean catchable() {
        return catchable;
    }

    /**
     * The chunk name of the innermost Lua function that was running, as given to {@code compile} ("@user_script").
     *
     * @return the name, or null when no Lua function was running (a syntax error)
     */
    public String source() {
        return source;
    }

    /**
     * The line that function was at.
     *
     * @return the line, from 1; -1 when no Lua function was running
     */
    public int line() {
        return line;
    }

    LuaError at(String chunkName, int atLine) {
        if (source == null) {
            source = chunkName;
            line = atLine;
        }
        return this;
    }

    /** Notes where the runtime is. */
    LuaError at(LuaRuntime rt) {
        Frame f = rt.frame;
        while (f != null && f.proto == null) {
            f = f.parent;
        }
        return f == null ? this : at(f.proto.chunkName, f.line());
    }

    @Override
    public String getMessage() {
        return value instanceof LuaString s ? s.toString()
            : "(error object is a " + LuaValues.typeName(value) + " value)";
    }
}
