package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Makes random commands that Redis and Sluice must answer alike: mostly sound, now and then with a word too many or
 * too few, a wrong option or an odd number. The same seed makes the same commands.
 *
 * <p>Expiries are days away or long past, so that no key expires on one server a moment before it does on the other.
 * Keys whose name begins with {@code f} hold fractions that both servers represent exactly, and nothing else:
 * Redis computes INCRBYFLOAT in binary and Sluice in decimal.
 */
final class CommandGenerator {
    private static final String[] KEYS = {"a", "b", "c", "d", "e", "key:{1}", "key:{2}", "long" + "-name".repeat(30),
        "", "nul\0and\u00ff\r\n", "*[a]?"};
    private static final String[] FRACTION_KEYS = {"f1", "f2", "f3"};
    private static final String[] INTEGERS = {"0", "1", "-1", "7", "10", "-42", "1000000", "9223372036854775807",
        "-9223372036854775808", "9223372036854775806"};
    private static final String[] NO_INTEGERS = {"", " 1", "1 ", "+1", "01", "-0", "1.5", "abc", "0x10", "1e3",
        "9223372036854775808", "-9223372036854775809", "99999999999999999999999", "--1", "-"};
    private static final String[] ODD_TIMES = {"0", "-1", "-1000", "-9223372036854775808", "9223372036854775807",
        "9223372036854775", "9223372036854776", "99999999999999999999", "abc", "", "1.5"};
    private static final String[] TEXTS = {"", "x", "hello world", "\0\r\n\u00ff", "a".repeat(44), "b".repeat(45),
        "c".repeat(1500)};
    private static final String[] FRACTIONS = {"0.5", "-0.25", "3", "-12", "1000.125", "1e3", "2.5e-1", "0", "-0",
        "5."};
    private static final String[] NO_FRACTIONS = {"nan", "abc", "", " 1", "1 ", "1.2.3", "0,5"};
    private static final String[] OFFSETS = {"0", "1", "3", "-1", "-3", "10", "-10", "100", "-100", "2000"};
    private static final String[] PATTERNS = {"*", "?", "a", "[a-c]", "[^a]", "key:*", "*name*", "\\*\\[a\\]\\?", "",
        "f?", "**", "[b-", "k*{?}", "[z-a]"};

    /**
     * Commands that are not damaged: what an odd cursor yields hangs on the server's table of keys, what is no integer
     * may be a fraction, without a large count the reply is up to chance, and ranks may be asked for with scores since
     * Redis 7.2.
     */
    private static final Set<String> LEFT_ALONE = Set.of("SCAN", "HSCAN", "SSCAN", "INCRBYFLOAT", "HINCRBYFLOAT",
        "SPOP", "SRANDMEMBER", "HRANDFIELD", "ZRANDMEMBER", "ZSCAN", "ZRANK", "ZREVRANK");

    private final Random random;
    private final Map<String, Supplier<List<String>>> commands = new TreeMap<>();
    private final List<String> names = new ArrayList<>();

    CommandGenerator(long seed) {
        random = new Random(seed);
        keyCommands();
        expiryCommands();
        stringCommands();
        numberCommands();
        databaseCommands();
        transactionCommands();
        new ListGenerator(this).addTo();
        new SortedSetGenerator(this).addTo();
        new BitGenerator(this).addTo();
        new HashGenerator(this).addTo();
        new SetGenerator(this).addTo();
        new SortGenerator(this).addTo();
    }

    List<String> next() {
        String name = pick(names);
        List<String> words = new ArrayList<>();
        words.add(chance(10) ? name.toLowerCase() : name);
        words.addAll(commands.get(name).get());
        if (chance(3) && !LEFT_ALONE.contains(name) && !waits(name)) {
            damage(words);
        }
        return words;
    }

    /** Whether a changed argument could let the command wait for longer than a test may take. */
    private static boolean waits(String name) {
        return name.startsWith("BL") || name.startsWith("BR") || name.startsWith("BZ");
    }

    private void damage(List<String> words) {
        switch (random.nextInt(4)) {
            case 0 -> words.remove(words.size() - 1);
            case 1 -> words.add(pick("x", "NX", "1", ""));
            case 2 -> {
                // Not where a fraction may be meant: Redis takes 0x10 for one. Nor where all scores must be the same.
                if (words.stream().noneMatch(word -> word.startsWith("f") || word.startsWith("zl"))) {
                    words.set(random.nextInt(words.size()), pick(NO_INTEGERS));
                }
            }
            default -> words.add(random.nextInt(words.size() + 1), plainKey());
        }
        if (words.isEmpty()) {
            words.add("NOSUCHCOMMAND");
        }
    }

    private void keyCommands() {
        add(6, "DEL", () -> keys(3));
        add(2, "UNLINK", () -> keys(3));
        add(3, "EXISTS", () -> keys(4));
        add(2, "TOUCH", () -> keys(4));
        add(3, "TYPE", () -> List.of(key()));
        add(3, "RENAME", this::twoKeys);
        add(2, "RENAMENX", this::twoKeys);
        add(3, "COPY", () -> with(twoKeys(), some("DB", database()), some("REPLACE")));
        add(2, "RANDOMKEY", List::of);
        add(2, "KEYS", () -> List.of(pick(PATTERNS)));
        add(3, "SCAN", () -> with(List.of(pick("0", "0", "0", "0", "abc", "")), List.of("COUNT", "1000"),
            some("MATCH", pick(PATTERNS)), some("TYPE", pick("string", "STRING", "list", "nosuch"))));
        add(1, "SCAN", () -> with(List.of("0"), List.of("COUNT", pick("0", "-1", "abc")), some("MATCH")));
        add(4, "OBJECT", () -> List.of(pick("ENCODING", "encoding"), key()));
        add(2, "DBSIZE", List::of);
    }

    private void expiryCommands() {
        for (String read : new String[] {"TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"}) {
            add(3, read, () -> List.of(key()));
        }
        add(2, "PERSIST", () -> List.of(key()));
        add(3, "EXPIRE", () -> with(List.of(key(), seconds()), expireCondition()));
        add(3, "PEXPIRE", () -> with(List.of(key(), milliseconds()), expireCondition()));
        add(4, "EXPIREAT", () -> with(List.of(key(), epochSeconds()), expireCondition()));
        add(4, "PEXPIREAT", () -> with(List.of(key(), epochMilliseconds()), expireCondition()));
    }

    private void stringCommands() {
        add(8, "GET", () -> List.of(key()));
        add(14, "SET", () -> with(keyAndValue(), some(pick("NX", "XX", "GET", "KEEPTTL", "nx", "NOSUCH")), expiry(),
            some(pick("NX", "XX", "GET", "KEEPTTL", "get"))));
        add(2, "SETNX", this::keyAndValue);
        add(2, "SETEX", () -> List.of(plainKey(), seconds(), value()));
        add(2, "PSETEX", () -> List.of(plainKey(), milliseconds(), value()));
        add(2, "GETSET", this::keyAndValue);
        add(2, "GETDEL", () -> List.of(key()));
        add(4, "GETEX", () -> with(List.of(key()), expiry(), some("PERSIST")));
        add(3, "MGET", () -> keys(4));
        add(2, "MSET", () -> with(keyAndValue(), keyAndValue(), some(key())));
        add(2, "MSETNX", () -> with(keyAndValue(), keyAndValue(), some(key())));
        add(4, "APPEND", () -> List.of(plainKey(), value()));
        add(3, "STRLEN", () -> List.of(key()));
        add(4, "GETRANGE", () -> List.of(key(), offset(), offset()));
        add(4, "SETRANGE", () -> List.of(plainKey(), chance(5) ? pick("500000", "536870912", "4294967296") : offset(),
            value()));
    }

    private void numberCommands() {
        add(4, "INCR", () -> List.of(key()));
        add(3, "DECR", () -> List.of(key()));
        add(4, "INCRBY", () -> List.of(plainKey(), integer()));
        add(4, "DECRBY", () -> List.of(plainKey(), integer()));
        add(4, "INCRBYFLOAT", () -> List.of(pick(FRACTION_KEYS), chance(10) ? pick(NO_FRACTIONS) : pick(FRACTIONS)));
        add(1, "INCRBYFLOAT", () -> List.of(plainKey(), pick(NO_FRACTIONS)));
    }

    private void databaseCommands() {
        add(3, "SELECT", () -> List.of(database()));
        add(2, "MOVE", () -> List.of(key(), database()));
        add(1, "SWAPDB", () -> List.of(database(), database()));
        add(1, "FLUSHDB", () -> some(pick("ASYNC", "SYNC", "async", "NOSUCH")));
        add(1, "FLUSHALL", () -> chance(70) ? List.of("NOSUCH") : some(pick("ASYNC", "SYNC")));
        add(2, "ECHO", () -> List.of(value()));
        add(2, "PING", () -> some(value()));
        add(1, "NOSUCH", () -> keys(3));
    }

    private void transactionCommands() {
        add(6, "MULTI", List::of);
        add(12, "EXEC", List::of);
        add(2, "DISCARD", List::of);
        add(4, "WATCH", () -> keys(2));
        add(1, "UNWATCH", List::of);
    }

    void add(int weight, String name, Supplier<List<String>> arguments) {
        Supplier<List<String>> earlier = commands.get(name);
        commands.put(name, earlier == null ? arguments : () -> chance(50) ? earlier.get() : arguments.get());
        for (int i = 0; i < weight; i++) {
            names.add(name);
        }
    }

    String key() {
        return chance(15) ? pick(FRACTION_KEYS) : plainKey();
    }

    String plainKey() {
        return pick(KEYS);
    }

    List<String> keys(int max) {
        List<String> keys = new ArrayList<>();
        for (int count = 1 + random.nextInt(max); count > 0; count--) {
            keys.add(key());
        }
        return keys;
    }

    /** Two of a kind, so that no fraction gets under a name without f. */
    private List<String> twoKeys() {
        return chance(15) ? List.of(pick(FRACTION_KEYS), pick(FRACTION_KEYS)) : List.of(plainKey(), plainKey());
    }

    private List<String> keyAndValue() {
        return chance(15) ? List.of(pick(FRACTION_KEYS), pick(FRACTIONS)) : List.of(plainKey(), value());
    }

    String value() {
        return chance(50) ? pick(INTEGERS) : chance(50) ? pick(TEXTS) : pick(NO_INTEGERS);
    }

    String integer() {
        return chance(15) ? pick(NO_INTEGERS) : pick(INTEGERS);
    }

    String offset() {
        return chance(5) ? integer() : pick(OFFSETS);
    }

    private String database() {
        return chance(10) ? pick("16", "-1", "abc", "99999999999999999999") : pick("0", "1", "2");
    }

    private List<String> expiry() {
        return switch (random.nextInt(8)) {
            case 0 -> List.of("EX", seconds());
            case 1 -> List.of("px", milliseconds());
            case 2 -> List.of("EXAT", epochSeconds());
            case 3 -> List.of("PXAT", epochMilliseconds());
            default -> List.of();
        };
    }

    private List<String> expireCondition() {
        List<String> words = new ArrayList<>(some(pick("NX", "XX", "GT", "LT", "gt", "NOSUCH")));
        if (chance(20)) {
            words.add(pick("NX", "XX", "GT", "LT"));
        }
        return words;
    }

    /** Days, from so wide a range that two are practically never alike: GT and LT must not hang on a millisecond. */
    private String seconds() {
        return chance(15) ? oddTime() : Integer.toString(100_000 + random.nextInt(10_000_000));
    }

    private String milliseconds() {
        return chance(15) ? oddTime() : Long.toString(100_000_000L + 1000L * random.nextInt(10_000_000));
    }

    private String epochSeconds() {
        return chance(15) ? oddTime() : Long.toString(4_102_444_800L + random.nextInt(10_000_000));
    }

    private String epochMilliseconds() {
        return chance(15) ? oddTime() : Long.toString(4_102_444_800_000L + 1000L * random.nextInt(10_000_000));
    }

    private String oddTime() {
        return pick(ODD_TIMES);
    }

    /** The words, or nothing. */
    List<String> some(String... words) {
        return chance(40) ? List.of(words) : List.of();
    }

    @SafeVarargs
    static List<String> with(List<String>... parts) {
        List<String> words = new ArrayList<>();
        for (List<String> part : parts) {
            words.addAll(part);
        }
        return words;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
