package io.sluice.replication;

/**
 * What operators may set. Times in milliseconds.
 *
 * @param backlogBytes      bytes of the stream that are kept for replicas that are away
 * @param backlogTtlMs      how long the stream is recorded after the last replica has left; 0 for ever
 * @param timeoutMs         silence after which a link counts as dead
 * @param pingPeriodMs      time between pings of a primary
 * @param syncDelayMs       how long a full sync waits for other replicas that want one
 * @param outputHardBytes   a replica with more bytes waiting is dropped; 0 for none
 * @param outputSoftBytes   so is one with more than this for {@code outputSoftMs}; 0 for none
 * @param outputSoftMs      see {@code outputSoftBytes}
 * @param lagMsMax          a replica counts as good that has answered within this
 */
public record ReplicationSettings(
    int backlogBytes, long backlogTtlMs, long timeoutMs, long pingPeriodMs, long syncDelayMs, long outputHardBytes,
    long outputSoftBytes, long outputSoftMs, long lagMsMax) {
}
