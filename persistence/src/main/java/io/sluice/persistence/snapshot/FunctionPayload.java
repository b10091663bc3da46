package io.sluice.persistence.snapshot;

import org.agrona.BufferUtil;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;

/**
 * Libraries of functions as {@code FUNCTION DUMP} gives them and {@code FUNCTION RESTORE} takes them: each as in a
 * snapshot, then the format's version and a checksum. Exchanged with Redis.
 */
public final class FunctionPayload {

    private static final int FOOTER_BYTES = Short.BYTES + Long.BYTES;

    private FunctionPayload() {
    }

    /** The payload of these sources. */
    public static byte[] encode(final List<byte[]> sources) {
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (final byte[] source : sources) {
            content.write(Rdb.OP_FUNCTION2);
            content.write(Rdb.LENGTH_32);
            content.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(source.length).array());
            content.writeBytes(source);
        }
        final ByteBuffer payload = ByteBuffer.allocateDirect(content.size() + FOOTER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN).put(content.toByteArray()).putShort((short) Rdb.VERSION);
        payload.putLong(Crc64.update(0, BufferUtil.address(payload), payload.position()));
        final byte[] bytes = new byte[payload.capacity()];
        payload.get(0, bytes);
        return bytes;
    }

    /**
     * The sources in a payload; null when it is not intact, or not such a payload.
     *
     * @param sourceBytesMax most bytes of all sources together; with more it is null, too
     */
    public static List<byte[]> decode(final byte[] payload, final int sourceBytesMax) {
        if (!isIntact(payload)) {
            return null;
        }
        final List<byte[]> sources = new ArrayList<>();
        int sourceBytes = 0;
        final int contentBytes = payload.length - FOOTER_BYTES;
        try (RdbInput in = new RdbInput(Channels.newChannel(new ByteArrayInputStream(payload, 0, contentBytes)));
            NativeBlock source = new NativeBlock(256)) {
            while (in.offset() < contentBytes) {
                if (in.unsignedByte() != Rdb.OP_FUNCTION2) {
                    return null;
                }
                final int length = in.string(source, sourceBytesMax - sourceBytes);
                if (length == RdbInput.TOO_LONG) {
                    return null;
                }
                sourceBytes += length;
                sources.add(source.copy(length));
            }
            return sources;
        } catch (final IOException malformed) {
            return null;
        }
    }

    private static boolean isIntact(final byte[] payload) {
        if (payload.length < FOOTER_BYTES) {
            return false;
        }
        final ByteBuffer direct = ByteBuffer.allocateDirect(payload.length).put(payload);
        final int version = direct.order(ByteOrder.LITTLE_ENDIAN).getShort(payload.length - FOOTER_BYTES) & 0xFFFF;
        final long checksum = direct.getLong(payload.length - Long.BYTES);
        return version <= Rdb.VERSION_READ_MAX
            && checksum == Crc64.update(0, BufferUtil.address(direct), payload.length - Long.BYTES);
    }
}
