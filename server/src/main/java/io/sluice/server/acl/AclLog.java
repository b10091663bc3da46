package io.sluice.server.acl;

import io.sluice.server.stats.EntryLog;

import java.util.Arrays;
import java.util.Iterator;

/**
 * What was denied lately, newest first, for {@code ACL LOG}. A denial like one of the newest few is counted there, as
 * in Redis.
 */
public final class AclLog extends EntryLog<AclLog.Entry> {
    /** So many entries are looked at for one that is alike... */
    private static final int ALIKE_ENTRIES_MAX = 10;
    /** ... and was last counted so long ago at most. */
    private static final long ALIKE_MS_MAX = 60_000;
    /** Of a key, a channel or a name so much is kept. */
    private static final int OBJECT_BYTES_MAX = 1024;

    private long nextId;

    /** Where a request came from. */
    public enum Context {
        TOPLEVEL("toplevel"),
        MULTI("multi"),
        SCRIPT("lua");

        private final String text;

        Context(String text) {
            this.text = text;
        }

        /** The word that {@code ACL LOG} shows. */
        public String text() {
            return text;
        }
    }

    /**
     * One kind of denial.
     *
     * @param count      how often it happened
     * @param object     the command, key or channel
     * @param user       whose request it was, or who it was said to be
     * @param clientInfo the client of the latest, as in {@code CLIENT LIST}
     * @param createdMs  when it happened first
     * @param updatedMs  when it happened last
     */
    public record Entry(long id, long count, Denial reason, Context context, byte[] object, String user,
            String clientInfo, long createdMs, long updatedMs) {

        boolean isAlike(Entry other) {
            return reason == other.reason && context == other.context && user.equals(other.user)
                    && Arrays.equals(object, other.object)
                    && Math.abs(other.createdMs - updatedMs) <= ALIKE_MS_MAX;
        }

        Entry again(Entry latest) {
            return new Entry(id, count + 1, reason, context, object, user, latest.clientInfo, createdMs,
                    latest.createdMs);
        }
    }

    /** Notes a denial. */
    public void add(Denial reason, Context context, byte[] object, String user, String clientInfo, long nowMs) {
        byte[] shown = object.length > OBJECT_BYTES_MAX ? Arrays.copyOf(object, OBJECT_BYTES_MAX) : object;
        String name = user.length() > OBJECT_BYTES_MAX ? user.substring(0, OBJECT_BYTES_MAX) : user;
        Entry added = new Entry(nextId, 1, reason, context, shown, name, clientInfo, nowMs, nowMs);
        int looked = 0;
        for (Iterator<Entry> i = entries.iterator(); i.hasNext() && looked < ALIKE_ENTRIES_MAX; looked++) {
            Entry known = i.next();
            if (known.isAlike(added)) {
                i.remove();
                entries.addFirst(known.again(added));
                return;
            }
        }
        nextId++;
        addNewest(added);
    }
}
