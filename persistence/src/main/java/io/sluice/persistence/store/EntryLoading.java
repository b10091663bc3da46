package io.sluice.persistence.store;

import java.util.ArrayList;
import java.util.List;

/** Builds the index from the files at opening, and settles which copy counts of a key that is there twice. */
final class EntryLoading {

    private final ChronicleStore store;
    private final long seed;
    private final List<Long> provisional = new ArrayList<>();
    private final List<Long> retired = new ArrayList<>();
    private final List<Long> surplus = new ArrayList<>();
    private long dropped;
    private long duplicatesResolved;

    EntryLoading(final ChronicleStore store, final long seed) {
        this.store = store;
        this.seed = seed;
    }

    void load(final List<Generation> files, final Generations[] generations) {
        for (final Generation file : files) {
            dropped += file.load(this::load);
            generations[file.sizeClass().ordinal()].add(file);
        }
        // A provisional copy counts only without a live one. A retired one was written before the live one, and counts
        // only if a loss of power took that.
        provisional.forEach(this::loadOrGiveUp);
        retired.forEach(this::loadOrGiveUp);
        surplus.forEach(store::discard);
        duplicatesResolved = surplus.size();
    }

    /** Entries that were not sound. */
    long dropped() {
        return dropped;
    }

    /** Copies of keys that were there twice. */
    long duplicatesResolved() {
        return duplicatesResolved;
    }

    private void load(final long valueAddress) {
        switch (EntryLayout.mark(valueAddress)) {
            case EntryLayout.MARK_PROVISIONAL -> provisional.add(valueAddress);
            case EntryLayout.MARK_RETIRED -> retired.add(valueAddress);
            default -> loadOrGiveUp(valueAddress);
        }
    }

    private void loadOrGiveUp(final long valueAddress) {
        final int keyLength = EntryLayout.keyLength(valueAddress);
        final long keyAddress = EntryLayout.keyAddress(valueAddress);
        final int space = EntryLayout.space(keyAddress);
        final long hash = KeyHash.hash(seed, space, keyAddress, keyLength);
        if (store.find(hash, space, keyAddress, keyLength) == Store.NOT_FOUND) {
            EntryLayout.mark(valueAddress, EntryLayout.MARK_LIVE);
            store.load(hash, space, valueAddress);
        } else {
            surplus.add(valueAddress);
        }
    }
}
