package io.sluice.replication;

import static io.sluice.replication.CommandBuffer.ascii;

import io.sluice.persistence.EffectSink;
import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.snapshot.DumpPayload;

/**
 * Writes effects to the replication stream as standard Redis commands in absolute form. Strings travel as
 * {@code SET}, our own types as {@code RESTORE key ms payload REPLACE ABSTTL}. A unit of several effects is framed by
 * {@code MULTI} and {@code EXEC}, a unit of one or none is not. {@code SELECT} comes before an effect in another
 * database than the last.
 *
 * <p>All effects but {@code SWAPDB} may be applied twice. A stream is followed from exactly the offset at which the
 * snapshot before it was taken, so nothing is.
 */
public final class EffectEncoder implements EffectSink, AutoCloseable {

    private static final byte[] SELECT = ascii("SELECT");
    private static final byte[] MULTI = ascii("MULTI");
    private static final byte[] EXEC = ascii("EXEC");
    private static final byte[] SET = ascii("SET");
    private static final byte[] PXAT = ascii("PXAT");
    private static final byte[] RESTORE = ascii("RESTORE");
    private static final byte[] REPLACE = ascii("REPLACE");
    private static final byte[] ABSTTL = ascii("ABSTTL");
    private static final byte[] DEL = ascii("DEL");
    private static final byte[] PEXPIREAT = ascii("PEXPIREAT");
    private static final byte[] PERSIST = ascii("PERSIST");
    private static final byte[] FLUSHDB = ascii("FLUSHDB");
    private static final byte[] FLUSHALL = ascii("FLUSHALL");
    private static final byte[] SWAPDB = ascii("SWAPDB");

    private static final int NONE_SELECTED = -1;

    private final StreamOutput output;
    /** The command that is put together; within a unit, its first effect until it is known whether more follow. */
    private final CommandBuffer buffer = new CommandBuffer();
    private final CommandBuffer multi = new CommandBuffer();
    private final DumpPayload payload = new DumpPayload();
    private int selectedDb = NONE_SELECTED;
    private boolean inUnit;
    private int effectsInUnit;

    /** An encoder that writes to {@code output}. */
    public EffectEncoder(final StreamOutput output) {
        this.output = output;
        multi.command(1).word(MULTI);
    }

    /** The next effect selects its database: a replica begins to follow here that knows of no earlier selection. */
    public void forgetSelection() {
        selectedDb = NONE_SELECTED;
    }

    @Override
    public void unitBegin() {
        inUnit = true;
        effectsInUnit = 0;
    }

    @Override
    public void unitEnd() {
        inUnit = false;
        if (effectsInUnit > 1) {
            buffer.command(1).word(EXEC);
        }
        flush();
    }

    @Override
    public void put(final Entry e) {
        begin(e.db());
        if (e.type() == ValueType.STRING) {
            set(e);
        } else {
            payload.encode(e);
            buffer.command(6).word(RESTORE).word(e.keyAddress(), e.keyLength())
                .word(e.hasExpiry() ? e.expireAtMs() : 0)
                .word(payload.address(), payload.length())
                .word(REPLACE).word(ABSTTL);
        }
        end();
    }

    @Override
    public void remove(final int db, final long keyAddress, final int keyLength) {
        begin(db);
        buffer.command(2).word(DEL).word(keyAddress, keyLength);
        end();
    }

    @Override
    public void expireAt(final int db, final long keyAddress, final int keyLength, final long expireAtMs) {
        begin(db);
        if (expireAtMs == Entry.NO_EXPIRY) {
            buffer.command(2).word(PERSIST).word(keyAddress, keyLength);
        } else {
            buffer.command(3).word(PEXPIREAT).word(keyAddress, keyLength).word(expireAtMs);
        }
        end();
    }

    @Override
    public void flushDb(final int db) {
        begin(db);
        buffer.command(1).word(FLUSHDB);
        end();
    }

    @Override
    public void flushAll() {
        begin(selectedDb);
        buffer.command(1).word(FLUSHALL);
        end();
    }

    @Override
    public void swapDb(final int a, final int b) {
        begin(selectedDb);
        buffer.command(3).word(SWAPDB).word(a).word(b);
        end();
    }

    private void set(final Entry e) {
        buffer.command(e.hasExpiry() ? 5 : 3).word(SET).word(e.keyAddress(), e.keyLength());
        if (e.isInt()) {
            buffer.word(e.intValue());
        } else {
            buffer.word(e.payloadAddress(), e.payloadLength());
        }
        if (e.hasExpiry()) {
            buffer.word(PXAT).word(e.expireAtMs());
        }
    }

    private void begin(final int db) {
        if (inUnit) {
            effectsInUnit++;
            if (effectsInUnit == 2) {
                output.append(multi.address(), multi.length());
                flush();
            }
        }
        if (db != selectedDb) {
            buffer.command(2).word(SELECT).word(db);
            selectedDb = db;
        }
    }

    private void end() {
        if (!inUnit || effectsInUnit > 1) {
            flush();
        }
    }

    private void flush() {
        output.append(buffer.address(), buffer.length());
        buffer.clear();
    }

    @Override
    public void close() {
        buffer.close();
        multi.close();
        payload.close();
    }
}
