package io.sluice.replication;

import io.sluice.resp.Request;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Which commands leave the same state when a run of them is applied a second time: those that name the result and not
 * the step. A replica that was killed goes on from the last offset that it noted; what it had applied beyond is applied
 * again.
 */
final class Repeatable {

    private static final List<byte[]> ALWAYS = words(
        "del", "unlink", "pexpireat", "persist", "flushdb", "flushall", "hset", "hmset", "hdel", "sadd", "srem",
        "zrem", "publish", "spublish", "select", "ping", "replconf");
    private static final byte[] FUNCTION = "function".getBytes(StandardCharsets.US_ASCII);
    private static final List<byte[]> FUNCTION_ALWAYS = words("load", "flush", "restore");
    private static final byte[] SET = "set".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ZADD = "zadd".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RESTORE = "restore".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PXAT = "pxat".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLACE = "replace".getBytes(StandardCharsets.US_ASCII);

    private Repeatable() {
    }

    static boolean is(final Request command) {
        if (command.argIs(0, SET)) {
            return command.argCount() == 3 || command.argCount() == 5 && command.argIs(3, PXAT);
        }
        if (command.argIs(0, RESTORE)) {
            return command.argCount() > 4 && command.argIs(4, REPLACE);
        }
        if (command.argIs(0, ZADD)) {
            return command.argCount() % 2 == 0 && command.argLength(2) > 0 && isNumeric(command.argByte(2, 0));
        }
        if (command.argIs(0, FUNCTION)) {
            return command.argCount() > 1 && isOneOf(FUNCTION_ALWAYS, command, 1);
        }
        return isOneOf(ALWAYS, command, 0);
    }

    private static boolean isOneOf(final List<byte[]> words, final Request command, final int arg) {
        for (final byte[] word : words) {
            if (command.argIs(arg, word)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNumeric(final byte first) {
        return first >= '0' && first <= '9' || first == '-' || first == '+' || first == '.';
    }

    private static List<byte[]> words(final String... words) {
        return List.of(words).stream().map(word -> word.getBytes(StandardCharsets.US_ASCII)).toList();
    }
}
