package io.sluice.replication;

import io.sluice.persistence.KeyspaceDriver;

import java.util.ArrayList;
import java.util.List;

/** A stream as text (ISO 8859-1), and its commands. */
final class StreamText implements StreamOutput {

    private final StringBuilder text = new StringBuilder();

    @Override
    public void append(final long address, final int length) {
        text.append(KeyspaceDriver.text(address, length));
    }

    String take() {
        final String taken = text.toString();
        text.setLength(0);
        return taken;
    }

    /** The words of each command. */
    static List<List<String>> commands(final String stream) {
        final List<List<String>> commands = new ArrayList<>();
        int at = 0;
        while (at < stream.length()) {
            int line = stream.indexOf("\r\n", at);
            final int words = number(stream, at, '*', line);
            at = line + 2;
            final List<String> command = new ArrayList<>();
            for (int i = 0; i < words; i++) {
                line = stream.indexOf("\r\n", at);
                final int length = number(stream, at, '$', line);
                at = line + 2 + length + 2;
                command.add(stream.substring(line + 2, line + 2 + length));
                if (!stream.startsWith("\r\n", at - 2)) {
                    throw new AssertionError("no line end at " + (at - 2));
                }
            }
            commands.add(command);
        }
        return commands;
    }

    private static int number(final String stream, final int at, final char marker, final int line) {
        if (stream.charAt(at) != marker) {
            throw new AssertionError("no " + marker + " at " + at);
        }
        return Integer.parseInt(stream.substring(at + 1, line));
    }
}
