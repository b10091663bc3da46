package io.sluice.persistence;

/** Looks at every entry of a store once: counts it, and drops what no keyspace wrote. */
final class OpeningVisit {

    private final Core core;
    private long leastExpiryMs;

    OpeningVisit(final Core core) {
        this.core = core;
    }

    void run() {
        for (int shard = 0; shard < core.store.shards(); shard++) {
            leastExpiryMs = Entry.NO_EXPIRY;
            core.store.forEach(shard, this::visit);
            core.bounds.set(shard, leastExpiryMs);
        }
    }

    private void visit(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (EntryLayout.isValid(valueAddress, core.store.capacityOf(valueAddress))) {
            final long expireAtMs = EntryLayout.expireAtMs(valueAddress);
            // A snapshot that the process did not live to complete may have left the mark.
            if (EntryLayout.isSaved(valueAddress)) {
                EntryLayout.saved(valueAddress, false);
            }
            core.spaces.added(space, EntryLayout.type(valueAddress), expireAtMs);
            leastExpiryMs = Math.min(leastExpiryMs, expireAtMs);
        } else {
            core.store.remove(hash, space, keyAddress, keyLength, valueAddress);
            core.damaged++;
        }
    }
}
