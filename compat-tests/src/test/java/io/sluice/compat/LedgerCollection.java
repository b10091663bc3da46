package io.sluice.compat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The collections of the crash test: what the n-th command of a key does, and what the key holds after it. They grow
 * from their small form to the large one, lose elements at an end and in the middle, and have them replaced.
 */
final class LedgerCollection {
    private static final int FIELDS = 40;
    private static final int SCORES = 101;

    private LedgerCollection() {
    }

    static String listCommand(String key, long n) {
        if (n % 5 == 0) {
            return RespClient.command("LPOP", key);
        }
        return n % 7 == 0 ? RespClient.command("LSET", key, "-1", element(n))
            : RespClient.command("RPUSH", key, element(n));
    }

    static List<Object> list(long n) {
        List<Object> list = new ArrayList<>();
        for (long i = 1; i <= n; i++) {
            if (i % 5 == 0) {
                list.remove(0);
            } else if (i % 7 == 0) {
                list.set(list.size() - 1, element(i));
            } else {
                list.add(element(i));
            }
        }
        return list;
    }

    static String sortedSetCommand(String key, long n) {
        return n % 5 == 0 ? RespClient.command("ZPOPMIN", key)
            : RespClient.command("ZADD", key, Long.toString(score(n)), element(n % 90));
    }

    static List<Object> sortedSet(long n) {
        Map<String, Long> scores = new LinkedHashMap<>();
        Comparator<String> order = Comparator.<String>comparingLong(scores::get).thenComparing(member -> member);
        for (long i = 1; i <= n; i++) {
            if (i % 5 == 0) {
                scores.remove(scores.keySet().stream().min(order).orElseThrow());
            } else {
                scores.put(element(i % 90), score(i));
            }
        }
        return new ArrayList<>(scores.keySet().stream().sorted(order).toList());
    }

    static String hashCommand(String key, long n) {
        return n % 5 == 0 ? RespClient.command("HDEL", key, field(n - 2))
            : RespClient.command("HSET", key, field(n), element(n));
    }

    static Map<Object, Object> hash(long n) {
        Map<Object, Object> hash = new TreeMap<>();
        for (long i = 1; i <= n; i++) {
            if (i % 5 == 0) {
                hash.remove(field(i - 2));
            } else {
                hash.put(field(i), element(i));
            }
        }
        return hash;
    }

    /** A flat reply of fields and values. */
    static Map<Object, Object> pairs(List<?> flat) {
        Map<Object, Object> pairs = new TreeMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            pairs.put(flat.get(i), flat.get(i + 1));
        }
        return pairs;
    }

    private static long score(long n) {
        return n * 37 % SCORES;
    }

    private static String field(long n) {
        return "field" + n % FIELDS;
    }

    private static String element(long n) {
        return n + ":" + "x".repeat((int) (n * 2_654_435_761L % 200 >>> (n & 3)));
    }
}
