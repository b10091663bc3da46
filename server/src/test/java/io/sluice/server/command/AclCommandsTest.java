package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AclCommandsTest {
    private static final String ADDING_KEYS = "Adding a pattern after the * pattern (or the 'allkeys' flag) is not "
            + "valid and does not have any effect. Try 'resetkeys' to start with an empty list of patterns";
    private static final String BAD_HASH = "The password hash must be exactly 64 characters and contain only "
            + "lowercase hexadecimal characters";
    private static final String WRONG = "-WRONGPASS invalid username-password pair or user is disabled.";
    private static final String PW_HASH = "30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c4";

    private final CommandTester server = new CommandTester();
    private final CommandTester.Client admin = server.client();
    private final CommandTester.Client alice = server.newClient();

    @AfterEach
    void close() {
        server.close();
    }

    /** Makes alice a user with these rules, and the second client alice. */
    private void beAlice(String... rules) {
        setUser("alice", rules);
        assertEquals("+OK", alice.run("AUTH", "alice", "any"));
    }

    private void setUser(String name, String... rules) {
        String[] words = new String[5 + rules.length];
        System.arraycopy(new String[] {"ACL", "SETUSER", name, "on", "nopass"}, 0, words, 0, 5);
        System.arraycopy(rules, 0, words, 5, rules.length);
        assertEquals("+OK", admin.run(words));
    }

    private String listed(String name) {
        for (String line : admin.rawReply("ACL", "LIST").split("\r\n")) {
            if (line.startsWith("user " + name + " ")) {
                return line;
            }
        }
        return null;
    }

    @Test
    void shouldBeginWithADefaultUserWhoMayDoEverything() {
        assertEquals("user default on nopass sanitize-payload ~* &* +@all", listed("default"));
        assertEquals("$7 default", admin.run("ACL", "WHOAMI"));
        assertEquals("*1 $7 default", admin.run("ACL", "USERS"));
    }

    @Test
    void shouldMakeAUserWhoMayDoNothing() {
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice"));
        assertEquals("user alice off sanitize-payload resetchannels -@all", listed("alice"));
        assertEquals(WRONG, alice.run("AUTH", "alice", "x"));
    }

    @Test
    void shouldDenyWhatIsNotAllowed() {
        beAlice("+get", "~a*");
        assertEquals("$-1", alice.run("GET", "a1"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("GET", "b"));
        assertEquals("-NOPERM User alice has no permissions to run the 'set' command", alice.run("SET", "a", "1"));
        assertEquals("-NOPERM User alice has no permissions to run the 'acl|whoami' command",
                alice.run("ACL", "WHOAMI"));
        assertEquals("+RESET", alice.run("RESET"));
        assertEquals("$7 default", alice.run("ACL", "WHOAMI"));
    }

    @Test
    void shouldTellReadingFromWriting() {
        beAlice("+@all", "%R~r*", "%W~w*", "%RW~b*");
        assertEquals("$-1", alice.run("GET", "r"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("GET", "w"));
        assertEquals("+OK", alice.run("SET", "w", "1"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("SET", "w", "1", "GET"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("SET", "r", "1"));
        assertEquals("$-1", alice.run("SET", "b", "1", "GET"));
        assertEquals(":1", alice.run("EXISTS", "w"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("EXISTS", "x"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("COPY", "w", "b"));
        assertEquals("*5 :0 :16 :15 :-1 :2", alice.run("CL.THROTTLE", "b2", "15", "30", "60"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("CL.THROTTLE", "w", "15", "30", "60"));
    }

    @Test
    void shouldCheckEveryKeyOfACommand() {
        beAlice("+@all", "~a*");
        assertEquals("*2 $-1 $-1", alice.run("MGET", "a1", "a2"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("MGET", "a1", "b"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("MSET", "a1", "1", "b", "2"));
        assertEquals("$-1", admin.run("GET", "a1"));
    }

    @Test
    void shouldAllowWhatOneOfTheSelectorsAllowsAsAWhole() {
        beAlice("+get", "~a*", "(+set ~b*)", "(+@read", "%R~c*)");
        assertEquals("+OK", alice.run("SET", "b", "1"));
        assertEquals("$-1", alice.run("GET", "c"));
        assertEquals("*1 $-1", alice.run("MGET", "c"));
        assertEquals("-NOPERM No permissions to access a key", alice.run("SET", "a", "1"));
        assertEquals("-NOPERM User alice has no permissions to run the 'del' command", alice.run("DEL", "a"));
        setUser("alice", "clearselectors");
        assertEquals("-NOPERM User alice has no permissions to run the 'set' command", alice.run("SET", "b", "1"));
    }

    @Test
    void shouldKnowSubcommandsAndFirstArguments() {
        beAlice("+config|get", "+select|1", "+client", "-client|kill");
        assertEquals("*2 $4 port $4 6379", alice.run("CONFIG", "GET", "port"));
        assertEquals("-NOPERM User alice has no permissions to run the 'config|set' command",
                alice.run("CONFIG", "SET", "timeout", "1"));
        assertEquals("+OK", alice.run("SELECT", "1"));
        assertEquals("-NOPERM User alice has no permissions to run the 'select' command", alice.run("SELECT", "2"));
        assertEquals("$-1", alice.run("CLIENT", "GETNAME"));
        assertEquals("-NOPERM User alice has no permissions to run the 'client|kill' command",
                alice.run("CLIENT", "KILL", "ID", "9"));
    }

    @Test
    void shouldHaveCategoriesOfItsOwnForLimiters() {
        beAlice("+@throttle", "~*");
        assertEquals("*5 :0 :16 :15 :-1 :2", alice.run("CL.THROTTLE", "k", "15", "30", "60"));
        assertEquals("-NOPERM User alice has no permissions to run the 'get' command", alice.run("GET", "k"));
        assertEquals(admin.run("ACL", "CAT", "throttle"), admin.run("ACL", "CAT", "RATE_LIMIT"));
        assertTrue(admin.run("ACL", "CAT", "throttle").contains("cl.throttle"));
        assertEquals("-ERR Unknown category 'nope'", admin.run("ACL", "CAT", "nope"));
    }

    @Test
    void shouldActOnOpenConnections() {
        beAlice("+@all", "~*");
        assertEquals("+OK", alice.run("SET", "k", "1"));
        setUser("alice", "-set");
        assertEquals("-NOPERM User alice has no permissions to run the 'set' command", alice.run("SET", "k", "1"));
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice", "off"));
        assertEquals("$1 1", alice.run("GET", "k"));
        assertEquals(WRONG, alice.run("AUTH", "alice", "x"));
    }

    @Test
    void shouldCheckTransactionsWhenQueuedAndWhenExecuted() {
        beAlice("+@all", "~a*");
        alice.run("MULTI");
        assertEquals("-NOPERM No permissions to access a key", alice.run("GET", "b"));
        assertEquals("-EXECABORT Transaction discarded because of previous errors.", alice.run("EXEC"));
        alice.run("MULTI");
        assertEquals("+QUEUED", alice.run("SET", "a1", "1"));
        assertEquals("+QUEUED", alice.run("GET", "a1"));
        setUser("alice", "-set");
        assertEquals("*2 -NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC "
                + "call. This command is no longer allowed for the following reason: no permission to execute the "
                + "command or subcommand $-1", alice.run("EXEC"));
        alice.run("MULTI");
        assertEquals("+QUEUED", alice.run("GET", "a1"));
        setUser("alice", "resetkeys");
        assertTrue(alice.run("EXEC").endsWith("reason: no permission to touch the specified keys"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            +nope         | Unknown command or category name in ACL
            -nope         | Unknown command or category name in ACL
            +@nope        | Unknown command or category name in ACL
            nope          | Syntax error
            +             | Unknown command or category name in ACL
            %Q~x          | Syntax error
            %~x           | Syntax error
            %             | Syntax error
            %RR~x         | Syntax error
            ~a b          | Syntax error
            (+nope)       | Unknown command or category name in ACL
            <nope         | The password you are trying to remove from the user does not exist
            """)
    void shouldRefuseARuleThatIsNoneAndChangeNothing(String rule, String reason) {
        setUser("alice", "+get", "~a*");
        String before = listed("alice");
        assertEquals("-ERR Error in ACL SETUSER modifier '" + rule + "': " + reason,
                admin.run("ACL", "SETUSER", "alice", "+set", "off", rule, "+del"));
        assertEquals(before, listed("alice"));
        admin.run("ACL", "SETUSER", "bob", rule);
        assertEquals("*2 $5 alice $7 default", admin.run("ACL", "USERS"));
    }

    @Test
    void shouldRefuseRulesWithABar() {
        assertEquals("-ERR Error in ACL SETUSER modifier '+config|nope': Unknown command or category name in ACL",
                admin.run("ACL", "SETUSER", "a", "+config|nope"));
        assertEquals("-ERR Error in ACL SETUSER modifier '+config|': Syntax error",
                admin.run("ACL", "SETUSER", "a", "+config|"));
        assertEquals("-ERR Error in ACL SETUSER modifier '+config|get|x': Allowing first-arg of a subcommand is not "
                + "supported", admin.run("ACL", "SETUSER", "a", "+config|get|x"));
        assertEquals("-ERR Error in ACL SETUSER modifier '-get|x': Unknown command or category name in ACL",
                admin.run("ACL", "SETUSER", "a", "-get|x"));
        assertEquals("-ERR Unmatched parenthesis in acl selector starting at '(+get'.",
                admin.run("ACL", "SETUSER", "a", "(+get", "~x"));
    }

    @Test
    void shouldRefusePatternsThatWouldHaveNoEffect() {
        assertEquals("-ERR Error in ACL SETUSER modifier '~x': " + ADDING_KEYS,
                admin.run("ACL", "SETUSER", "a", "~*", "~x"));
        String addingChannels = ADDING_KEYS.replace("keys", "channels").replace("patterns", "channels");
        assertEquals("-ERR Error in ACL SETUSER modifier '&x': " + addingChannels,
                admin.run("ACL", "SETUSER", "a", "&*", "&x"));
    }

    @Test
    void shouldKeepPasswordsAsHashes() {
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice", "on", ">pw", ">pw", ">pw2"));
        assertTrue(listed("alice").startsWith("user alice on sanitize-payload #" + PW_HASH + " #"));
        assertEquals("+OK", alice.run("AUTH", "alice", "pw2"));
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice", "<pw2"));
        assertEquals(WRONG, alice.run("AUTH", "alice", "pw2"));
        assertEquals("+OK", alice.run("AUTH", "alice", "pw"));
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice", "!" + PW_HASH));
        assertEquals(WRONG, alice.run("AUTH", "alice", "pw"));
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice", "#" + PW_HASH));
        assertEquals("+OK", alice.run("AUTH", "alice", "pw"));
        assertEquals("-ERR Error in ACL SETUSER modifier '#abc': " + BAD_HASH,
                admin.run("ACL", "SETUSER", "alice", "#abc"));
        assertEquals("-ERR Error in ACL SETUSER modifier '!" + PW_HASH.toUpperCase(java.util.Locale.ROOT) + "': "
                + BAD_HASH, admin.run("ACL", "SETUSER", "alice", "!" + PW_HASH.toUpperCase(java.util.Locale.ROOT)));
        assertEquals("+OK", admin.run("ACL", "SETUSER", "alice", "resetpass"));
        assertFalse(listed("alice").contains("#"));
    }

    @Test
    void shouldShowCommandRulesInTheOrderOfTheirEffect() {
        setUser("alice", "+@all", "-get", "+get", "-@dangerous", "+config|get", "-config", "+CONFIG|SET", "-get");
        assertTrue(listed("alice").endsWith(" resetchannels +@all -@dangerous -config +config|set -get"),
                listed("alice"));
        setUser("alice", "nocommands");
        assertTrue(listed("alice").endsWith(" resetchannels -@all"), listed("alice"));
        setUser("alice", "resetkeys", "%r");
        assertTrue(listed("alice").contains(" %R~ "), listed("alice"));
    }

    @Test
    void shouldShowAUser() {
        setUser("alice", "%R~a*", "%W~a*", "%W~b*", "&c*", "+get", "(%R~d* +@read)");
        assertEquals("*12 $5 flags *3 $2 on $6 nopass $16 sanitize-payload $9 passwords *0 $8 commands $10 -@all +get "
                + "$4 keys $9 ~a* %W~b* $8 channels $3 &c* $9 selectors *1 *6 $8 commands $12 -@all +@read $4 keys $5 "
                + "%R~d* $8 channels $0", admin.run("ACL", "GETUSER", "alice"));
        assertEquals("$-1", admin.run("ACL", "GETUSER", "bob"));
    }

    @Test
    void shouldResetAUserToNothing() {
        setUser("alice", ">pw", "~a*", "&c", "+get", "(+set)", "reset");
        assertEquals("user alice off sanitize-payload resetchannels -@all", listed("alice"));
    }

    @Test
    void shouldLetNewUsersUseAllChannelsIfToldSo() {
        admin.run("CONFIG", "SET", "acl-pubsub-default", "allchannels");
        admin.run("ACL", "SETUSER", "bob");
        assertEquals("user bob off sanitize-payload &* -@all", listed("bob"));
    }

    @Test
    void shouldRemoveUsersButNotTheDefaultOne() {
        setUser("alice");
        assertEquals("-ERR The 'default' user cannot be removed", admin.run("ACL", "DELUSER", "alice", "default"));
        assertEquals("*2 $5 alice $7 default", admin.run("ACL", "USERS"));
        assertEquals(":1", admin.run("ACL", "DELUSER", "alice", "bob"));
        assertEquals("-ERR Usernames can't contain spaces or null characters", admin.run("ACL", "SETUSER", "a b"));
    }

    @Test
    void shouldCheckChannels() {
        beAlice("+@pubsub", "&news:*", "&p*");
        assertEquals(":0", alice.run("PUBLISH", "news:1", "x"));
        assertEquals("-NOPERM No permissions to access a channel", alice.run("PUBLISH", "other", "x"));
        assertEquals("-NOPERM No permissions to access a channel", alice.run("SUBSCRIBE", "news:1", "other"));
        assertEquals("-NOPERM No permissions to access a channel", alice.run("PSUBSCRIBE", "news:1*"));
        assertEquals("*3 $10 psubscribe $2 p* :1", alice.run("PSUBSCRIBE", "p*"));
        assertEquals("*3 $9 subscribe $6 news:1 :2", alice.run("SUBSCRIBE", "news:1"));
        assertEquals("*3 $11 unsubscribe $5 other :2", alice.run("UNSUBSCRIBE", "other"));
    }

    @Test
    void shouldCheckWhatScriptsCallByTheRightsOfTheirCaller() {
        beAlice("+eval", "+get", "~a*");
        assertEquals("$-1", alice.run("EVAL", "return redis.call('get', KEYS[1])", "1", "a"));
        assertEquals("-NOPERM No permissions to access a key",
                alice.run("EVAL", "return redis.call('get', KEYS[1])", "1", "b"));
        String denied = alice.run("EVAL", "return redis.call('get', 'b')", "0");
        assertTrue(denied.startsWith("-ERR ACL failure in script: No permissions to access a key script: "), denied);
        denied = alice.run("EVAL", "return redis.pcall('set', 'a', '1')", "0");
        assertEquals("-ERR ACL failure in script: User alice has no permissions to run the 'set' command", denied);
        assertEquals("*2 :1 $-1", alice.run("EVAL",
                "return {redis.acl_check_cmd('get', 'a'), redis.acl_check_cmd('get', 'b')}", "0"));
        assertTrue(admin.rawReply("ACL", "LOG").replace("\r\n", " ").contains("$7 context $3 lua $6 object $3 set"));
    }

    @Test
    void shouldTellWhatWouldBeDeniedWithoutDoingIt() {
        setUser("alice", "+get", "+set", "~a*", "&c*", "+config|get");
        assertEquals("+OK", admin.run("ACL", "DRYRUN", "alice", "SET", "a", "1"));
        assertEquals("$-1", admin.run("GET", "a"));
        assertTrue(admin.run("ACL", "DRYRUN", "alice", "GET", "zzz")
                .endsWith("User alice has no permissions to access the 'zzz' key"));
        assertTrue(admin.run("ACL", "DRYRUN", "alice", "DEL", "a")
                .endsWith("User alice has no permissions to run the 'del' command"));
        assertEquals("+OK", admin.run("ACL", "DRYRUN", "alice", "CONFIG", "GET", "x"));
        assertEquals("-ERR User 'bob' not found", admin.run("ACL", "DRYRUN", "bob", "GET", "a"));
        assertEquals("-ERR Command 'nope' not found", admin.run("ACL", "DRYRUN", "alice", "nope", "a"));
        assertEquals("-ERR wrong number of arguments for 'get' command", admin.run("ACL", "DRYRUN", "alice", "GET"));
        assertEquals("*0", admin.run("ACL", "LOG"));
    }

    @Test
    void shouldLogDenialsCountingThoseThatAreAlike() {
        beAlice("+get", "+multi", "~a*");
        alice.run("SET", "a", "1");
        alice.run("set", "b", "1");
        alice.run("GET", "b");
        alice.run("AUTH", "alice", "x");
        alice.run("auth", "bob", "secret");
        alice.run("MULTI");
        alice.run("DEL", "a");
        String log = admin.rawReply("ACL", "LOG").replace("\r\n", " ");
        assertTrue(log.startsWith("*4 *20 $5 count :1 $6 reason $7 command $7 context $5 multi $6 object $3 del "
                + "$8 username $5 alice "), log);
        assertTrue(log.contains("count :1 $6 reason $4 auth $7 context $8 toplevel $6 object $4 auth $8 username $3 "
                + "bob "), log);
        assertTrue(log.contains("count :1 $6 reason $3 key $7 context $8 toplevel $6 object $1 b $8 username $5 "
                + "alice "), log);
        assertTrue(log.contains("count :2 $6 reason $7 command $7 context $8 toplevel $6 object $3 set "), log);
        assertFalse(log.contains("secret"), log);
        assertEquals("*1", admin.run("ACL", "LOG", "1").substring(0, 2));
        assertEquals("-ERR value is not an integer or out of range", admin.run("ACL", "LOG", "x"));
        assertEquals("-ERR unknown subcommand or wrong number of arguments for 'log'. Try ACL HELP.",
                admin.run("ACL", "log", "1", "x"));
        String info = admin.run("INFO", "stats");
        assertTrue(info.contains("acl_access_denied_auth:1 acl_access_denied_cmd:3 acl_access_denied_key:1 "), info);
        assertEquals("+OK", admin.run("CONFIG", "SET", "acllog-max-len", "2"));
        assertEquals("*2", admin.run("ACL", "LOG").substring(0, 2));
        assertEquals("+OK", admin.run("ACL", "LOG", "RESET"));
        assertEquals("*0", admin.run("ACL", "LOG"));
    }

    @Test
    void shouldGeneratePasswords() {
        String first = admin.run("ACL", "GENPASS");
        assertTrue(first.matches("\\$64 [0-9a-f]{64}"), first);
        assertFalse(first.equals(admin.run("ACL", "GENPASS")));
        assertTrue(admin.run("ACL", "GENPASS", "5").matches("\\$2 [0-9a-f]{2}"));
        assertEquals("-ERR value is not an integer or out of range", admin.run("ACL", "GENPASS", "x"));
        for (String bad : List.of("0", "4097", "-1")) {
            assertEquals("-ERR ACL GENPASS argument must be the number of bits for the output password, a positive "
                    + "number up to 4096", admin.run("ACL", "GENPASS", bad));
        }
    }

    @Test
    void shouldTakeThePasswordOfTheDefaultUserFromRequirepass() {
        admin.run("CONFIG", "SET", "requirepass", "pw");
        assertEquals("user default on sanitize-payload #" + PW_HASH + " ~* &* +@all", listed("default"));
        assertTrue(server.parts().settings().isPasswordRequired());
        assertEquals("+OK", alice.run("AUTH", "pw"));
        admin.run("ACL", "SETUSER", "default", "nopass");
        assertFalse(server.parts().settings().isPasswordRequired());
        admin.run("ACL", "SETUSER", "default", "off");
        assertTrue(server.parts().settings().isPasswordRequired());
    }

    @Test
    void shouldNotSaveWithoutAFile() {
        for (String command : List.of("SAVE", "LOAD")) {
            assertTrue(admin.run("ACL", command)
                    .startsWith("-ERR This Redis instance is not configured to use an ACL file"));
        }
    }

    @Test
    void shouldSaveAndLoadUsers(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("users.acl"), "\nuser alice on >pw ~a* +get (+set ~b*)\n");
        try (CommandTester first = new CommandTester("--aclfile", file.toString())) {
            CommandTester.Client client = first.newClient();
            assertEquals("+OK", client.run("AUTH", "alice", "pw"));
            assertEquals("+OK", first.run("ACL", "SETUSER", "bob", "on", "+del"));
            assertEquals("+OK", first.run("ACL", "SAVE"));
            assertEquals(List.of("user alice on sanitize-payload #" + PW_HASH + " ~a* resetchannels -@all +get (~b* "
                    + "resetchannels -@all +set)", "user bob on sanitize-payload resetchannels -@all +del",
                    "user default on nopass sanitize-payload ~* &* +@all"), Files.readAllLines(file));
            Files.writeString(file, "user alice on +nope\nnope\nuser bob on\n");
            assertEquals("-ERR " + file + ":1: Error in applying operation '+nope': Unknown command or category name "
                    + "in ACL. " + file + ":2: line should start with user keyword followed by the username. WARNING: "
                    + "ACL errors detected, no change to the previously active ACL rules was performed",
                    first.run("ACL", "LOAD"));
            assertEquals("*3", first.run("ACL", "USERS").substring(0, 2));
            Files.writeString(file, "user bob on ~x\n");
            assertEquals("+OK", first.run("ACL", "LOAD"));
            assertEquals("*2 $3 bob $7 default", first.run("ACL", "USERS"));
        }
    }

    @Test
    void shouldRefuseToStartWithUsersThatAreWrong(@TempDir Path dir) throws Exception {
        assertEquals("Cannot take the users: user 'alice': rule '+nope': Unknown command or category name in ACL",
                refusal("--user", "alice", "on", "+nope"));
        assertEquals("Cannot take the users: user 'alice': " + BAD_HASH, refusal("--user", "alice", "on", "#12"));
        assertTrue(refusal("--user", "alice", "on", "--user", "alice", "off").contains("declared twice"));
        assertTrue(refusal("--aclfile", dir.resolve("missing").toString()).contains("Error loading ACLs"));
        assertTrue(refusal("--aclfile", "x", "--user", "alice", "on").contains("one of the two"));
    }

    private static String refusal(String... options) {
        return assertThrows(IllegalArgumentException.class, () -> new CommandTester(options)).getMessage();
    }

    @Test
    void shouldTakeUsersFromTheConfiguration() {
        try (CommandTester configured = new CommandTester("--requirepass", "pw", "--user",
                "alice", "on", ">x", "~*", "+@all", "-flushall", "--user", "default", "on", "nopass", "+ping")) {
            assertEquals("+PONG", configured.run("PING"));
            assertEquals("-NOPERM User default has no permissions to run the 'get' command",
                    configured.run("GET", "k"));
            assertEquals("+OK", configured.run("AUTH", "alice", "x"));
            assertEquals("-NOPERM User alice has no permissions to run the 'flushall' command",
                    configured.run("FLUSHALL"));
        }
    }

    @Test
    void shouldForbidACommandByItsOwnNameThoughItWasRenamed() {
        try (CommandTester renamed = new CommandTester("--rename-command", "GET", "fetch", "--rename-command",
                "FLUSHALL", "", "--user", "alice", "on", "nopass", "~*", "+@all", "-get", "-flushall")) {
            assertEquals("+OK", renamed.run("AUTH", "alice", "x"));
            assertEquals("-NOPERM User alice has no permissions to run the 'get' command", renamed.run("FETCH", "k"));
        }
    }

    @Test
    void shouldChangeProtectedSettingsOnlyIfTheyMayBeChanged() {
        assertEquals("-ERR CONFIG SET failed (possibly related to argument 'dbfilename') - can't set protected config",
                admin.run("CONFIG", "SET", "dbfilename", "x.rdb"));
        try (CommandTester open = new CommandTester("--enable-protected-configs", "local")) {
            assertEquals("+OK", open.run("CONFIG", "SET", "dbfilename", "x.rdb"));
            assertEquals("-ERR CONFIG SET failed (possibly related to argument 'dbfilename') - dbfilename can't be a "
                    + "path, just a filename", open.run("CONFIG", "SET", "dbfilename", "../x"));
        }
    }
}
