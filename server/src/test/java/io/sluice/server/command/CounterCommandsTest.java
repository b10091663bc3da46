package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CounterCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldCountUpAndDownAndKeepTheExpiry() {
        redis.run("SET", "k", "10", "EX", "60");
        assertEquals(":11", redis.run("INCR", "k"));
        assertEquals(":10", redis.run("DECR", "k"));
        assertEquals(":-5", redis.run("DECRBY", "k", "15"));
        assertEquals(":0", redis.run("INCRBY", "k", "5"));
        assertEquals(":60", redis.run("TTL", "k"));
        assertEquals("$3 int", redis.run("OBJECT", "ENCODING", "k"));
        assertEquals(":-1", redis.run("DECR", "fresh"));
    }

    @Test
    void shouldRefuseWhatIsNoIntegerOrWouldOverflow() {
        String notAnInteger = "-ERR value is not an integer or out of range";
        for (String text : new String[] {"abc", "", " 1", "1 ", "+1", "01", "-0", "1.5", "9223372036854775808"}) {
            redis.run("SET", "k", text);
            assertEquals(notAnInteger, redis.run("INCR", "k"), text);
            assertEquals(notAnInteger, redis.run("INCRBY", "fresh", text), text);
        }
        redis.run("SET", "k", "9223372036854775807");
        assertEquals("-ERR increment or decrement would overflow", redis.run("INCR", "k"));
        assertEquals("-ERR increment or decrement would overflow", redis.run("DECRBY", "k", "-1"));
        assertEquals("-ERR decrement would overflow", redis.run("DECRBY", "k", "-9223372036854775808"));
        assertEquals("$19 9223372036854775807", redis.run("GET", "k"));
        assertEquals(":0", redis.run("EXISTS", "fresh"));
    }

    @Test
    void shouldAddDecimalsExactly() {
        redis.run("SET", "k", "0.1", "EX", "60");
        assertEquals("$3 0.3", redis.run("INCRBYFLOAT", "k", "0.2"));
        assertEquals("$5 200.3", redis.run("INCRBYFLOAT", "k", "2e2"));
        assertEquals("$4 -0.7", redis.run("INCRBYFLOAT", "k", "-201"));
        assertEquals(":60", redis.run("TTL", "k"));
        redis.run("SET", "k", "47.979");
        assertEquals("$11 4351286.779", redis.run("INCRBYFLOAT", "k", "4351238.8"));
        redis.run("SET", "k", "9223372036854775807");
        assertEquals("$22 9223372036854775806.75", redis.run("INCRBYFLOAT", "k", "-0.25"));
        assertEquals("$19 0.00000000000000002", redis.run("INCRBYFLOAT", "tiny", "1.5e-17"));
        assertEquals("$1 0", redis.run("INCRBYFLOAT", "zero", "-0.0"));
        assertEquals("$3 int", redis.run("OBJECT", "ENCODING", "zero"));
    }

    @Test
    void shouldRefuseDecimalsThatAreNoneOrWouldBeInfinite() {
        redis.run("SET", "k", "1.5");
        for (String text : new String[] {"abc", "", " 1", "nan", "0x10", "1e5000"}) {
            assertEquals("-ERR value is not a valid float", redis.run("INCRBYFLOAT", "k", text), text);
        }
        String infinite = "-ERR increment would produce NaN or Infinity";
        assertEquals(infinite, redis.run("INCRBYFLOAT", "k", "inf"));
        assertEquals(infinite, redis.run("INCRBYFLOAT", "k", "1.8e308"));
        assertEquals("$3 1.5", redis.run("GET", "k"));
        redis.run("SET", "k", "inf");
        assertEquals(infinite, redis.run("INCRBYFLOAT", "k", "1"));
        redis.run("SET", "k", "text");
        assertEquals("-ERR value is not a valid float", redis.run("INCRBYFLOAT", "k", "1"));
    }

    @Test
    void shouldAnswerIncrExWithDoublesInResp3() {
        redis.client().connection().reply().protocol(3);
        assertEquals("*2 ,1.5 ,1.5", redis.run("INCREX", "k", "BYFLOAT", "1.5"));
        assertEquals("*2 :1 :1", redis.run("INCREX", "n"));
    }

    @Test
    void shouldSetTheExpiryOfIncrExOnlyIfThereIsNone() {
        assertEquals("*2 :1 :1", redis.run("INCREX", "k", "EX", "60", "ENX"));
        redis.clock().advanceMs(10_000);
        assertEquals("*2 :2 :1", redis.run("INCREX", "k", "EX", "60", "ENX"));
        assertEquals(":50000", redis.run("PTTL", "k"));
        assertEquals("*2 :3 :1", redis.run("INCREX", "k", "PERSIST"));
        assertEquals(":-1", redis.run("PTTL", "k"));
    }

    @Test
    void shouldRefuseAnIncrementOfIncrExThatDoesNotFit() {
        redis.run("SET", "k", "-9223372036854775808");
        assertEquals("-ERR applied increment would overflow",
            redis.run("INCREX", "k", "LBOUND", "9223372036854775807", "SATURATE"));
        redis.run("SET", "k", "1.7976931348623157e308");
        assertEquals("*2 $309", redis.run("INCREX", "k", "BYFLOAT", "1e308").substring(0, 7));
        assertEquals("-ERR applied increment would be Infinity",
            redis.run("INCREX", "k", "BYFLOAT", "1", "UBOUND", "-1.7976931348623157e308", "SATURATE"));
        assertEquals("$22 1.7976931348623157e308", redis.run("GET", "k"));
    }

    @Test
    void shouldNotTouchWhatIncrExRefuses() {
        redis.run("SET", "k", "5", "EX", "60");
        long dirty = redis.keyspace().dirty();
        assertEquals("*2 :5 :0", redis.run("INCREX", "k", "UBOUND", "5", "EX", "100"));
        assertEquals("*2 :5 :0", redis.run("INCREX", "k", "NX"));
        assertEquals("*2 :0 :0", redis.run("INCREX", "fresh", "XX"));
        assertEquals(dirty, redis.keyspace().dirty());
    }
}
