package io.sluice.replication;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names of a history of writes: forty hexadecimal digits. Two servers with one id and offset hold the same. */
public final class ReplicationId {

    /** Number of digits. */
    public static final int LENGTH = 40;
    /** No history. */
    public static final String NONE = "0".repeat(LENGTH);

    private static final SecureRandom RANDOM = new SecureRandom();

    private ReplicationId() {
    }

    /** An id that nobody else has. */
    public static String random() {
        final byte[] bytes = new byte[LENGTH / 2];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Whether the text has the form of an id. */
    public static boolean isId(final String text) {
        return text.length() == LENGTH && text.chars().allMatch(HexFormat::isHexDigit);
    }
}
