package io.sluice.persistence.snapshot;

import java.io.IOException;

/** Passes over values of types that are not held here, by their structure. */
final class RdbSkipper {

    private static final int STREAM_ID_BYTES = 16;
    private static final int TIME_BYTES = 8;
    /** Lengths of a textual score that stand for a not-a-number and the infinities. */
    private static final int SCORE_SPECIAL_MIN = 253;

    private final RdbInput in;

    RdbSkipper(final RdbInput in) {
        this.in = in;
    }

    /** Passes over a value and returns the name of its type. */
    String value(final int type) throws IOException {
        switch (type) {
            case 1, 14 -> strings(1);
            case 2 -> strings(1);
            case 3 -> sortedSetWithText();
            case 4 -> strings(2);
            case 5 -> sortedSet();
            case 9, 10, 11, 12, 13, 16, 17, 20 -> in.skipString();
            case 15, 19, 21 -> stream(type);
            case 18 -> quickList();
            default -> throw in.error("unknown type " + type);
        }
        return nameOf(type);
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

    private static String nameOf(final int type) {
        return switch (type) {
            case 1, 10, 14, 18 -> "list";
            case 2, 11, 20 -> "set";
            case 3, 5, 12, 17 -> "zset";
            case 4, 9, 13, 16 -> "hash";
            default -> "stream";
        };
    }

    private void strings(final int perElement) throws IOException {
        for (long left = in.number(); left != 0; left--) {
            for (int i = 0; i < perElement; i++) {
                in.skipString();
            }
        }
    }

    private void sortedSetWithText() throws IOException {
        for (long left = in.number(); left != 0; left--) {
            in.skipString();
            final int length = in.unsignedByte();
            if (length < SCORE_SPECIAL_MIN) {
                in.skip(length);
            }
        }
    }

    private void sortedSet() throws IOException {
        for (long left = in.number(); left != 0; left--) {
            in.skipString();
            in.skip(Double.BYTES);
        }
    }

    private void quickList() throws IOException {
        for (long left = in.number(); left != 0; left--) {
            in.number();
            in.skipString();
        }
    }

    /** Nodes; count and ids; groups with their pending entries and consumers. Type 19 added ids, 21 a time. */
    private void stream(final int type) throws IOException {
        strings(2);
        numbers(type == 15 ? 3 : 8);
        for (long groups = in.number(); groups != 0; groups--) {
            in.skipString();
            numbers(type == 15 ? 2 : 3);
            for (long pending = in.number(); pending != 0; pending--) {
                in.skip(STREAM_ID_BYTES + TIME_BYTES);
                in.number();
            }
            for (long consumers = in.number(); consumers != 0; consumers--) {
                in.skipString();
                in.skip(type == 21 ? 2 * TIME_BYTES : TIME_BYTES);
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
