package io.sluice.server.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigOption;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.config.FileErrors;
import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * The certificates and rules of TLS as the settings and the files that they name are now. A change is for connections
 * that begin after it; if it is wrong, what was before stays. Owned by the event loop; what is slow in a handshake,
 * such as signing, runs on a thread of its own.
 */
public final class TlsContexts {
    /** A handshake that takes longer ends the connection. */
    public static final int HANDSHAKE_SECONDS_MAX = 10;

    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);
    private static final String UNCHANGED = "Unable to update TLS configuration. Check server logs.";
    private static final String[] PROTOCOLS_DEFAULT = {"TLSv1.3", "TLSv1.2"};
    private static final Map<String, String> PROTOCOLS =
            Map.of("tlsv1", "TLSv1", "tlsv1.1", "TLSv1.1", "tlsv1.2", "TLSv1.2", "tlsv1.3", "TLSv1.3");
    private static final int TASKS_WAITING_MAX = 10_000;

    private final Config config;
    private final ServerStats stats;
    private ExecutorService tasks;
    private SslContext server;
    private SslContext client;
    private boolean started;
    private long fingerprint;
    private long failedFingerprint;

    /**
     * Follows the settings from now on.
     *
     * @throws IllegalArgumentException if TLS is wanted and cannot be had with them; the message says why
     */
    public TlsContexts(Config config, ServerStats stats) {
        this.config = config;
        this.stats = stats;
        config.follow(this::settingsChanged, ConfigTable.TLS_CERT_FILE, ConfigTable.TLS_KEY_FILE,
                ConfigTable.TLS_KEY_FILE_PASS, ConfigTable.TLS_CLIENT_CERT_FILE, ConfigTable.TLS_CLIENT_KEY_FILE,
                ConfigTable.TLS_CLIENT_KEY_FILE_PASS, ConfigTable.TLS_CA_CERT_FILE, ConfigTable.TLS_CA_CERT_DIR,
                ConfigTable.TLS_AUTH_CLIENTS, ConfigTable.TLS_PROTOCOLS, ConfigTable.TLS_CIPHERS,
                ConfigTable.TLS_CIPHERSUITES, ConfigTable.TLS_PREFER_SERVER, ConfigTable.TLS_REPLICATION,
                ConfigTable.TLS_SESSION_CACHING, ConfigTable.TLS_SESSION_CACHE_SIZE,
                ConfigTable.TLS_SESSION_CACHE_TIMEOUT);
        started = true;
    }

    private boolean isWanted() {
        return config.integer(ConfigTable.TLS_PORT) > 0 || config.flag(ConfigTable.TLS_REPLICATION);
    }

    private void settingsChanged() {
        if (!isWanted()) {
            return;
        }
        try {
            build();
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            if (!started) {
                throw new IllegalArgumentException("Failed to configure TLS: " + FileErrors.describe(e), e);
            }
            LOG.warn("TLS stays as it was: {}", FileErrors.describe(e));
            throw new IllegalArgumentException(UNCHANGED, e);
        }
    }

    /** Takes files that were replaced; called now and then. Files that are wrong are reported and tried again. */
    public void reloadIfChanged() {
        long now = isWanted() ? TlsFiles.fingerprint(files()) : fingerprint;
        if (now == fingerprint) {
            return;
        }
        try {
            build();
            LOG.info("TLS certificates loaded anew");
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            if (now != failedFingerprint) {
                LOG.warn("TLS certificates stay as they were, the new ones cannot be used: {}", FileErrors.describe(e));
                failedFingerprint = now;
            }
        }
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (ConfigOption option : List.of(ConfigTable.TLS_CERT_FILE, ConfigTable.TLS_KEY_FILE,
                ConfigTable.TLS_CLIENT_CERT_FILE, ConfigTable.TLS_CLIENT_KEY_FILE, ConfigTable.TLS_CA_CERT_FILE,
                ConfigTable.TLS_CA_CERT_DIR)) {
            if (path(option) != null) {
                files.add(path(option));
            }
        }
        return files;
    }

    private Path path(ConfigOption option) {
        String text = config.text(option);
        return text.isEmpty() ? null : Path.of(text);
    }

    private void build() throws IOException, GeneralSecurityException {
        long newFingerprint = TlsFiles.fingerprint(files());
        ClientAuth clientAuth = switch (config.text(ConfigTable.TLS_AUTH_CLIENTS)) {
            case "yes" -> ClientAuth.REQUIRE;
            case "optional" -> ClientAuth.OPTIONAL;
            default -> ClientAuth.NONE;
        };
        X509Certificate[] authorities =
                TlsFiles.authorities(path(ConfigTable.TLS_CA_CERT_FILE), path(ConfigTable.TLS_CA_CERT_DIR));
        boolean replicates = config.flag(ConfigTable.TLS_REPLICATION);
        if (authorities.length == 0 && (clientAuth != ClientAuth.NONE || replicates)) {
            throw new IOException("Either tls-ca-cert-file or tls-ca-cert-dir must be specified when tls-replication "
                    + "or tls-auth-clients are enabled");
        }
        SslContextBuilder forServer = keys(null, ConfigTable.TLS_CERT_FILE, ConfigTable.TLS_KEY_FILE,
                ConfigTable.TLS_KEY_FILE_PASS);
        if (forServer == null) {
            throw new IOException("No tls-cert-file and tls-key-file configured");
        }
        SslContext newServer = common(forServer.clientAuth(clientAuth), authorities).build();
        TlsProbe.check(newServer, common(SslContextBuilder.forClient(), new X509Certificate[0])
                .trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null).build());
        SslContext newClient = replicates ? buildClient(authorities) : null;
        cacheSessions(newServer);
        server = newServer;
        client = newClient;
        fingerprint = newFingerprint;
        failedFingerprint = 0;
        if (tasks == null) {
            tasks = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(TASKS_WAITING_MAX),
                    new DefaultThreadFactory("sluice-tls", true));
        }
    }

    private SslContext buildClient(X509Certificate[] authorities) throws IOException, GeneralSecurityException {
        SslContextBuilder builder = SslContextBuilder.forClient();
        SslContextBuilder own = keys(builder, ConfigTable.TLS_CLIENT_CERT_FILE, ConfigTable.TLS_CLIENT_KEY_FILE,
                ConfigTable.TLS_CLIENT_KEY_FILE_PASS);
        if (own == null) {
            keys(builder, ConfigTable.TLS_CERT_FILE, ConfigTable.TLS_KEY_FILE, ConfigTable.TLS_KEY_FILE_PASS);
        }
        // Servers of a fleet are known by their authority, as in Redis, not by the names in their certificates.
        return common(builder, authorities).endpointIdentificationAlgorithm(null).build();
    }

    /** Gives a builder, or a new one for a server, its certificate and key; null if none are configured. */
    private SslContextBuilder keys(SslContextBuilder builder, ConfigOption certFile, ConfigOption keyFile,
            ConfigOption password) throws IOException, GeneralSecurityException {
        Path cert = path(certFile);
        Path key = path(keyFile);
        if (cert == null || key == null) {
            return null;
        }
        X509Certificate[] chain = TlsFiles.certificates(cert);
        PrivateKey privateKey = PrivateKeys.read(key, config.text(password));
        TlsFiles.checkPair(privateKey, chain[0]);
        return builder == null ? SslContextBuilder.forServer(privateKey, chain) : builder.keyManager(privateKey, chain);
    }

    private SslContextBuilder common(SslContextBuilder builder, X509Certificate[] authorities)
            throws IOException, GeneralSecurityException {
        List<String> ciphers = new ArrayList<>(CipherNames.parse(config.text(ConfigTable.TLS_CIPHERSUITES)));
        ciphers.addAll(CipherNames.parse(config.text(ConfigTable.TLS_CIPHERS)));
        if (!ciphers.isEmpty()) {
            builder.ciphers(ciphers);
        }
        if (authorities.length > 0) {
            builder.trustManager(AuthorityTrust.of(authorities));
        }
        return builder.sslProvider(provider())
                .protocols(protocols())
                .sessionCacheSize(config.number(ConfigTable.TLS_SESSION_CACHE_SIZE))
                .sessionTimeout(config.number(ConfigTable.TLS_SESSION_CACHE_TIMEOUT));
    }

    private String[] protocols() throws IOException {
        String text = config.text(ConfigTable.TLS_PROTOCOLS);
        if (text.isEmpty()) {
            return PROTOCOLS_DEFAULT;
        }
        String[] protocols = text.split(" +");
        for (int i = 0; i < protocols.length; i++) {
            protocols[i] = PROTOCOLS.get(protocols[i].toLowerCase(Locale.ROOT));
            if (protocols[i] == null) {
                throw new IOException("Invalid tls-protocols specified. Use a combination of 'TLSv1', 'TLSv1.1', "
                        + "'TLSv1.2' and 'TLSv1.3'.");
            }
        }
        return protocols;
    }

    private SslProvider provider() {
        return "jdk".equals(config.text(ConfigTable.TLS_ENGINE)) || !OpenSsl.isAvailable() ? SslProvider.JDK
                : SslProvider.OPENSSL;
    }

    /** The engine in use: {@code openssl} or {@code jdk}. */
    public String engine() {
        return provider() == SslProvider.JDK ? "jdk" : "openssl";
    }

    private void cacheSessions(SslContext context) {
        boolean caching = config.flag(ConfigTable.TLS_SESSION_CACHING);
        if (context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
            sessions.setSessionCacheEnabled(caching);
        } else if (!caching) {
            // The JDK's engine always keeps sessions; what it keeps is worth nothing after a second.
            context.sessionContext().setSessionCacheSize(1);
            context.sessionContext().setSessionTimeout(1);
        }
    }

    /** Begins a client's connection with a handshake. */
    public void secureAccepted(Channel channel) {
        SslHandler handler = server.newHandler(channel.alloc(), tasks);
        SSLEngine engine = handler.engine();
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setUseCipherSuitesOrder(config.flag(ConfigTable.TLS_PREFER_SERVER));
        engine.setSSLParameters(parameters);
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
        HandshakeGuard guard = new HandshakeGuard(stats);
        channel.pipeline().addLast(guard, handler, guard.new Done());
    }

    /** Whether the link to a primary is to use TLS. */
    public boolean isForReplication() {
        return client != null;
    }

    /** The handler that a connection to a primary begins with where {@link #isForReplication}. */
    public SslHandler newClientHandler(ByteBufAllocator allocator, String host, int port) {
        SslHandler handler = client.newHandler(allocator, host, port, tasks);
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
        return handler;
    }

    /** Ends the thread that helps with handshakes. */
    public void close() {
        if (tasks != null) {
            tasks.shutdownNow();
        }
    }
}
