package io.sluice.server.stats;

import java.util.ArrayDeque;
import java.util.Deque;

/** A log of the newest entries, of which a bounded number is kept. */
public abstract class EntryLog<E> {
    /** Newest first. */
    protected final Deque<E> entries = new ArrayDeque<>();
    private int lengthMax = 128;

    /** How many entries are kept. */
    public final void lengthMax(int length) {
        lengthMax = length;
        trim();
    }

    /** Notes an entry in place of the oldest one, if that is one too many. */
    protected final void addNewest(E entry) {
        entries.addFirst(entry);
        trim();
    }

    private void trim() {
        while (entries.size() > lengthMax) {
            entries.removeLast();
        }
    }

    /** Newest first. */
    public final Iterable<E> entries() {
        return entries;
    }

    public final int size() {
        return entries.size();
    }

    public final void clear() {
        entries.clear();
    }
}
