package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What needs a network of its own, with addresses to choose and a cable to pull: server and client are both in it. */
final class NetworkFaultsTest {
    private static final int SECONDS_MAX = 100;
    /** It takes some seconds; a machine that does other things may take longer. */
    private static final String LOOKS_UNTIL_GONE = "300";
    private static final String LOOKS_WHILE_THERE = "60";

    @BeforeEach
    void mayMakeANetwork() {
        assumeTrue(Programs.tryRun(Path.of("."), new byte[0], "unshare", "-n", "ip", "link", "set", "lo", "up")
            .exitCode() == 0, "needs the right to make networks");
    }

    private static String inside(String script, String... arguments) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "network");
        List<String> command = new ArrayList<>(List.of("unshare", "-n", "bash",
            Path.of("src/test/resources", script).toAbsolutePath().toString(),
            SluiceServer.home().resolve("bin/sluice-server").toString()));
        command.addAll(List.of(arguments));
        return Programs.tryRun(folder, SECONDS_MAX, new byte[0], command.toArray(String[]::new)).output();
    }

    @ParameterizedTest
    @CsvSource({"--tcp-keepalive 1, 0, gone", "--tcp-keepalive 0, 2, gone", "--tcp-keepalive 0, 0, there"})
    void shouldForgetAClientThatIsGoneWithoutAWord(String options, String timeout, String expected)
            throws IOException {
        String looks = expected.equals("gone") ? LOOKS_UNTIL_GONE : LOOKS_WHILE_THERE;
        assertEquals(expected + "\n", inside("half_open.sh", options, timeout, looks));
    }

    @ParameterizedTest
    @CsvSource({"--protected-mode yes, denied PONG", "--protected-mode no, PONG PONG",
        "--protected-mode yes --requirepass secret, NOAUTH NOAUTH"})
    void shouldServeOnlyItsOwnMachineUnlessToldOtherwise(String options, String expected) throws IOException {
        assertEquals(expected + "\n", inside("protected.sh", options));
    }
}
