package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ExpireCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldKeepAKeyThroughItsExpiryMillisecond() {
        redis.run("SET", "k", "v", "PX", "1000");
        redis.clock().advanceNs(1_000_999_999);
        assertEquals(":0", redis.run("PTTL", "k"));
        assertEquals("$1 v", redis.run("GET", "k"));
        redis.clock().advanceNs(1);
        assertEquals(":-2", redis.run("PTTL", "k"));
        assertEquals("$-1", redis.run("GET", "k"));
    }

    @Test
    void shouldSetExpiriesInEveryUnit() {
        redis.run("SET", "k", "v");
        assertEquals(":1", redis.run("EXPIRE", "k", "10"));
        assertEquals(":10000", redis.run("PTTL", "k"));
        assertEquals(":1", redis.run("PEXPIRE", "k", "1499"));
        assertEquals(":1", redis.run("TTL", "k"));
        assertEquals(":1", redis.run("PEXPIRE", "k", "1500"));
        assertEquals(":2", redis.run("TTL", "k"));
        assertEquals(":1", redis.run("EXPIREAT", "k", "1700000009"));
        assertEquals(":1700000009", redis.run("EXPIRETIME", "k"));
        assertEquals(":1", redis.run("PEXPIREAT", "k", "1700000009001"));
        assertEquals(":1700000009001", redis.run("PEXPIRETIME", "k"));
        assertEquals(":1", redis.run("PERSIST", "k"));
        assertEquals(":0", redis.run("PERSIST", "k"));
        for (String ask : new String[] {"TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"}) {
            assertEquals(":-1", redis.run(ask, "k"));
            assertEquals(":-2", redis.run(ask, "none"));
        }
        assertEquals(":0", redis.run("EXPIRE", "none", "10"));
        assertEquals(":0", redis.run("PERSIST", "none"));
    }

    @Test
    void shouldHeedConditions() {
        redis.run("SET", "k", "v");
        assertEquals(":0", redis.run("EXPIRE", "k", "10", "XX"));
        assertEquals(":0", redis.run("EXPIRE", "k", "10", "GT"));
        assertEquals(":1", redis.run("EXPIRE", "k", "10", "LT"));
        assertEquals(":0", redis.run("EXPIRE", "k", "20", "NX"));
        assertEquals(":0", redis.run("EXPIRE", "k", "10", "gt"));
        assertEquals(":1", redis.run("EXPIRE", "k", "20", "GT", "XX"));
        assertEquals(":0", redis.run("EXPIRE", "k", "20", "LT"));
        assertEquals(":20", redis.run("TTL", "k"));
        assertEquals("-ERR NX and XX, GT or LT options at the same time are not compatible",
            redis.run("EXPIRE", "k", "10", "NX", "LT"));
        assertEquals("-ERR GT and LT options at the same time are not compatible",
            redis.run("EXPIRE", "k", "10", "GT", "LT"));
        assertEquals("-ERR Unsupported option FOO", redis.run("EXPIRE", "k", "x", "FOO"));
    }

    @Test
    void shouldRemoveAKeyWhoseExpiryIsOver() {
        for (String command : new String[] {"EXPIRE k -1", "EXPIRE k 0", "PEXPIRE k -9223372036854775808",
            "EXPIREAT k 1", "PEXPIREAT k 1700000000000"}) {
            redis.run("SET", "k", "v");
            assertEquals(":1", redis.run(command.split(" ")), command);
            assertEquals(0, redis.keyspace().size(0), command);
        }
    }

    @Test
    void shouldRefuseTimesThatDoNotFit() {
        redis.run("SET", "k", "v");
        assertEquals("-ERR invalid expire time in 'expire' command", redis.run("EXPIRE", "k", "9223372036854775807"));
        assertEquals("-ERR invalid expire time in 'expire' command", redis.run("EXPIRE", "k", "-9223372036854775808"));
        assertEquals("-ERR invalid expire time in 'pexpire' command", redis.run("PEXPIRE", "k", "9223372036854775807"));
        assertEquals("-ERR invalid expire time in 'expireat' command",
            redis.run("EXPIREAT", "k", "9223372036854775807"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("EXPIRE", "none", "x"));
        assertEquals(":-1", redis.run("TTL", "k"));
        assertEquals(":1", redis.run("PEXPIREAT", "k", "9223372036854775807"));
        assertEquals(":9223372036854776", redis.run("EXPIRETIME", "k"));
    }
}
