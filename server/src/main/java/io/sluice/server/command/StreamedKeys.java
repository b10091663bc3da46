package io.sluice.server.command;

import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Request;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which keys a command of a primary's stream uses, and how: of the commands here by their rows, of those that only
 * Redis has by a resource that lists them.
 */
public final class StreamedKeys {
    private static final String RESOURCE = "redis-keys.txt";
    private static final byte[] DB = Words.lower("db");
    private static final Map<String, List<KeySpec>> OF_REDIS = ofRedis();

    private final CommandTable table;
    private final LongValue number = new LongValue();

    /** How a command uses a key. */
    public enum Use {
        /** What is written elsewhere depends on the value. */
        READ,
        /** What the value will be depends on what it is. */
        CHANGE,
        /** The value will be another, whatever it is. */
        OVERWRITE,
        REMOVE,
        /** The value goes to another key. */
        TAKE;

        public boolean needsValue() {
            return this == READ || this == CHANGE || this == TAKE;
        }

        public boolean removes() {
            return this == REMOVE || this == TAKE;
        }
    }

    /** Is shown the keys. */
    @FunctionalInterface
    public interface Visitor {
        /** The argument {@code arg} is a key of this database. */
        void key(int db, int arg, Use use);
    }

    StreamedKeys(CommandTable table) {
        this.table = table;
    }

    /**
     * Shows each key of a command.
     *
     * @param db the database that is selected
     * @return false if nothing is known of the command
     */
    public boolean forEach(Request command, int db, Visitor visitor) {
        String name = command.argText(0).toLowerCase(Locale.ROOT);
        CommandSpec spec = table.resolve(command);
        if (spec == null) {
            spec = table.findRow(name);
        }
        if (spec == null && !OF_REDIS.containsKey(name)) {
            return false;
        }
        String known = spec == null ? name : spec.name();
        List<KeySpec> specs = spec == null ? OF_REDIS.get(name) : spec.keySpecs();
        for (int i = 0; i < specs.size(); i++) {
            Use use = use(known, i, specs.get(i).flags());
            int keyDb = i == 1 && known.equals("copy") ? databaseBehindWord(command, db) : db;
            if (use != null) {
                specs.get(i).forEachKey(command, arg -> visitor.key(keyDb, arg, use));
            }
        }
        if (known.equals("move") && command.argCount() > 2) {
            visitor.key(number(command, 2, db), 1, Use.OVERWRITE);
        }
        return true;
    }

    /** Null where the value plays no part. */
    private static Use use(String name, int keySpec, List<String> flags) {
        switch (keySpec == 0 ? name : "") {
            // A condition of SET was met where it comes from.
            case "set", "getset", "sinterstore" -> {
                return Use.OVERWRITE;
            }
            case "getdel" -> {
                return Use.REMOVE;
            }
            case "rename", "renamenx", "move" -> {
                return Use.TAKE;
            }
            default -> {
                int access = KeyAccess.of(flags);
                if (access <= 0) {
                    return null;
                }
                if ((access & KeyAccess.WRITE) == 0) {
                    return Use.READ;
                }
                return flags.contains("RM") ? Use.REMOVE : flags.contains("OW") ? Use.OVERWRITE : Use.CHANGE;
            }
        }
    }

    /** The database that an argument names; one that no server has where it names none. */
    public int database(Request command, int arg) {
        return number(command, arg, Integer.MAX_VALUE);
    }

    private int databaseBehindWord(Request command, int db) {
        for (int i = 3; i + 1 < command.argCount(); i++) {
            if (command.argIs(i, DB)) {
                return number(command, i + 1, db);
            }
        }
        return db;
    }

    private int number(Request command, int arg, int otherwise) {
        boolean isNumber = Integers.parseStrict(
                command.buffer(), command.argOffset(arg), command.argLength(arg), number);
        return isNumber && number.value >= 0 && number.value <= Integer.MAX_VALUE ? (int) number.value : otherwise;
    }

    private static Map<String, List<KeySpec>> ofRedis() {
        Map<String, List<KeySpec>> keys = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                StreamedKeys.class.getResourceAsStream(RESOURCE), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(" ", 3);
                if (!line.startsWith("#")) {
                    List<KeySpec> ofCommand = keys.computeIfAbsent(fields[0], name -> new ArrayList<>());
                    if (fields.length > 1) {
                        ofCommand.add(keySpec(fields[1], fields[2]));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return keys;
    }

    private static KeySpec keySpec(String place, String flags) {
        if (!Character.isDigit(place.charAt(0))) {
            return KeySpec.behind(Words.lower(place), flags);
        }
        int index = Integer.parseInt(place);
        return KeySpec.range(index, index, 1, flags);
    }
}
