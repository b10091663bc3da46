package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.snapshot.DumpPayload;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Values as bytes, in Redis's format both ways. */
final class DumpCommands {
    private static final byte[] REPLACE = Words.lower("replace");
    private static final byte[] ABSTTL = Words.lower("absttl");
    private static final byte[] IDLETIME = Words.lower("idletime");
    private static final byte[] FREQ = Words.lower("freq");
    private static final int FREQ_MAX = 255;
    private static final String BAD_TTL = "ERR Invalid TTL value, must be >= 0";
    private static final String BAD_IDLETIME = "ERR Invalid IDLETIME value, must be >= 0";
    private static final String BAD_FREQ = "ERR Invalid FREQ value, must be >= 0 and <= 255";
    private static final String BUSY_KEY = "BUSYKEY Target key name already exists.";
    private static final String NOT_INTACT = "ERR DUMP payload version or checksum are wrong";
    private static final String BAD_FORMAT = "ERR Bad data format";

    private final DumpPayload payload = new DumpPayload();
    private boolean replaces;
    private boolean absolute;

    private void dump(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (entry.exists()) {
            payload.encode(entry);
            ctx.reply().bulk(payload.address(), payload.length());
        } else {
            ctx.reply().nullValue();
        }
    }

    private void restore(CommandContext ctx) {
        Args args = ctx.args();
        args.position(4);
        parseOptions(args);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, 1);
        if (!replaces && entry.exists()) {
            ctx.reply().error(BUSY_KEY);
            return;
        }
        args.position(2);
        long expireAtMs = nextExpiry(ctx);
        if (!args.failed(ctx.reply())) {
            store(ctx, entry, expireAtMs);
        }
    }

    /** Times and counts of access are not kept, so what is said of them is checked and forgotten. */
    private void parseOptions(Args args) {
        replaces = false;
        absolute = false;
        boolean idleGiven = false;
        boolean freqGiven = false;
        while (args.hasNext()) {
            if (args.accept(REPLACE)) {
                replaces = true;
            } else if (args.accept(ABSTTL)) {
                absolute = true;
            } else if (args.remaining() > 1 && !freqGiven && args.accept(IDLETIME)) {
                idleGiven = true;
                if (args.nextLong() < 0) {
                    args.fail(BAD_IDLETIME);
                }
            } else if (args.remaining() > 1 && !idleGiven && args.accept(FREQ)) {
                freqGiven = true;
                long freq = args.nextLong();
                if (freq < 0 || freq > FREQ_MAX) {
                    args.fail(BAD_FREQ);
                }
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
    }

    private long nextExpiry(CommandContext ctx) {
        long ttl = ctx.args().nextLong();
        if (ttl == 0) {
            return Entry.NO_EXPIRY;
        }
        long expireAtMs = absolute ? ttl : ttl + ctx.nowMs();
        if (ttl < 0 || expireAtMs < 0) {
            ctx.args().fail(BAD_TTL);
        }
        return expireAtMs;
    }

    private void store(CommandContext ctx, Entry entry, long expireAtMs) {
        Request request = ctx.request();
        if (!DumpPayload.isIntact(request.argAddress(3), request.argLength(3))) {
            ctx.reply().error(NOT_INTACT);
            return;
        }
        if (expireAtMs <= ctx.nowMs()) {
            restoreExpired(ctx, entry);
        } else if (payload.restore(ctx.keyspace(), entry, request.argAddress(3), request.argLength(3), expireAtMs)) {
            ctx.keyspace().event(KeyEvent.RESTORE, entry);
            ctx.reply().ok();
        } else {
            ctx.reply().error(BAD_FORMAT);
        }
    }

    private static void restoreExpired(CommandContext ctx, Entry entry) {
        if (ctx.keyspace().remove(entry)) {
            ctx.keyspace().event(KeyEvent.DEL, entry);
        }
        ctx.reply().ok();
    }

    List<CommandSpec> specs() {
        return List.of(
            CommandSpec.named("dump", 2, this::dump).flags(READONLY).key(1, "RO access").acl("keyspace")
                .group("generic").since("2.6.0").tips("nondeterministic_output")
                .complexity("O(N) with N bytes of the value").summary("Returns the value of a key as bytes.")
                .args(Arg.key("key")).build(),
            CommandSpec.named("restore", -4, this::restore).flags(WRITE, DENYOOM).key(1, "OW update")
                .acl("keyspace", "dangerous").group("generic").since("2.6.0")
                .complexity("O(N) with N bytes of the value").summary("Makes a key from what DUMP returned.")
                .args(Arg.key("key"), Arg.integer("ttl"), Arg.string("serialized-value"),
                    Arg.word("REPLACE").optional(), Arg.word("ABSTTL").optional(),
                    Arg.integer("seconds").token("IDLETIME").optional(),
                    Arg.integer("frequency").token("FREQ").optional()).build());
    }
}
