package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SetCommandsTest {
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private Set<String> members(String... command) {
        String[] words = redis.run(command).split(" ");
        Set<String> members = new TreeSet<>();
        for (int i = 2; i < words.length; i += 2) {
            assertTrue(members.add(words[i]), "twice: " + words[i]);
        }
        return members;
    }

    private void add(String key, Set<String> members) {
        members.forEach(member -> redis.run("SADD", key, member));
    }

    @Test
    void shouldAddFindAndRemoveMembers() {
        assertEquals(":2", redis.run("SADD", "s", "a", "b", "a"));
        assertEquals(":1", redis.run("SADD", "s", "b", "c"));
        assertEquals(":3", redis.run("SCARD", "s"));
        assertEquals(":1", redis.run("SISMEMBER", "s", "a"));
        assertEquals("*3 :1 :0 :1", redis.run("SMISMEMBER", "s", "a", "x", "c"));
        assertEquals("*3 $1 a $1 b $1 c", redis.run("SMEMBERS", "s"));
        assertEquals(":2", redis.run("SREM", "s", "a", "x", "b"));
        assertEquals(":1", redis.run("SREM", "s", "c"));
        assertEquals(":0", redis.run("EXISTS", "s"));
        assertEquals(":0", redis.run("SREM", "s", "c"));
        assertEquals("*0", redis.run("SMEMBERS", "s"));
        assertEquals("*1 :0", redis.run("SMISMEMBER", "s", "a"));
    }

    @Test
    void shouldKeepIntegersInOrderWhileThereIsNothingElse() {
        redis.run("SADD", "s", "5", "-1", "300000000000", "2");
        assertEquals("*4 $2 -1 $1 2 $1 5 $12 300000000000", redis.run("SMEMBERS", "s"));
        assertEquals("$6 intset", redis.run("OBJECT", "ENCODING", "s"));
        redis.run("SADD", "s", "a");
        assertEquals("$8 listpack", redis.run("OBJECT", "ENCODING", "s"));
        assertEquals(":1", redis.run("SISMEMBER", "s", "300000000000"));
        assertEquals("+set", redis.run("TYPE", "s"));
    }

    @Test
    void shouldAnswerWithSetsInProtocolThree() {
        redis.run("SADD", "s", "a");
        redis.run("HELLO", "3");
        assertEquals("~1 $1 a", redis.run("SMEMBERS", "s"));
        assertEquals("~1 $1 a", redis.run("SUNION", "s", "absent"));
        assertEquals("~0", redis.run("SINTER", "s", "absent"));
        assertEquals("*1 $1 a", redis.run("SRANDMEMBER", "s", "3"));
        assertEquals("~1 $1 a", redis.run("SPOP", "s", "3"));
        assertEquals("~0", redis.run("SPOP", "s", "3"));
        assertEquals("_", redis.run("SPOP", "s"));
    }

    @Test
    void shouldPopEveryMemberOnce() {
        Set<String> left = new TreeSet<>();
        for (int i = 0; i < 700; i++) {
            left.add("m" + i);
        }
        add("s", left);
        while (!left.isEmpty()) {
            if (left.size() % 3 == 0) {
                String popped = redis.run("SPOP", "s").split(" ")[1];
                assertTrue(left.remove(popped), popped);
            } else {
                members("SPOP", "s", "2").forEach(popped -> assertTrue(left.remove(popped), popped));
            }
            assertEquals(":" + left.size(), redis.run("SCARD", "s"));
        }
        assertEquals(":0", redis.run("EXISTS", "s"));
    }

    @Test
    void shouldRefuseOddCounts() {
        redis.run("SADD", "s", "a");
        assertEquals("-ERR value is out of range, must be positive", redis.run("SPOP", "s", "-1"));
        assertEquals("-ERR value is out of range, must be positive", redis.run("SPOP", "s", "x"));
        assertEquals("-ERR syntax error", redis.run("SPOP", "s", "1", "2"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("SRANDMEMBER", "s", "x"));
        assertEquals("-ERR syntax error", redis.run("SRANDMEMBER", "s", "1", "2"));
        assertEquals("-ERR value is out of range", redis.run("SRANDMEMBER", "s", "-9000000000000000000"));
        assertEquals("*3 $1 a $1 a $1 a", redis.run("SRANDMEMBER", "s", "-3"));
        assertEquals("*1 $1 a", redis.run("SRANDMEMBER", "s", "9223372036854775807"));
        assertEquals("$1 a", redis.run("SRANDMEMBER", "s"));
        assertEquals(":1", redis.run("SCARD", "s"));
    }

    @Test
    void shouldMoveMembers() {
        redis.run("SADD", "a", "x", "y");
        assertEquals(":1", redis.run("SMOVE", "a", "b", "x"));
        assertEquals(":0", redis.run("SMOVE", "a", "b", "x"));
        assertEquals(":1", redis.run("SMOVE", "b", "b", "x"));
        assertEquals(":0", redis.run("SMOVE", "b", "b", "z"));
        assertEquals(":1", redis.run("SMOVE", "a", "b", "y"));
        assertEquals(":0", redis.run("EXISTS", "a"));
        assertEquals(Set.of("x", "y"), members("SMEMBERS", "b"));
        redis.run("SET", "string", "x");
        assertEquals(WRONG_TYPE, redis.run("SMOVE", "b", "string", "x"));
        assertEquals(WRONG_TYPE, redis.run("SMOVE", "string", "b", "x"));
        assertEquals(":0", redis.run("SMOVE", "absent", "string", "x"));
    }

    @Test
    void shouldCombineSetsAsAModelDoes() {
        Random random = new Random(8);
        for (int round = 0; round < 60; round++) {
            List<Set<String>> sets = new ArrayList<>();
            redis.run("FLUSHALL");
            for (int k = 0; k < 3; k++) {
                Set<String> set = new TreeSet<>();
                int size = random.nextInt(random.nextInt(4) == 0 ? 600 : 40);
                for (int i = 0; i < size; i++) {
                    set.add((random.nextBoolean() ? "" : "m") + random.nextInt(100));
                }
                add("s" + k, set);
                sets.add(set);
            }
            Set<String> inter = new TreeSet<>(sets.get(0));
            inter.retainAll(sets.get(1));
            inter.retainAll(sets.get(2));
            Set<String> union = new TreeSet<>(sets.get(0));
            union.addAll(sets.get(1));
            union.addAll(sets.get(2));
            Set<String> diff = new TreeSet<>(sets.get(0));
            diff.removeAll(sets.get(1));
            diff.removeAll(sets.get(2));
            assertEquals(inter, members("SINTER", "s0", "s1", "s2"));
            assertEquals(union, members("SUNION", "s0", "s1", "s2"));
            assertEquals(diff, members("SDIFF", "s0", "s1", "s2"));
            assertEquals(":" + inter.size(), redis.run("SINTERCARD", "3", "s0", "s1", "s2"));
            assertEquals(":" + Math.min(2, inter.size()), redis.run("SINTERCARD", "3", "s0", "s1", "s2", "LIMIT", "2"));
            assertEquals(":" + union.size(), redis.run("SUNIONSTORE", "s0", "s0", "s1", "s2"));
            assertEquals(union, members("SMEMBERS", "s0"));
        }
    }

    @Test
    void shouldReplaceWhateverTheTargetHeldOrRemoveIt() {
        redis.run("SADD", "a", "1", "2");
        redis.run("SET", "target", "x", "EX", "100");
        assertEquals(":2", redis.run("SINTERSTORE", "target", "a", "a"));
        assertEquals(":-1", redis.run("TTL", "target"));
        assertEquals(":0", redis.run("SDIFFSTORE", "target", "a", "a"));
        assertEquals(":0", redis.run("EXISTS", "target"));
        redis.run("SET", "string", "x");
        assertEquals(WRONG_TYPE, redis.run("SUNIONSTORE", "target", "a", "string"));
        assertEquals(WRONG_TYPE, redis.run("SINTER", "absent", "string"));
        assertEquals(WRONG_TYPE, redis.run("SADD", "string", "x"));
        assertEquals("-ERR numkeys should be greater than 0", redis.run("SINTERCARD", "0", "a"));
        assertEquals("-ERR Number of keys can't be greater than number of args", redis.run("SINTERCARD", "9", "a"));
        assertEquals("-ERR LIMIT can't be negative", redis.run("SINTERCARD", "1", "a", "LIMIT", "-1"));
        assertEquals("-ERR syntax error", redis.run("SINTERCARD", "1", "a", "b"));
    }

    @Test
    void shouldScanAllMembersOfALargeSetAtLeastOnceWhileItGrows() {
        for (int i = 0; i < 2_000; i++) {
            redis.run("SADD", "s", "member" + i);
        }
        Set<String> seen = new TreeSet<>();
        String cursor = "0";
        int step = 0;
        do {
            String[] words = redis.run("SSCAN", "s", cursor, "COUNT", "20").split(" ");
            cursor = words[2];
            for (int i = 5; i < words.length; i += 2) {
                seen.add(words[i]);
            }
            for (int i = 0; i < 50; i++) {
                redis.run("SADD", "s", "new" + step++);
            }
        } while (!"0".equals(cursor));
        for (int i = 0; i < 2_000; i++) {
            assertTrue(seen.contains("member" + i), "member" + i);
        }
    }

    @Test
    void shouldAddAllMembersOrNoneAtTheSizeLimit() {
        String large = "x".repeat(1 << 20);
        assertEquals(":3", redis.run("SADD", "s", large + "1", large + "2", large + "3"));
        assertEquals("-ERR value exceeds the maximum allowed size",
            redis.run("SADD", "s", "small", large + "4", large + "5"));
        assertEquals(":3", redis.run("SCARD", "s"));
        assertEquals(":0", redis.run("SISMEMBER", "s", "small"));
    }
}
