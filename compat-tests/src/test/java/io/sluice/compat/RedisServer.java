package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/** The redis-server on the path, for comparison. */
final class RedisServer extends ServerProcess {
    RedisServer(String... options) {
        super(options);
    }

    @Override
    List<String> command(List<String> options) {
        List<String> command = new ArrayList<>(List.of("redis-server", "--port", Integer.toString(port()),
            "--bind", "127.0.0.1", "--dir", dir().toString(), "--save", "", "--daemonize", "no"));
        command.addAll(options);
        return command;
    }
}
