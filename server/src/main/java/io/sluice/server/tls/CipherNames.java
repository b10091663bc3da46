package io.sluice.server.tls;

import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Cipher suites by the names that Java gives them and those that OpenSSL does ({@code ECDHE-RSA-AES128-GCM-SHA256} for
 * {@code TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}).
 */
final class CipherNames {
    private static final Map<String, String> JAVA_NAMES = javaNames();

    private CipherNames() {
    }

    private static Map<String, String> javaNames() {
        try {
            Map<String, String> names = new HashMap<>();
            for (String suite : SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites()) {
                names.put(suite, suite);
                names.put(openSslName(suite), suite);
            }
            return names;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String openSslName(String suite) {
        if (!suite.contains("_WITH_")) {
            return suite;
        }
        return suite.substring("TLS_".length()).replace("_WITH_", "-").replace('_', '-')
                .replaceFirst("^RSA-", "").replaceFirst("(AES|CAMELLIA|ARIA)-(\\d+)", "$1$2")
                .replace("-CBC-", "-").replace("CHACHA20-POLY1305-SHA256", "CHACHA20-POLY1305");
    }

    /**
     * The suites of a list with colons, in Java's names.
     *
     * @throws IllegalArgumentException if one is not known here
     */
    static List<String> parse(String list) {
        List<String> suites = new ArrayList<>();
        for (String word : list.split("[:, ]+")) {
            if (!word.isEmpty()) {
                String suite = JAVA_NAMES.get(word.toUpperCase(Locale.ROOT));
                if (suite == null) {
                    throw new IllegalArgumentException("unknown cipher suite " + word
                            + "; suites are listed by name, colons between them");
                }
                suites.add(suite);
            }
        }
        return suites;
    }
}
