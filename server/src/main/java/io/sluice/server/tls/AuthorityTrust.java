package io.sluice.server.tls;

import io.netty.handler.ssl.OpenSslCertificateException;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Java's check of certificates, with a reason that OpenSSL knows where one is of another authority: the peer is then
 * told {@code unknown_ca}, where it would be told of an internal error.
 */
final class AuthorityTrust extends X509ExtendedTrustManager {
    /** {@code X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY} of OpenSSL. */
    private static final int UNKNOWN_ISSUER = 20;

    private final X509ExtendedTrustManager java;

    private AuthorityTrust(X509ExtendedTrustManager java) {
        this.java = java;
    }

    /** Trusts what these authorities have signed. */
    static AuthorityTrust of(X509Certificate... authorities) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        for (int i = 0; i < authorities.length; i++) {
            store.setCertificateEntry(Integer.toString(i), authorities[i]);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return new AuthorityTrust((X509ExtendedTrustManager) factory.getTrustManagers()[0]);
    }

    /** A check of a chain. */
    @FunctionalInterface
    private interface Check {
        void run() throws CertificateException;
    }

    private static void explained(Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            if (e.getCause() instanceof CertPathBuilderException path && path.getCause() == null) {
                throw new OpenSslCertificateException(e.getMessage(), e, UNKNOWN_ISSUER);
            }
            throw e;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        explained(() -> java.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        explained(() -> java.checkServerTrusted(chain, type));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        explained(() -> java.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        explained(() -> java.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        explained(() -> java.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        explained(() -> java.checkServerTrusted(chain, type, engine));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return java.getAcceptedIssuers();
    }
}
