package io.sluice.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Arrays;

import io.sluice.server.net.Transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A script that does not end, with others about: what they are told, and how it is ended. */
class BusyScriptTest {
    private static final String BUSY =
        "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
    private static final String LOOP = "EVAL \"while true do end\" 0";
    private static final String WRITING_LOOP = "EVAL \"redis.call('set', 'k', 'v') while true do end\" 0";

    private static TestServer server(Transport transport) throws IOException {
        assumeTrue(transport.isAvailable());
        return new TestServer("--io-transport", transport.settingName(), "--busy-reply-threshold", "10",
            "--script-stop-threshold", "0").open();
    }

    /** Asks until the server says that it is busy. */
    private static void awaitBusy(RespClient client) throws IOException {
        String reply = client.run("GET k");
        while (!BUSY.equals(reply)) {
            assertTrue("$-1".equals(reply) || "v".equals(reply), reply);
            reply = client.run("GET k");
        }
    }

    private static void assertKilled(String reply) {
        assertTrue(reply.startsWith("-ERR Script killed by user with SCRIPT KILL. script: "), reply);
        assertTrue(reply.endsWith(", on @user_script:1."), reply);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldTellOthersAndEndTheScriptWhenOneOfThemSaysSo(Transport transport) throws IOException {
        try (TestServer server = server(transport); RespClient runner = server.client();
                RespClient other = server.client()) {
            runner.send(LOOP + "\r\n");
            awaitBusy(other);
            try (RespClient newcomer = server.client()) {
                assertEquals(BUSY, newcomer.run("SET a b"));
                assertEquals("+OK", newcomer.run("MULTI"));
                assertEquals(BUSY, newcomer.run("GET a"));
                assertEquals("+OK", newcomer.run("DISCARD"));
                assertEquals("-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                    newcomer.run("FUNCTION KILL"));
                assertEquals(BUSY, newcomer.run("FUNCTION STATS"));
                assertEquals("+OK", newcomer.run("SCRIPT KILL"));
            }
            assertKilled(runner.readReply());
            assertEquals("$-1", other.run("GET k"));
            assertEquals("+PONG", runner.run("PING"));
            assertEquals("-NOTBUSY No scripts in execution right now.", other.run("SCRIPT KILL"));
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldAnswerAllOfAPipelineInOrderAroundALongScript(Transport transport) throws IOException {
        try (TestServer server = server(transport); RespClient runner = server.client();
                RespClient other = server.client()) {
            runner.send("SET a 1\r\n" + LOOP + "\r\nGET a\r\nEVAL \"return 7\" 0\r\n");
            awaitBusy(other);
            other.send("GET a\r\nPING\r\nEVAL \"return 1\" 0\r\nSCRIPT KILL\r\n");
            assertEquals(BUSY, other.readReply());
            assertEquals(BUSY, other.readReply());
            assertEquals(BUSY, other.readReply());
            assertEquals("+OK", other.readReply());
            assertEquals("+OK", runner.readReply());
            assertKilled(runner.readReply());
            assertEquals("1", runner.readReply());
            assertEquals(":7", runner.readReply());
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldNotEndAScriptThatHasWrittenButStopTheServer(Transport transport) throws IOException {
        try (TestServer server = server(transport); RespClient runner = server.client();
                RespClient other = server.client()) {
            runner.send(WRITING_LOOP + "\r\n");
            awaitBusy(other);
            assertTrue(other.run("SCRIPT KILL").startsWith("-UNKILLABLE Sorry the script already executed write "));
            assertEquals(BUSY, other.run("SHUTDOWN SAVE"));
            assertEquals(BUSY, other.run("SHUTDOWN"));
            other.send("SHUTDOWN NOSAVE\r\n");
            assertNull(other.readReply());
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldSurviveThatTheClientOfALongScriptGoes(Transport transport) throws IOException {
        try (TestServer server = server(transport); RespClient other = server.client()) {
            try (RespClient runner = server.client()) {
                runner.send(LOOP + "\r\nSET a 1\r\n");
                awaitBusy(other);
            }
            assertEquals("+OK", other.run("SCRIPT KILL"));
            assertEquals("+PONG", other.run("PING"));
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldTakeWhatTheClientSendsWhileItsScriptRuns(Transport transport) throws IOException {
        try (TestServer server = server(transport); RespClient runner = server.client();
                RespClient other = server.client()) {
            runner.send(LOOP + "\r\n");
            awaitBusy(other);
            runner.send("ECHO later\r\n");
            awaitBusy(other);
            assertEquals("+OK", other.run("SCRIPT KILL"));
            assertKilled(runner.readReply());
            assertEquals("later", runner.readReply());
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldTellOthersOfAScriptInsideATransaction(Transport transport) throws IOException {
        try (TestServer server = server(transport); RespClient runner = server.client();
                RespClient other = server.client()) {
            runner.send("MULTI\r\n" + LOOP + "\r\nSET k v\r\nEXEC\r\n");
            awaitBusy(other);
            assertEquals("+OK", other.run("SCRIPT KILL"));
            assertEquals("+OK", runner.readReply());
            assertEquals("+QUEUED", runner.readReply());
            assertEquals("+QUEUED", runner.readReply());
            assertEquals("*2", runner.readReply());
            assertKilled(runner.readReply());
            assertEquals("+OK", runner.readReply());
        }
    }

    @Test
    void shouldStopThoughNoScriptIsEverCalledBusy() throws IOException {
        TestServer server = new TestServer("--busy-reply-threshold", "0", "--shutdown-timeout", "0").open();
        try (RespClient runner = server.client()) {
            try {
                runner.send(WRITING_LOOP + "\r\n");
                while (!isScriptRunning()) {
                    Thread.onSpinWait();
                }
            } finally {
                server.close();
            }
            String reply = runner.readReply();
            assertTrue(reply.startsWith("-ERR Script killed by SHUTDOWN. script: "), reply);
        }
    }

    /** Nobody is served meanwhile who could say so. */
    private static boolean isScriptRunning() {
        return Thread.getAllStackTraces().values().stream().flatMap(Arrays::stream)
            .anyMatch(frame -> frame.getClassName().startsWith("io.sluice.lua."));
    }
}
