package io.sluice.server.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority and what it has signed, made with openssl in a folder. */
final class Certificates {
    private static final char[] NO_PASSWORD = {};

    private final Path dir;
    private final String authority;

    /** A new authority of this name. */
    Certificates(Path dir, String authority) throws IOException {
        this.dir = dir;
        this.authority = authority;
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=" + authority, "-keyout",
                authority + ".key", "-out", authority + ".crt");
    }

    /** Makes {@code name.crt} and {@code name.key} for 127.0.0.1, signed by the authority. */
    Certificates sign(String name) throws IOException {
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name, "-keyout", name + ".key", "-out",
                name + ".csr");
        Files.writeString(dir.resolve("names.txt"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
        openssl("x509", "-req", "-days", "2", "-in", name + ".csr", "-CA", authority + ".crt", "-CAkey",
                authority + ".key", "-CAcreateserial", "-extfile", "names.txt", "-out", name + ".crt");
        return this;
    }

    void openssl(String... args) throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of("openssl"));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    String path(String file) {
        return dir.resolve(file).toString();
    }

    /** A client that trusts this authority and shows the certificate of this name, or none if it is null. */
    SSLContext client(String own) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", certificate(authority));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore mine = KeyStore.getInstance(KeyStore.getDefaultType());
        mine.load(null, null);
        if (own != null) {
            mine.setKeyEntry("own", PrivateKeys.read(dir.resolve(own + ".key"), ""), NO_PASSWORD,
                    new Certificate[] {certificate(own)});
        }
        keys.init(mine, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private Certificate certificate(String name) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(dir.resolve(name + ".crt"))) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
