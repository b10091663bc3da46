package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;

class KeyNotifierTest {
    private final CommandTester redis = new CommandTester();
    private final CommandTester.Client listener = redis.newClient();

    @BeforeEach
    void listen() {
        listener.run("PSUBSCRIBE", "__key*");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    /** Channels and messages since the last look. */
    private String heard() {
        var bytes = listener.connection().reply().buffer();
        String text = bytes.toString(StandardCharsets.ISO_8859_1).replaceAll(
            "\\*4\r\n\\$8\r\npmessage\r\n\\$6\r\n__key\\*\r\n"
                + "\\$\\d+\r\n([^\r]*)\r\n\\$\\d+\r\n([^\r]*)\r\n", "$1 $2\n");
        bytes.clear();
        return text;
    }

    @Test
    void shouldPublishNothingUnlessItIsAskedTo() {
        redis.run("SET", "k", "v");
        redis.run("CONFIG", "SET", "notify-keyspace-events", "K");
        redis.run("SET", "k", "v");
        assertEquals("", heard());
    }

    @Test
    void shouldPublishEventsByKeyAndByName() {
        redis.run("CONFIG", "SET", "notify-keyspace-events", "KEA");
        redis.run("SELECT", "2");
        redis.run("SET", "k", "v");
        redis.run("DEL", "k");
        assertEquals("__keyspace@2__:k set\n__keyevent@2__:set k\n__keyspace@2__:k del\n__keyevent@2__:del k\n",
            heard());
    }

    @Test
    void shouldPublishTheClassesThatAreSelected() {
        redis.run("CONFIG", "SET", "notify-keyspace-events", "Ex");
        redis.run("SET", "k", "v", "PX", "10");
        redis.clock().advanceMs(11);
        redis.run("GET", "k");
        redis.run("SET", "k", "w");
        assertEquals("__keyevent@0__:expired k\n", heard());
    }

    @Test
    void shouldNotPublishThatAnExpiryIsSetWhereItIsKept() {
        redis.run("SET", "k", "v", "EX", "100");
        redis.run("CONFIG", "SET", "notify-keyspace-events", "EA");
        redis.run("SET", "k", "w", "KEEPTTL");
        assertEquals("__keyevent@0__:set k\n", heard());
        assertEquals(":100", redis.run("TTL", "k"));
    }

    @Test
    void shouldPublishWhatLimitersDoAndNothingOfDenials() {
        redis.run("CONFIG", "SET", "notify-keyspace-events", "K$gr");
        redis.run("CL.THROTTLE", "k", "0", "1", "60");
        redis.run("CL.THROTTLE", "k", "0", "1", "60");
        redis.run("CL.THROTTLE", "k", "0", "1", "60", "-1");
        redis.run("GCRA", "g", "0", "1", "60");
        assertEquals("__keyspace@0__:k set\n__keyspace@0__:k expire\n__keyspace@0__:k del\n__keyspace@0__:g gcra\n"
            + "__keyspace@0__:g expire\n", heard());
        assertEquals("-ERR CONFIG SET failed (possibly related to argument 'notify-keyspace-events') - Invalid event "
            + "class character. Use 'Ag$lshzxetdrKEmn'.", redis.run("CONFIG", "SET", "notify-keyspace-events", "Q"));
    }
}
