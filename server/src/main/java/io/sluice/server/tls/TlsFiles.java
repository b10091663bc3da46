package io.sluice.server.tls;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Certificates and keys in files of the PEM form. */
final class TlsFiles {
    private static final byte[] PROBE = {1, 2, 3};

    private TlsFiles() {
    }

    /** The certificates of a file, in its order. */
    static X509Certificate[] certificates(Path file) throws IOException, CertificateException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new CertificateException("no certificate in " + file);
            }
            return found.toArray(new X509Certificate[0]);
        }
    }

    /** The certificates of authorities: of a file, of all files of a folder, or of both; each may be null. */
    static X509Certificate[] authorities(Path file, Path folder) throws IOException, CertificateException {
        List<X509Certificate> all = new ArrayList<>();
        if (file != null) {
            all.addAll(List.of(certificates(file)));
        }
        if (folder != null) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
                for (Path each : files) {
                    addAll(all, each);
                }
            }
        }
        return all.toArray(new X509Certificate[0]);
    }

    /** What is no certificate in a folder, such as a list of revocations, is passed over. */
    private static void addAll(List<X509Certificate> all, Path file) throws IOException {
        try {
            all.addAll(List.of(certificates(file)));
        } catch (CertificateException e) {
            return;
        }
    }

    /**
     * Whether a key and a certificate belong together.
     *
     * @throws GeneralSecurityException if they do not, or the key cannot be used
     */
    static void checkPair(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(certificate);
        signature.update(PROBE);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("the key does not belong to the certificate");
        }
    }

    /** A number that changes when one of the files does. */
    static long fingerprint(List<Path> files) {
        long sum = 1;
        for (Path file : files) {
            File status = file.toFile();
            sum = 31 * (31 * sum + status.lastModified()) + status.length();
        }
        return sum;
    }
}
