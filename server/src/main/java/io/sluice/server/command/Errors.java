package io.sluice.server.command;

import java.util.Locale;

/** The error replies that more than one place gives, worded as Redis words them. */
public final class Errors {
    public static final String SYNTAX = "ERR syntax error";
    public static final String TOO_MANY_KEYS = "ERR Number of keys can't be greater than number of args";
    public static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
    public static final String WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value";
    public static final String NO_SUCH_KEY = "ERR no such key";
    public static final String DB_OUT_OF_RANGE = "ERR DB index is out of range";
    public static final String NEGATIVE_TIMEOUT = "ERR timeout is negative";
    public static final String OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";
    public static final String TOO_MANY_KEYS_HELD =
            "OOM command not allowed when the number of keys has reached 'maxkeys'.";
    static final String NOT_POSITIVE = "ERR value is out of range, must be positive";
    static final String BAD_KEY_COUNT = "ERR numkeys should be greater than 0";
    static final String NEGATIVE_LIMIT = "ERR LIMIT can't be negative";
    static final String NO_AUTH = "NOAUTH Authentication required.";
    static final String LOADING = "LOADING Redis is loading the dataset in memory";
    static final String READONLY = "READONLY You can't write against a read only replica.";
    static final String NO_REPLICAS = "NOREPLICAS Not enough good replicas to write.";
    static final String PRIMARY_DOWN =
            "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
    static final String NOT_IN_MULTI = "ERR Command not allowed inside a transaction";
    static final String QUEUE_FULL = "ERR transaction is too large";
    static final String INTERNAL = "ERR internal error, see the server's log";

    static final String VALUE_TOO_LARGE = "ERR value exceeds the maximum allowed size";
    static final String REPLY_TOO_LARGE = "ERR the reply would be larger than client-output-buffer-limit";
    static final String NO_BUFFERS = "ERR no memory left for the buffers of clients";
    static final String PROTECTED = "ERR DEBUG command not allowed. If the enable-debug-command option is set to "
            + "\"local\", you can run it from a local connection, otherwise you need to set this option in the "
            + "configuration file, and then restart the server.";

    static final String UNKNOWN_IN_SCRIPT = "ERR Unknown Redis command called from script";
    static final String WRONG_ARITY_IN_SCRIPT = "ERR Wrong number of args calling Redis command from script";
    static final String NOT_FROM_PRIMARY = "ERR This command changes no data";
    static final String NOT_FROM_SCRIPT = "ERR This Redis command is not allowed from script";
    static final String WRITE_IN_READ_ONLY_SCRIPT = "ERR Write commands are not allowed from read-only scripts.";

    private Errors() {
    }

    static String wrongArity(String fullName) {
        return "ERR wrong number of arguments for '" + fullName + "' command";
    }

    static String unknownSubcommand(String given, String container) {
        return "ERR unknown subcommand '" + given + "'. Try " + container.toUpperCase(Locale.ROOT) + " HELP.";
    }

    static String notWhenSubscribed(String fullName) {
        return "ERR Can't execute '" + fullName + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "
                + "allowed in this context";
    }

    /** Redis takes the reason's own error code into the text, except the general one. */
    static String execAbort(String reason) {
        return "EXECABORT Transaction discarded because of: "
                + (reason.startsWith("ERR ") ? reason.substring("ERR ".length()) : reason);
    }
}
