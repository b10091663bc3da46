package io.sluice.persistence.snapshot;

import io.sluice.persistence.ValueType;

import java.io.IOException;

/** The part of a value of one of our own types behind the module id; its payload is in the block it was read into. */
record OwnValue(int type, boolean words, int length) {

    private static final int WORDS_BYTES_MAX = 255 * Long.BYTES;

    static OwnValue read(final RdbInput in, final NativeBlock payload, final int lengthMax) throws IOException {
        expect(in, Rdb.MODULE_UINT);
        final long type = in.number();
        expect(in, Rdb.MODULE_UINT);
        final long words = in.number();
        expect(in, Rdb.MODULE_STRING);
        final int length = in.string(payload, words == 1 ? WORDS_BYTES_MAX : lengthMax);
        expect(in, Rdb.MODULE_EOF);
        if (type <= ValueType.STRING || type > ValueType.LOG || words < 0 || words > 1
            || length == RdbInput.TOO_LONG || words == 1 && (length == 0 || length % Long.BYTES != 0)) {
            throw in.error("a value of " + Rdb.MODULE_NAME + " that makes no sense");
        }
        return new OwnValue((int) type, words == 1, length);
    }

    private static void expect(final RdbInput in, final int opcode) throws IOException {
        if (in.number() != opcode) {
            throw in.error("a value of " + Rdb.MODULE_NAME + " is damaged");
        }
    }
}
