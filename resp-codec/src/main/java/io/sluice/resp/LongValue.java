package io.sluice.resp;

/** Where {@link Integers} leaves the number it has read: a reusable box, so that parsing allocates nothing. */
public final class LongValue {
    /** The number; meaningful only after a parse that succeeded. */
    public long value;
}
