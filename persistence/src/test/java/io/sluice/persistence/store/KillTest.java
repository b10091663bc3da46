package io.sluice.persistence.store;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Another process has the directory, writes without pause, and is killed in the midst of it. */
final class KillTest {

    private static final int BATCH = 100;
    private static final int BATCHES_MAX = 1_000;

    @TempDir
    Path directory;

    @Test
    void shouldRefuseTheDirectoryOfAnotherProcessAndHaveAllItsCompletedWritesOnceItIsKilled() throws Exception {
        final Process writer = start();
        final BufferedReader out = new BufferedReader(new InputStreamReader(writer.getInputStream()));
        assertEquals("batch 0", out.readLine());
        final StoreOpenException e = assertThrows(
            StoreOpenException.class, () -> ChronicleStore.open(Directories.tiny(directory)));
        assertEquals(StoreOpenException.Reason.LOCKED, e.reason());
        assertTrue(e.getMessage().contains("process " + writer.pid()), e.getMessage());

        final long seed = System.nanoTime();
        final int batches = 20 + new Random(seed).nextInt(150);
        String line = "";
        while (!line.equals("batch " + batches)) {
            line = out.readLine();
        }
        // Unlike that of the process, this leaves the pipe open.
        writer.toHandle().destroyForcibly();
        for (String more = out.readLine(); more != null && more.startsWith("batch"); more = out.readLine()) {
            line = more;
        }
        assertTrue(writer.waitFor(60, TimeUnit.SECONDS));
        check(Integer.parseInt(line.substring("batch ".length())));
    }

    private Process start() throws Exception {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!argument.startsWith("-javaagent") && !argument.startsWith("-agentlib")) {
                command.add(argument);
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Writer.class.getName(),
            directory.toString()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private void check(final int batches) throws Exception {
        final ChronicleStore store = ChronicleStore.open(Directories.tiny(directory));
        assertFalse(store.recovery().clean());
        assertEquals(0, store.recovery().dropped());
        final long key = UnsafeApi.allocateMemory(8);
        for (int i = 0; i < batches * BATCH; i++) {
            UnsafeApi.putLong(key, i);
            final long valueAddress = store.find(store.hash(0, key, 8), 0, key, 8);
            if (Writer.isRemoved(i)) {
                assertEquals(Store.NOT_FOUND, valueAddress);
            } else {
                assertNotEquals(Store.NOT_FOUND, valueAddress, "key " + i + " of " + batches * BATCH);
                assertEquals(~i, UnsafeApi.getLong(valueAddress));
                assertTrue(store.capacityOf(valueAddress) >= Writer.valueBytes(i));
            }
        }
        UnsafeApi.freeMemory(key);
        store.close();
    }

    /** Inserts, resizes and removes, and says so after every batch. */
    static final class Writer {

        private Writer() {
        }

        public static void main(final String[] args) throws Exception {
            final ChronicleStore store = ChronicleStore.open(Directories.tiny(Path.of(args[0])));
            final long key = UnsafeApi.allocateMemory(8);
            for (int i = 0; i < BATCHES_MAX * BATCH; i++) {
                if (i % BATCH == 0) {
                    System.out.println("batch " + i / BATCH);
                }
                UnsafeApi.putLong(key, i);
                final long hash = store.hash(0, key, 8);
                long valueAddress = store.insert(hash, 0, key, 8, 20);
                UnsafeApi.putLong(valueAddress, ~i);
                if (isRemoved(i)) {
                    store.remove(hash, 0, key, 8, valueAddress);
                } else if (valueBytes(i) > 20) {
                    valueAddress = store.resize(hash, 0, key, 8, valueAddress, valueBytes(i));
                }
            }
            System.out.println("batch " + BATCHES_MAX);
            System.in.read();
        }

        static boolean isRemoved(final int i) {
            return i % 5 == 4;
        }

        static int valueBytes(final int i) {
            return i % 3 == 0 ? 100 : i % 101 == 0 ? 3_000 : 20;
        }
    }
}
