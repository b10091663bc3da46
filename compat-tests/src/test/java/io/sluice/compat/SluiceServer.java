package io.sluice.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The packaged server: the release archive, unpacked once, and its {@code bin/sluice-server}. */
final class SluiceServer extends ServerProcess {
    private static final Path HOME = unpack();

    /** @param options as on the command line: {@code "sluice.conf", "--databases", "4"} */
    SluiceServer(String... options) {
        super(options);
    }

    /** The folder that the release archive unpacks to. */
    static Path home() {
        return HOME;
    }

    /**
     * Stops the server's clock, so that times in replies do not hang on how fast a test is carried out. For a server
     * with {@code --enable-debug-command yes}.
     */
    void stopClock() {
        try (RespClient client = connect()) {
            Object reply = client.line("DEBUG CLOCK 1700000000000000000");
            if (!"OK".equals(reply)) {
                throw new AssertionError("DEBUG CLOCK answers " + reply);
            }
        }
    }

    @Override
    List<String> command(List<String> options) {
        List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/sluice-server").toString()));
        boolean file = !options.isEmpty() && !options.get(0).startsWith("--");
        command.addAll(options.subList(0, file ? 1 : 0));
        command.addAll(List.of("--port", Integer.toString(port()), "--bind", "127.0.0.1", "--dir", dir().toString()));
        command.addAll(options.subList(file ? 1 : 0, options.size()));
        return command;
    }

    private static Path unpack() {
        String name = "sluice-" + System.getProperty("sluice.version");
        Path archive = Path.of(System.getProperty("sluice.root"), "server/target", name + ".tar.gz");
        try {
            Path target = Files.createDirectories(Path.of("target/release").toAbsolutePath());
            Programs.run(target, "tar", "xzf", archive.toString());
            return target.resolve(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
