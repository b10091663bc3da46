package io.sluice.replication;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Request;
import io.sluice.resp.RequestParser;
import io.sluice.resp.RespLimits;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Cuts a primary's stream into units and has them applied: a single command, or all between {@code MULTI} and {@code
 * EXEC}, which waits until it is whole. What was applied is added to this server's own history, byte for byte, so the
 * history always ends between two units.
 */
final class StreamReader {

    /** Longer than what is held here: whoever sends it is told what the limit is when it is applied. */
    private static final int BULK_BYTES_MAX = 64 << 20;
    private static final int UNIT_BYTES_MAX = 256 << 20;
    private static final RespLimits LIMITS = RespLimits.of(BULK_BYTES_MAX);

    private static final byte[] MULTI = lower("multi");
    private static final byte[] EXEC = lower("exec");
    private static final byte[] SELECT = lower("select");
    private static final byte[] PING = lower("ping");
    private static final byte[] REPLCONF = lower("replconf");
    private static final byte[] GETACK = lower("getack");
    private static final byte[] RESTORE = lower("restore");
    /** How commands that only Sluice servers understand begin. */
    private static final byte[] OWN_PREFIX = "SLUICE.".getBytes(StandardCharsets.US_ASCII);
    /** The first byte of what {@code RESTORE} restores when it is the value of a module, as our own types are. */
    private static final int MODULE_TYPE = 7;
    /** The index of a database that no server has. */
    private static final int NOWHERE = Integer.MAX_VALUE;

    private final ReplicationStream stream;
    private final ReplicaHost host;
    private final Runnable sendAck;
    private final RequestParser parser = new RequestParser();
    /** Reads a unit a second time, when it is known to be whole. */
    private final RequestParser again = new RequestParser();
    private final LongValue number = new LongValue();
    /** Bytes read and kept: of a unit that is not complete. */
    private int unitBytes;
    private boolean inUnit;
    private boolean unitIsRepeatable;
    private boolean unitHasFailed;

    StreamReader(final ReplicationStream stream, final ReplicaHost host, final Runnable sendAck) {
        this.stream = stream;
        this.host = host;
        this.sendAck = sendAck;
    }

    /** Bytes in front of the buffer's reader index that are needed again. */
    int keptBytes() {
        return unitBytes;
    }

    /** Unread bytes, with so many kept in front of them, and new bytes, all in one direct buffer. */
    static ByteBuf joined(final ByteBuf in, final ByteBuf bytes, final int kept) {
        if (in == null && bytes.hasMemoryAddress()) {
            return bytes;
        }
        final int before = in == null ? 0 : in.readableBytes() + kept;
        ByteBuf target = in;
        if (in == null || in.writableBytes() < bytes.readableBytes()) {
            target = PooledByteBufAllocator.DEFAULT.directBuffer(
                Math.max(before + bytes.readableBytes(), 2 * before));
            if (in != null) {
                target.writeBytes(in, in.readerIndex() - kept, before);
                target.readerIndex(kept);
                in.release();
            }
        }
        target.writeBytes(bytes);
        bytes.release();
        return target;
    }

    /** Applies all complete units. Returns what is wrong with the stream, or null. */
    String read(final ByteBuf in) {
        if (unitHasFailed) {
            return "a unit of the primary's stream could not be applied";
        }
        host.advancing(stream.offset() + unitBytes + in.readableBytes());
        while (true) {
            final int from = in.readerIndex();
            final RequestParser.Result result = parser.parse(in, LIMITS, true);
            if (result == RequestParser.Result.PROTOCOL_ERROR) {
                return "the primary's stream is damaged: " + parser.errorText();
            }
            unitBytes += in.readerIndex() - from;
            if (result == RequestParser.Result.INCOMPLETE) {
                break;
            }
            final Request command = parser.request();
            if (!inUnit && command.argIs(0, MULTI)) {
                inUnit = true;
                unitIsRepeatable = true;
            } else if (!inUnit) {
                applyOne(in, command);
            } else if (command.argIs(0, EXEC)) {
                applyUnit(in);
            } else {
                unitIsRepeatable &= Repeatable.is(command);
            }
            if (unitBytes > UNIT_BYTES_MAX) {
                return "a transaction of more than " + UNIT_BYTES_MAX + " bytes";
            }
        }
        host.advanced();
        return null;
    }

    private void applyOne(final ByteBuf in, final Request command) {
        if (!isOfTheLink(command)) {
            host.unitBegins(Repeatable.is(command));
            unitHasFailed = true;
            try {
                host.apply(command, stream.selectedDb());
                record(in, in.readerIndex() - unitBytes, unitBytes, isOwn(command));
                unitHasFailed = false;
            } finally {
                endUnit();
            }
        } else {
            record(in, in.readerIndex() - unitBytes, unitBytes, false);
        }
        unitBytes = 0;
    }

    private void applyUnit(final ByteBuf in) {
        final int end = in.readerIndex();
        in.readerIndex(end - unitBytes);
        host.unitBegins(unitIsRepeatable);
        unitHasFailed = true;
        try {
            while (in.readerIndex() < end) {
                applyNext(in);
            }
            unitHasFailed = false;
        } finally {
            endUnit();
        }
        inUnit = false;
        unitBytes = 0;
    }

    private void applyNext(final ByteBuf in) {
        final int from = in.readerIndex();
        again.parse(in, LIMITS, true);
        final Request command = again.request();
        final boolean frame = command.argIs(0, MULTI) || command.argIs(0, EXEC);
        if (!frame && !isOfTheLink(command)) {
            host.apply(command, stream.selectedDb());
        }
        record(in, from, in.readerIndex() - from, !frame && isOwn(command));
    }

    private void endUnit() {
        if (unitHasFailed) {
            host.unitFailed();
        } else {
            host.unitEnds();
        }
    }

    private void record(final ByteBuf in, final int from, final int length, final boolean own) {
        if (own) {
            stream.appendOwn(in.memoryAddress() + from, length);
        } else {
            stream.append(in.memoryAddress() + from, length);
        }
    }

    /** Whether the command is about the link and changes no data. Does what it asks for. */
    private boolean isOfTheLink(final Request command) {
        if (command.argIs(0, SELECT)) {
            // Rather nowhere than in a database that the primary does not mean.
            stream.selected(isIndex(command) ? (int) number.value : NOWHERE);
            return true;
        }
        if (command.argIs(0, REPLCONF)) {
            if (command.argCount() > 1 && command.argIs(1, GETACK)) {
                sendAck.run();
            }
            return true;
        }
        return command.argIs(0, PING);
    }

    private boolean isIndex(final Request select) {
        return select.argCount() == 2
            && Integers.parseStrict(select.buffer(), select.argOffset(1), select.argLength(1), number)
            && number.value >= 0 && number.value <= NOWHERE;
    }

    private static boolean isOwn(final Request command) {
        if (command.argLength(0) > OWN_PREFIX.length && hasOwnPrefix(command)) {
            return true;
        }
        return command.argIs(0, RESTORE) && command.argCount() > 3 && command.argLength(3) > 0
            && command.argByte(3, 0) == MODULE_TYPE;
    }

    private static boolean hasOwnPrefix(final Request command) {
        for (int i = 0; i < OWN_PREFIX.length; i++) {
            if (command.argByte(0, i) != OWN_PREFIX[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] lower(final String word) {
        return word.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }
}
