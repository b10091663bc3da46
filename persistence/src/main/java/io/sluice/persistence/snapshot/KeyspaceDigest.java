package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
                final byte[] one = sha1.digest(e.type() == ValueType.STRING ? string(e) : other(e, payload));
                for (int i = 0; i < digest.length; i++) {
                    digest[i] ^= one[i];
                }
            });
        }
        return HexFormat.of().formatHex(digest);
    }

    /** By its text: one server may hold as an integer what another one holds as bytes. */
    private static byte[] string(final Entry e) {
        if (e.isInt()) {
            final byte[] text = Long.toString(e.intValue()).getBytes(StandardCharsets.US_ASCII);
            final ByteBuffer all = head(e, text.length);
            return all.put(text).array();
        }
        final ByteBuffer all = head(e, e.payloadLength());
        append(all, e.payloadAddress(), e.payloadLength());
        return all.array();
    }

    private static byte[] other(final Entry e, final DumpPayload payload) {
        payload.encode(e);
        final ByteBuffer all = head(e, payload.length());
        append(all, payload.address(), payload.length());
        return all.array();
    }

    private static ByteBuffer head(final Entry e, final int valueLength) {
        final ByteBuffer all = ByteBuffer.allocate(
            2 * Integer.BYTES + Long.BYTES + e.keyLength() + valueLength);
        all.putInt(e.db()).putInt(e.keyLength()).putLong(e.expireAtMs());
        append(all, e.keyAddress(), e.keyLength());
        return all;
    }

    private static void append(final ByteBuffer target, final long address, final int length) {
        for (int i = 0; i < length; i++) {
            target.put(getByte(address + i));
        }
    }
}
