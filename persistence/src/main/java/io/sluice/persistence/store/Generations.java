package io.sluice.persistence.store;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The map files of one size class, oldest first. Growth is another file: no key moves. The next file is made by
 * another thread as soon as what is free amounts to less than a quarter of the newest file; the owner takes it over at
 * an insert. It waits for one only when an entry fits nowhere else.
 */
final class Generations implements AutoCloseable {

    /** Most files of a class: by growing a quarter at a time, a million times the first one. */
    static final int GENERATIONS_MAX = 64;

    /** How long the owner waits for a file that it cannot do without. */
    private static final long WAIT_MAX_MS = 5_000;

    /** From a failure to make a file to the next attempt, where keys are refused. */
    private static final long RETRY_NS = 1_000_000_000;

    private final SizeClass sizeClass;
    private final int initialSegments;
    private final MapFiles files;
    private final StateFile state;
    private final ExecutorService maker;
    private Generation[] generations = {};
    private Future<Generation> pending;
    private String growthFailure;
    private long freeEntries;
    private long freeChunks;
    private long growthWaitNs;
    private long failedNs;

    Generations(
        final SizeClass sizeClass, final int initialSegments, final MapFiles files, final StateFile state,
        final ExecutorService maker) {
        this.sizeClass = sizeClass;
        this.initialSegments = initialSegments;
        this.files = files;
        this.state = state;
        this.maker = maker;
    }

    /** Takes a file in. Its account must be complete. */
    void add(final Generation generation) {
        generations = Arrays.copyOf(generations, generations.length + 1);
        generations[generations.length - 1] = generation;
        freeEntries += generation.entriesNominal() - generation.entries();
        freeChunks += generation.chunksNominal() - generation.chunksUsed();
        state.addGeneration(sizeClass, generation.number());
    }

    /** Makes the first file now. */
    void createFirst() throws IOException, StoreOpenException {
        add(files.create(sizeClass, nextNumber(), initialSegments));
    }

    /** Adds an entry, and returns the address of its value or {@link Generation#REFUSED} when the disk is full. */
    long insert(final KeyData key, final ValueData value, final int chunks) {
        adoptIfMade();
        long address = insertAnywhere(key, value, chunks);
        if (address == Generation.REFUSED) {
            if (!makeNextAndWait()) {
                return Generation.REFUSED;
            }
            address = insertAnywhere(key, value, chunks);
        }
        if (address != Generation.REFUSED) {
            freeEntries--;
            freeChunks -= chunks;
            if (growthFailure == null && isScarce()) {
                makeNext();
            }
        }
        return address;
    }

    /** Removes a present entry. */
    void remove(final KeyData key, final long valueAddress, final int chunks) {
        for (final Generation generation : generations) {
            if (generation.contains(valueAddress)) {
                generation.remove(key, valueAddress, chunks);
                freeEntries++;
                freeChunks += chunks;
                return;
            }
        }
        throw new IllegalStateException("no file has this address");
    }

    boolean contains(final long address) {
        for (final Generation generation : generations) {
            if (generation.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Makes the first file in the background if there is none, so that it is there when it is wanted. */
    void prepare() {
        if (generations.length == 0) {
            makeNext();
        }
    }

    /**
     * Whether so many more entries and chunks fit into the files, or files can be made. Where the last attempt to make
     * one has failed, there is another now and then, by the other thread: a disk does not stay full for ever.
     */
    boolean hasRoom(final long entries, final long chunks) {
        if (growthFailure == null || entries <= freeEntries && chunks <= freeChunks) {
            return true;
        }
        adoptIfMade();
        if (growthFailure != null && System.nanoTime() - failedNs >= RETRY_NS) {
            makeNext();
        }
        return growthFailure == null;
    }

    /** The longest wait for a file since the last call. */
    long takeGrowthWaitNs() {
        final long longest = growthWaitNs;
        growthWaitNs = 0;
        return longest;
    }

    /** Why the last attempt to make a file failed, or null. */
    String growthFailure() {
        return growthFailure;
    }

    List<Generation> list() {
        return List.of(generations);
    }

    SizeClass sizeClass() {
        return sizeClass;
    }

    @Override
    public void close() {
        if (pending != null) {
            awaitPending(Long.MAX_VALUE);
        }
        for (final Generation generation : generations) {
            generation.close();
        }
        generations = new Generation[0];
    }

    /** First where there is much room: a file that is nearly full mostly refuses. */
    private long insertAnywhere(final KeyData key, final ValueData value, final int chunks) {
        for (final Generation generation : generations) {
            if (generation.isRoomy()) {
                final long address = generation.insert(key, value, chunks);
                if (address != Generation.REFUSED) {
                    return address;
                }
            }
        }
        for (final Generation generation : generations) {
            final long address = generation.insert(key, value, chunks);
            if (address != Generation.REFUSED) {
                return address;
            }
        }
        return Generation.REFUSED;
    }

    private boolean isScarce() {
        final Generation newest = generations[generations.length - 1];
        return freeEntries < newest.entriesNominal() >> 2 || freeChunks < newest.chunksNominal() >> 2;
    }

    private void makeNext() {
        if (pending == null && nextNumber() < GENERATIONS_MAX) {
            int segments = 0;
            for (final Generation generation : generations) {
                segments += generation.segments();
            }
            final int nextSegments = Math.max(initialSegments, segments / 4);
            final int number = nextNumber();
            pending = maker.submit(() -> files.create(sizeClass, number, nextSegments));
        }
    }

    /** Returns whether there is a new file. After a failure the next attempt is not waited for. */
    private boolean makeNextAndWait() {
        final boolean failedBefore = growthFailure != null;
        makeNext();
        final long startNs = System.nanoTime();
        final boolean made = pending != null && awaitPending(failedBefore ? 0 : WAIT_MAX_MS);
        growthWaitNs = Math.max(growthWaitNs, System.nanoTime() - startNs);
        return made;
    }

    private void adoptIfMade() {
        if (pending != null && pending.isDone()) {
            awaitPending(0);
        }
    }

    private boolean awaitPending(final long waitMs) {
        try {
            add(pending.get(waitMs, TimeUnit.MILLISECONDS));
            growthFailure = null;
            pending = null;
            return true;
        } catch (final ExecutionException e) {
            growthFailure = e.getCause().getMessage();
            failedNs = System.nanoTime();
            pending = null;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final TimeoutException e) {
            growthFailure = growthFailure == null ? "the next file is not ready yet" : growthFailure;
        }
        return false;
    }

    private int nextNumber() {
        return generations.length == 0 ? 0 : generations[generations.length - 1].number() + 1;
    }
}
