package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Forty digits that are equal where two keyspaces store the same, in whatever order and at whatever time: databases,
 * keys, values and expiries, of expired keys too as long as they are stored. All zeros when nothing is stored.
 */
public final class KeyspaceDigest {

    private KeyspaceDigest() {
    }

    /** The digest of everything. Takes as long as a snapshot without pauses. */
    public static String of(final Keyspace keyspace) {
        final MessageDigest sha1;
        try {
            sha1 = MessageDigest.getInstance("SHA-1");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        final byte[] digest = new byte[sha1.getDigestLength()];
        try (DumpPayload payload = new DumpPayload()) {
            keyspace.forEachStored(e -> {
                payload.encode(e);
                final byte[] one = sha1.digest(bytes(e, payload));
                for (int i = 0; i < digest.length; i++) {
                    digest[i] ^= one[i];
                }
            });
        }
        return HexFormat.of().formatHex(digest);
    }

    private static byte[] bytes(final Entry e, final DumpPayload payload) {
        final ByteBuffer all = ByteBuffer.allocate(
            2 * Integer.BYTES + Long.BYTES + e.keyLength() + payload.length());
        all.putInt(e.db()).putInt(e.keyLength()).putLong(e.expireAtMs());
        append(all, e.keyAddress(), e.keyLength());
        append(all, payload.address(), payload.length());
        return all.array();
    }

    private static void append(final ByteBuffer target, final long address, final int length) {
        for (int i = 0; i < length; i++) {
            target.put(getByte(address + i));
        }
    }
}
