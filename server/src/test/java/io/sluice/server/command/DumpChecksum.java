package io.sluice.server.command;

/** The end of a {@code DUMP} payload: format version 10 and Jones's CRC-64 of all before. */
final class DumpChecksum {
    private static final long POLYNOMIAL_REFLECTED = Long.reverse(0xad93d23594c935a9L);

    private DumpChecksum() {
    }

    /** The type and value of a payload with a sound end behind it. Characters stand for bytes. */
    static String added(String body) {
        StringBuilder payload = new StringBuilder(body).append('\n').append('\0');
        long crc = 0;
        for (int i = 0; i < payload.length(); i++) {
            crc ^= payload.charAt(i);
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : POLYNOMIAL_REFLECTED);
            }
        }
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            payload.append((char) (crc >>> shift & 0xff));
        }
        return payload.toString();
    }
}
