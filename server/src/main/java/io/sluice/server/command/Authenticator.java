package io.sluice.server.command;

import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Connection;
import io.sluice.server.net.NetSettings;
import io.sluice.server.stats.ServerStats;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Checks passwords. There is one user, {@code default}; its password is the setting {@code requirepass}. */
public final class Authenticator {
    static final String DEFAULT_USER = "default";
    static final String WRONG_PASSWORD = "WRONGPASS invalid username-password pair or user is disabled.";
    static final String NO_PASSWORD_SET = "ERR AUTH <password> called without any password configured for the default "
            + "user. Are you sure your configuration is correct?";

    private final NetSettings settings;
    private final ServerStats stats;
    private byte[] password = {};

    public Authenticator(Config config, NetSettings settings, ServerStats stats) {
        this.settings = settings;
        this.stats = stats;
        config.follow(() -> {
            password = config.text(ConfigTable.REQUIRE_PASS).getBytes(StandardCharsets.ISO_8859_1);
            settings.passwordRequired(password.length > 0);
        }, ConfigTable.REQUIRE_PASS);
    }

    boolean isPasswordRequired() {
        return settings.isPasswordRequired();
    }

    /**
     * Authenticates the client; false, and no change, if the pair is wrong. Takes the same time for any wrong
     * password.
     */
    boolean authenticate(Connection connection, String user, byte[] given) {
        boolean right = DEFAULT_USER.equals(user)
                && (password.length == 0 || MessageDigest.isEqual(password, given));
        if (right) {
            connection.authenticated(true, user);
        } else {
            stats.authenticationsDenied++;
        }
        return right;
    }

    /** Puts the client back to what it was when it connected. */
    void reset(Connection connection) {
        connection.authenticated(!isPasswordRequired(), DEFAULT_USER);
    }
}
