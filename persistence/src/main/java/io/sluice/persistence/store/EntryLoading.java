package io.sluice.persistence.store;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Builds the index from the files at opening, in one pass that changes nothing in them: the opening may still be
 * refused for what it finds. What has to be changed is done by {@link #settle}.
 */
final class EntryLoading {

    private final AddressIndex index;
    private final long seed;
    private final long[] sizes = new long[Store.SPACES];
    private long bytesUsed;
    /** Files with entries that are not sound. */
    private final Set<Generation> unsound = new LinkedHashSet<>();
    private final List<Long> provisional = new ArrayList<>();
    private final List<Long> retired = new ArrayList<>();
    private final List<Long> surplus = new ArrayList<>();
    private long dropped;

    EntryLoading(final AddressIndex index, final long seed) {
        this.index = index;
        this.seed = seed;
    }

    /** Goes through a file. */
    void read(final Generation file) {
        file.load(this::found, offset -> unsound.add(file));
    }

    /** Removes what is not sound, and decides which copy counts of a key that is there twice. */
    void settle() {
        unsound.forEach(file -> dropped += file.removeUnsound());
        // A provisional copy counts only without a live one. A retired one was written before the live one, and counts
        // only if a loss of power took that.
        provisional.forEach(this::takeUnlessThere);
        retired.forEach(this::takeUnlessThere);
    }

    AddressIndex index() {
        return index;
    }

    /** Keys by space. */
    long[] sizes() {
        return sizes;
    }

    /** Bytes that the entries of the index take up. */
    long bytesUsed() {
        return bytesUsed;
    }

    /** Copies of keys that count no more: a file holds them, and the index does not. */
    List<Long> surplus() {
        return surplus;
    }

    /** Entries that were not sound. */
    long dropped() {
        return dropped;
    }

    private void found(final long valueAddress) {
        switch (FileEntry.mark(valueAddress)) {
            case FileEntry.MARK_PROVISIONAL -> provisional.add(valueAddress);
            case FileEntry.MARK_RETIRED -> retired.add(valueAddress);
            default -> {
                if (!take(valueAddress)) {
                    surplus.add(valueAddress);
                }
            }
        }
    }

    private void takeUnlessThere(final long valueAddress) {
        if (take(valueAddress)) {
            FileEntry.mark(valueAddress, FileEntry.MARK_LIVE);
        } else {
            surplus.add(valueAddress);
        }
    }

    /** Takes an entry into index and account; false if its key is there already. */
    private boolean take(final long valueAddress) {
        final int keyLength = FileEntry.keyLength(valueAddress);
        final long keyAddress = FileEntry.keyAddress(valueAddress);
        final int space = FileEntry.space(keyAddress);
        final long hash = KeyHash.hash(seed, space, keyAddress, keyLength);
        if (index.find(hash, space, keyAddress, keyLength) != Store.NOT_FOUND) {
            return false;
        }
        index.insert(hash, valueAddress);
        sizes[space]++;
        bytesUsed += ChronicleStore.bytes(keyLength, FileEntry.capacity(valueAddress));
        return true;
    }
}
