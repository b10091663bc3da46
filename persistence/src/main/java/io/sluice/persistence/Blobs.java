package io.sluice.persistence;

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
    private final Writer writer;
    private final CollectionLimits limits = new CollectionLimits();
    private long scratch;
    private int scratchBytes;

    Blobs(final Keyspace keyspace, final Core core, final Writer writer) {
        this.keyspace = keyspace;
        this.core = core;
        this.writer = writer;
    }

    /** Until which size collections are held in their small form. */
    public CollectionLimits limits() {
        return limits;
    }

    /** Longest payload in bytes. */
    public int bytesMax() {
        return writer.payloadBytesMax();
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
        writer.require(e, payloadBytes);
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
        return writer.place(e, type, source, length, expireAtMs);
    }

    /** Begins to change a value where it is. Returns the payload's address. */
    public long begin(final Entry e) {
        return writer.beginChange(e);
    }

    /**
     * Bytes of the payload are going to be overwritten that mean something now. Comes before they are; what is written
     * where nothing is needs none.
     */
    public void keep(final int offset, final int bytes) {
        writer.keep(offset, bytes);
    }

    /** Ends {@link #begin}: the value is complete. */
    public void end() {
        writer.endChange();
    }

    /** A collection has changed. */
    public void touched(final Entry e) {
        writer.touched(e);
    }

    /** A key has another collection as a whole: as {@link #touched}, and the effect is the whole value. */
    public void replaced(final Entry e) {
        writer.replaced(e);
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
