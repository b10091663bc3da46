package io.sluice.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells whether two servers gave the same reply to a command: the same bytes, but for what no two servers can agree
 * on (the order of keys, a random key, the instant at which a relative expiry began) and for the differences that
 * {@code differences-from-redis.txt} lists with their reasons.
 */
final class ReplyComparison {
    private static final Path DIFFERENCES = Path.of("src/test/resources/differences-from-redis.txt");
    /** How far apart two servers may be in carrying out the same command, on a machine that does much else. */
    private static final long SKEW_MAX_MS = 60_000;

    private record Difference(String command, Pattern redis, Pattern sluice) { }

    private final List<Difference> differences = readDifferences();

    boolean same(List<String> command, String redis, String sluice) {
        if (redis.equals(sluice)) {
            return true;
        }
        String name = command.get(0).toUpperCase(Locale.ROOT);
        return redis.charAt(0) == sluice.charAt(0) && sameOf(name, RespValue.parse(redis), RespValue.parse(sluice))
            || isIntended(name, redis, sluice);
    }

    /** Compares the replies to EXEC, item by item. */
    boolean sameInTransaction(List<List<String>> queued, String redis, String sluice) {
        List<String> expected = RespValue.items(redis);
        List<String> actual = RespValue.items(sluice);
        if (expected.size() != queued.size() || actual.size() != queued.size()) {
            return redis.equals(sluice);
        }
        for (int i = 0; i < queued.size(); i++) {
            if (!same(queued.get(i), expected.get(i), actual.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameOf(String name, Object redis, Object sluice) {
        return switch (name) {
            case "TTL", "EXPIRETIME" -> near(redis, sluice, 1 + SKEW_MAX_MS / 1000);
            case "PTTL", "PEXPIRETIME" -> near(redis, sluice, SKEW_MAX_MS);
            case "KEYS", "SMEMBERS", "SINTER", "SUNION", "SDIFF", "SPOP", "SRANDMEMBER", "HKEYS", "HVALS" ->
                sameElements(redis, sluice);
            case "HGETALL" -> samePairs(redis, sluice);
            case "HRANDFIELD", "ZRANDMEMBER" -> sameElements(redis, sluice);
            case "SCAN", "SSCAN", "HSCAN" -> redis instanceof List<?> page && sluice instanceof List<?> other
                && page.get(0).equals(other.get(0)) && sameSet(page.get(1), other.get(1));
            case "RANDOMKEY" -> redis instanceof String && sluice instanceof String;
            default -> false;
        };
    }

    private static boolean near(Object redis, Object sluice, long differenceMax) {
        return redis instanceof Long a && sluice instanceof Long b && a >= 0 && b >= 0
            && Math.abs(a - b) <= differenceMax;
    }

    /** The same elements as often, in whatever order and kind of collection. */
    private static boolean sameElements(Object redis, Object sluice) {
        return redis instanceof Collection<?> a && sluice instanceof Collection<?> b && counted(a).equals(counted(b));
    }

    private static Map<Object, Integer> counted(Collection<?> elements) {
        Map<Object, Integer> counts = new HashMap<>();
        elements.forEach(element -> counts.merge(element, 1, Integer::sum));
        return counts;
    }

    /** The same pairs in whatever order: maps, or lists in which keys and values take turns. */
    private static boolean samePairs(Object redis, Object sluice) {
        if (redis instanceof List<?> a && sluice instanceof List<?> b) {
            return counted(pairs(a)).equals(counted(pairs(b)));
        }
        return redis instanceof Map && redis.equals(sluice);
    }

    private static List<?> pairs(List<?> flat) {
        List<Object> pairs = new ArrayList<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            pairs.add(List.of(flat.get(i), flat.get(i + 1)));
        }
        return pairs;
    }

    private static boolean sameSet(Object redis, Object sluice) {
        List<?> a = (List<?>) redis;
        List<?> b = (List<?>) sluice;
        return a.size() == b.size() && new HashSet<>(a).equals(new HashSet<>(b));
    }

    private boolean isIntended(String name, String redis, String sluice) {
        return differences.stream().anyMatch(difference -> Set.of("*", name).contains(difference.command())
            && difference.redis().matcher(shown(redis)).matches()
            && difference.sluice().matcher(shown(sluice)).matches());
    }

    private static List<Difference> readDifferences() {
        try {
            return Files.readAllLines(DIFFERENCES).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" \\| "))
                .map(row -> new Difference(row[0], Pattern.compile(row[1]), Pattern.compile(row[2])))
                .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytes in printable form. */
    static String shown(String bytes) {
        StringBuilder text = new StringBuilder();
        bytes.chars().forEach(b -> {
            if (b >= ' ' && b < 127) {
                text.append((char) b);
            } else {
                text.append(b == '\r' ? "\\r" : b == '\n' ? "\\n" : String.format("\\x%02x", b));
            }
        });
        return text.toString();
    }
}
