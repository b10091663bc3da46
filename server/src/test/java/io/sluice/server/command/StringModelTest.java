package io.sluice.server.command;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Random commands on strings and expiries against the simplest thing that could be right. */
class StringModelTest {
    private static final int STEPS = 5_000;
    private static final long NEVER = Long.MAX_VALUE;

    /** A value and the last millisecond in which it is there. */
    private record Value(String text, long expireAtMs) {
    }

    private final Map<String, Value> model = new HashMap<>();
    private SplittableRandom random;
    private long nowMs;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAnswerAsTheModel(long seed) {
        random = new SplittableRandom(seed);
        try (CommandTester redis = new CommandTester()) {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(3) == 0) {
                    redis.clock().advanceMs(random.nextInt(40));
                }
                nowMs = Math.floorDiv(redis.clock().wallNs(), 1_000_000L);
                model.values().removeIf(value -> nowMs > value.expireAtMs);
                String[] command = command();
                String expected = apply(command);
                int at = step;
                assertEquals(expected, redis.run(command),
                    () -> "seed " + seed + " step " + at + ": " + String.join(" ", command));
            }
        }
    }

    private String[] command() {
        String key = "k" + random.nextInt(6);
        String other = "k" + random.nextInt(6);
        String number = Integer.toString(random.nextInt(-50, 50));
        String text = random.nextBoolean() ? number : "text" + random.nextInt(100);
        String ms = Integer.toString(random.nextInt(1, 100));
        switch (random.nextInt(15)) {
            case 0:
                return new String[] {"SET", key, text};
            case 1:
                return new String[] {"SET", key, text, "PX", ms};
            case 2:
                return new String[] {"SET", key, text, "KEEPTTL"};
            case 3:
                return new String[] {"SETNX", key, text};
            case 4:
                return new String[] {"GET", key};
            case 5:
                return new String[] {"INCRBY", key, number};
            case 6:
                return new String[] {"APPEND", key, text};
            case 7:
                return new String[] {"STRLEN", key};
            case 8:
                return new String[] {"DEL", key};
            case 9:
                return new String[] {"PEXPIRE", key, ms};
            case 10:
                return new String[] {"PTTL", key};
            case 11:
                return new String[] {"PERSIST", key};
            case 12:
                return new String[] {"RENAME", key, other};
            case 13:
                return new String[] {"GETDEL", key};
            default:
                return new String[] {"EXISTS", key, other};
        }
    }

    /** Changes the model and gives the reply. */
    private String apply(String[] command) {
        String key = command[1];
        Value value = model.get(key);
        switch (command[0]) {
            case "SET":
                boolean keep = command.length == 4;
                long expiry = command.length == 5 ? nowMs + Long.parseLong(command[4])
                    : keep && value != null ? value.expireAtMs : NEVER;
                model.put(key, new Value(command[2], expiry));
                return "+OK";
            case "SETNX":
                return ":" + (model.putIfAbsent(key, new Value(command[2], NEVER)) == null ? 1 : 0);
            case "GET":
                return bulk(value);
            case "GETDEL":
                model.remove(key);
                return bulk(value);
            case "INCRBY":
                return incrBy(key, value, command[2]);
            case "APPEND":
                String appended = value == null ? command[2] : value.text + command[2];
                model.put(key, new Value(appended, value == null ? NEVER : value.expireAtMs));
                return ":" + appended.length();
            case "STRLEN":
                return ":" + (value == null ? 0 : value.text.length());
            case "DEL":
                return ":" + (model.remove(key) == null ? 0 : 1);
            case "EXISTS":
                return ":" + ((value == null ? 0 : 1) + (model.containsKey(command[2]) ? 1 : 0));
            default:
                return applyToExpiry(command, key, value);
        }
    }

    private String applyToExpiry(String[] command, String key, Value value) {
        switch (command[0]) {
            case "PEXPIRE":
                model.computeIfPresent(key, (k, v) -> new Value(v.text, nowMs + Long.parseLong(command[2])));
                return ":" + (value == null ? 0 : 1);
            case "PERSIST":
                model.computeIfPresent(key, (k, v) -> new Value(v.text, NEVER));
                return ":" + (value == null || value.expireAtMs == NEVER ? 0 : 1);
            case "PTTL":
                return ":" + (value == null ? -2 : value.expireAtMs == NEVER ? -1 : value.expireAtMs - nowMs);
            default:
                if (value == null) {
                    return "-ERR no such key";
                }
                model.remove(key);
                model.put(command[2], value);
                return "+OK";
        }
    }

    private String incrBy(String key, Value value, String increment) {
        String text = value == null ? "0" : value.text;
        if (!Objects.equals(text, canonical(text))) {
            return "-ERR value is not an integer or out of range";
        }
        long sum = Long.parseLong(text) + Long.parseLong(increment);
        model.put(key, new Value(Long.toString(sum), value == null ? NEVER : value.expireAtMs));
        return ":" + sum;
    }

    /** The text that a number's text is printed as, null if it is none. */
    private static String canonical(String text) {
        try {
            return Long.toString(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String bulk(Value value) {
        return value == null ? "$-1" : "$" + value.text.length() + " " + value.text;
    }
}
