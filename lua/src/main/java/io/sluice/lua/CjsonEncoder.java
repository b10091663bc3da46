package io.sluice.lua;

import java.util.ArrayDeque;

/** Writes values as JSON. Nesting is kept in a list of open tables, so that it takes no Java stack. */
final class CjsonEncoder {

    private static final int CHECK_MASK = 0x3ff;
    private static final int LEVEL_BYTES = 32;
    private static final String[] ESCAPES = new String[128];

    static {
        for (int i = 0; i < 32; i++) {
            ESCAPES[i] = String.format("\\u%04x", i);
        }
        ESCAPES['\b'] = "\\b";
        ESCAPES['\t'] = "\\t";
        ESCAPES['\n'] = "\\n";
        ESCAPES['\f'] = "\\f";
        ESCAPES['\r'] = "\\r";
        ESCAPES['"'] = "\\\"";
        ESCAPES['/'] = "\\/";
        ESCAPES['\\'] = "\\\\";
        ESCAPES[127] = "\\u007f";
    }

    private final LuaRuntime rt;
    private final Cjson config;
    private final ByteBuilder out = new ByteBuilder(64);
    private final ArrayDeque<Level> levels = new ArrayDeque<>();
    private int counted;
    private int steps;

    /** A table that is being written. */
    private static final class Level {
        final LuaTable table;
        /** Elements of an array, -1 for an object. */
        final int length;
        /** The element written last, or the position of the entry. */
        int at;

        Level(LuaTable table, int length) {
            this.table = table;
            this.length = length;
        }
    }

    CjsonEncoder(LuaRuntime rt, Cjson config) {
        this.rt = rt;
        this.config = config;
    }

    LuaString encode(Object value) {
        begin(value);
        while (!levels.isEmpty()) {
            Level level = levels.peek();
            boolean more = level.length >= 0 ? nextElement(level) : nextEntry(level);
            if (!more) {
                levels.pop();
            }
        }
        return out.toLuaString();
    }

    private void step() {
        rt.allocate(out.length() - counted);
        counted = out.length();
        if ((++steps & CHECK_MASK) == 0) {
            rt.checkpoint();
        }
    }

    private LuaError failure(Object value, String reason) {
        return rt.error("Cannot serialise " + LuaValues.typeName(value) + ": " + reason);
    }

    /** Writes a value, of a table only the opening bracket. */
    private void begin(Object value) {
        step();
        if (value instanceof LuaString s) {
            string(s);
        } else if (value instanceof Double d) {
            number(d);
        } else if (value instanceof LuaTable t) {
            open(t);
        } else if (value instanceof Boolean b) {
            out.addAscii(b ? "true" : "false");
        } else if (value == null || value == LuaUserdata.NULL) {
            out.addAscii("null");
        } else {
            throw failure(value, "type not supported");
        }
    }

    private void string(LuaString s) {
        rt.allocate(s.length());
        out.add('"');
        for (byte b : s.bytes) {
            String escape = b >= 0 ? ESCAPES[b] : null;
            if (escape == null) {
                out.add(b);
            } else {
                out.addAscii(escape);
            }
        }
        out.add('"');
    }

    private void number(double d) {
        boolean valid = !Double.isNaN(d) && !Double.isInfinite(d);
        if (!valid && config.encodeInvalid == Cjson.REFUSE) {
            throw failure(d, "must not be NaN or Inf");
        }
        if (!valid && config.encodeInvalid == Cjson.AS_NULL) {
            out.addAscii("null");
        } else if (d != d) {
            out.addAscii("nan");
        } else {
            out.add(NumberText.general(d, config.precision));
        }
    }

    private void open(LuaTable table) {
        int depth = levels.size() + 1;
        if (depth > config.encodeDepthMax) {
            throw rt.error("Cannot serialise, excessive nesting (" + depth + ")");
        }
        rt.allocate(LEVEL_BYTES);
        int length = arrayLength(table);
        out.add(length > 0 ? '[' : '{');
        levels.push(new Level(table, length > 0 ? length : -1));
    }

    /** The elements of an array; -1 for an object, also for one sparse beyond what is configured. */
    private int arrayLength(LuaTable table) {
        double max = 0;
        long items = 0;
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            if (!(table.keyAt(p) instanceof Double d) || d < 1 || d != Math.floor(d)) {
                return -1;
            }
            max = Math.max(max, d);
            items++;
        }
        if (config.sparseRatio > 0 && max > (double) items * config.sparseRatio && max > config.sparseSafe) {
            if (!config.sparseConvert) {
                throw failure(table, "excessively sparse array");
            }
            return -1;
        }
        return (int) max;
    }

    private boolean nextElement(Level array) {
        if (array.at == array.length) {
            out.add(']');
            return false;
        }
        if (array.at > 0) {
            out.add(',');
        }
        begin(array.table.get(++array.at));
        return true;
    }

    private boolean nextEntry(Level object) {
        int position = object.table.nextPosition(object.at);
        if (position < 0) {
            out.add('}');
            return false;
        }
        if (object.at > 0) {
            out.add(',');
        }
        object.at = position;
        Object key = object.table.keyAt(position);
        if (key instanceof Double d) {
            out.add('"');
            number(d);
            out.add('"');
        } else if (key instanceof LuaString s) {
            string(s);
        } else {
            throw failure(key, "table key must be a number or string");
        }
        out.add(':');
        begin(object.table.valueAt(position));
        return true;
    }
}
