package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.persistence.collection.SetValue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Forty digits that are equal where two keyspaces store the same, in whatever order and at whatever time: databases,
 * keys, values and expiries, of expired keys too as long as they are stored. The members of a set and the fields of a
 * hash have no order. All zeros when nothing is stored.
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
        final SetValue set = new SetValue();
        final HashValue hash = new HashValue();
        try (DumpPayload payload = new DumpPayload()) {
            keyspace.forEachStored(e -> mix(digest, sha1.digest(switch (e.type()) {
                case ValueType.STRING -> string(e);
                case ValueType.SET -> unordered(e, members(set, e, sha1));
                case ValueType.HASH -> unordered(e, fields(hash, e, sha1));
                default -> other(e, payload);
            })));
        }
        return HexFormat.of().formatHex(digest);
    }

    private static void mix(final byte[] into, final byte[] one) {
        for (int i = 0; i < into.length; i++) {
            into[i] ^= one[i];
        }
    }

    private static byte[] members(final SetValue set, final Entry e, final MessageDigest sha1) {
        final byte[] all = new byte[sha1.getDigestLength()];
        set.view(e);
        for (int i = 0; i < set.size(); i++) {
            final int handle = set.at(i);
            final ByteBuffer member = ByteBuffer.allocate(set.length(handle));
            append(member, set.address(handle), set.length(handle));
            mix(all, sha1.digest(member.array()));
        }
        return all;
    }

    private static byte[] fields(final HashValue hash, final Entry e, final MessageDigest sha1) {
        final byte[] all = new byte[sha1.getDigestLength()];
        hash.view(e);
        for (int i = 0; i < hash.size(); i++) {
            final int handle = hash.at(i);
            final ByteBuffer field = ByteBuffer.allocate(
                Integer.BYTES + hash.length(handle) + hash.valueLength(handle));
            field.putInt(hash.length(handle));
            append(field, hash.address(handle), hash.length(handle));
            append(field, hash.valueAddress(handle), hash.valueLength(handle));
            mix(all, sha1.digest(field.array()));
        }
        return all;
    }

    private static byte[] unordered(final Entry e, final byte[] content) {
        return head(e, content.length).put(content).array();
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
            3 * Integer.BYTES + Long.BYTES + e.keyLength() + valueLength);
        all.putInt(e.db()).putInt(e.type()).putInt(e.keyLength()).putLong(e.expireAtMs());
        append(all, e.keyAddress(), e.keyLength());
        return all;
    }

    private static void append(final ByteBuffer target, final long address, final int length) {
        for (int i = 0; i < length; i++) {
            target.put(getByte(address + i));
        }
    }
}
