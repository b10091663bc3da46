package io.sluice.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.buffer.PooledByteBufAllocator;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the operating system and the JVM say of this process. */
public final class ProcessInfo {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MACHINE = Path.of("/proc/meminfo");
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final String RESIDENT = "VmRSS:";
    private static final double TICKS_PER_SECOND = 100;

    private ProcessInfo() {
    }

    /** Memory of the machine, or of the container that this process runs in. */
    public static long totalMemoryBytes() {
        return bean().getTotalMemorySize();
    }

    /** Whether a container, and not the machine, limits {@link #totalMemoryBytes}. */
    public static boolean isMemoryContained() {
        try {
            return totalMemoryBytes() < kiloBytesOf(MACHINE, "MemTotal:") * 1024;
        } catch (IOException e) {
            return false;
        }
    }

    /** Files and sockets that this process may have open. */
    public static long fileDescriptorsMax() {
        return bean().getMaxFileDescriptorCount();
    }

    /** Memory of this process that is in RAM, mapped files included; 0 where the system does not tell. */
    public static long residentBytes() {
        try {
            return kiloBytesOf(STATUS, RESIDENT) * 1024;
        } catch (IOException e) {
            return 0;
        }
    }

    private static long kiloBytesOf(Path file, String name) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.substring(name.length(), line.indexOf("kB")).strip());
            }
        }
        return 0;
    }

    /**
     * CPU seconds used so far in user mode and in the kernel; both in user where the system does not tell them apart.
     */
    public static double[] cpuSeconds() {
        try {
            String stat = Files.readString(STAT);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new double[] {Long.parseLong(fields[11]) / TICKS_PER_SECOND,
                    Long.parseLong(fields[12]) / TICKS_PER_SECOND};
        } catch (IOException e) {
            return new double[] {bean().getProcessCpuTime() / 1e9, 0};
        }
    }

    /** Buffers of connections. */
    public static long bufferBytes() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    /** Heap that objects take, garbage included. */
    public static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static UnixOperatingSystemMXBean bean() {
        return (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    }
}
