package io.sluice.limiter;

/**
 * An exact amount of units that flows at {@code amount / period}: {@code whole + numerator / denominator}, where
 * {@code 0 <= numerator < denominator}. While the period stays, so does the denominator, and nothing is ever rounded.
 * When the period changes, the fraction moves to the least common multiple of both; only if that is 2^62 or more is
 * it rounded, once, by less than one {@code 1/period} of a unit.
 *
 * <p>Stored as four words: 0 the time of the amount, 1 whole, 2 numerator, 3 denominator. The time must be written
 * first: an old amount at a new time lacks what has flown meanwhile, a new one at an old time would get it twice.
 * Whole must come before the fraction: a granted request moves it by at least one, which outweighs any fraction.
 * A fraction that a torn write left at 1 or more reads as none, for the same reason.
 */
final class Amount {
    private static final long DENOMINATOR_END = 1L << 62;

    private long whole;
    private long numerator;
    private long denominator;

    void set(final long wholeUnits) {
        whole = wholeUnits;
        numerator = 0;
        denominator = 1;
    }

    void load(final LimiterState state) {
        set(Math.max(0, state.word(1)));
        if (state.word(2) > 0 && state.word(2) < state.word(3) && state.word(3) < DENOMINATOR_END) {
            numerator = state.word(2);
            denominator = state.word(3);
        }
    }

    void store(final LimiterState state, final long timeNs) {
        state.word(0, timeNs);
        state.word(1, whole);
        state.word(2, numerator);
        state.word(3, denominator);
    }

    long floor() {
        return whole;
    }

    /** Saturated. */
    long ceil() {
        return numerator == 0 ? whole : Durations.saturatedSum(whole, 1);
    }

    /** Takes or gives whole units; the result may not be negative. */
    void move(final long units) {
        whole += units;
        assert whole >= 0;
    }

    /** Makes the denominator a multiple of the period, rounding down if it must be rounded. */
    void rebaseDown(final long periodNs) {
        if (!rebaseExactly(periodNs)) {
            numerator = Wide.mulDivFloor(numerator, periodNs, denominator);
            denominator = periodNs;
        }
    }

    /** Makes the denominator a multiple of the period, rounding up if it must be rounded. */
    void rebaseUp(final long periodNs) {
        if (!rebaseExactly(periodNs)) {
            numerator = Wide.mulAddDivCeil(numerator, periodNs, 0, denominator);
            denominator = periodNs;
            if (numerator == periodNs) {
                numerator = 0;
                whole = Durations.saturatedSum(whole, 1);
            }
        }
    }

    private boolean rebaseExactly(final long periodNs) {
        if (numerator == 0) {
            denominator = periodNs;
            return true;
        }
        if (denominator % periodNs == 0) {
            return true;
        }
        final long factor = periodNs / gcd(denominator, periodNs);
        if (factor >= DENOMINATOR_END / denominator) {
            return false;
        }
        numerator *= factor;
        denominator *= factor;
        return true;
    }

    private static long gcd(final long a, final long b) {
        long larger = a;
        long smaller = b;
        while (smaller != 0) {
            final long rest = larger % smaller;
            larger = smaller;
            smaller = rest;
        }
        return larger;
    }

    /** Adds {@code elapsedNs * amount / period}, but no further than to {@code capacity}. Needs a rebased fraction. */
    void fill(final long elapsedNs, final Limit limit, final long capacity) {
        final long units = Wide.mulDivFloor(elapsedNs, limit.amountPerPeriod(), limit.periodNs());
        final long fraction = fractionOf(elapsedNs, limit, units);
        whole = Durations.saturatedSum(whole, units);
        if (numerator >= denominator - fraction) {
            numerator -= denominator - fraction;
            whole = Durations.saturatedSum(whole, 1);
        } else {
            numerator += fraction;
        }
        if (whole >= capacity) {
            whole = capacity;
            numerator = 0;
        }
    }

    /** Takes {@code elapsedNs * amount / period}, but no further than to 0. Needs a rebased fraction. */
    void drain(final long elapsedNs, final Limit limit) {
        final long units = Wide.mulDivFloor(elapsedNs, limit.amountPerPeriod(), limit.periodNs());
        final long fraction = fractionOf(elapsedNs, limit, units);
        final boolean borrow = numerator < fraction;
        if (units > whole || borrow && units == whole) {
            whole = 0;
            numerator = 0;
            return;
        }
        whole -= borrow ? units + 1 : units;
        numerator += borrow ? denominator - fraction : -fraction;
    }

    /** What {@code units}, the whole part of a flow, leaves over, in parts of the denominator. */
    private long fractionOf(final long elapsedNs, final Limit limit, final long units) {
        if (units == Long.MAX_VALUE) {
            return 0;
        }
        // The rest is smaller than the period, so the lower halves of the products are enough.
        final long rest = elapsedNs * limit.amountPerPeriod() - units * limit.periodNs();
        return rest * (denominator / limit.periodNs());
    }

    /** Nanoseconds, rounded up, until the amount has grown to {@code units}, which is more than it is now. */
    long nsToFillTo(final long units, final Limit limit) {
        final long parts = Wide.mulDivFloor(numerator, limit.periodNs(), denominator);
        return Wide.mulAddDivCeil(units - whole, limit.periodNs(), -parts, limit.amountPerPeriod());
    }

    /** Nanoseconds, rounded up, until the amount has shrunk to {@code units}, which is at most {@link #floor()}. */
    long nsToDrainTo(final long units, final Limit limit) {
        final long parts = Wide.mulAddDivCeil(numerator, limit.periodNs(), 0, denominator);
        return Wide.mulAddDivCeil(whole - units, limit.periodNs(), parts, limit.amountPerPeriod());
    }
}
