package io.sluice.persistence;

import static io.sluice.persistence.EntryLayout.ENCODING_SIZED;
import static io.sluice.persistence.EntryLayout.SIZED_HEADER_BYTES;

import io.sluice.persistence.store.Store;
import org.agrona.UnsafeApi;

/**
 * How a collection changes its bytes: a few of them where they are, between {@link #begin} and {@link #end}, or all at
 * once by {@link #replace}. Whenever the process is killed, the value is the one from before or the one from after.
 * Neither counts as a change of the key by itself: that is {@link #touched}, once per change of the collection.
 */
public final class Blobs {

    /** A scratch that is larger is given back after use. */
    private static final int SCRATCH_KEPT_BYTES_MAX = 1 << 20;

    private final Keyspace keyspace;
    private final Core core;
    private final Placement placement;
    private final CollectionLimits limits = new CollectionLimits();
    private long scratch;
    private int scratchBytes;

    Blobs(final Keyspace keyspace, final Core core, final Placement placement) {
        this.keyspace = keyspace;
        this.core = core;
        this.placement = placement;
    }

    /** Until which size collections are held in their small form. */
    public CollectionLimits limits() {
        return limits;
    }

    /** Longest payload in bytes. */
    public int bytesMax() {
        return placement.payloadBytesMax();
    }

    /** Whether the limits leave room for the entry's payload to have that length. */
    public boolean hasRoom(final Entry e, final int payloadBytes) {
        final int newKeys = e.exists ? 0 : 1;
        return core.hasRoom(newKeys, (long) payloadBytes - (e.exists ? e.payloadLength() : -e.keyLength));
    }

    /**
     * Makes sure that the entry's payload may have that length, before a command changes anything.
     *
     * @throws KeyspaceFullException  when it may not
     * @throws ValueTooLargeException when it is longer than {@link #bytesMax()}
     */
    public void require(final Entry e, final int payloadBytes) {
        placement.require(e, payloadBytes);
    }

    /**
     * Replaces the whole value, or makes one.
     *
     * @param source     payload, no part of the value itself
     * @param expireAtMs in ms since the epoch
     * @return the payload's address from now on
     * @throws KeyspaceFullException  when it does not fit; the old value is there as it was
     * @throws ValueTooLargeException when it is longer than {@link #bytesMax()}
     */
    public long replace(
        final Entry e, final int type, final long source, final int length, final long expireAtMs) {
        placement.checkLength(length);
        core.refresh(e);
        final boolean expired = !e.exists && e.valueAddress != Store.NOT_FOUND;
        final long address = placement.claim(e, SIZED_HEADER_BYTES + length);
        if (expired && core.effects != null) {
            // What follows adds to a value that is not there; where time lags, the expired one still might be.
            core.effects.remove(e.db, e.keyAddress, e.keyLength);
        }
        placement.beginOverwrite(e);
        UnsafeApi.copyMemory(source, address + SIZED_HEADER_BYTES, length);
        EntryLayout.write(address, type, ENCODING_SIZED, length, expireAtMs);
        placement.endOverwrite(e);
        placement.settle(e);
        return EntryLayout.payloadAddress(e.valueAddress);
    }

    /** Begins to change a value where it is. Returns the payload's address. */
    public long begin(final Entry e) {
        core.refresh(e);
        if (!e.exists) {
            throw new IllegalStateException("the collection's key is gone");
        }
        core.beforeChange(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        core.store.keepImage(e.space, e.keyAddress, e.keyLength, e.valueAddress, 0);
        return EntryLayout.payloadAddress(e.valueAddress);
    }

    /**
     * Bytes of the payload are going to be overwritten that mean something now. Comes before they are; what is written
     * where nothing is needs none.
     */
    public void keep(final int offset, final int bytes) {
        core.store.keepMore(SIZED_HEADER_BYTES + offset, bytes);
    }

    /** Ends {@link #begin}: the value is complete. */
    public void end() {
        core.store.dropImage();
    }

    /** A collection has changed. */
    public void touched(final Entry e) {
        core.touched(e);
    }

    /** A key has another collection as a whole: as {@link #touched}, and the effect is the whole value. */
    public void replaced(final Entry e) {
        core.touched(e);
        if (core.effects != null) {
            core.effects.put(e);
        }
    }

    /** Removes a key whose collection became empty. */
    public void remove(final Entry e) {
        keyspace.remove(e);
    }

    /** Who takes the effects, null for nobody. */
    public EffectSink effects() {
        return core.effects;
    }

    /** Memory to put a payload together in, valid until the next call or {@link #releaseScratch}. */
    public long scratch(final int bytes) {
        if (bytes > scratchBytes) {
            UnsafeApi.freeMemory(scratch);
            scratchBytes = 0;
            scratch = 0;
            scratch = UnsafeApi.allocateMemory(bytes);
            scratchBytes = bytes;
        }
        return scratch;
    }

    /** What is in the scratch is not needed any more. */
    public void releaseScratch() {
        if (scratchBytes > SCRATCH_KEPT_BYTES_MAX) {
            UnsafeApi.freeMemory(scratch);
            scratch = 0;
            scratchBytes = 0;
        }
    }
}
