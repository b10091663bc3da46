package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** redis-py, by a script that checks what it gets. */
final class RedisPyTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    @Test
    void shouldServeRedisPy() {
        SERVER.stopClock();
        assertEquals("ok\n", Programs.run(Path.of("src/test/resources"), "/usr/bin/python3", "redis_py.py",
            Integer.toString(SERVER.port())));
    }
}
