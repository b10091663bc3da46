package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.server.net.Connection;

import java.util.Locale;

/** The classes of clients that {@code CLIENT LIST} and {@code CLIENT KILL} tell apart. */
enum ClientType {
    NORMAL,
    MASTER,
    REPLICA,
    PUBSUB;

    /** Reads the next argument; latches an error if it is no class. */
    static ClientType parse(Args args) {
        int arg = args.next();
        String word = args.error() == null ? args.text(arg).toLowerCase(Locale.ROOT) : "";
        switch (word) {
            case "normal":
                return NORMAL;
            case "master", "primary":
                return MASTER;
            case "slave", "replica":
                return REPLICA;
            case "pubsub":
                return PUBSUB;
            default:
                args.fail("ERR Unknown client type '" + ErrorText.echo(args.text(arg)) + "'");
                return null;
        }
    }

    static ClientType of(Connection connection) {
        if (connection.isReplica()) {
            return REPLICA;
        }
        return connection.isSubscribed() ? PUBSUB : NORMAL;
    }

    boolean includes(Connection connection) {
        return of(connection) == this;
    }

    static Arg arg() {
        return Arg.oneOf("client-type", Arg.word("NORMAL"), Arg.word("MASTER"), Arg.word("REPLICA"), Arg.word("PUBSUB"))
                .token("TYPE").optional();
    }
}
