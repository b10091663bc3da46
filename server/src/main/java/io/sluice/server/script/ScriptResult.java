package io.sluice.server.script;

import io.sluice.lua.LuaString;
import io.sluice.lua.LuaTable;
import io.sluice.lua.LuaValues;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.resp.ReplyTooLargeException;

/** Answers a client with what a script returned, by Redis's table of conversions. */
final class ScriptResult {
    /** Tables in tables; beyond, an error stands in the place of the value, as in Redis. */
    static final int DEPTH_MAX = 1_000;

    private static final LuaString ERR = LuaString.name("err");
    private static final LuaString OK = LuaString.name("ok");
    private static final LuaString DOUBLE = LuaString.name("double");
    private static final LuaString MAP = LuaString.name("map");
    private static final LuaString SET = LuaString.name("set");
    private static final LuaString BIG_NUMBER = LuaString.name("big_number");
    private static final LuaString VERBATIM = LuaString.name("verbatim_string");
    private static final LuaString FORMAT = LuaString.name("format");
    private static final LuaString STRING = LuaString.name("string");
    private static final int FORMAT_LENGTH = 3;

    private final Reply reply;
    /** The protocol whose types the script speaks. */
    private final int protocol;

    private ScriptResult(Reply reply, int protocol) {
        this.reply = reply;
        this.protocol = protocol;
    }

    /**
     * Writes the reply.
     *
     * @param protocol what the script has chosen with {@code redis.setresp}
     * @throws ReplyTooLargeException if it would be too large
     */
    static void answer(Reply reply, int protocol, Object value) {
        if (value instanceof Double number) {
            reply.integer(LuaValues.replyInteger(number));
        } else {
            new ScriptResult(reply, protocol).write(value, 0);
        }
    }

    private void write(Object value, int depth) {
        if (depth == DEPTH_MAX) {
            reply.error("ERR reached lua stack limit");
        } else if (value instanceof LuaString text) {
            reply.bulk(text.bytes());
        } else if (value instanceof Double number) {
            reply.integer(LuaValues.replyInteger(number));
        } else if (value instanceof LuaTable table) {
            writeTable(table, depth);
        } else if (value instanceof Boolean truth) {
            writeBoolean(truth);
        } else {
            reply.nullValue();
        }
    }

    private void writeBoolean(boolean truth) {
        if (protocol == 3) {
            reply.bool(truth);
        } else if (truth) {
            reply.integer(1);
        } else {
            reply.nullValue();
        }
    }

    private void writeTable(LuaTable table, int depth) {
        if (table.get(ERR) instanceof LuaString text) {
            reply.error(asText(text));
        } else if (table.get(OK) instanceof LuaString text) {
            reply.simple(asText(text));
        } else if (table.get(DOUBLE) instanceof Double number) {
            reply.doubleValue(number);
        } else if (table.get(BIG_NUMBER) instanceof LuaString digits) {
            reply.bigNumber(ErrorText.sanitise(digits.toString()));
        } else if (!writeVerbatim(table)) {
            writeAggregate(table, depth);
        }
    }

    private void writeAggregate(LuaTable table, int depth) {
        if (table.get(MAP) instanceof LuaTable map) {
            writeEntries(map, true, depth);
        } else if (table.get(SET) instanceof LuaTable set) {
            writeEntries(set, false, depth);
        } else {
            writeArray(table, depth);
        }
    }

    /** C text: it ends at the first NUL. */
    static String asText(LuaString string) {
        String text = string.toString();
        int nul = text.indexOf('\0');
        return nul < 0 ? text : text.substring(0, nul);
    }

    private void writeEntries(LuaTable table, boolean withValues, int depth) {
        int count = table.count();
        if (withValues) {
            reply.map(count);
        } else {
            reply.set(count);
        }
        table.forEach((key, value) -> {
            write(key, depth + 1);
            if (withValues) {
                write(value, depth + 1);
            }
        });
    }

    private boolean writeVerbatim(LuaTable table) {
        if (table.get(VERBATIM) instanceof LuaTable content && content.get(STRING) instanceof LuaString text
                && content.get(FORMAT) instanceof LuaString format) {
            reply.verbatim((asText(format) + "   ").substring(0, FORMAT_LENGTH), text.bytes());
            return true;
        }
        return false;
    }

    private void writeArray(LuaTable table, int depth) {
        int length = 0;
        while (table.get(length + 1) != null) {
            length++;
        }
        reply.array(length);
        for (int i = 1; i <= length; i++) {
            write(table.get(i), depth + 1);
        }
    }
}
