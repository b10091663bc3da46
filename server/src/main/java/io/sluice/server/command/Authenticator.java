package io.sluice.server.command;

import io.sluice.server.acl.User;
import io.sluice.server.acl.Users;
import io.sluice.server.net.Connection;
import io.sluice.server.net.NetSettings;

/** Lets clients be the users whose passwords they know. */
public final class Authenticator {
    static final String WRONG_PASSWORD = "WRONGPASS invalid username-password pair or user is disabled.";
    static final String NO_PASSWORD_SET = "ERR AUTH <password> called without any password configured for the default "
            + "user. Are you sure your configuration is correct?";

    private final AccessControl access;
    private final Users users;

    /** From now on the settings say what the default user's rules mean for clients that connect. */
    Authenticator(AccessControl access, NetSettings settings) {
        this.access = access;
        users = access.users();
        settings.defaultUser(users.defaultUser());
        users.follow(() -> settings.passwordRequired(users.mustAuthenticate()));
    }

    /** Whether the default user takes no password, so that AUTH without a name is a mistake. */
    boolean isPasswordless() {
        return users.defaultUser().isPasswordless();
    }

    /**
     * Authenticates the client; false, and no change, if the pair is wrong. Takes the same time for any wrong
     * password.
     *
     * @param command the command that the client used, for the log
     */
    boolean authenticate(Connection connection, String name, byte[] password, byte[] command) {
        User user = users.authenticate(name, password);
        if (user == null) {
            access.authenticationFailed(connection, name, command);
            return false;
        }
        connection.authenticated(true, user);
        return true;
    }

    /** Puts the client back to what it was when it connected. */
    void reset(Connection connection) {
        connection.authenticated(!users.mustAuthenticate(), users.defaultUser());
    }
}
