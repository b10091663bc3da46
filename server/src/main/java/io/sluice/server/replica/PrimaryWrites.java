package io.sluice.server.replica;

import io.sluice.resp.Request;
import io.sluice.server.command.CommandRunner;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.StreamedKeys;
import io.sluice.server.command.StreamedKeys.Use;
import io.sluice.server.net.Connection;

import java.util.Locale;
import java.util.Set;

/**
 * Applies what a primary writes. What cannot be applied leaves nothing outdated behind: the keys that it would have
 * written are removed, and remembered as missing until the primary overwrites or removes them; what depends on a
 * missing key cannot be applied either. So each key holds what the primary's does, or is absent. The exception is what
 * may write more keys than it names: scripts, and commands of which nothing is known.
 */
final class PrimaryWrites {
    private static final String NEEDS_MISSING = "it needs a key that is missing here";

    /** They write databases, not keys. */
    private static final Set<String> OF_DATABASES = Set.of("flushall", "flushdb", "swapdb");
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "fcall");

    private final CommandRunner runner;
    private final StreamedKeys keys;
    private final MissingKeys missing = new MissingKeys();
    private boolean found;

    PrimaryWrites(Dispatcher dispatcher) {
        runner = dispatcher.runner();
        keys = dispatcher.streamedKeys();
    }

    MissingKeys missing() {
        return missing;
    }

    /**
     * Applies a command.
     *
     * @return why it cannot be, else null
     */
    String apply(Connection primary, Request command, int db) {
        if (!missing.isEmpty() && needsMissing(command, db)) {
            lose(command, db);
            return NEEDS_MISSING;
        }
        String error = runner.applyFromPrimary(primary, command);
        if (error != null) {
            lose(command, db);
        } else if (!missing.isEmpty()) {
            applied(command, db);
        }
        return error;
    }

    /** Whether it is known which keys the command writes. */
    boolean knowsKeys(Request command) {
        String name = name(command);
        return !OF_DATABASES.contains(name) && !SCRIPTS.contains(name)
                && keys.forEach(command, 0, (db, arg, use) -> { });
    }

    /** What follows here from a command that could not be applied. */
    String consequence(Request command) {
        if (OF_DATABASES.contains(name(command))) {
            return "hence its databases are empty here";
        }
        return knowsKeys(command) ? "hence missing"
                : "and which keys it writes is not known, so they may be outdated";
    }

    private static String name(Request command) {
        return command.argText(0).toLowerCase(Locale.ROOT);
    }

    private boolean needsMissing(Request command, int db) {
        found = false;
        keys.forEach(command, db, (keyDb, arg, use) ->
                found |= use.needsValue() && isMissing(keyDb, command, arg));
        return found;
    }

    private boolean isMissing(int db, Request command, int arg) {
        if (!runner.hasDatabase(db)) {
            return true;
        }
        return missing.containsDatabase(db) && !runner.holds(db, command, arg)
                || missing.contains(db, command.argText(arg));
    }

    /** What the command writes cannot be written. */
    private void lose(Request command, int db) {
        switch (name(command)) {
            case "flushall" -> {
                runner.emptyAll();
                missing.clear();
            }
            case "flushdb" -> empty(db);
            case "swapdb" -> {
                // What comes in the place of what is here is not known.
                for (int arg = 1; arg < command.argCount(); arg++) {
                    int swapped = keys.database(command, arg);
                    empty(swapped);
                    missing.addDatabase(runner.hasDatabase(swapped) ? swapped : MissingKeys.ELSEWHERE);
                }
            }
            default -> loseKeys(command, db);
        }
    }

    private void empty(int db) {
        if (runner.hasDatabase(db)) {
            runner.empty(db);
            missing.clear(db);
        }
    }

    private void loseKeys(Request command, int db) {
        keys.forEach(command, db, (keyDb, arg, use) -> {
            if (use != Use.READ && !runner.hasDatabase(keyDb)) {
                if (!use.removes()) {
                    missing.addDatabase(MissingKeys.ELSEWHERE);
                }
            } else if (use != Use.READ) {
                runner.remove(keyDb, command, arg);
                if (use.removes()) {
                    missing.remove(keyDb, command.argText(arg));
                } else if (!missing.containsDatabase(keyDb)) {
                    missing.add(keyDb, command.argText(arg));
                }
            }
        });
    }

    private void applied(Request command, int db) {
        switch (name(command)) {
            case "flushall" -> missing.clear();
            case "flushdb" -> missing.clear(db);
            case "swapdb" -> missing.swap(keys.database(command, 1), keys.database(command, 2));
            default -> keys.forEach(command, db, (keyDb, arg, use) -> {
                // Absent after all: where the primary's condition does not hold here, as of SET with XX.
                if (use.removes() || use == Use.OVERWRITE && runner.holds(keyDb, command, arg)) {
                    missing.remove(keyDb, command.argText(arg));
                }
            });
        }
    }
}
