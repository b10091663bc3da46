package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HotKeyCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String run(String command) {
        return redis.run(command.split(" "));
    }

    @Test
    void shouldReportASessionAsRedisDoes() {
        assertEquals("+OK", run("HOTKEYS START METRICS 1 NET COUNT 2"));
        run("SET big 0123456789012345678901234567890123456789");
        run("SET small 0");
        run("MSET small 1 third 1");
        redis.clock().advanceMs(1_500);
        assertEquals("-ERR hotkeys tracking session already in progress", run("HOTKEYS START METRICS 1 CPU"));
        String report = run("HOTKEYS GET");
        assertTrue(report.startsWith("*16 $15 tracking-active :1 $12 sample-ratio :1 $14 selected-slots *0 "), report);
        assertTrue(report.contains("$22 collection-duration-ms :1500"), report);
        assertTrue(report.contains("$12 by-net-bytes *4 $3 big :51 $5 small "), report);
        assertEquals("-ERR hotkeys tracking session in progress, stop tracking first", run("HOTKEYS RESET"));
        assertEquals("+OK", run("HOTKEYS STOP"));
        assertEquals("$-1", run("HOTKEYS STOP"));
        assertTrue(run("HOTKEYS GET").startsWith("*16 $15 tracking-active :0"));
        assertEquals("+OK", run("HOTKEYS RESET"));
        assertEquals("*0", run("HOTKEYS GET"));
    }

    @Test
    void shouldEndASessionAfterItsDuration() {
        run("HOTKEYS START METRICS 2 CPU NET DURATION 2");
        redis.clock().advanceMs(5_000);
        run("SET k v");
        String report = run("HOTKEYS GET");
        assertTrue(report.contains("tracking-active :0"), report);
        assertTrue(report.contains("collection-duration-ms :2000"), report);
        assertTrue(report.endsWith("$14 by-cpu-time-us *0 $12 by-net-bytes *0"), report);
    }

    @Test
    void shouldCountOneCommandInSoMany() {
        run("HOTKEYS START METRICS 1 NET SAMPLE 4");
        for (int i = 0; i < 8; i++) {
            run("GET k");
        }
        assertTrue(run("HOTKEYS GET").endsWith("*2 $1 k :18"), run("HOTKEYS GET"));
    }

    @Test
    void shouldAnswerWithoutASessionAsValkeyDoes() {
        run("CL.THROTTLE k 0 1 60");
        run("CL.THROTTLE k 0 1 60");
        run("CL.THROTTLE l 0 1 60");
        assertEquals("*2 *6 $3 key $1 k $2 db :0 $3 qps :0 *6 $3 key $1 l $2 db :0 $3 qps :0", run("HOTKEYS GET"));
        run("HELLO 3");
        assertTrue(run("HOTKEYS GET").startsWith("*2 %3 $3 key $1 k"));
    }

    @Test
    void shouldRefuseWhatMakesNoSession() {
        assertEquals("-ERR METRICS parameter is required", run("HOTKEYS START COUNT 1"));
        assertEquals("-ERR METRICS count does not match number of metric types provided",
            run("HOTKEYS START METRICS 2 CPU"));
        assertEquals("-ERR SLOTS parameter cannot be used in non-cluster mode",
            run("HOTKEYS START METRICS 1 CPU SLOTS 1 0"));
        assertEquals("-ERR syntax error", run("HOTKEYS START METRICS 1 CPU FOO"));
        assertEquals("*0", run("HOTKEYS GET"));
    }
}
