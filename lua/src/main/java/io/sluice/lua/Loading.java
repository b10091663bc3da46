package io.sluice.lua;

/** {@code load} and {@code loadstring}: source text only, whatever it begins with. */
final class Loading {

    private Loading() {
    }

    static Object loadString(LuaRuntime rt, Object[] args) {
        LuaString source = Args.string(rt, args, 0);
        LuaString name = Args.string(rt, args, 1, source);
        return compile(rt, source, name);
    }

    static Object load(LuaRuntime rt, Object[] args) {
        LuaFunction reader = Args.function(rt, args, 0);
        LuaString name = Args.string(rt, args, 1, LuaString.of("=(load)"));
        ByteBuilder source = new ByteBuilder(256);
        while (true) {
            rt.checkpoint();
            Object outcome = ProtectedCall.attempt(rt, reader, LuaValues.NONE);
            if (outcome instanceof LuaError e) {
                return new Object[] {null, e.value()};
            }
            Object piece = LuaValues.first(outcome);
            if (piece == null) {
                break;
            }
            LuaString text = LuaValues.toLuaString(piece);
            if (text == null) {
                return new Object[] {null, LuaString.of("reader function must return a string")};
            }
            if (text.length() == 0) {
                break;
            }
            rt.allocate(text.length());
            source.add(text.bytes);
        }
        return compile(rt, source.toLuaString(), name);
    }

    /** Compiling takes several times the source's size: that is what it counts for. */
    private static Object compile(LuaRuntime rt, LuaString source, LuaString name) {
        rt.allocateForRun(LuaScript.heapBytes(source.length()));
        String text = name.toString();
        int nul = text.indexOf(0);
        try {
            return rt.load(LuaScript.compile(source.bytes, nul < 0 ? text : text.substring(0, nul)));
        } catch (LuaError e) {
            return new Object[] {null, e.value()};
        }
    }
}
