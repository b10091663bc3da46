package io.sluice.replication;

import static io.sluice.replication.CommandBuffer.ascii;

import io.sluice.persistence.EffectSink;
import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.snapshot.DumpPayload;

/**
 * Writes effects to the replication stream as standard Redis commands in absolute form. Strings travel as
 * {@code SET}, our own types as {@code RESTORE key ms payload REPLACE ABSTTL} or by a command of ours. A unit of
 * several effects is framed by {@code MULTI} and {@code EXEC}, a unit of one or none is not. {@code SELECT} comes
 * before an effect in another database than the last.
 *
 * <p>{@code SWAPDB} and some effects on lists and sorted sets must not be applied twice, see {@link EffectSink}. A
 * stream is followed from exactly the offset at which the snapshot before it was taken, so nothing is.
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
    private static final byte[] LPUSH = ascii("LPUSH");
    private static final byte[] RPUSH = ascii("RPUSH");
    private static final byte[] LPOP = ascii("LPOP");
    private static final byte[] RPOP = ascii("RPOP");
    private static final byte[] LSET = ascii("LSET");
    private static final byte[] LINSERT = ascii("LINSERT");
    private static final byte[] BEFORE = ascii("BEFORE");
    private static final byte[] AFTER = ascii("AFTER");
    private static final byte[] LREM = ascii("LREM");
    private static final byte[] HSET = ascii("HSET");
    private static final byte[] HDEL = ascii("HDEL");
    private static final byte[] SADD = ascii("SADD");
    private static final byte[] SREM = ascii("SREM");
    private static final byte[] ZADD = ascii("ZADD");
    private static final byte[] ZREM = ascii("ZREM");
    private static final byte[] ZREMRANGEBYRANK = ascii("ZREMRANGEBYRANK");

    private static final int NONE_SELECTED = -1;

    private final StreamOutput output;
    /** The command that is put together; within a unit, its first effect until it is known whether more follow. */
    private final CommandBuffer buffer = new CommandBuffer();
    private final CommandBuffer multi = new CommandBuffer();
    private final DumpPayload payload = new DumpPayload();
    private int selectedDb = NONE_SELECTED;
    private boolean selectNext = true;
    private boolean inUnit;
    private int effectsInUnit;
    /** Where in the buffer a command begins that only Sluice servers understand, and where it ends. */
    private int ownFrom;
    private int ownTo;

    /** An encoder that writes to {@code output}. */
    public EffectEncoder(final StreamOutput output) {
        this.output = output;
        multi.command(1).word(MULTI);
    }

    /** The next effect selects its database: a replica begins to follow here that knows of no earlier selection. */
    public void forgetSelection() {
        selectNext = true;
    }

    /** The database that the stream has selected, or -1 when it has none yet. */
    int selectedDb() {
        return selectedDb;
    }

    /** The stream was continued by others, who have selected this database. */
    void selectedDb(final int db) {
        selectedDb = db;
        selectNext = false;
    }

    @Override
    public void unitBegin() {
        inUnit = true;
        effectsInUnit = 0;
    }

    @Override
    public void unitEnd() {
        // One that began before anybody listened has nothing to end.
        final boolean framed = inUnit && effectsInUnit > 1;
        inUnit = false;
        if (framed) {
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
            final int from = buffer.length();
            buffer.command(6).word(RESTORE).word(e.keyAddress(), e.keyLength())
                .word(e.hasExpiry() ? e.expireAtMs() : 0)
                .word(payload.address(), payload.length())
                .word(REPLACE).word(ABSTTL);
            if (ValueType.isOwn(e.type())) {
                ownFrom = from;
                ownTo = buffer.length();
            }
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
        count();
        buffer.command(1).word(FLUSHALL);
        end();
    }

    @Override
    public void swapDb(final int a, final int b) {
        count();
        buffer.command(3).word(SWAPDB).word(a).word(b);
        end();
    }

    @Override
    public void listPushed(final Entry e, final boolean first, final long address, final int length) {
        change(e, first ? LPUSH : RPUSH, address, length);
    }

    @Override
    public void listPopped(final Entry e, final boolean first, final int elements) {
        on(e, first ? LPOP : RPOP, 1).word(elements);
        end();
    }

    @Override
    public void listSet(final Entry e, final int position, final long address, final int length) {
        on(e, LSET, 2).word(position).word(address, length);
        end();
    }

    @Override
    public void listInserted(
        final Entry e, final boolean before, final long pivotAddress, final int pivotLength, final long address,
        final int length) {
        on(e, LINSERT, 3).word(before ? BEFORE : AFTER).word(pivotAddress, pivotLength).word(address, length);
        end();
    }

    @Override
    public void listRemoved(final Entry e, final long count, final long address, final int length) {
        on(e, LREM, 2).word(count).word(address, length);
        end();
    }

    @Override
    public void hashPut(
        final Entry e, final long fieldAddress, final int fieldLength, final long valueAddress,
        final int valueLength) {
        on(e, HSET, 2).word(fieldAddress, fieldLength).word(valueAddress, valueLength);
        end();
    }

    @Override
    public void hashRemoved(final Entry e, final long fieldAddress, final int fieldLength) {
        change(e, HDEL, fieldAddress, fieldLength);
    }

    @Override
    public void setAdded(final Entry e, final long address, final int length) {
        change(e, SADD, address, length);
    }

    @Override
    public void setRemoved(final Entry e, final long address, final int length) {
        change(e, SREM, address, length);
    }

    @Override
    public void zsetPut(final Entry e, final double score, final long address, final int length) {
        on(e, ZADD, 2).word(score).word(address, length);
        end();
    }

    @Override
    public void zsetRemoved(final Entry e, final long address, final int length) {
        change(e, ZREM, address, length);
    }

    @Override
    public void zsetRunRemoved(final Entry e, final int from, final int members) {
        on(e, ZREMRANGEBYRANK, 2).word(from).word(from + members - 1);
        end();
    }

    @Override
    public void ownChanged(final Entry e, final byte[] command, final long[] numbers) {
        begin(e.db());
        ownFrom = buffer.length();
        buffer.command(2 + numbers.length).word(command).word(e.keyAddress(), e.keyLength());
        for (final long number : numbers) {
            buffer.word(number);
        }
        ownTo = buffer.length();
        end();
    }

    @Override
    public void relayed(final byte[]... words) {
        count();
        buffer.command(words.length);
        for (final byte[] word : words) {
            buffer.word(word);
        }
        end();
    }

    private void change(final Entry e, final byte[] command, final long address, final int length) {
        on(e, command, 1).word(address, length);
        end();
    }

    /** Begins a command on the entry's key with so many arguments more. */
    private CommandBuffer on(final Entry e, final byte[] command, final int arguments) {
        begin(e.db());
        return buffer.command(2 + arguments).word(command).word(e.keyAddress(), e.keyLength());
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
        count();
        if (selectNext || db != selectedDb) {
            selectedDb = db;
            buffer.command(2).word(SELECT).word(db);
            selectNext = false;
        }
    }

    private void count() {
        if (inUnit) {
            effectsInUnit++;
            if (effectsInUnit == 2) {
                output.append(multi.address(), multi.length());
                flush();
            }
        }
    }

    private void end() {
        if (!inUnit || effectsInUnit > 1) {
            flush();
        }
    }

    private void flush() {
        output.append(buffer.address(), ownFrom);
        if (ownTo > ownFrom) {
            output.appendOwn(buffer.address() + ownFrom, ownTo - ownFrom);
        }
        output.append(buffer.address() + ownTo, buffer.length() - ownTo);
        ownFrom = 0;
        ownTo = 0;
        buffer.clear();
    }

    @Override
    public void close() {
        buffer.close();
        multi.close();
        payload.close();
    }
}
