package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrackingCommandsTest {
    private static final String OTHER_MODE = "-ERR You can't switch BCAST mode on/off before disabling tracking for "
            + "this client, and then re-enabling it with a different mode.";

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String tracking(String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "CLIENT";
        words[1] = "TRACKING";
        System.arraycopy(options, 0, words, 2, options.length);
        return redis.run(words);
    }

    @Test
    void shouldSayWhatIsTracked() {
        assertEquals("*6 $5 flags *1 $3 off $8 redirect :-1 $8 prefixes *0", redis.run("CLIENT", "TRACKINGINFO"));
        assertEquals("+OK", tracking("on"));
        assertEquals("*6 $5 flags *1 $2 on $8 redirect :0 $8 prefixes *0", redis.run("CLIENT", "TRACKINGINFO"));
        assertEquals(":0", redis.run("CLIENT", "GETREDIR"));
        assertEquals("+OK", tracking("off"));
        assertEquals("+OK", tracking("ON", "BCAST", "PREFIX", "a", "PREFIX", "b", "NOLOOP"));
        assertEquals("*6 $5 flags *3 $2 on $5 bcast $6 noloop $8 redirect :0 $8 prefixes *2 $1 a $1 b",
                redis.run("CLIENT", "TRACKINGINFO"));
        assertTrue(redis.run("CLIENT", "INFO").contains(" flags=tB "));
    }

    @Test
    void shouldRefuseOptionsThatContradictEachOther() {
        assertEquals("-ERR PREFIX option requires BCAST mode to be enabled", tracking("ON", "PREFIX", "a"));
        assertEquals("-ERR Prefix 'a' overlaps with another provided prefix 'ab'. Prefixes for a single client must "
                + "not overlap.", tracking("ON", "BCAST", "PREFIX", "a", "PREFIX", "ab"));
        assertEquals("-ERR OPTIN and OPTOUT are not compatible with BCAST", tracking("ON", "OPTIN", "BCAST"));
        assertEquals("-ERR You can't specify both OPTIN mode and OPTOUT mode", tracking("ON", "OPTIN", "OPTOUT"));
        assertEquals("-ERR The client ID you want redirect to does not exist", tracking("ON", "REDIRECT", "999"));
        assertEquals("-ERR value is not an integer or out of range", tracking("ON", "REDIRECT", "x"));
        assertEquals("-ERR syntax error", tracking("ON", "REDIRECT"));
        assertEquals("-ERR syntax error", tracking("ON", "FOO"));
        assertEquals("-ERR syntax error", tracking("MAYBE"));
        assertEquals(":-1", redis.run("CLIENT", "GETREDIR"));
    }

    @Test
    void shouldKeepTheModeUntilTrackingIsSwitchedOff() {
        tracking("ON", "OPTIN");
        assertEquals(OTHER_MODE, tracking("ON", "BCAST"));
        assertEquals("-ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
                + "re-enabling it with a different mode.", tracking("ON", "OPTOUT"));
        tracking("OFF");
        assertEquals("+OK", tracking("ON", "BCAST"));
        assertEquals(OTHER_MODE, tracking("ON"));
    }

    @Test
    void shouldMakeExceptionsOnlyInTheModeTheyBelongTo() {
        assertEquals("-ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT "
                + "mode enabled", redis.run("CLIENT", "CACHING", "YES"));
        tracking("ON", "OPTIN");
        assertEquals("-ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.",
                redis.run("CLIENT", "CACHING", "NO"));
        assertEquals("-ERR syntax error", redis.run("CLIENT", "CACHING", "x"));
        assertEquals("+OK", redis.run("CLIENT", "CACHING", "YES"));
        assertEquals("*6 $5 flags *3 $2 on $5 optin $11 caching-yes $8 redirect :0 $8 prefixes *0",
                redis.run("CLIENT", "TRACKINGINFO"));
        redis.run("GET", "k");
        assertEquals("*6 $5 flags *2 $2 on $5 optin $8 redirect :0 $8 prefixes *0",
                redis.run("CLIENT", "TRACKINGINFO"));
        tracking("OFF");
        tracking("ON", "OPTOUT");
        assertEquals("-ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.",
                redis.run("CLIENT", "CACHING", "YES"));
        assertEquals("+OK", redis.run("CLIENT", "CACHING", "NO"));
    }

    @Test
    void shouldSayThatThereIsNoCluster() {
        for (String[] command : new String[][] {{"READONLY"}, {"READWRITE"}, {"ASKING"}, {"CLUSTER", "INFO"},
                {"CLUSTER", "nodes"}, {"CLUSTER", "SLOTS"}, {"CLUSTER", "HELP"}}) {
            assertEquals("-ERR This instance has cluster support disabled", redis.run(command));
        }
        assertEquals("-ERR unknown subcommand 'FOO'. Try CLUSTER HELP.", redis.run("CLUSTER", "FOO"));
        assertEquals("-ERR wrong number of arguments for 'cluster' command", redis.run("CLUSTER"));
    }
}
