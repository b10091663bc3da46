package io.sluice.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.sluice.server.command.InfoText;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;

import java.lang.management.ManagementFactory;

/**
 * What the process may come to take, and what there is. Where a container limits memory, a server that could outgrow
 * it does not start: it would be killed in the midst of its busiest hour.
 *
 * @param available    bytes of the machine, or of the container
 * @param contained    whether a container sets that
 * @param heap         the JVM's heap at most
 * @param entries      what entries may take
 * @param index        what the index of so many entries takes
 * @param direct       buffers of connections and snapshots at most
 */
record MemoryPlan(long available, boolean contained, long heap, long entries, long index, long direct) {
    /** For the JVM itself (code, classes, stacks, collector) and for the state of sockets in the kernel. */
    static final double MARGIN = 0.2;

    /** Without maxmemory, entries may take this share of the machine's memory, if all else leaves as much. */
    private static final double ENTRIES_SHARE = 0.6;
    /** An entry takes at least 54 bytes, and up to two slots of 8 bytes in the index. */
    private static final int ENTRY_BYTES_MIN = 54;
    private static final int INDEX_BYTES_PER_KEY = 16;
    /** With less than this there is no point in starting. */
    private static final long ENTRIES_MIN = 1 << 20;

    /** What these settings mean on this machine. */
    static MemoryPlan of(Config config) {
        long available = ProcessInfo.totalMemoryBytes();
        long heap = Runtime.getRuntime().maxMemory();
        return of(config, available, ProcessInfo.isMemoryContained(), heap, directMax(heap));
    }

    static MemoryPlan of(Config config, long available, boolean contained, long heap, long direct) {
        long maxKeys = config.number(ConfigTable.MAX_KEYS);
        long entries = config.number(ConfigTable.MAX_MEMORY);
        if (entries == 0) {
            double left = available / (1 + MARGIN) - heap - direct;
            double perEntry = 1 + (double) INDEX_BYTES_PER_KEY / ENTRY_BYTES_MIN;
            entries = (long) Math.max(ENTRIES_MIN, Math.min(available * ENTRIES_SHARE,
                    contained ? left / perEntry : Double.MAX_VALUE));
        }
        long keys = entries / ENTRY_BYTES_MIN;
        long index = INDEX_BYTES_PER_KEY * (maxKeys == 0 ? keys : Math.min(keys, maxKeys));
        return new MemoryPlan(available, contained, heap, entries, index, direct);
    }

    private static long directMax(long heap) {
        long set = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize").getValue());
        return set == 0 ? heap : set;
    }

    long sum() {
        return (long) ((heap + entries + index + direct) * (1 + MARGIN));
    }

    /** Whether there is room for all of it; a machine without a limit may have other memory to give. */
    boolean fits() {
        return !contained || sum() <= available;
    }

    /** The sum as an operator checks it. */
    @Override
    public String toString() {
        return String.format("%s = (heap %s + entries %s + their index %s + buffers %s) and %d %% for the JVM itself",
                InfoText.human(sum()), InfoText.human(heap), InfoText.human(entries), InfoText.human(index),
                InfoText.human(direct), Math.round(MARGIN * 100));
    }
}
