package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wall clock that is set while the server runs, or between two runs: a library stands before the real one. */
final class ClockFaultsTest {
    /** The server looks at the wall clock every ten seconds. */
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String LIMIT = "CL.THROTTLE limit 4 1 600";
    private static final Path LIBRARY = Path.of("target/wall_clock.so").toAbsolutePath();

    private Path clock;

    @BeforeAll
    static void makeLibrary() {
        Programs.run(Path.of("src/test/resources"), "cc", "-shared", "-fPIC", "-o", LIBRARY.toString(),
            "wall_clock.c");
    }

    @BeforeEach
    void wallClockIsRight() throws IOException {
        clock = Files.createTempFile(Path.of("target").toAbsolutePath(), "clock", "");
        setWallClock(0);
    }

    /** Sets the server's wall clock to so many seconds more than the real one shows. */
    private void setWallClock(long difference) throws IOException {
        try (FileChannel file = FileChannel.open(clock, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, difference), 0);
        }
    }

    private WrappedServer server() {
        return new WrappedServer("export LD_PRELOAD=" + LIBRARY + " WALL_CLOCK_FILE=" + clock);
    }

    private static void spendAll(RespClient client) {
        for (int i = 0; i < 5; i++) {
            assertEquals(0L, ((List<?>) client.line(LIMIT)).get(0));
        }
    }

    /** Seconds until one more is granted. */
    private static long retryAfter(RespClient client) {
        List<?> answer = (List<?>) client.line(LIMIT);
        assertEquals(1L, answer.get(0), answer.toString());
        return (Long) answer.get(3);
    }

    @Test
    void shouldNotNoticeThatTheWallClockIsSet() throws IOException {
        try (WrappedServer server = server()) {
            server.start();
            try (RespClient client = server.connect()) {
                spendAll(client);
                client.line("SET text v EX 1000");
                for (long difference : List.of(3_600L, -7_200L, 0L)) {
                    long before = ServerStatus.info(client, "clock_steps");
                    setWallClock(difference);
                    Await.until("the step to be seen", SOON,
                        () -> ServerStatus.info(client, "clock_steps") > before);
                    long retryAfter = retryAfter(client);
                    assertTrue(retryAfter > 400 && retryAfter <= 600, retryAfter + " s after " + difference);
                    long ttl = (Long) client.line("TTL text");
                    assertTrue(ttl > 800 && ttl <= 1000, ttl + " s after " + difference);
                }
            }
        }
    }

    @Test
    void shouldGrantNothingMoreWhereTheClockIsBackAtARestart() throws IOException {
        try (WrappedServer server = server()) {
            server.start();
            try (RespClient client = server.connect()) {
                spendAll(client);
            }
            assertEquals(0, server.stop());
            setWallClock(-3_600);
            server.start();
            try (RespClient client = server.connect()) {
                assertTrue(retryAfter(client) > 3600);
            }
            assertEquals(0, server.stop());
            // An hour later than it was stopped by the clock: as much has come back, and no more than the burst.
            setWallClock(3_600);
            server.start();
            try (RespClient client = server.connect()) {
                spendAll(client);
                assertTrue(retryAfter(client) <= 600);
            }
        }
    }
}
