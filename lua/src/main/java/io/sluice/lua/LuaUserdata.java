package io.sluice.lua;

/** A value scripts can only hold, pass on and compare. {@link #NULL} is {@code cjson.null}. */
public final class LuaUserdata {

    /** The null pointer as a light userdata: what cjson decodes {@code null} to. */
    public static final LuaUserdata NULL = new LuaUserdata("(nil)");

    private final String address;

    private LuaUserdata(String address) {
        this.address = address;
    }

    @Override
    public String toString() {
        return "userdata: " + address;
    }
}
