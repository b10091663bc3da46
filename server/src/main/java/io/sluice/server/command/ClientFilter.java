package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.server.acl.Users;
import io.sluice.server.net.Connection;

/** Which clients {@code CLIENT KILL} and {@code CLIENT LIST} mean: those for which all of its conditions hold. */
final class ClientFilter {
    private static final byte[] ID = Words.lower("id");
    private static final byte[] TYPE = Words.lower("type");
    private static final byte[] ADDR = Words.lower("addr");
    private static final byte[] LADDR = Words.lower("laddr");
    private static final byte[] USER = Words.lower("user");
    private static final byte[] SKIPME = Words.lower("skipme");
    private static final byte[] MAXAGE = Words.lower("maxage");
    private static final byte[] YES = Words.lower("yes");
    private static final byte[] NO = Words.lower("no");
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private long id = -1;
    private ClientType type;
    private String address;
    private String localAddress;
    private String user;
    private long minAgeSeconds = -1;
    private boolean skipMe = true;

    private ClientFilter() {
    }

    /** The old form, which names one client and may mean oneself. */
    static ClientFilter ofAddress(String address) {
        ClientFilter filter = new ClientFilter();
        filter.address = address;
        filter.skipMe = false;
        return filter;
    }

    /** Reads pairs of a condition and its value up to the end; without SKIPME one does not mean oneself. */
    static ClientFilter parse(Args args, Users users) {
        return parse(args, users, new ClientFilter());
    }

    /** As {@link #parse(Args, Users)}; without SKIPME one means oneself too. */
    static ClientFilter parseForList(Args args, Users users) {
        ClientFilter filter = new ClientFilter();
        filter.skipMe = false;
        return parse(args, users, filter);
    }

    private static ClientFilter parse(Args args, Users users, ClientFilter filter) {
        while (args.hasNext()) {
            if (args.remaining() % 2 != 0) {
                args.fail(Errors.SYNTAX);
            } else if (args.accept(ID)) {
                filter.id = args.nextLong(1, Long.MAX_VALUE, "ERR client-id should be greater than 0");
            } else if (args.accept(TYPE)) {
                filter.type = ClientType.parse(args);
            } else if (args.accept(ADDR)) {
                filter.address = args.nextText();
            } else if (args.accept(LADDR)) {
                filter.localAddress = args.nextText();
            } else if (args.accept(USER)) {
                filter.user = args.nextText();
                if (users.find(filter.user) == null) {
                    args.fail("ERR No such user '" + ErrorText.echo(filter.user) + "'");
                }
            } else if (args.accept(MAXAGE)) {
                filter.minAgeSeconds = args.nextLong(1, Long.MAX_VALUE, "ERR maxage should be greater than 0");
            } else if (args.accept(SKIPME)) {
                filter.skipMe = args.accept(YES);
                if (!filter.skipMe && !args.accept(NO)) {
                    args.fail(Errors.SYNTAX);
                }
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        return filter;
    }

    boolean includes(Connection connection, Connection me) {
        return (id < 0 || connection.id() == id)
                && (type == null || type.includes(connection))
                && (address == null || connection.address().equals(address))
                && (localAddress == null || connection.localAddress().equals(localAddress))
                && (user == null || connection.user().equals(user))
                && (minAgeSeconds < 0 || (me.lastActiveNs() - connection.createdNs()) / NS_PER_SECOND >= minAgeSeconds)
                && !(skipMe && connection == me);
    }

    static Arg arg() {
        return Arg.oneOf("filter", Arg.string("ip:port"), Arg.oneOf("new-format",
                Arg.integer("client-id").token("ID").optional(), ClientType.arg(),
                Arg.string("username").token("USER").optional(), Arg.string("addr").token("ADDR").optional(),
                Arg.string("laddr").token("LADDR").optional(), Arg.integer("maxage").token("MAXAGE").optional(),
                Arg.oneOf("skipme", Arg.word("YES"), Arg.word("NO")).token("SKIPME").optional()).multiple());
    }
}
