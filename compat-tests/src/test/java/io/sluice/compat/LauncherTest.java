package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code bin/sluice-server}: the JDK that it takes, and what it says where something is missing. */
final class LauncherTest {
    private static final Path HERE = Path.of(".");
    private static final String LAUNCHER = SluiceServer.home().resolve("bin/sluice-server").toString();

    static Stream<Path> jdks() throws IOException {
        Path running = Path.of(System.getProperty("java.home"));
        Path usualPlace = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(usualPlace)) {
            return Stream.of(running);
        }
        try (Stream<Path> entries = Files.list(usualPlace)) {
            return Stream.concat(Stream.of(running),
                entries.filter(jdk -> Files.isExecutable(jdk.resolve("bin/javac"))).toList().stream());
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldStartOnTheJdkOfJavaHomeWithoutAWarning(Path jdk) {
        String output = Programs.run(HERE, "env", "JAVA_HOME=" + jdk, "SLUICE_JAVA_OPTS=-version", LAUNCHER);
        assertTrue(output.matches("(openjdk|java) version \"[0-9.]+\".*\n.*\n.*\n"), output);
    }

    @Test
    void shouldRefuseAJavaHomeWithoutAJdk() {
        Programs.Result result = Programs.tryRun(HERE, new byte[0], "env", "JAVA_HOME=/nowhere", LAUNCHER);
        assertEquals(1, result.exitCode());
        assertEquals("sluice-server: JAVA_HOME=/nowhere holds no JDK 17 or later (a full JDK: a JRE lacks javac)\n",
            result.output());
    }

    @Test
    void shouldRefuseAJdkThatIsTooOld() throws IOException {
        Path jdk = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "jdk");
        for (String program : List.of("bin/java", "bin/javac")) {
            Files.createDirectories(jdk.resolve("bin"));
            Files.createSymbolicLink(jdk.resolve(program), Path.of("/bin/true"));
        }
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"1.8.0_392\"\n");
        Programs.Result result = Programs.tryRun(HERE, new byte[0], "env", "JAVA_HOME=" + jdk, LAUNCHER);
        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("holds no JDK 17 or later"), result.output());
    }

    @Test
    void shouldShipNoLibraryThatIsNotNeeded() throws IOException {
        try (Stream<Path> jars = Files.list(SluiceServer.home().resolve("lib"))) {
            List<String> unwanted = jars.map(jar -> jar.getFileName().toString())
                .filter(jar -> jar.matches("(chronicle-analytics|jna|jnr|jffi|asm|junit|jqwik)\\b.*")).toList();
            assertEquals(List.of(), unwanted);
        }
    }

    @Test
    void shouldSayThatMavenIsMissingWhereThereIsNothingBuilt() throws IOException {
        Path tree = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tree");
        Path tools = Files.createDirectory(tree.resolve("tools"));
        for (String tool : List.of("dirname", "readlink", "sed", "sort", "tail", "cut", "find", "mkdir", "flock")) {
            String program = Programs.run(HERE, "sh", "-c", "command -v " + tool).strip();
            Files.createSymbolicLink(tools.resolve(tool), Path.of(program));
        }
        Path root = Path.of(System.getProperty("sluice.root"));
        Files.createDirectory(tree.resolve("bin"));
        Files.copy(root.resolve("bin/sluice-server"), tree.resolve("bin/sluice-server"));
        Files.copy(root.resolve("pom.xml"), tree.resolve("pom.xml"));
        Programs.Result result = Programs.tryRun(HERE, new byte[0], "env", "PATH=" + tools,
            "JAVA_HOME=" + System.getProperty("java.home"), "/bin/sh", tree.resolve("bin/sluice-server").toString());
        assertEquals(1, result.exitCode());
        assertTrue(result.output().startsWith("sluice-server: Maven is needed to build Sluice"), result.output());
        assertFalse(result.output().contains("not found"), result.output());
    }
}
