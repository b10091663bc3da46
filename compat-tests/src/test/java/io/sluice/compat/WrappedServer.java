package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/**
 * The packaged server behind a shell that first sets its limits, such as {@code ulimit -n 200}. The server's command is
 * {@code "$@"} there, its data directory {@code $DIR}.
 */
final class WrappedServer extends ServerProcess {
    private final String limits;

    WrappedServer(String limits, String... options) {
        super(options);
        this.limits = limits;
    }

    @Override
    List<String> command(List<String> options) {
        List<String> command = new ArrayList<>(List.of("env", "DIR=" + dir(), "bash", "-c",
            limits + "; exec \"$@\"", "bash",
            SluiceServer.home().resolve("bin/sluice-server").toString(), "--port", Integer.toString(port()), "--bind",
            "127.0.0.1", "--dir", dir().toString()));
        command.addAll(options);
        return command;
    }
}
