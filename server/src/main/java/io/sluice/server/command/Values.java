package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.resp.Request;

/** What every command on lists, sets, sorted sets and hashes does with an entry. */
final class Values {
    private Values() {
    }

    /** Whether the entry is of that type or not there; otherwise that is the error. */
    static boolean isType(CommandContext ctx, Entry entry, int type) {
        if (!entry.exists() || entry.type() == type) {
            return true;
        }
        ctx.reply().error(Errors.WRONG_TYPE);
        return false;
    }

    /** Answers with the bytes of an element. */
    static void reply(CommandContext ctx, PackedValue value, int handle) {
        ctx.reply().bulk(value.address(handle), value.length(handle));
    }

    /** Raises the event of what was done, and the one of the key's end if nothing is left in it. */
    static void changed(CommandContext ctx, Entry entry, KeyEvent event) {
        ctx.keyspace().event(event, entry);
        if (!entry.exists()) {
            ctx.keyspace().event(KeyEvent.DEL, entry);
        }
    }

    /**
     * Whether the keys in a range of arguments are of one type, or of another that will do, or not there; otherwise
     * that is the error.
     */
    static boolean areSources(CommandContext ctx, int first, int end, int type, int otherType) {
        for (int key = first; key < end; key++) {
            Entry entry = ctx.lookupRead(0, key);
            if (entry.exists() && entry.type() != type && entry.type() != otherType) {
                ctx.reply().error(Errors.WRONG_TYPE);
                return false;
            }
        }
        return true;
    }

    /** Makes a result that was built the value of a key, and answers with its size. */
    static void store(CommandContext ctx, PackedValue result, Entry entry, KeyEvent event) {
        int size = result.size();
        boolean existed = entry.exists();
        if (result.store(entry, Entry.NO_EXPIRY)) {
            ctx.keyspace().event(event, entry);
        } else if (existed) {
            ctx.keyspace().event(KeyEvent.DEL, entry);
        }
        ctx.reply().integer(size);
    }

    /**
     * Makes sure that a command can add all the elements that it was given, or none.
     *
     * @param first index of the first argument that becomes an element or a part of one
     * @param step  arguments per element
     */
    static void reserve(CommandContext ctx, PackedValue value, int first, int step) {
        Request request = ctx.request();
        int elements = (request.argCount() - first) / step;
        if (elements > 1) {
            long bytes = 0;
            for (int i = first; i < request.argCount(); i++) {
                bytes += request.argLength(i);
            }
            value.reserve(elements, bytes);
        }
    }
}
