package io.sluice.server.script;

import io.netty.util.internal.PlatformDependent;
import io.sluice.lua.LuaError;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaString;
import io.sluice.lua.LuaTable;
import io.sluice.resp.DoubleText;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The reply to a command that a script calls, made as a Lua value without a detour through bytes. Which value stands
 * for what is Redis's table of conversions, that of RESP2 or, after {@code redis.setresp(3)}, that of RESP3.
 *
 * <p>A script that runs out of memory while its reply is made gets the error when it takes the value: the command has
 * been carried out by then.
 */
public final class CallReply implements Reply {
    private static final LuaString OK_FIELD = LuaString.name("ok");
    private static final LuaString ERR_FIELD = LuaString.name("err");
    private static final LuaString MAP_FIELD = LuaString.name("map");
    private static final LuaString SET_FIELD = LuaString.name("set");
    private static final LuaString DOUBLE_FIELD = LuaString.name("double");
    private static final LuaString BIG_NUMBER_FIELD = LuaString.name("big_number");
    private static final LuaString VERBATIM_FIELD = LuaString.name("verbatim_string");
    private static final LuaString FORMAT_FIELD = LuaString.name("format");
    private static final LuaString STRING_FIELD = LuaString.name("string");
    private static final LuaString COUNTED_FIELD = LuaString.name("ignore_error_stats_update");
    private static final LuaString OK = LuaString.of("OK");
    private static final LuaString PONG = LuaString.of("PONG");

    private static final int ARRAY = 0;
    private static final int MAP = 1;
    private static final int SET = 2;
    /** Heap of a table, of one of its elements, of a field of it. */
    private static final int TABLE_BYTES = 96;
    private static final int ELEMENT_BYTES = 8;
    private static final int DOUBLE_BYTES = 24;

    private LuaRuntime runtime;
    private int protocol = 2;
    private Object value;
    private String error;
    private LuaError outOfMemory;

    /** The aggregates that are not complete yet, outermost first. */
    private Object[][] open = new Object[4][];
    private int[] filled = new int[4];
    private int[] kinds = new int[4];
    private int depth;

    /** From now on for scripts of this runtime and in the types of this protocol. */
    void of(LuaRuntime newRuntime, int newProtocol) {
        runtime = newRuntime;
        protocol = newProtocol;
        begin();
    }

    /** Forgets what was written. */
    public void begin() {
        value = null;
        error = null;
        outOfMemory = null;
        depth = 0;
    }

    /** The text of the error reply, or null if it is another reply. */
    public String errorText() {
        return error;
    }

    /** What the script gets. */
    Object value() {
        if (outOfMemory != null) {
            throw outOfMemory;
        }
        return value;
    }

    /** An error as scripts see it: a table whose {@code err} is the text. */
    static LuaTable errorTable(String text) {
        LuaTable table = new LuaTable(0, 2);
        table.set(ERR_FIELD, LuaString.of(text));
        return table;
    }

    private void add(Object item) {
        Object added = item;
        while (depth > 0) {
            Object[] items = open[depth - 1];
            items[filled[depth - 1]++] = added;
            if (filled[depth - 1] < items.length) {
                return;
            }
            depth--;
            added = aggregate(kinds[depth], items);
            open[depth] = null;
        }
        value = added;
    }

    private void open(int kind, int items) {
        if (items == 0) {
            add(aggregate(kind, new Object[0]));
            return;
        }
        allocate(TABLE_BYTES + (long) ELEMENT_BYTES * items);
        if (outOfMemory != null) {
            // Whoever writes goes on; nothing of it is kept.
            return;
        }
        if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
            filled = Arrays.copyOf(filled, 2 * depth);
            kinds = Arrays.copyOf(kinds, 2 * depth);
        }
        open[depth] = new Object[items];
        filled[depth] = 0;
        kinds[depth] = kind;
        depth++;
    }

    private static Object aggregate(int kind, Object[] items) {
        if (kind == ARRAY) {
            return LuaTable.ofArray(items);
        }
        LuaTable content = new LuaTable(0, items.length);
        if (kind == SET) {
            for (Object item : items) {
                content.set(item, Boolean.TRUE);
            }
            return field(SET_FIELD, content);
        }
        for (int i = 0; i < items.length; i += 2) {
            content.set(items[i], items[i + 1]);
        }
        return field(MAP_FIELD, content);
    }

    private static LuaTable field(LuaString name, Object content) {
        LuaTable table = new LuaTable(0, 1);
        table.set(name, content);
        return table;
    }

    private void allocate(long bytes) {
        try {
            runtime.allocate(bytes);
        } catch (LuaError e) {
            outOfMemory = e;
        }
    }

    private void addString(byte[] bytes) {
        allocate(TABLE_BYTES + bytes.length);
        add(LuaString.of(bytes));
    }

    private void addField(LuaString name, Object content) {
        allocate(2 * TABLE_BYTES);
        add(field(name, content));
    }

    @Override
    public int protocol() {
        return protocol;
    }

    @Override
    public void ok() {
        addField(OK_FIELD, OK);
    }

    @Override
    public void pong() {
        addField(OK_FIELD, PONG);
    }

    @Override
    public void simple(String ascii) {
        addField(OK_FIELD, LuaString.of(ErrorText.sanitise(ascii)));
    }

    @Override
    public void error(String text) {
        String oneLine = ErrorText.sanitise(text);
        LuaTable table = errorTable(oneLine);
        table.set(COUNTED_FIELD, Boolean.TRUE);
        if (depth == 0) {
            error = oneLine;
        }
        add(table);
    }

    @Override
    public void integer(long number) {
        allocate(DOUBLE_BYTES);
        add((double) number);
    }

    @Override
    public void bulk(byte[] bytes) {
        addString(bytes.clone());
    }

    @Override
    public void bulk(long address, int length) {
        allocate(TABLE_BYTES + length);
        if (outOfMemory == null) {
            byte[] bytes = new byte[length];
            PlatformDependent.copyMemory(address, bytes, 0, length);
            add(LuaString.of(bytes));
        }
    }

    @Override
    public void bulkOfLong(long number) {
        addString(Long.toString(number).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void bulkText(String text) {
        addString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void nullValue() {
        add(protocol == 2 ? Boolean.FALSE : null);
    }

    @Override
    public void nullArray() {
        nullValue();
    }

    @Override
    public void array(int n) {
        open(ARRAY, n);
    }

    @Override
    public void map(int pairs) {
        open(protocol == 2 ? ARRAY : MAP, 2 * pairs);
    }

    @Override
    public void set(int n) {
        open(protocol == 2 ? ARRAY : SET, n);
    }

    @Override
    public void push(int n) {
        open(ARRAY, n);
    }

    @Override
    public void doubleValue(double number) {
        if (protocol == 2) {
            bulkText(DoubleText.of(number));
        } else {
            addField(DOUBLE_FIELD, number);
        }
    }

    @Override
    public void doubleText(String decimal) {
        if (protocol == 2) {
            bulkText(decimal);
        } else {
            addField(DOUBLE_FIELD, doubleOf(decimal));
        }
    }

    private static double doubleOf(String decimal) {
        return switch (decimal) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> Double.parseDouble(decimal);
        };
    }

    @Override
    public void bool(boolean truth) {
        if (protocol == 2) {
            integer(truth ? 1 : 0);
        } else {
            add(truth);
        }
    }

    @Override
    public void verbatim(String format, byte[] bytes) {
        if (protocol == 2) {
            bulk(bytes);
            return;
        }
        allocate(TABLE_BYTES + bytes.length);
        LuaTable content = new LuaTable(0, 2);
        content.set(FORMAT_FIELD, LuaString.of(format));
        content.set(STRING_FIELD, LuaString.of(bytes.clone()));
        addField(VERBATIM_FIELD, content);
    }

    @Override
    public void bigNumber(String digits) {
        if (protocol == 2) {
            bulkText(digits);
        } else {
            addField(BIG_NUMBER_FIELD, LuaString.of(digits));
        }
    }
}
