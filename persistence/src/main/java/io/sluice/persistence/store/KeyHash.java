package io.sluice.persistence.store;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;

/**
 * Seeded 64-bit hash of a key in native memory. Two words at a time are mixed by the 128-bit product of their secrets,
 * the construction of the wyhash family; the tail is read by loads that overlap, so no length takes a loop over bytes.
 */
public final class KeyHash {

    private static final long SECRET_0 = 0x9E3779B97F4A7C15L;
    private static final long SECRET_1 = 0xD6E8FEB86659FD93L;
    private static final long SECRET_2 = 0xA0761D6478BD642FL;

    private KeyHash() {
    }

    /** The hash of a key in a space; whoever has no spaces takes 0. */
    public static long hash(final long seed, final int space, final long address, final int length) {
        // Both factors of a product depend on the seed, so that no key can be made that turns one of them to zero.
        final long secret = Long.rotateLeft(seed, 32) ^ SECRET_1;
        long state = seed ^ (space + 1) * SECRET_2;
        long first;
        long second;
        if (length > 16) {
            final long end = address + length;
            long at = address;
            do {
                state = mix(getLong(at) ^ secret, getLong(at + 8) ^ state);
                at += 16;
            } while (end - at > 16);
            first = getLong(end - 16);
            second = getLong(end - 8);
        } else if (length >= 8) {
            first = getLong(address);
            second = getLong(address + length - 8);
        } else if (length >= 4) {
            first = getInt(address) & 0xFFFF_FFFFL;
            second = getInt(address + length - 4) & 0xFFFF_FFFFL;
        } else if (length > 0) {
            first = (getByte(address) & 0xFF) << 16
                | (getByte(address + (length >> 1)) & 0xFF) << 8
                | getByte(address + length - 1) & 0xFF;
            second = 0;
        } else {
            first = 0;
            second = 0;
        }
        return mix(SECRET_0 ^ length ^ secret, mix(first ^ secret, second ^ state) ^ seed);
    }

    private static long mix(final long a, final long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
