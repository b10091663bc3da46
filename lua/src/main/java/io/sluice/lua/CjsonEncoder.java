package io.sluice.lua;

/** Writes values as JSON. */
final class CjsonEncoder {

    private static final int CHECK_MASK = 0x3ff;
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
    private int counted;
    private int steps;

    CjsonEncoder(LuaRuntime rt, Cjson config) {
        this.rt = rt;
        this.config = config;
    }

    LuaString result() {
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

    void value(Object value, int depth) {
        step();
        if (value instanceof LuaString s) {
            string(s);
        } else if (value instanceof Double d) {
            number(d);
        } else if (value instanceof LuaTable t) {
            table(t, depth + 1);
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

    private void table(LuaTable table, int depth) {
        if (depth > config.encodeDepthMax || depth > CjsonDecoder.NESTING_MAX) {
            throw rt.error("Cannot serialise, excessive nesting (" + depth + ")");
        }
        int length = arrayLength(table);
        if (length > 0) {
            array(table, length, depth);
        } else {
            object(table, depth);
        }
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

    private void array(LuaTable table, int length, int depth) {
        out.add('[');
        for (int i = 1; i <= length; i++) {
            if (i > 1) {
                out.add(',');
            }
            value(table.get(i), depth);
        }
        out.add(']');
    }

    private void object(LuaTable table, int depth) {
        out.add('{');
        boolean comma = false;
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            if (comma) {
                out.add(',');
            }
            comma = true;
            Object key = table.keyAt(p);
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
            value(table.valueAt(p), depth);
        }
        out.add('}');
    }
}
