package io.sluice.replication;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a replica says before it asks for the stream, one command after the other, and what the answers mean. */
final class Greeting {

    private final List<Step> steps = new ArrayList<>();
    private int next;

    /** One command, and whether it must not fail. */
    private record Step(String command, boolean required) {
    }

    Greeting(final FollowSettings settings) {
        steps.add(new Step(command("PING"), true));
        if (!settings.password().isEmpty()) {
            steps.add(new Step(
                settings.user().isEmpty() ? command("AUTH", settings.password())
                    : command("AUTH", settings.user(), settings.password()), true));
        }
        steps.add(new Step(
            command("REPLCONF", "listening-port", Integer.toString(settings.listeningPort())), false));
        if (!settings.announcedAddress().isEmpty()) {
            steps.add(new Step(command("REPLCONF", "ip-address", settings.announcedAddress()), false));
        }
        steps.add(new Step(
            command("REPLCONF", "capa", "eof", "capa", "psync2", "capa", ReplicaSession.CAPABILITY), false));
    }

    /** The next command, or null when all is said. */
    String next() {
        return next < steps.size() ? steps.get(next++).command() : null;
    }

    /** Why this answer to the last command ends the session, or null. */
    String refusal(final String answer) {
        if (!answer.startsWith("-") || !steps.get(next - 1).required()) {
            return null;
        }
        final boolean wantsPassword = next == 1 && steps.get(1).required()
            && (answer.startsWith("-NOAUTH") || answer.startsWith("-NOPERM"));
        return wantsPassword ? null : answer.substring(1);
    }

    static String command(final String... words) {
        final StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (final String word : words) {
            text.append('$').append(word.getBytes(StandardCharsets.UTF_8).length).append("\r\n").append(word)
                .append("\r\n");
        }
        return text.toString();
    }
}
