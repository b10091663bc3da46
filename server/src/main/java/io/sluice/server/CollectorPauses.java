package io.sluice.server;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.sluice.server.command.ServerParts;
import io.sluice.server.stats.ServerStats;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Hears from the JVM how long its collector has stopped all threads, and tells {@code LATENCY} and the statistics. The
 * JVM calls on a thread of its own; what it says goes to the event loop through the bounded queue.
 */
final class CollectorPauses implements NotificationListener {
    private final LoopQueue loop;
    private final ServerParts parts;

    CollectorPauses(LoopQueue loop, ServerParts parts) {
        this.loop = loop;
        this.parts = parts;
    }

    void start() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (stopsThreads(bean.getName()) && bean instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(this, null, null);
            }
        }
    }

    /** ZGC and Shenandoah have beans for whole cycles, which run beside the threads, and others for their pauses. */
    static boolean stopsThreads(String collectorName) {
        return !collectorName.contains("Cycles") && !collectorName.contains("Concurrent");
    }

    void stop() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            try {
                if (stopsThreads(bean.getName()) && bean instanceof NotificationEmitter emitter) {
                    emitter.removeNotificationListener(this);
                }
            } catch (ListenerNotFoundException e) {
                // It was not started.
            }
        }
    }

    @Override
    public void handleNotification(Notification notification, Object handback) {
        if (GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) {
            GcInfo info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo();
            // If the loop is so far behind that its queue is full, this is not what it should hear of.
            loop.offer(() -> paused(info.getDuration()));
        }
    }

    /** A pause is over; on the event loop. */
    void paused(long milliseconds) {
        ServerStats stats = parts.stats();
        stats.collectorPauses++;
        stats.collectorPauseMs += milliseconds;
        stats.collectorPauseMsMax = Math.max(stats.collectorPauseMsMax, milliseconds);
        parts.latency().sample("gc-pause", milliseconds * 1_000_000, parts.clock().epochNs());
    }
}
