package io.sluice.lua;

/** {@code bit}: the operations of Lua BitOp on 32-bit integers. */
final class BitLib {

    /** Adding 2^52+2^51 leaves the low 32 bits of a number, rounded to even, at the low end of the double. */
    private static final double TO_LOW_BITS = 6755399441055744.0;

    /** An operation on two integers. */
    private interface Operation {
        int apply(int a, int b);
    }

    private BitLib() {
    }

    static void open(LuaRuntime rt) {
        Library lib = new Library()
            .add("tobit", (r, a) -> (double) bits(r, a, 0))
            .add("bnot", (r, a) -> (double) ~bits(r, a, 0))
            .add("bswap", (r, a) -> (double) Integer.reverseBytes(bits(r, a, 0)))
            .add("tohex", BitLib::toHex);
        fold(lib, "band", (a, b) -> a & b);
        fold(lib, "bor", (a, b) -> a | b);
        fold(lib, "bxor", (a, b) -> a ^ b);
        shift(lib, "lshift", (a, n) -> a << n);
        shift(lib, "rshift", (a, n) -> a >>> n);
        shift(lib, "arshift", (a, n) -> a >> n);
        shift(lib, "rol", Integer::rotateLeft);
        shift(lib, "ror", Integer::rotateRight);
        rt.define("bit", lib.table);
    }

    private static int bits(LuaRuntime rt, Object[] args, int i) {
        return (int) Double.doubleToRawLongBits(Args.number(rt, args, i) + TO_LOW_BITS);
    }

    private static void fold(Library lib, String name, Operation operation) {
        lib.add(name, (rt, args) -> {
            int result = bits(rt, args, 0);
            for (int i = args.length - 1; i > 0; i--) {
                result = operation.apply(result, bits(rt, args, i));
            }
            return (double) result;
        });
    }

    private static void shift(Library lib, String name, Operation operation) {
        lib.add(name, (rt, args) -> (double) operation.apply(bits(rt, args, 0), bits(rt, args, 1) & 31));
    }

    private static Object toHex(LuaRuntime rt, Object[] args) {
        int value = bits(rt, args, 0);
        int wanted = args.length < 2 ? 8 : bits(rt, args, 1);
        int digits = wanted < 0 ? Math.min(8, wanted == Integer.MIN_VALUE ? 8 : -wanted) : Math.min(8, wanted);
        String text = String.format(wanted < 0 ? "%08X" : "%08x", value);
        return LuaString.of(text.substring(8 - digits));
    }
}
