package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Reply;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static io.sluice.server.command.CommandFlag.READONLY;

/** {@code LCS}: the longest sequence of bytes that two strings have in common, by the table of all their beginnings. */
final class LcsCommand {
    private static final byte[] LEN = Words.lower("len");
    private static final byte[] IDX = Words.lower("idx");
    private static final byte[] MIN_MATCH_LEN = Words.lower("minmatchlen");
    private static final byte[] WITH_MATCH_LEN = Words.lower("withmatchlen");
    /** Most bytes of the table, whatever the settings say: what the loop can fill in some milliseconds. */
    private static final long TABLE_BYTES_MAX = 16L << 20;
    private static final String NOT_STRINGS = "ERR The specified keys must contain string values";
    private static final String BOTH = "ERR If you want both the length and indexes, please just use IDX.";
    private static final String TOO_LARGE =
            "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len";

    /** A run of bytes that both strings have, first and last position in each. */
    private record Match(int aFirst, int aLast, int bFirst, int bLast) {
        private int length() {
            return aLast - aFirst + 1;
        }
    }

    private final byte[] a;
    private final byte[] b;
    /** The length for each pair of beginnings, row by row. */
    private final int[] table;
    private final int width;
    private final List<Match> matches = new ArrayList<>();

    private LcsCommand(byte[] a, byte[] b) {
        this.a = a;
        this.b = b;
        width = b.length + 1;
        table = new int[(a.length + 1) * width];
        for (int i = 1; i <= a.length; i++) {
            for (int j = 1; j <= b.length; j++) {
                table[i * width + j] = a[i - 1] == b[j - 1] ? at(i - 1, j - 1) + 1
                        : Math.max(at(i - 1, j), at(i, j - 1));
            }
        }
    }

    private int at(int i, int j) {
        return table[i * width + j];
    }

    private int length() {
        return at(a.length, b.length);
    }

    /** The common bytes; notes their runs, the last one first. */
    private byte[] trace() {
        byte[] common = new byte[length()];
        int left = common.length;
        int i = a.length;
        int j = b.length;
        int run = 0;
        while (i > 0 && j > 0) {
            if (a[i - 1] == b[j - 1]) {
                common[--left] = a[i - 1];
                i--;
                j--;
                run++;
                if (i > 0 && j > 0) {
                    continue;
                }
            }
            if (run > 0) {
                matches.add(new Match(i, i + run - 1, j, j + run - 1));
                run = 0;
            }
            if (i > 0 && j > 0 && at(i - 1, j) > at(i, j - 1)) {
                i--;
            } else {
                j--;
            }
        }
        return common;
    }

    private static void lcs(CommandContext ctx, long tableBytesMax) {
        Entry first = ctx.lookupRead(0, 1);
        Entry second = ctx.lookupRead(1, 2);
        if (first.exists() && first.type() != ValueType.STRING
                || second.exists() && second.type() != ValueType.STRING) {
            ctx.reply().error(NOT_STRINGS);
            return;
        }
        Args args = ctx.args();
        args.position(3);
        boolean lengthOnly = false;
        boolean indexes = false;
        boolean withLength = false;
        long lengthMin = 0;
        while (args.hasNext()) {
            if (args.accept(LEN)) {
                lengthOnly = true;
            } else if (args.accept(IDX)) {
                indexes = true;
            } else if (args.accept(WITH_MATCH_LEN)) {
                withLength = true;
            } else if (args.remaining() > 1 && args.accept(MIN_MATCH_LEN)) {
                lengthMin = args.nextLong();
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (indexes && lengthOnly) {
            args.fail(BOTH);
        }
        byte[] a = bytes(first);
        byte[] b = bytes(second);
        if ((a.length + 1L) * (b.length + 1L) * Integer.BYTES > Math.min(tableBytesMax, TABLE_BYTES_MAX)) {
            args.fail(TOO_LARGE);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        LcsCommand lcs = new LcsCommand(a, b);
        if (indexes) {
            lcs.answerMatches(ctx.reply(), lengthMin, withLength);
        } else if (lengthOnly) {
            ctx.reply().integer(lcs.length());
        } else {
            ctx.reply().bulk(lcs.trace());
        }
    }

    private void answerMatches(Reply reply, long lengthMin, boolean withLength) {
        trace();
        matches.removeIf(match -> match.length() < lengthMin);
        reply.map(2);
        reply.bulkText("matches");
        reply.array(matches.size());
        for (Match match : matches) {
            reply.array(withLength ? 3 : 2);
            reply.array(2);
            reply.integer(match.aFirst);
            reply.integer(match.aLast);
            reply.array(2);
            reply.integer(match.bFirst);
            reply.integer(match.bLast);
            if (withLength) {
                reply.integer(match.length());
            }
        }
        reply.bulkText("len");
        reply.integer(length());
    }

    private static byte[] bytes(Entry entry) {
        if (entry.exists() && entry.isInt()) {
            return Long.toString(entry.intValue()).getBytes(StandardCharsets.US_ASCII);
        }
        byte[] bytes = new byte[entry.exists() ? entry.payloadLength() : 0];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = UnsafeApi.getByte(entry.payloadAddress() + i);
        }
        return bytes;
    }

    /** The row of a command whose table is bounded by {@code proto-max-bulk-len}, as in Redis. */
    static CommandSpec spec(Config config) {
        return CommandSpec.named("lcs", -3, ctx -> lcs(ctx, config.number(ConfigTable.MAX_BULK))).flags(READONLY)
            .keys(1, 2, 1, "RO access").acl("string")
            .group("string").since("7.0.0").complexity("O(N*M) with N and M the lengths of the strings")
            .summary("Finds the longest sequence of bytes that two strings have in common.")
            .args(Arg.key("key1"), Arg.key("key2"), Arg.word("LEN").optional(), Arg.word("IDX").optional(),
                Arg.integer("len").token("MINMATCHLEN").optional(), Arg.word("WITHMATCHLEN").optional()).build();
    }
}
