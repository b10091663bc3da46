package io.sluice.server.command;

import io.sluice.resp.Request;
import io.sluice.server.ServerClock;
import io.sluice.server.acl.AccessCheck;
import io.sluice.server.acl.AclLog;
import io.sluice.server.acl.Denial;
import io.sluice.server.acl.User;
import io.sluice.server.acl.Users;
import io.sluice.server.net.Connection;
import io.sluice.server.stats.ServerStats;

import java.nio.charset.StandardCharsets;

/** The one place where it is decided whether a client's user may do what it asks for, and where denials are noted. */
public final class AccessControl {
    private final Users users;
    private final AclLog log;
    private final ServerClock clock;
    private final ServerStats stats;
    private final ClientLines lines;
    private final AccessCheck check = new AccessCheck();

    AccessControl(Users users, AclLog log, ServerClock clock, ServerStats stats, ClientLines lines) {
        this.users = users;
        this.log = log;
        this.clock = clock;
        this.stats = stats;
        this.lines = lines;
    }

    public Users users() {
        return users;
    }

    public AclLog log() {
        return log;
    }

    /**
     * Why a client may not do this, without an error code, such as {@code No permissions to access a key}; null if it
     * may. A denial is counted and noted in the log.
     */
    public String denial(Connection connection, CommandSpec spec, Request request, AclLog.Context context) {
        User user = connection.account();
        if (user.isUnrestricted()) {
            return null;
        }
        Denial denial = check.check(user, spec, request);
        if (denial == null) {
            return null;
        }
        int arg = check.deniedArg();
        note(connection, denial, context, denial == Denial.COMMAND ? latin(spec.fullName()) : request.argBytes(arg),
                user.name());
        return switch (denial) {
            case KEY -> "No permissions to access a key";
            case CHANNEL -> "No permissions to access a channel";
            default -> commandDenied(user, spec);
        };
    }

    /** Whether a user may do this; nothing is noted. */
    public boolean allows(User user, CommandSpec spec, Request request) {
        return check.check(user, spec, request) == null;
    }

    /** Whether a user may do this and read whatever key meanwhile. */
    boolean readsAllKeys(User user, CommandSpec spec, Request request) {
        return check.readsAllKeys(user, spec, request);
    }

    /** As {@link #denial} for the EXEC of a command that was allowed when it was queued; the whole error reply. */
    String denialAtExec(Connection connection, CommandSpec spec, Request request) {
        User user = connection.account();
        Denial denial = check.check(user, spec, request);
        if (denial == null) {
            return null;
        }
        int arg = check.deniedArg();
        note(connection, denial, AclLog.Context.MULTI,
                denial == Denial.COMMAND ? latin(spec.fullName()) : request.argBytes(arg), user.name());
        return "NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. "
                + "This command is no longer allowed for the following reason: " + switch (denial) {
                    case KEY -> "no permission to touch the specified keys";
                    case CHANNEL -> "no permission to access one of the channels used as arguments to the command";
                    default -> "no permission to execute the command or subcommand";
                };
    }

    /** Whether a user could do this, for {@code ACL DRYRUN}: null, or why not in words that name the key or channel. */
    String dryRun(User user, CommandSpec spec, Request request) {
        Denial denial = check.check(user, spec, request);
        if (denial == null) {
            return null;
        }
        if (denial == Denial.COMMAND) {
            return commandDenied(user, spec);
        }
        return "User " + user.name() + " has no permissions to access the '" + request.argText(check.deniedArg())
                + "' " + denial.text();
    }

    private static String commandDenied(User user, CommandSpec spec) {
        return "User " + user.name() + " has no permissions to run the '" + spec.fullName() + "' command";
    }

    /** Whether a user may subscribe to a channel, or to a pattern of channels. */
    public boolean mayUseChannel(User user, byte[] channel, boolean isPattern) {
        return check.allowsChannel(user, channel, isPattern);
    }

    /** Notes that somebody gave a wrong name or password. */
    void authenticationFailed(Connection connection, String user, byte[] command) {
        note(connection, Denial.AUTH, connection.transaction().isOpen() ? AclLog.Context.MULTI
                : AclLog.Context.TOPLEVEL, command, user);
    }

    private void note(Connection connection, Denial denial, AclLog.Context context, byte[] object, String user) {
        switch (denial) {
            case COMMAND -> stats.commandsDenied++;
            case KEY -> stats.keysDenied++;
            case CHANNEL -> stats.channelsDenied++;
            default -> stats.authenticationsDenied++;
        }
        log.add(denial, context, object, user, lines.line(connection), Math.floorDiv(clock.epochNs(), 1_000_000L));
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
