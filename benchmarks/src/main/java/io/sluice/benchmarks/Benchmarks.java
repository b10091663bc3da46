package io.sluice.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * JMH, with the flags under which {@code bin/sluice-server} runs the server added to every fork:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar CommandBenchmark -prof gc
 * java -jar benchmarks/target/benchmarks.jar -h
 * </pre>
 *
 * <p>The forks are of the JDK that runs this. With {@code -jvmArgsAppend} come flags that win over the server's.
 */
public final class Benchmarks {
    /** What the launcher gives the JVM besides {@code jvm.options}. */
    private static final List<String> LAUNCHER_FLAGS = List.of("-ea", "-Xms256m", "-Xmx256m", "-XX:+UseZGC",
        "-XX:+ExitOnOutOfMemoryError", "-XX:+PerfDisableSharedMem", "-Dio.netty.buffer.checkBounds=false",
        "-Dio.netty.buffer.checkAccessible=false", "-Dio.netty.leakDetection.level=disabled");
    private static final List<String> LAUNCHER_FLAGS_24 =
        List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");

    private Benchmarks() {
    }

    /** See {@link Benchmarks}; the arguments are those of JMH. */
    public static void main(String[] args) throws IOException {
        List<String> all = new ArrayList<>();
        all.add("-jvmArgsPrepend");
        all.add(String.join(" ", jvmFlags(Runtime.version().feature())));
        all.addAll(Arrays.asList(args));
        org.openjdk.jmh.Main.main(all.toArray(String[]::new));
    }

    /** The flags of the server on a JDK of this version. */
    static List<String> jvmFlags(int javaVersion) throws IOException {
        List<String> flags = new ArrayList<>();
        try (InputStream file = Benchmarks.class.getResourceAsStream("/jvm.options")) {
            new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> flags.addAll(Arrays.asList(line.trim().split(" +"))));
        }
        flags.addAll(LAUNCHER_FLAGS);
        if (javaVersion >= 24) {
            flags.addAll(LAUNCHER_FLAGS_24);
        }
        return flags;
    }
}
