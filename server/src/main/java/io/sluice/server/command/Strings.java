package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Reply;

/** What every command on strings does with an entry. */
final class Strings {
    private Strings() {
    }

    /** Whether the entry is a string or not there; otherwise that is the error. */
    static boolean isString(CommandContext ctx, Entry entry) {
        if (!entry.exists() || entry.type() == ValueType.STRING) {
            return true;
        }
        ctx.reply().error(Errors.WRONG_TYPE);
        return false;
    }

    /** Answers with the string, or with no value if the key is not there. */
    static void reply(Reply reply, Entry entry) {
        if (!entry.exists()) {
            reply.nullValue();
        } else if (entry.isInt()) {
            reply.bulkOfLong(entry.intValue());
        } else {
            reply.bulk(entry.payloadAddress(), entry.payloadLength());
        }
    }
}
