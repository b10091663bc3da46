package io.sluice.persistence.snapshot;

import java.io.IOException;

/** Passes over values of types that are not held here, by their structure. */
final class RdbSkipper {

    private static final int STREAM_ID_BYTES = 16;
    private static final int TIME_BYTES = 8;
    private static final int STREAM = 15;
    private static final int STREAM_2 = 19;
    private static final int STREAM_3 = 21;

    private final RdbInput in;

    RdbSkipper(final RdbInput in) {
        this.in = in;
    }

    /** Passes over a value and returns the name of its type. */
    String value(final int type) throws IOException {
        if (type != STREAM && type != STREAM_2 && type != STREAM_3) {
            throw in.error("unknown type " + type);
        }
        stream(type);
        return "stream";
    }

    /** Passes over what a module wrote, up to its end mark. */
    void module() throws IOException {
        while (true) {
            final long opcode = in.number();
            if (opcode == Rdb.MODULE_EOF) {
                return;
            } else if (opcode == Rdb.MODULE_SINT || opcode == Rdb.MODULE_UINT) {
                in.number();
            } else if (opcode == Rdb.MODULE_FLOAT) {
                in.skip(Float.BYTES);
            } else if (opcode == Rdb.MODULE_DOUBLE) {
                in.skip(Double.BYTES);
            } else if (opcode == Rdb.MODULE_STRING) {
                in.skipString();
            } else {
                throw in.error("unknown module opcode " + opcode);
            }
        }
    }

    /** Nodes; count and ids; groups with their pending entries and consumers. Form 2 added ids, 3 a time. */
    private void stream(final int type) throws IOException {
        for (long nodes = in.number(); nodes != 0; nodes--) {
            in.skipString();
            in.skipString();
        }
        numbers(type == STREAM ? 3 : 8);
        for (long groups = in.number(); groups != 0; groups--) {
            in.skipString();
            numbers(type == STREAM ? 2 : 3);
            for (long pending = in.number(); pending != 0; pending--) {
                in.skip(STREAM_ID_BYTES + TIME_BYTES);
                in.number();
            }
            for (long consumers = in.number(); consumers != 0; consumers--) {
                in.skipString();
                in.skip(type == STREAM_3 ? 2 * TIME_BYTES : TIME_BYTES);
                for (long pending = in.number(); pending != 0; pending--) {
                    in.skip(STREAM_ID_BYTES);
                }
            }
        }
    }

    private void numbers(final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            in.number();
        }
    }
}
