package io.sluice.limiter;

import java.math.BigInteger;

/** An exact fraction, slow and simple, for the models. */
record Ratio(BigInteger over, BigInteger under) implements Comparable<Ratio> {
    static final Ratio ZERO = of(0);

    Ratio {
        final BigInteger divisor = over.gcd(under).multiply(BigInteger.valueOf(under.signum()));
        over = over.divide(divisor);
        under = under.divide(divisor);
    }

    static Ratio of(final long value) {
        return of(value, 1);
    }

    static Ratio of(final long over, final long under) {
        return new Ratio(BigInteger.valueOf(over), BigInteger.valueOf(under));
    }

    Ratio plus(final Ratio other) {
        return new Ratio(over.multiply(other.under).add(other.over.multiply(under)), under.multiply(other.under));
    }

    Ratio minus(final Ratio other) {
        return plus(new Ratio(other.over.negate(), other.under));
    }

    Ratio times(final Ratio other) {
        return new Ratio(over.multiply(other.over), under.multiply(other.under));
    }

    Ratio dividedBy(final Ratio other) {
        return new Ratio(over.multiply(other.under), under.multiply(other.over));
    }

    Ratio max(final Ratio other) {
        return compareTo(other) >= 0 ? this : other;
    }

    Ratio min(final Ratio other) {
        return compareTo(other) <= 0 ? this : other;
    }

    long floor() {
        final BigInteger[] parts = over.divideAndRemainder(under);
        return (parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0]).longValueExact();
    }

    long ceil() {
        return -new Ratio(over.negate(), under).floor();
    }

    @Override
    public int compareTo(final Ratio other) {
        return over.multiply(other.under).compareTo(other.over.multiply(under));
    }
}
