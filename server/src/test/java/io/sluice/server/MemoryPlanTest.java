package io.sluice.server;

import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigReader;
import org.junit.jupiter.api.Test;

import java.io.InputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MemoryPlanTest {
    private static final long MB = 1 << 20;

    private static MemoryPlan plan(long availableMb, boolean contained, String... options) throws Exception {
        Config config = new ConfigReader(InputStream.nullInputStream()).read(options);
        return MemoryPlan.of(config, availableMb * MB, contained, 256 * MB, 256 * MB);
    }

    @Test
    void shouldRefuseWhatAContainerCannotHold() throws Exception {
        MemoryPlan plan = plan(1024, true, "--maxmemory", "600mb");
        assertFalse(plan.fits());
        assertEquals("1.51G = (heap 256.00M + entries 600.00M + their index 177.78M + buffers 256.00M) and 20 % for "
            + "the JVM itself", plan.toString());
        assertTrue(plan(1024, true, "--maxmemory", "200mb").fits());
        assertTrue(plan(1024, true, "--maxmemory", "250mb", "--maxkeys", "1000000").fits());
    }

    @Test
    void shouldNotRefuseOnAMachineThatLimitsNobody() throws Exception {
        assertTrue(plan(1024, false, "--maxmemory", "100gb").fits());
    }

    @Test
    void shouldTakeWhatFitsWhereNothingIsSet() throws Exception {
        for (long mb = 700; mb < 100_000; mb *= 2) {
            MemoryPlan plan = plan(mb, true);
            assertTrue(plan.fits(), plan.toString());
            assertTrue(plan.entries() >= MB);
        }
        assertEquals((long) (100_000 * MB * 0.6), plan(100_000, true).entries());
        assertEquals((long) (1024 * MB * 0.6), plan(1024, false).entries());
        assertFalse(plan(512, true).fits());
    }
}
