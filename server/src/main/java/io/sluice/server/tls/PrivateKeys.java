package io.sluice.server.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Reads a private key in PEM: PKCS#8, plain or encrypted, and the older form of RSA keys (PKCS#1), which only lacks the
 * outer structure of PKCS#8.
 */
final class PrivateKeys {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");
    /** DER of version 0 and the algorithm identifier rsaEncryption with NULL parameters (RFC 5208, RFC 8017). */
    private static final byte[] RSA_HEADER = {2, 1, 0, 0x30, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86,
        (byte) 0xf7, 13, 1, 1, 1, 5, 0};
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 4;

    private PrivateKeys() {
    }

    /**
     * The key of a file.
     *
     * @param password of an encrypted key; empty for none
     */
    static PrivateKey read(Path file, String password) throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        byte[] plain = block(text, "PRIVATE KEY");
        if (plain != null) {
            return key(plain, file);
        }
        byte[] encrypted = block(text, "ENCRYPTED PRIVATE KEY");
        if (encrypted != null) {
            return key(decrypted(encrypted, password, file), file);
        }
        byte[] rsa = block(text, "RSA PRIVATE KEY");
        if (rsa != null && !text.contains("Proc-Type:")) {
            return key(element(SEQUENCE, RSA_HEADER, element(OCTET_STRING, rsa)), file);
        }
        throw new GeneralSecurityException(file + " holds no key in PKCS#8; \"openssl pkcs8 -topk8\" converts others");
    }

    private static byte[] block(String text, String label) {
        String begin = "-----BEGIN " + label + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + label + "-----", Math.max(0, from));
        return from < 0 || to < 0 ? null : Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    }

    private static byte[] decrypted(byte[] encrypted, String password, Path file)
            throws IOException, GeneralSecurityException {
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encrypted);
        // For PBES2 the name of the cipher is in the parameters only.
        String algorithm = "PBES2".equals(info.getAlgName()) || "1.2.840.113549.1.5.13".equals(info.getAlgName())
                ? info.getAlgParameters().toString() : info.getAlgName();
        Cipher cipher = Cipher.getInstance(algorithm);
        try {
            cipher.init(Cipher.DECRYPT_MODE, SecretKeyFactory.getInstance(algorithm)
                    .generateSecret(new PBEKeySpec(password.toCharArray())), info.getAlgParameters());
            return info.getKeySpec(cipher).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException("the password of " + file + " is wrong", e);
        }
    }

    private static PrivateKey key(byte[] pkcs8, Path file) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // Of another algorithm, or broken, which is said below.
            }
        }
        throw new GeneralSecurityException(file + " holds no RSA, EC or Ed25519 key");
    }

    /** Tag and length in the shortest form, as DER wants it. */
    private static byte[] header(int tag, int length) {
        if (length < 0x80) {
            return new byte[] {(byte) tag, (byte) length};
        }
        return length < 0x100 ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    }

    /** Of less than 65,536 bytes. */
    private static byte[] element(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] header = header(tag, length);
        byte[] element = new byte[header.length + length];
        System.arraycopy(header, 0, element, 0, header.length);
        int at = header.length;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, element, at, part.length);
            at += part.length;
        }
        return element;
    }
}
