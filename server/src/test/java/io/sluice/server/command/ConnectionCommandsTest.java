package io.sluice.server.command;

import io.sluice.server.acl.User;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ConnectionCommandsTest {
    private final CommandTester redis = new CommandTester();

    @Test
    void shouldAnswerPingWithPongOrWithWhatWasSent() {
        assertEquals("+PONG", redis.run("PING"));
        assertEquals("$5 hello", redis.run("ping", "hello"));
        assertEquals("-ERR wrong number of arguments for 'ping' command", redis.run("PING", "a", "b"));
    }

    @Test
    void shouldEchoAnyBytes() {
        assertEquals("$0", redis.run("ECHO", ""));
        assertEquals("$4\r\na\r\nb\r\n", redis.client().rawReply("ECHO", "a\r\nb"));
        assertEquals("-ERR wrong number of arguments for 'echo' command", redis.run("ECHO"));
    }

    @Test
    void shouldSelectOnlyDatabasesThatExist() {
        assertEquals("+OK", redis.run("SELECT", "15"));
        assertEquals(15, redis.client().connection().db());
        assertEquals("-ERR DB index is out of range", redis.run("SELECT", "16"));
        assertEquals("-ERR DB index is out of range", redis.run("SELECT", "-1"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("SELECT", "one"));
        assertEquals(15, redis.client().connection().db());
    }

    @Test
    void shouldGreetInTheProtocolThatWasAskedFor() {
        assertEquals("*14 $6 server $5 redis $7 version $5 7.2.0 $5 proto :2 $2 id :1 $4 mode $10 standalone $4 role "
                + "$6 master $7 modules *0", redis.run("HELLO"));
        assertEquals("%7 $6 server $5 redis $7 version $5 7.2.0 $5 proto :3 $2 id :1 $4 mode $10 standalone $4 role "
                + "$6 master $7 modules *0", redis.run("HELLO", "3"));
        assertEquals("%7", redis.run("HELLO").substring(0, 2));
        assertEquals("*14", redis.run("HELLO", "2").substring(0, 3));
    }

    @Test
    void shouldRefuseUnknownProtocolsAndOptionsOfHello() {
        assertEquals("-NOPROTO unsupported protocol version", redis.run("HELLO", "4"));
        assertEquals("-NOPROTO unsupported protocol version", redis.run("HELLO", "1"));
        assertEquals("-ERR Protocol version is not an integer or out of range", redis.run("HELLO", "three"));
        assertEquals("-ERR Syntax error in HELLO option 'AUTH'", redis.run("HELLO", "3", "AUTH", "default"));
        assertEquals("-ERR Syntax error in HELLO option 'nope'", redis.run("HELLO", "3", "nope"));
        assertEquals(2, redis.client().connection().reply().protocol());
    }

    @Test
    void shouldAuthenticateAndNameInHello() {
        CommandTester secured = new CommandTester("--requirepass", "pw");
        secured.client().connection().authenticated(false, User.UNRESTRICTED);
        assertEquals("-NOAUTH Authentication required.", secured.run("PING"));
        assertEquals("-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> "
                + "AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol "
                + "version at the same time", secured.run("HELLO", "3"));
        assertEquals("-WRONGPASS invalid username-password pair or user is disabled.",
                secured.run("HELLO", "3", "AUTH", "default", "no"));
        assertEquals("%7", secured.run("HELLO", "3", "AUTH", "default", "pw", "SETNAME", "x").substring(0, 2));
        assertEquals("x", secured.client().connection().settings().name());
        assertEquals("+PONG", secured.run("PING"));
    }

    @Test
    void shouldRefuseAPasswordWhereNoneIsSet() {
        assertEquals("-ERR AUTH <password> called without any password configured for the default user. Are you sure "
                + "your configuration is correct?", redis.run("AUTH", "x"));
        assertEquals("+OK", redis.run("AUTH", "default", "anything"));
        assertEquals("-WRONGPASS invalid username-password pair or user is disabled.", redis.run("AUTH", "u", "x"));
        assertEquals("-ERR syntax error", redis.run("AUTH", "u", "x", "y"));
    }

    @Test
    void shouldTakeOnlyTheRightPassword() {
        CommandTester secured = new CommandTester("--requirepass", "pw");
        secured.client().connection().authenticated(false, User.UNRESTRICTED);
        assertEquals("-WRONGPASS invalid username-password pair or user is disabled.", secured.run("AUTH", "pw2"));
        assertEquals("-NOAUTH Authentication required.", secured.run("ECHO", "x"));
        assertEquals("+OK", secured.run("AUTH", "pw"));
        assertEquals("$1 x", secured.run("ECHO", "x"));
    }

    @Test
    void shouldForgetEverythingAtReset() {
        redis.run("HELLO", "3", "SETNAME", "x");
        redis.run("SELECT", "3");
        assertEquals("+RESET", redis.run("RESET"));
        assertEquals(0, redis.client().connection().db());
        assertEquals("", redis.client().connection().settings().name());
        assertEquals("*14", redis.run("HELLO").substring(0, 3));
    }
}
