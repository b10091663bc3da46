package io.sluice.server.acl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Passwords as they are kept: the SHA-256 in lower-case hexadecimal digits. */
public final class Passwords {
    /** Bits of the password that {@code ACL GENPASS} makes unless told otherwise. */
    public static final int BITS_DEFAULT = 256;
    /** Most bits of a password that {@code ACL GENPASS} makes. */
    public static final int BITS_MAX = 4096;

    private static final int HASH_DIGITS = 64;
    private static final int BITS_PER_DIGIT = 4;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Passwords() {
    }

    static byte[] hash(byte[] password) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(password);
            return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isHash(String text) {
        return text.length() == HASH_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
    }

    /** As many random hexadecimal digits as hold the bits. */
    public static String generate(int bits) {
        int digits = (bits + BITS_PER_DIGIT - 1) / BITS_PER_DIGIT;
        byte[] random = new byte[(digits + 1) / 2];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random).substring(0, digits);
    }
}
