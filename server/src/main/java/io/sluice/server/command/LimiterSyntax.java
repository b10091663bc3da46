package io.sluice.server.command;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Durations;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;


/** What the limiter commands have in common: the last word {@code MS}, quantity, and the reply. */
final class LimiterSyntax {
    /** Units of a request that names no quantity. */
    static final long QUANTITY_DEFAULT = 1;

    static final String ZERO_RATE = "ERR zero rates are not supported";
    static final String NOT_A_FLOAT = "ERR value is not a valid float";

    private static final byte[] MS = Words.lower("ms");

    private LimiterSyntax() {
    }

    /** Whether the last of more than {@code wordsMin} words asks for times in milliseconds. */
    static boolean inMs(Request request, int wordsMin) {
        int last = request.argCount() - 1;
        return last >= wordsMin && request.argIs(last, MS);
    }

    /** Whether there are more than {@code wordsMax} words; then that is the error. */
    static boolean tooManyWords(CommandContext ctx, int words, int wordsMax) {
        if (words <= wordsMax) {
            return false;
        }
        ctx.reply().error(Errors.wrongArity(ctx.command().fullName()));
        return true;
    }

    /** {@code [limited, limit, remaining, retry_after, reset_after]}; times are rounded up. */
    static void reply(Reply reply, Decision decision, boolean inMs) {
        reply.array(5);
        reply.integer(decision.limited() ? 1 : 0);
        reply.integer(decision.limit());
        reply.integer(decision.remaining());
        reply.integer(rounded(decision.retryAfterNs(), inMs));
        reply.integer(rounded(decision.resetAfterNs(), inMs));
    }

    private static long rounded(long ns, boolean inMs) {
        return inMs ? Durations.ceilToMs(ns) : Durations.ceilToSeconds(ns);
    }
}
