package io.sluice.server.script;

import java.util.ArrayList;
import java.util.List;

/** What a script or function says of itself. A set of bits. */
final class ScriptFlags {
    static final int NO_WRITES = 1;
    static final int ALLOW_OOM = 1 << 1;
    static final int ALLOW_STALE = 1 << 2;
    static final int NO_CLUSTER = 1 << 3;
    static final int ALLOW_CROSS_SLOT_KEYS = 1 << 4;
    /** Says nothing: a script without a first line of flags, of which anything has to be expected. */
    static final int UNDECLARED = 1 << 5;

    private static final String[] NAMES =
        {"no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"};

    private ScriptFlags() {
    }

    /** The bit of this name, or 0 if there is none. */
    static int of(String name) {
        for (int i = 0; i < NAMES.length; i++) {
            if (NAMES[i].equals(name)) {
                return 1 << i;
            }
        }
        return 0;
    }

    static List<String> names(int flags) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < NAMES.length; i++) {
            if ((flags & 1 << i) != 0) {
                names.add(NAMES[i]);
            }
        }
        return names;
    }
}
