package io.sluice.lua;

/** {@code cjson}: lua-cjson 2.1 as Redis ships it, with its configuration functions. */
final class Cjson {

    /** How {@code encode_invalid_numbers} is set. */
    static final int REFUSE = 0;
    static final int ALLOW = 1;
    static final int AS_NULL = 2;

    boolean sparseConvert;
    int sparseRatio = 2;
    int sparseSafe = 10;
    int encodeDepthMax = 1000;
    int decodeDepthMax = 1000;
    int precision = 14;
    int encodeInvalid = REFUSE;
    boolean decodeInvalid = true;
    private boolean keepBuffer = true;

    private Cjson() {
    }

    static void open(LuaRuntime rt) {
        rt.define("cjson", create());
    }

    /** The library's table; each has a configuration of its own. */
    private static LuaTable create() {
        Cjson c = new Cjson();
        return new Library()
            .add("encode", c::encode)
            .add("decode", c::decode)
            .add("encode_sparse_array", c::configureSparse)
            .add("encode_max_depth", (r, a) -> {
                c.encodeDepthMax = integer(r, atMost(r, a, 1), 0, c.encodeDepthMax, 1, Integer.MAX_VALUE);
                return (double) c.encodeDepthMax;
            })
            .add("decode_max_depth", (r, a) -> {
                c.decodeDepthMax = integer(r, atMost(r, a, 1), 0, c.decodeDepthMax, 1, Integer.MAX_VALUE);
                return (double) c.decodeDepthMax;
            })
            .add("encode_number_precision", (r, a) -> {
                c.precision = integer(r, atMost(r, a, 1), 0, c.precision, 1, 14);
                return (double) c.precision;
            })
            .add("encode_keep_buffer", (r, a) -> {
                c.keepBuffer = toggle(r, atMost(r, a, 1), 0, c.keepBuffer);
                return c.keepBuffer;
            })
            .add("encode_invalid_numbers", c::configureEncodeInvalid)
            .add("decode_invalid_numbers", (r, a) -> {
                c.decodeInvalid = toggle(r, atMost(r, a, 1), 0, c.decodeInvalid);
                return c.decodeInvalid;
            })
            .add("new", (r, a) -> create())
            .constant("null", LuaUserdata.NULL)
            .constant("_NAME", LuaString.of("cjson"))
            .constant("_VERSION", LuaString.of("2.1.0")).table;
    }

    private Object encode(LuaRuntime rt, Object[] args) {
        Args.check(rt, args.length == 1, 0, "expected 1 argument");
        return rt.counted(new CjsonEncoder(rt, this).encode(args[0]));
    }

    private Object decode(LuaRuntime rt, Object[] args) {
        Args.check(rt, args.length == 1, 0, "expected 1 argument");
        return new CjsonDecoder(rt, this, Args.string(rt, args, 0).bytes).document();
    }

    private static Object[] atMost(LuaRuntime rt, Object[] args, int max) {
        Args.check(rt, args.length <= max, max, "found too many arguments");
        return args;
    }

    private static int integer(LuaRuntime rt, Object[] args, int i, int now, int min, int max) {
        if (Args.absent(args, i)) {
            return now;
        }
        int value = Args.integer(rt, args, i);
        Args.check(rt, min <= value && value <= max, 0, "expected integer between " + min + " and " + max);
        return value;
    }

    private static boolean toggle(LuaRuntime rt, Object[] args, int i, boolean now) {
        if (Args.absent(args, i)) {
            return now;
        }
        return args[i] instanceof Boolean b ? b : option(rt, args, i, "off", "on") == 1;
    }

    private static int option(LuaRuntime rt, Object[] args, int i, String... options) {
        String text = Args.string(rt, args, i).toString();
        for (int o = 0; o < options.length; o++) {
            if (options[o].equals(text)) {
                return o;
            }
        }
        throw rt.argumentError(i + 1, "invalid option '" + text + "'");
    }

    private Object configureSparse(LuaRuntime rt, Object[] args) {
        atMost(rt, args, 3);
        sparseConvert = toggle(rt, args, 0, sparseConvert);
        sparseRatio = integer(rt, args, 1, sparseRatio, 0, Integer.MAX_VALUE);
        sparseSafe = integer(rt, args, 2, sparseSafe, 0, Integer.MAX_VALUE);
        return new Object[] {sparseConvert, (double) sparseRatio, (double) sparseSafe};
    }

    private Object configureEncodeInvalid(LuaRuntime rt, Object[] args) {
        atMost(rt, args, 1);
        if (!Args.absent(args, 0)) {
            encodeInvalid = args[0] instanceof Boolean b ? b ? ALLOW : REFUSE
                : option(rt, args, 0, "off", "on", "null");
        }
        return encodeInvalid == AS_NULL ? LuaString.of("null") : (Object) (encodeInvalid == ALLOW);
    }
}
