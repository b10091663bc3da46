package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Gives the same random rules to the users of a Redis 7.0 and of Sluice, and wants the same commands allowed and
 * denied, and the same answers to rules that are wrong. {@code -Dsluice.seed=n} makes another run.
 *
 * <p>Denials are worded as in Redis 7.2, whose version Sluice reports; {@link #inWordsOf70} gives the older ones.
 */
final class AclDifferentialTest {
    private static final long SEED = Long.getLong("sluice.seed", 1);
    private static final int ROUNDS = 600;

    @RegisterExtension
    static final RedisServer REDIS = new RedisServer();

    @RegisterExtension
    static final SluiceServer SLUICE = new SluiceServer();

    private static final String[] KEYS = {"a", "a1", "b", "b2", "key:1", "other"};
    private static final String[] RULES = {"on", "off", "nopass", "resetpass", ">pw", "<pw", ">pw2", "#abc", "reset",
        "~a*", "~*", "~b?", "%R~a*", "%W~b*", "%RW~key:*", "%R~*", "%Q~x", "%~x", "resetkeys", "allkeys", "&ch*", "&*",
        "%R", "%w", "%",
        "allchannels", "resetchannels", "+@all", "-@all", "allcommands", "nocommands", "+get", "-get", "+set", "-set",
        "+mget", "+del", "+GET", "+config|get", "-config|set", "+config", "-config", "+client|id", "-client|list",
        "+client", "+select|1", "+select", "-select", "+nosuch", "-nosuch", "+config|nosuch", "+config|", "+get|x",
        "-get|x", "+config|get|x", "clearselectors", "(+get ~a*)", "(+set ~b* &x)", "(+@read %R~key:*)", "(~a)",
        "(+nosuch)", "()", "(+get", "sanitize-payload", "skip-sanitize-payload", "nonsense", "", "~", "&"};

    private static final String[] FURTHER_COMMANDS = {"HSET KEY f v", "HGETALL KEY", "HMGET KEY f", "LPUSH KEY x",
        "LMOVE KEY KEY LEFT RIGHT", "RPOPLPUSH KEY KEY", "LRANGE KEY 0 1", "LMPOP 2 KEY KEY LEFT", "BLPOP KEY KEY 0",
        "BRPOPLPUSH KEY KEY 0", "SADD KEY x", "SMOVE KEY KEY x", "SINTERSTORE KEY KEY KEY", "SDIFF KEY KEY",
        "SINTERCARD 2 KEY KEY", "SPOP KEY", "SRANDMEMBER KEY", "ZADD KEY 1 x", "ZUNIONSTORE KEY 2 KEY KEY",
        "ZINTERCARD 2 KEY KEY", "ZRANGESTORE KEY KEY 0 1", "ZMPOP 1 KEY MIN", "BZMPOP 0 1 KEY MIN", "ZRANGE KEY 0 1",
        "EVAL x 2 KEY KEY", "EVAL x 0", "EVAL x 9 KEY", "EVAL_RO x 1 KEY", "EVALSHA x 1 KEY", "FCALL f 1 KEY",
        "BITFIELD KEY GET u8 0", "BITFIELD KEY SET u8 0 1", "BITFIELD_RO KEY GET u8 0", "BITOP AND KEY KEY KEY",
        "BITCOUNT KEY", "SETBIT KEY 1 1", "GETEX KEY", "GETSET KEY x", "APPEND KEY x", "STRLEN KEY", "GETRANGE KEY 0 1",
        "SETRANGE KEY 0 x", "OBJECT ENCODING KEY", "MEMORY USAGE KEY", "RENAME KEY KEY", "MOVE KEY 1", "DUMP KEY",
        "RESTORE KEY 0 x", "WATCH KEY KEY", "TYPE KEY", "TTL KEY", "PERSIST KEY", "TOUCH KEY KEY", "UNLINK KEY KEY",
        "MSETNX KEY 1 KEY 2", "PUBLISH ch1 x", "PUBLISH other x", "SPUBLISH x x", "SUBSCRIBE ch1 other",
        "PSUBSCRIBE ch*", "PSUBSCRIBE x", "UNSUBSCRIBE other", "SSUBSCRIBE ch2", "PUBSUB CHANNELS", "KEYS KEY",
        "SCAN 0 MATCH KEY", "RANDOMKEY", "FLUSHALL", "SCRIPT LOAD x", "FUNCTION LIST", "MONITOR", "ROLE"};

    private final Random random = new Random(SEED);
    private RespClient redis;
    private RespClient sluice;

    @BeforeEach
    void connect() {
        redis = REDIS.connect();
        sluice = SLUICE.connect();
    }

    @SuppressWarnings("unchecked")
    private static Set<String> names(RespClient server, String... command) {
        return new TreeSet<>((List<String>) server.call(command));
    }

    @Test
    void shouldPutEveryCommandIntoTheCategoriesOfRedis() {
        Set<String> shared = names(redis, "COMMAND", "LIST");
        shared.retainAll(names(sluice, "COMMAND", "LIST"));
        Map<String, Set<String>> expected = new TreeMap<>();
        Map<String, Set<String>> actual = new TreeMap<>();
        for (String category : names(redis, "ACL", "CAT")) {
            expected.put(category, names(redis, "ACL", "CAT", category));
            actual.put(category, names(sluice, "ACL", "CAT", category));
            expected.get(category).retainAll(shared);
            actual.get(category).retainAll(shared);
        }
        assertEquals(expected, actual);
    }

    @Test
    void shouldAllowAndDenyWhatRedisDoes() {
        Map<String, Integer> seen = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            if (round % 20 == 0) {
                same("ACL", "DELUSER", "u");
                same("ACL", "SETUSER", "u", "on", "nopass");
            }
            List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", "u"));
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                rules.add(random.nextInt(4) == 0 ? categoryRule() : pick(RULES));
            }
            same(rules.toArray(new String[0]));
            sameUser();
            for (int i = 0; i < 10; i++) {
                String reply = same(dryRun());
                seen.merge(kind(reply), 1, Integer::sum);
            }
        }
        assertTrue(seen.getOrDefault("+OK", 0) > 500 && seen.getOrDefault("command", 0) > 500
            && seen.getOrDefault("key", 0) > 100, seen::toString);
    }

    @Test
    void shouldAnswerClientsAsRedisDoes() {
        for (int round = 0; round < 40; round++) {
            same("ACL", "DELUSER", "v");
            same("ACL", "SETUSER", "v", "on", ">pw", pick("~a*", "~*", "%R~a*"),
                pick("+@all", "+@read", "+get", "-@all"), categoryRule(), pick("-get", "+set", "-multi", "+ping"));
            try (RespClient a = REDIS.connect(); RespClient b = SLUICE.connect()) {
                sameOn(a, b, "AUTH", "v", pick("pw", "pw", "pw", "wrong"));
                for (int i = 0; i < 12; i++) {
                    String[] command = random.nextInt(6) == 0 ? new String[] {pick("MULTI", "EXEC", "DISCARD", "RESET")}
                        : command();
                    sameOn(a, b, command);
                    if (i == 6) {
                        same("ACL", "SETUSER", "v", "-get", "resetkeys", "~b*");
                    }
                }
                sameOn(a, b, "RESET");
                sameOn(a, b, "ACL", "WHOAMI");
            }
        }
    }

    /** What both answer to a query on the rights of user u. */
    private String[] dryRun() {
        List<String> words = new ArrayList<>(List.of("ACL", "DRYRUN", "u"));
        words.addAll(random.nextBoolean() ? List.of(command()) : furtherCommand());
        return words.toArray(new String[0]);
    }

    /** One of those whose keys or channels lie in other places, or are used in other ways. */
    private List<String> furtherCommand() {
        List<String> words = new ArrayList<>();
        for (String word : pick(FURTHER_COMMANDS).split(" ")) {
            words.add("KEY".equals(word) ? pick(KEYS) : word);
        }
        return words;
    }

    private String[] command() {
        String key = pick(KEYS);
        return switch (random.nextInt(18)) {
            case 0, 1 -> new String[] {"GET", key};
            case 2 -> new String[] {"SET", key, "1"};
            case 3 -> new String[] {"SET", key, "1", pick("GET", "XX", "NX")};
            case 4 -> new String[] {"MGET", key, pick(KEYS)};
            case 5 -> new String[] {"DEL", key, pick(KEYS)};
            case 6 -> new String[] {"CONFIG", "GET", "maxclients"};
            case 7 -> new String[] {"CONFIG", "SET", "timeout", "0"};
            case 8 -> new String[] {"SELECT", pick("0", "1")};
            case 9 -> new String[] {"CLIENT", pick("GETNAME", "NOSUCH")};
            case 10 -> new String[] {"COPY", key, pick(KEYS), "REPLACE"};
            case 11 -> new String[] {"EXISTS", key};
            case 12 -> new String[] {"INCR", "b" + random.nextInt(3)};
            case 13 -> new String[] {"EXPIRE", key, "100000"};
            case 14 -> new String[] {"MSET", key, "1", pick(KEYS), "2"};
            case 15 -> new String[] {"GETDEL", key};
            case 16 -> new String[] {"DBSIZE"};
            default -> new String[] {"PING"};
        };
    }

    private String categoryRule() {
        return pick("+", "-") + "@" + pick("read", "write", "keyspace", "string", "fast", "slow", "admin", "dangerous",
            "connection", "transaction", "nosuch");
    }

    private static String kind(String reply) {
        return reply.startsWith("+OK") ? "+OK" : reply.contains("to run the") ? "command"
            : reply.contains("' key") ? "key" : "other";
    }

    /** All of the user but the rules on commands, of which Redis 7.0 shows a shorter form that means the same. */
    private void sameUser() {
        Map<String, Object> expected = user(redis);
        Map<String, Object> actual = user(sluice);
        assertEquals(expected, actual, () -> "seed " + SEED);
    }

    private static Map<String, Object> user(RespClient server) {
        List<?> fields = (List<?>) server.call("ACL", "GETUSER", "u");
        Map<String, Object> user = new TreeMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            user.put((String) fields.get(i), fields.get(i + 1));
        }
        List<Object> flags = new ArrayList<>((List<?>) user.get("flags"));
        flags.remove("sanitize-payload");
        user.put("flags", flags);
        user.remove("commands");
        List<Object> selectors = new ArrayList<>();
        for (Object selector : (List<?>) user.get("selectors")) {
            selectors.add(((List<?>) selector).subList(2, 6));
        }
        user.put("selectors", selectors);
        return user;
    }

    private String same(String... command) {
        return sameOn(redis, sluice, command);
    }

    private static String sameOn(RespClient redis, RespClient sluice, String... command) {
        String expected = redis.raw(command);
        String actual = sluice.raw(command);
        assertEquals(body(expected), inWordsOf70(body(actual)),
            () -> "seed " + SEED + ": " + String.join(" ", command));
        return actual;
    }

    /** Without the length of a bulk string, which goes with the words. */
    private static String body(String reply) {
        return reply.startsWith("$") ? reply.substring(reply.indexOf('\n') + 1) : reply;
    }

    private static String inWordsOf70(String reply) {
        return reply
            .replaceAll("User \\S+ has no permissions to run the '", "This user has no permissions to run the '")
            .replaceAll("User \\S+ has no permissions to access", "This user has no permissions to access")
            .replace("NOPERM This user", "NOPERM this user")
            .replace("No permissions to access a key",
                "this user has no permissions to access one of the keys used as arguments")
            .replace("No permissions to access a channel",
                "this user has no permissions to access one of the channels used as arguments");
    }

    private String pick(String... from) {
        return from[random.nextInt(from.length)];
    }
}
