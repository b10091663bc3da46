package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ClientCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldTakeWhatALibrarySaysOfItself() {
        assertEquals("+OK", redis.run("CLIENT", "SETINFO", "LIB-NAME", "lettuce"));
        assertEquals("+OK", redis.run("CLIENT", "SETINFO", "lib-ver", "7.7.0"));
        assertEquals("-ERR Unrecognized option 'FOO'", redis.run("CLIENT", "SETINFO", "FOO", "y"));
        assertEquals("-ERR lib-name cannot contain spaces, newlines or special characters.",
                redis.run("CLIENT", "SETINFO", "LIB-NAME", "a b"));
        String line = redis.run("CLIENT", "INFO");
        assertTrue(line.endsWith("lib-name=lettuce lib-ver=7.7.0"), line);
    }

    @Test
    void shouldAnswerTheWholeOfATransaction() {
        redis.run("MULTI");
        redis.run("CLIENT", "REPLY", "SKIP");
        redis.run("CLIENT", "REPLY", "OFF");
        redis.run("CLIENT", "REPLY", "ON");
        redis.run("PING");
        assertEquals("*4 -ERR Command not allowed inside a transaction -ERR Command not allowed inside a transaction "
                + "+OK +PONG", redis.run("EXEC"));
        assertEquals("+PONG", redis.run("PING"));
    }

    @Test
    void shouldDescribeAClientInWordsWithOneEqualsSignEach() {
        redis.run("CLIENT", "SETNAME", "me");
        redis.run("MULTI");
        redis.run("PING");
        String info = redis.client().rawReply("CLIENT", "INFO");
        assertEquals("+QUEUED\r\n", info);
        redis.run("DISCARD");
        String text = redis.client().rawReply("CLIENT", "INFO");
        String line = text.substring(text.indexOf("\r\n") + 2, text.lastIndexOf('\n') - 1).strip();
        assertTrue(line.startsWith("id=1 addr="), line);
        for (String word : line.split(" ")) {
            assertEquals(1, word.chars().filter(c -> c == '=').count(), word);
        }
        assertTrue(line.contains(" name=me ") && line.contains(" cmd=client|info ") && line.contains(" multi=-1 "),
                line);
    }

    @Test
    void shouldRefuseNamesThatWouldBreakTheList() {
        String refusal = "-ERR Client names cannot contain spaces, newlines or special characters.";
        for (String name : new String[] {"a b", "a\nb", "a=b", "\u0007", "\u00e9"}) {
            assertEquals(refusal, redis.run("CLIENT", "SETNAME", name), name);
        }
        assertEquals("$-1", redis.run("CLIENT", "GETNAME"));
        assertEquals("+OK", redis.run("CLIENT", "SETNAME", "a"));
        assertEquals("+OK", redis.run("CLIENT", "SETNAME", ""));
        assertEquals("$-1", redis.run("CLIENT", "GETNAME"));
    }

    @Test
    void shouldCheckTheConditionsOfKill() {
        assertEquals("-ERR No such client", redis.run("CLIENT", "KILL", "1.2.3.4:5"));
        assertEquals("-ERR client-id should be greater than 0", redis.run("CLIENT", "KILL", "ID", "abc"));
        assertEquals("-ERR client-id should be greater than 0", redis.run("CLIENT", "KILL", "ID", "0"));
        assertEquals(":0", redis.run("CLIENT", "KILL", "ID", "9999", "TYPE", "normal"));
        assertEquals("-ERR Unknown client type 'foo'", redis.run("CLIENT", "KILL", "TYPE", "foo"));
        assertEquals("-ERR No such user 'nobody'", redis.run("CLIENT", "KILL", "USER", "nobody"));
        assertEquals("-ERR syntax error", redis.run("CLIENT", "KILL", "ID", "1", "TYPE"));
        assertEquals("-ERR syntax error", redis.run("CLIENT", "KILL", "SKIPME", "maybe"));
    }

    @Test
    void shouldCheckTheConditionsOfList() {
        assertEquals("-ERR Unknown client type 'foo'", redis.run("CLIENT", "LIST", "TYPE", "foo"));
        assertEquals("-ERR Invalid client ID", redis.run("CLIENT", "LIST", "ID", "x"));
        assertEquals("-ERR syntax error", redis.run("CLIENT", "LIST", "foo"));
        assertEquals("-ERR syntax error", redis.run("CLIENT", "LIST", "TYPE"));
    }

    @Test
    void shouldCheckThePause() {
        assertEquals("-ERR timeout is negative", redis.run("CLIENT", "PAUSE", "-1"));
        assertEquals("-ERR timeout is not an integer or out of range", redis.run("CLIENT", "PAUSE", "x"));
        assertEquals("-ERR CLIENT PAUSE mode must be WRITE or ALL", redis.run("CLIENT", "PAUSE", "1", "foo"));
        assertEquals("+OK", redis.run("CLIENT", "PAUSE", "9223372036854775807", "WRITE"));
        assertEquals("+PONG", redis.run("PING"));
        assertEquals("+OK", redis.run("CLIENT", "UNPAUSE"));
    }

    @Test
    void shouldAcceptWhatHasNoMeaningHere() {
        assertEquals("+OK", redis.run("CLIENT", "NO-EVICT", "on"));
        assertEquals("+OK", redis.run("CLIENT", "NO-TOUCH", "off"));
        assertEquals("-ERR syntax error", redis.run("CLIENT", "NO-EVICT", "maybe"));
        assertEquals(":-1", redis.run("CLIENT", "GETREDIR"));
        assertEquals("*6 $5 flags *1 $3 off $8 redirect :-1 $8 prefixes *0", redis.run("CLIENT", "TRACKINGINFO"));
    }

    @Test
    void shouldListItsSubcommandsAsHelp() {
        String help = redis.client().rawReply("CLIENT", "HELP");
        assertTrue(help.contains("+CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n"), help);
        assertTrue(help.contains("+PAUSE timeout [WRITE | ALL]\r\n"), help);
    }
}
