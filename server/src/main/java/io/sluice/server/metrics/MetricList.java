package io.sluice.server.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sluice.server.stats.LatencyHistogram;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the values of one scrape. A metric's name is given without the suffix that its type adds to it. */
final class MetricList {
    private static final double NS_PER_SECOND = 1e9;
    /** Bounds of histograms: powers of two of a microsecond, up to 65 ms. */
    private static final int BUCKETS = 17;
    private static final long FIRST_BOUND_NS = 1000;

    private final List<MetricSnapshot> metrics = new ArrayList<>();

    /** The samples of one metric. */
    interface Samples {
        /** Adds a sample with the names and values of its labels in turn. */
        void add(double value, String... labels);
    }

    /** A metric of one value that only grows. */
    void counter(String name, String help, double value) {
        counters(name, help, samples -> samples.add(value));
    }

    /** A metric of many values that only grow. */
    void counters(String name, String help, Consumer<Samples> samples) {
        CounterSnapshot.Builder metric = CounterSnapshot.builder().name(name).help(help);
        samples.accept((value, labels) -> metric.dataPoint(
                CounterDataPointSnapshot.builder().labels(Labels.of(labels)).value(value).build()));
        metrics.add(metric.build());
    }

    /** A metric of one value. */
    void gauge(String name, String help, double value) {
        gauges(name, help, samples -> samples.add(value));
    }

    /** A metric of many values. */
    void gauges(String name, String help, Consumer<Samples> samples) {
        GaugeSnapshot.Builder metric = GaugeSnapshot.builder().name(name).help(help);
        samples.accept((value, labels) -> metric.dataPoint(
                GaugeDataPointSnapshot.builder().labels(Labels.of(labels)).value(value).build()));
        metrics.add(metric.build());
    }

    /** The samples of one histogram. */
    interface Histograms {
        /** Adds durations whose sum is given in ns, with the names and values of their labels in turn. */
        void add(LatencyHistogram durations, long sumNs, String... labels);
    }

    /** A metric of durations in seconds. */
    void histograms(String name, String help, Consumer<Histograms> samples) {
        HistogramSnapshot.Builder metric = HistogramSnapshot.builder().name(name).help(help);
        samples.accept((durations, sumNs, labels) -> metric.dataPoint(
                HistogramDataPointSnapshot.builder().labels(Labels.of(labels)).sum(sumNs / NS_PER_SECOND)
                        .classicHistogramBuckets(buckets(durations)).build()));
        metrics.add(metric.build());
    }

    private static ClassicHistogramBuckets buckets(LatencyHistogram durations) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            long upTo = durations.countUpTo(FIRST_BOUND_NS << i);
            buckets.bucket((FIRST_BOUND_NS << i) / NS_PER_SECOND, upTo - seen);
            seen = upTo;
        }
        return buckets.bucket(Double.POSITIVE_INFINITY, durations.total() - seen).build();
    }

    MetricSnapshots snapshots() {
        return new MetricSnapshots(metrics);
    }
}
