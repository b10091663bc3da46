package io.sluice.server.replica;

import io.sluice.resp.Request;
import io.sluice.server.command.CommandRunner;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.StreamedKeys;
import io.sluice.server.command.StreamedKeys.Use;
import io.sluice.server.net.Connection;

import java.util.Locale;

/**
 * Applies what a primary writes. What cannot be applied leaves nothing outdated behind: the keys that it would have
 * written are removed, and remembered as missing until the primary overwrites or removes them; what depends on a
 * missing key cannot be applied either. So each key holds what the primary's does, or is absent.
 */
final class PrimaryWrites {
    private static final String NEEDS_MISSING = "it needs a key that is missing here";

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
        return keys.forEach(command, 0, (db, arg, use) -> { });
    }

    private boolean needsMissing(Request command, int db) {
        found = false;
        keys.forEach(command, db, (keyDb, arg, use) ->
                found |= use.needsValue() && missing.contains(keyDb, command.argText(arg)));
        return found;
    }

    /** What the command writes cannot be written. */
    private void lose(Request command, int db) {
        keys.forEach(command, db, (keyDb, arg, use) -> {
            if (use != Use.READ) {
                runner.remove(keyDb, command, arg);
                if (use.removes()) {
                    missing.remove(keyDb, command.argText(arg));
                } else {
                    missing.add(keyDb, command.argText(arg));
                }
            }
        });
    }

    private void applied(Request command, int db) {
        switch (command.argText(0).toLowerCase(Locale.ROOT)) {
            case "flushall" -> missing.clear();
            case "flushdb" -> missing.clear(db);
            case "swapdb" -> missing.swap(Integer.parseInt(command.argText(1)), Integer.parseInt(command.argText(2)));
            default -> keys.forEach(command, db, (keyDb, arg, use) -> {
                // Absent after all: where the primary's condition does not hold here, as of SET with XX.
                if (use.removes() || use == Use.OVERWRITE && runner.holds(keyDb, command, arg)) {
                    missing.remove(keyDb, command.argText(arg));
                }
            });
        }
    }
}
