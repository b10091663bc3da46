package io.sluice.server.command;

import io.sluice.resp.RespReply;
import io.sluice.server.net.ClientSettings;
import io.sluice.server.net.Connection;
import io.sluice.server.tracking.ClientTracking;
import io.sluice.server.tracking.Tracking;

/** What {@code CLIENT REPLY} and {@code CLIENT CACHING} make of a command that has been answered. */
final class ClientSwitches {
    private final Tracking tracking;

    ClientSwitches(Tracking tracking) {
        this.tracking = tracking;
    }

    /**
     * A command of a client has been answered.
     *
     * @param spec null if there is no such command
     * @param mark where its reply begins
     */
    void answered(Connection connection, CommandSpec spec, int mark) {
        if (connection.settings().isMuted()) {
            mute(connection, spec, mark);
        }
        if (connection.isTracking()) {
            endException(connection, spec);
        }
    }

    /** Takes back a reply that the client does not want. */
    private static void mute(Connection connection, CommandSpec spec, int mark) {
        RespReply reply = connection.reply();
        if (reply.isErrorAt(mark) || spec == null || !spec.has(CommandFlag.ANSWERS_BY_PUSH)) {
            reply.rewind(mark);
        }
        boolean isReplySwitch = spec != null && "client|reply".equals(spec.fullName());
        ClientSettings settings = connection.settings();
        if (settings.replyMode() == ClientSettings.ReplyMode.SKIP_NEXT && !isReplySwitch) {
            settings.replyMode(ClientSettings.ReplyMode.ON);
        }
    }

    /** What CLIENT CACHING said holds for one command, or for the transaction that begins with it. */
    private void endException(Connection connection, CommandSpec spec) {
        boolean isClient = spec != null && spec.parent() != null && "client".equals(spec.parent().name());
        ClientTracking own = tracking.of(connection);
        if (!isClient && own != null && !connection.transaction().isOpen()) {
            own.caching(false);
        }
    }
}
