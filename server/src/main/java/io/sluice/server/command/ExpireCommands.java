package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.resp.ErrorText;

import java.util.List;

import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** When keys expire: set it, take it away, ask. */
final class ExpireCommands {
    private static final byte[] NX = Words.lower("nx");
    private static final byte[] XX = Words.lower("xx");
    private static final byte[] GT = Words.lower("gt");
    private static final byte[] LT = Words.lower("lt");
    private static final long NO_KEY = -2;
    private static final long NO_EXPIRY = -1;
    private static final long MS_PER_SECOND = 1_000;

    private boolean onlyWithout;
    private boolean onlyWith;
    private boolean onlyLater;
    private boolean onlySooner;

    private void expire(CommandContext ctx, ExpiryOption.Unit unit) {
        Args args = ctx.args();
        int key = args.next();
        int time = args.next();
        parseConditions(args, ctx);
        args.position(time);
        long expireAtMs = ExpiryOption.absoluteMs(unit, args.nextLong(), ctx.nowMs());
        if (expireAtMs == ExpiryOption.OUT_OF_RANGE) {
            args.fail(ExpiryOption.invalidTime(ctx));
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        boolean applies = entry.exists() && allows(entry.expireAtMs(), expireAtMs);
        if (applies) {
            Expiries.set(ctx, entry, expireAtMs);
        }
        ctx.reply().integer(applies ? 1 : 0);
    }

    private void parseConditions(Args args, CommandContext ctx) {
        onlyWithout = false;
        onlyWith = false;
        onlyLater = false;
        onlySooner = false;
        while (args.hasNext()) {
            if (args.accept(NX)) {
                onlyWithout = true;
            } else if (args.accept(XX)) {
                onlyWith = true;
            } else if (args.accept(GT)) {
                onlyLater = true;
            } else if (args.accept(LT)) {
                onlySooner = true;
            } else {
                args.fail("ERR Unsupported option " + ErrorText.echo(ctx.request(), args.position()));
            }
        }
        if (onlyWithout && (onlyWith || onlyLater || onlySooner)) {
            args.fail("ERR NX and XX, GT or LT options at the same time are not compatible");
        }
        if (onlyLater && onlySooner) {
            args.fail("ERR GT and LT options at the same time are not compatible");
        }
    }

    /** No expiry counts as later than any. */
    private boolean allows(long oldMs, long newMs) {
        boolean expires = oldMs != Entry.NO_EXPIRY;
        return !(onlyWithout && expires || onlyWith && !expires || onlyLater && newMs <= oldMs
            || onlySooner && newMs >= oldMs);
    }

    private static void ttl(CommandContext ctx) {
        reply(ctx, ctx.nowMs(), true);
    }

    private static void pTtl(CommandContext ctx) {
        reply(ctx, ctx.nowMs(), false);
    }

    private static void expireTime(CommandContext ctx) {
        reply(ctx, 0, true);
    }

    private static void pExpireTime(CommandContext ctx) {
        reply(ctx, 0, false);
    }

    private static void reply(CommandContext ctx, long fromMs, boolean inSeconds) {
        Entry entry = ctx.lookupRead(0, 1);
        long answer = !entry.exists() ? NO_KEY : !entry.hasExpiry() ? NO_EXPIRY : entry.expireAtMs() - fromMs;
        ctx.reply().integer(inSeconds && answer >= 0 ? nearestSecond(answer) : answer);
    }

    private static long nearestSecond(long ms) {
        return ms / MS_PER_SECOND + (ms % MS_PER_SECOND >= MS_PER_SECOND / 2 ? 1 : 0);
    }

    private static void persist(CommandContext ctx) {
        ctx.reply().integer(Expiries.persist(ctx.keyspace(), ctx.lookup(0, 1)) ? 1 : 0);
    }

    List<CommandSpec> specs() {
        return List.of(
            expire("expire", ExpiryOption.Unit.EX).since("1.0.0")
                .args(Arg.key("key"), Arg.integer("seconds"), condition())
                .summary("Sets the time to live of a key in seconds.").build(),
            expire("pexpire", ExpiryOption.Unit.PX).since("2.6.0")
                .args(Arg.key("key"), Arg.integer("milliseconds"), condition())
                .summary("Sets the time to live of a key in milliseconds.").build(),
            expire("expireat", ExpiryOption.Unit.EXAT).since("1.2.0")
                .args(Arg.key("key"), Arg.unixTime("unix-time-seconds"), condition())
                .summary("Sets when a key expires, in seconds since the epoch.").build(),
            expire("pexpireat", ExpiryOption.Unit.PXAT).since("2.6.0")
                .args(Arg.key("key"), Arg.unixTime("unix-time-milliseconds"), condition())
                .summary("Sets when a key expires, in milliseconds since the epoch.").build(),
            ask("ttl", ExpireCommands::ttl).since("1.0.0").tips("nondeterministic_output")
                .summary("Returns the time to live of a key in seconds.").build(),
            ask("pttl", ExpireCommands::pTtl).since("2.6.0").tips("nondeterministic_output")
                .summary("Returns the time to live of a key in milliseconds.").build(),
            ask("expiretime", ExpireCommands::expireTime).since("7.0.0")
                .summary("Returns when a key expires, in seconds since the epoch.").build(),
            ask("pexpiretime", ExpireCommands::pExpireTime).since("7.0.0")
                .summary("Returns when a key expires, in milliseconds since the epoch.").build(),
            generic("persist", 2, ExpireCommands::persist).flags(WRITE, FAST).key(1, "RW update").since("2.2.0")
                .summary("Takes the expiry of a key away.").args(Arg.key("key")).build());
    }

    private CommandSpec.Builder expire(String name, ExpiryOption.Unit unit) {
        return generic(name, -3, ctx -> expire(ctx, unit)).flags(WRITE, FAST).key(1, "RW update");
    }

    private static Arg condition() {
        return Arg.oneOf("condition", Arg.word("NX"), Arg.word("XX"), Arg.word("GT"), Arg.word("LT")).optional();
    }

    private static CommandSpec.Builder ask(String name, CommandHandler handler) {
        return generic(name, 2, handler).flags(READONLY, FAST).key(1, "RO access").args(Arg.key("key"));
    }

    private static CommandSpec.Builder generic(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("keyspace").group("generic").complexity("O(1)");
    }
}
