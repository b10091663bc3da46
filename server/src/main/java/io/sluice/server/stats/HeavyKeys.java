package io.sluice.server.stats;

import io.sluice.limiter.Limit;
import io.sluice.persistence.Entry;
import org.agrona.BufferUtil;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static org.agrona.UnsafeApi.copyMemory;
import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getDouble;
import static org.agrona.UnsafeApi.getFloat;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putDouble;
import static org.agrona.UnsafeApi.putFloat;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putLong;
import static org.agrona.UnsafeApi.setMemory;

/**
 * The keys that something happens to most often, in memory of a fixed size: Space-Saving (Metwally, Agrawal and El
 * Abbadi 2005) in {@link #SETS} independent sets of {@link #WAYS} counters, one of which a key's hash chooses. A key
 * that has no counter takes over the smallest of its set and inherits its count as the error. So of a key that has one,
 * {@code count - error <= true <= count}, and a key with more than a quarter of what happens in its set always has one.
 *
 * <p>Where what happens is too much to be counted one by one, the caller counts one in 2^{@value #SAMPLE_BITS}, taken
 * at random, by {@link #addSample}. Then a count is an estimate, and the truth is
 * outside the bounds for two keys in a million.
 *
 * <p>Counts fade: {@link #decay} halves them every {@link #HALF_LIFE_SECONDS}, which shrinks both bounds alike.
 *
 * <p>Counting touches one line of memory, the set:
 *
 * <pre>
 *  0        16                      48              64
 *  +--------+-----------------------+---------------+
 *  | 4 tags | 4 counts, as doubles  | 4 errors      |
 *  +--------+-----------------------+---------------+
 * </pre>
 *
 * What a key is called, and its limit, are kept in a record beside its counter only from the second time on, unless
 * nothing was displaced: keys that come once do not cost the copy.
 */
public final class HeavyKeys {
    /** Keys that are counted at a time. */
    public static final int SLOTS = 4096;
    /** After so many seconds in which nothing happens a count is half of what it was. */
    public static final int HALF_LIFE_SECONDS = 120;
    /** Of a longer key these are kept. */
    public static final int KEY_BYTES_MAX = 160;
    /** A count that does not change by this is so many a second. */
    public static final double PER_SECOND = Math.log(2) / HALF_LIFE_SECONDS;
    /** {@link #addSample} counts for two to the power of this. */
    static final int SAMPLE_BITS = 5;
    /** No counter is worth a record for this key. */
    static final int NONE = -1;

    /**
     * Bernstein's inequality (1924): samples of w that stand for n are away from it by more than
     * {@code sqrt(2 w n ln(1/d)) + w ln(1/d) / 3}, to one side, with a probability of d at most; here a millionth.
     */
    private static final double SPREAD = 2 * Math.log(1e6) * (1 << SAMPLE_BITS);
    private static final double OFFSET = SPREAD / 6;
    /** A power of two. */
    private static final int WAYS = 4;
    private static final int SETS = SLOTS / WAYS;
    private static final int SET_BYTES = 64;
    private static final int COUNTS = WAYS * Integer.BYTES;
    private static final int ERRORS = COUNTS + WAYS * Double.BYTES;

    private static final int HASH = 0;
    private static final int LAST_NS = 8;
    private static final int TYPE = 16;
    private static final int DB = 20;
    private static final int KEY_LENGTH = 24;
    private static final int KEY = 32;
    private static final int RECORD_BYTES = KEY + KEY_BYTES_MAX;

    /** What is left of a count after a second. */
    private static final double DECAY_PER_SECOND = Math.pow(0.5, 1.0 / HALF_LIFE_SECONDS);
    /** A count below this is nothing any more. */
    private static final double COUNT_MIN = 1e-3;

    private final ByteBuffer memory = BufferUtil.allocateDirectAligned(SETS * SET_BYTES + SLOTS * RECORD_BYTES,
            SET_BYTES);
    private final long sets = BufferUtil.address(memory);
    private final long records = sets + SETS * SET_BYTES;
    private final Limit[] limits = new Limit[SLOTS];
    /** What samples have added to all counts together. */
    private double sampled;

    /**
     * One key as it stands.
     *
     * @param key       its first bytes, {@link #KEY_BYTES_MAX} at most
     * @param keyLength how long it is
     * @param type      type code of what it holds
     * @param certain   the true count is at least this ...
     * @param error     ... and at most so much more
     * @param lastNs    when it was counted last, in ns since the epoch
     */
    public record HeavyKey(byte[] key, int keyLength, int db, int type, double certain, double error, long lastNs) {
        /** The same key with a larger count. */
        public HeavyKey plus(double count) {
            return new HeavyKey(key, keyLength, db, type, certain + count, error, lastNs);
        }
    }

    /** Nothing has happened yet. */
    public HeavyKeys() {
        for (int i = 0; i < SLOTS; i++) {
            limits[i] = new Limit();
        }
    }

    /**
     * Counts for a key.
     *
     * @param weight what to add
     * @return where {@link #describe} is to keep what is known of the key, or {@link #NONE}
     */
    int add(long hash, double weight) {
        int setIndex = setOf(hash);
        long set = sets + (long) setIndex * SET_BYTES;
        int tag = (int) hash;
        for (int way = 0; way < WAYS; way++) {
            if (getInt(set + (long) way * Integer.BYTES) == tag) {
                long at = set + COUNTS + (long) way * Double.BYTES;
                putDouble(at, getDouble(at) + weight);
                return setIndex * WAYS + way;
            }
        }
        int way = smallest(set);
        long at = set + COUNTS + (long) way * Double.BYTES;
        double displaced = getDouble(at);
        putInt(set + (long) way * Integer.BYTES, tag);
        putDouble(at, displaced + weight);
        putFloat(set + ERRORS + (long) way * Float.BYTES, (float) displaced);
        return displaced < weight ? setIndex * WAYS + way : NONE;
    }

    /** As {@link #add}, for one that stands for two to the power of {@value #SAMPLE_BITS}. */
    int addSample(long hash) {
        sampled += 1 << SAMPLE_BITS;
        return add(hash, 1 << SAMPLE_BITS);
    }

    /**
     * The way with the smallest count, but for the last two bits. Which it is no branch predictor can know, and a miss
     * costs as much as all the rest here: so it is found without a branch. Doubles that are not negative are in the
     * order of their bits.
     */
    private static int smallest(long set) {
        long least = Long.MAX_VALUE;
        for (int way = 0; way < WAYS; way++) {
            least = Math.min(least, getLong(set + COUNTS + (long) way * Double.BYTES) & -WAYS | way);
        }
        return (int) least & WAYS - 1;
    }

    /** Keeps what is known of the key that {@link #add} gave this slot for. */
    void describe(int slot, Entry entry, int type, long nowNs) {
        long record = record(slot);
        if (getLong(record + HASH) != entry.hash()) {
            int kept = Math.min(entry.keyLength(), KEY_BYTES_MAX);
            putLong(record + HASH, entry.hash());
            putInt(record + DB, entry.db());
            putInt(record + KEY_LENGTH, entry.keyLength());
            copyMemory(entry.keyAddress(), record + KEY, kept);
        }
        putLong(record + LAST_NS, nowNs);
        putInt(record + TYPE, type);
    }

    /** The limit kept at a slot, to be read or set. */
    Limit limit(int slot) {
        return limits[slot];
    }

    /** The slot whose record is this key's, or {@link #NONE}. */
    int find(long hash) {
        int first = setOf(hash) * WAYS;
        for (int slot = first; slot < first + WAYS; slot++) {
            if (getLong(record(slot) + HASH) == hash && isDescribed(slot)) {
                return slot;
            }
        }
        return NONE;
    }

    /** What is known of the key at a slot that {@link #find} gave. */
    HeavyKey get(int slot) {
        long record = record(slot);
        byte[] key = new byte[Math.min(getInt(record + KEY_LENGTH), KEY_BYTES_MAX)];
        for (int i = 0; i < key.length; i++) {
            key[i] = getByte(record + KEY + i);
        }
        double count = count(slot);
        double certain = Math.max(0, atLeast(count) - error(slot));
        return new HeavyKey(key, getInt(record + KEY_LENGTH), getInt(record + DB), getInt(record + TYPE),
                certain, atMost(count) - certain, getLong(record + LAST_NS));
    }

    /** The keys with the largest counts less their errors, the largest first. */
    public List<HeavyKey> top(int max) {
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            if (isDescribed(slot)) {
                slots.add(slot);
            }
        }
        slots.sort(Comparator.comparingDouble((Integer slot) -> error(slot) - count(slot)));
        return slots.stream().limit(max).map(this::get).toList();
    }

    /** One second has gone by. */
    void decay() {
        sampled = sampled < 1 ? 0 : sampled * DECAY_PER_SECOND;
        for (int slot = 0; slot < SLOTS; slot++) {
            long at = countAddress(slot);
            double count = getDouble(at) * DECAY_PER_SECOND;
            putDouble(at, count < COUNT_MIN ? 0 : count);
            putFloat(errorAddress(slot), (float) (error(slot) * DECAY_PER_SECOND));
        }
    }

    /** Forgets everything. */
    void reset() {
        sampled = 0;
        setMemory(sets, memory.capacity(), (byte) 0);
    }

    /** The least that may have happened where this was counted. */
    private double atLeast(double count) {
        double part = Math.min(count, sampled);
        double root = (Math.sqrt(SPREAD + 4 * Math.max(0, part - OFFSET)) - Math.sqrt(SPREAD)) / 2;
        return count - part + root * root;
    }

    /** The most. */
    private double atMost(double count) {
        double part = Math.min(count, sampled);
        double root = (Math.sqrt(SPREAD + 4 * (part + OFFSET)) + Math.sqrt(SPREAD)) / 2;
        return sampled == 0 ? count : count - part + root * root;
    }

    /** Whether the record belongs to the key that is counted here now. */
    private boolean isDescribed(int slot) {
        long set = sets + (long) (slot / WAYS) * SET_BYTES;
        return count(slot) > 0
                && getInt(set + (long) (slot % WAYS) * Integer.BYTES) == (int) getLong(record(slot) + HASH);
    }

    private double count(int slot) {
        return getDouble(countAddress(slot));
    }

    private double error(int slot) {
        return getFloat(errorAddress(slot));
    }

    private long countAddress(int slot) {
        return sets + (long) (slot / WAYS) * SET_BYTES + COUNTS + (long) (slot % WAYS) * Double.BYTES;
    }

    private long errorAddress(int slot) {
        return sets + (long) (slot / WAYS) * SET_BYTES + ERRORS + (long) (slot % WAYS) * Float.BYTES;
    }

    private long record(int slot) {
        return records + (long) slot * RECORD_BYTES;
    }

    /** The tag takes the lower half of the hash. */
    private static int setOf(long hash) {
        return (int) (hash >>> Integer.SIZE) & SETS - 1;
    }
}
