package io.sluice.lua;

import java.util.ArrayList;
import java.util.List;

/** {@code cmsgpack}: MessagePack as Redis ships it. */
final class Cmsgpack {

    private Cmsgpack() {
    }

    static void open(LuaRuntime rt) {
        Library lib = new Library()
            .add("pack", Cmsgpack::pack)
            .add("unpack", (r, a) -> unpack(r, a, 0, 0))
            .add("unpack_one", (r, a) -> unpack(r, a, 1, Args.longInteger(r, a, 1, 0)))
            .add("unpack_limit", Cmsgpack::unpackLimit)
            .constant("_NAME", LuaString.of("cmsgpack"))
            .constant("_VERSION", LuaString.of("lua-cmsgpack 0.4.0"))
            .constant("_DESCRIPTION", LuaString.of("MessagePack C implementation for Lua"));
        rt.define("cmsgpack", lib.table);
    }

    private static Object pack(LuaRuntime rt, Object[] args) {
        if (args.length == 0) {
            throw rt.argumentError(0, "MessagePack pack needs input.");
        }
        CmsgpackEncoder encoder = new CmsgpackEncoder(rt);
        for (Object value : args) {
            encoder.value(value, 0);
        }
        return rt.counted(encoder.result());
    }

    private static Object unpackLimit(LuaRuntime rt, Object[] args) {
        long limit = Args.longInteger(rt, args, 1);
        return unpack(rt, args, limit, Args.longInteger(rt, args, 2, 0));
    }

    /** Values from an offset, at most {@code limit}; neither given means all, without the offset in front. */
    private static Object unpack(LuaRuntime rt, Object[] args, long limit, long offset) {
        byte[] data = Args.string(rt, args, 0).bytes;
        if (offset < 0 || limit < 0) {
            throw rt.error("Invalid request to unpack with offset of " + (int) offset + " and limit of " + data.length
                + ".");
        }
        if (offset > data.length) {
            throw rt.error("Start offset " + (int) offset + " greater than input length " + data.length + ".");
        }
        boolean all = limit == 0 && offset == 0;
        long count = all ? Integer.MAX_VALUE : limit;
        CmsgpackDecoder decoder = new CmsgpackDecoder(rt, data, (int) offset);
        List<Object> values = new ArrayList<>();
        if (!all) {
            values.add(null);
        }
        for (long i = 0; i < count && decoder.left() > 0; i++) {
            if (values.size() >= LuaLimits.VALUES_MAX) {
                throw rt.error("stack overflow (too many return values at once; use unpack_one or unpack_limit "
                    + "instead.)");
            }
            values.add(decoder.value());
        }
        if (!all) {
            values.set(0, decoder.left() == 0 ? -1.0 : (double) decoder.position());
        }
        return values.toArray();
    }
}
