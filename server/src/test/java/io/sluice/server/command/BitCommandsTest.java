package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class BitCommandsTest {
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldSetAndGetSingleBits() {
        assertEquals(":0", redis.run("SETBIT", "k", "7", "1"));
        assertEquals(":1", redis.run("SETBIT", "k", "7", "1"));
        assertEquals(":0", redis.run("SETBIT", "k", "23", "0"));
        assertEquals("$3 \u0001\u0000\u0000", redis.client().rawReply("GET", "k").replace("\r\n", " ").stripTrailing());
        assertEquals(":1", redis.run("GETBIT", "k", "7"));
        assertEquals(":0", redis.run("GETBIT", "k", "1000"));
        redis.run("SET", "number", "1");
        assertEquals(":1", redis.run("GETBIT", "number", "7"));
        assertEquals(":0", redis.run("SETBIT", "number", "6", "1"));
        assertEquals("$1 3", redis.run("GET", "number"));
    }

    @Test
    void shouldKeepTheExpiryOfAStringWhoseBitsChange() {
        redis.run("SET", "k", "a", "PX", "500");
        redis.run("SETBIT", "k", "100", "1");
        redis.run("BITFIELD", "k", "SET", "u8", "0", "1");
        assertEquals(":500", redis.run("PTTL", "k"));
    }

    @Test
    void shouldRefuseOffsetsBeyondTheLargestValueAndKeepTheOldOne() {
        String error = "-ERR bit offset is not an integer or out of range";
        redis.run("SET", "k", "a");
        long bits = 8L * redis.keyspace().valueBytesMax();
        for (String offset : new String[] {"-1", "", "1.5", "#0", Long.toString(bits), "9223372036854775807"}) {
            assertEquals(error, redis.run("SETBIT", "k", offset, "1"), offset);
            assertEquals(error, redis.run("GETBIT", "k", offset), offset);
        }
        assertEquals(error, redis.run("BITFIELD", "k", "GET", "u8", "#" + bits / 8));
        assertEquals("-ERR value exceeds the maximum allowed size",
            redis.run("BITFIELD", "k", "SET", "u8", Long.toString(bits - 1), "1"));
        assertEquals("$1 a", redis.run("GET", "k"));
        assertEquals(":0", redis.run("SETBIT", "k", Long.toString(bits - 1), "1"));
        assertEquals("-ERR bit is not an integer or out of range", redis.run("SETBIT", "k", "0", "2"));
    }

    @Test
    void shouldCountAndFindBitsAsASlowModelDoes() {
        Random random = new Random(5);
        for (int i = 0; i < 2_000; i++) {
            String text = randomText(random);
            redis.run("SET", "k", text);
            int first = random.nextInt(8 * text.length());
            int last = random.nextInt(8 * text.length());
            String[] range = {"k", Integer.toString(first), Integer.toString(last), "BIT"};
            assertEquals(":" + count(text, first, last), redis.run("BITCOUNT", range[0], range[1], range[2], "BIT"));
            for (String bit : new String[] {"0", "1"}) {
                assertEquals(":" + find(text, first, last, bit.equals("1")),
                    redis.run("BITPOS", "k", bit, range[1], range[2], "bit"), () -> bit + " in " + first + ".." + last);
            }
            assertEquals(":" + count(text, 0, 8 * text.length() - 1), redis.run("BITCOUNT", "k"));
        }
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(30);
        for (int i = 0; i < length; i++) {
            text.append((char) new int[] {0, 255, random.nextInt(256)}[random.nextInt(3)]);
        }
        return text.toString();
    }

    private static boolean bit(String text, int at) {
        return (text.charAt(at / 8) >> 7 - at % 8 & 1) == 1;
    }

    private static int count(String text, int first, int last) {
        int count = 0;
        for (int i = first; i <= last; i++) {
            count += bit(text, i) ? 1 : 0;
        }
        return count;
    }

    private static int find(String text, int first, int last, boolean wanted) {
        for (int i = first; i <= last; i++) {
            if (bit(text, i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void shouldTakeAStringWithoutAnEndForOneThatGoesOnWithZeroBits() {
        redis.run("SET", "k", "\u00ff\u00ff");
        assertEquals("-ERR syntax error", redis.run("BITPOS", "k", "0", "1", "x", "bits"));
        assertEquals(":16", redis.run("BITPOS", "k", "0"));
        assertEquals(":16", redis.run("BITPOS", "k", "0", "1"));
        assertEquals(":-1", redis.run("BITPOS", "k", "0", "0", "-1"));
        assertEquals(":-1", redis.run("BITPOS", "k", "0", "2"));
        assertEquals(":0", redis.run("BITPOS", "absent", "0"));
        assertEquals(":-1", redis.run("BITPOS", "absent", "1"));
        assertEquals("-ERR The bit argument must be 1 or 0.", redis.run("BITPOS", "k", "2"));
    }

    @Test
    void shouldCombineStringsOfDifferentLength() {
        redis.run("SET", "a", "abc");
        redis.run("SET", "b", "\u0001");
        assertEquals(":3", redis.run("BITOP", "OR", "r", "a", "b", "absent"));
        assertEquals("$3 abc", redis.run("GET", "r"));
        assertEquals(":3", redis.run("BITOP", "XOR", "r", "a", "b"));
        assertEquals("$3 `bc", redis.run("GET", "r"));
        assertEquals(":3", redis.run("BITOP", "AND", "a", "a", "b"));
        assertEquals("$3 \u0001\u0000\u0000", redis.run("GET", "a"));
        assertEquals(":1", redis.run("BITOP", "NOT", "b", "b"));
        assertEquals("$1 \u00fe", redis.run("GET", "b"));
        assertEquals(":0", redis.run("BITOP", "NOT", "b", "absent"));
        assertEquals(":0", redis.run("EXISTS", "b"));
        assertEquals("-ERR BITOP NOT must be called with a single source key.",
            redis.run("BITOP", "NOT", "r", "a", "b"));
        assertEquals("-ERR syntax error", redis.run("BITOP", "NAND", "r", "a"));
    }

    @Test
    void shouldChangeNothingWhereABitOrFieldIsWhatItIsToBe() {
        redis.run("SETBIT", "k", "7", "1");
        redis.run("BITFIELD", "k", "SET", "u8", "8", "5");
        redis.run("WATCH", "k");
        long dirty = redis.keyspace().dirty();
        assertEquals(":1", redis.run("SETBIT", "k", "7", "1"));
        assertEquals("*1 :5", redis.run("BITFIELD", "k", "SET", "u8", "8", "5"));
        assertEquals(dirty, redis.keyspace().dirty());
        redis.run("MULTI");
        redis.run("PING");
        assertEquals("*1 +PONG", redis.run("EXEC"));
        assertEquals(":0", redis.run("SETBIT", "k", "100", "0"));
        assertEquals(dirty + 1, redis.keyspace().dirty());
    }

    @Test
    void shouldRefuseBitsOfOtherTypes() {
        redis.run("RL.BUCKET", "k", "1", "1", "1");
        assertEquals("bucket", redis.run("TYPE", "k").substring(1));
        assertEquals(WRONG_TYPE, redis.run("SETBIT", "k", "0", "1"));
        assertEquals(WRONG_TYPE, redis.run("BITCOUNT", "k"));
        assertEquals(WRONG_TYPE, redis.run("BITOP", "AND", "r", "k"));
        assertEquals(WRONG_TYPE, redis.run("BITFIELD", "k", "SET", "u8", "0", "1"));
        assertEquals(WRONG_TYPE, redis.run("BITFIELD_RO", "k", "GET", "u8", "0"));
    }

    @Test
    void shouldOverflowAsTold() {
        assertEquals("*2 :0 :255", redis.run("BITFIELD", "k", "SET", "u8", "0", "255", "GET", "u8", "0"));
        assertEquals("*1 :4", redis.run("BITFIELD", "k", "INCRBY", "u8", "0", "5"));
        assertEquals("*1 :0", redis.run("BITFIELD", "k", "OVERFLOW", "SAT", "INCRBY", "u8", "#0", "-5"));
        assertEquals("*2 $-1 :0", redis.run("BITFIELD", "k", "OVERFLOW", "FAIL", "INCRBY", "u8", "#0", "-5",
            "GET", "u8", "#0"));
        assertEquals("*1 :-128", redis.run("BITFIELD", "k", "OVERFLOW", "WRAP", "INCRBY", "i8", "0", "128"));
        assertEquals("*2 :0 :9223372036854775807",
            redis.run("BITFIELD", "k2", "OVERFLOW", "SAT", "SET", "u63", "3", "-1", "GET", "u63", "3"));
        assertEquals("-ERR Invalid OVERFLOW type specified", redis.run("BITFIELD", "k", "OVERFLOW", "X"));
        assertEquals("-ERR syntax error", redis.run("BITFIELD", "k", "GET", "u8"));
        assertEquals("-ERR BITFIELD_RO only supports the GET subcommand",
            redis.run("BITFIELD_RO", "k", "SET", "u8", "0", "1"));
        assertEquals("*0", redis.run("BITFIELD", "k"));
    }

    @Test
    void shouldAddAsUnboundedNumbersDo() {
        Random random = new Random(6);
        for (int i = 0; i < 3_000; i++) {
            boolean signed = random.nextBoolean();
            int bits = 1 + random.nextInt(signed ? 64 : 63);
            String type = (signed ? "i" : "u") + bits;
            String offset = Integer.toString(random.nextInt(20));
            BigInteger range = BigInteger.ONE.shiftLeft(bits);
            BigInteger least = signed ? range.shiftRight(1).negate() : BigInteger.ZERO;
            BigInteger value = new BigInteger(bits, random).add(least);
            BigInteger increment = BigInteger.valueOf(random.nextLong() >> random.nextInt(64));
            redis.run("BITFIELD", "k", "SET", type, offset, value.toString());
            BigInteger wrapped = value.add(increment).subtract(least).mod(range).add(least);
            assertEquals("*2 :" + wrapped + " :" + wrapped, redis.run("BITFIELD", "k", "INCRBY", type, offset,
                increment.toString(), "GET", type, offset), () -> type + ": " + value + " + " + increment);
        }
    }
}
