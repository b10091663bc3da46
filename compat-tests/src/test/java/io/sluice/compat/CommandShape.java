package io.sluice.compat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A command as the server describes it.
 *
 * @param words the name, for a subcommand its container's first
 * @param args  its arguments in their order
 */
record CommandShape(List<String> words, List<Arg> args) {

    /**
     * An argument.
     *
     * @param type  {@code key}, {@code integer}, {@code oneof}, {@code block}...
     * @param token the word before it, or the word that it is; may be null
     * @param parts of a {@code oneof} or a {@code block}
     */
    record Arg(String type, String token, boolean optional, boolean multiple, List<Arg> parts) {
        private static Arg of(Map<?, ?> docs) {
            Collection<?> flags = docs.containsKey("flags") ? (Collection<?>) docs.get("flags") : List.of();
            return new Arg((String) docs.get("type"), (String) docs.get("token"), flags.contains("optional"),
                flags.contains("multiple"), list(docs));
        }

        private static List<Arg> list(Map<?, ?> docs) {
            if (!docs.containsKey("arguments")) {
                return List.of();
            }
            return ((List<?>) docs.get("arguments")).stream().map(arg -> of((Map<?, ?>) arg)).toList();
        }
    }

    /** All commands of the server and their subcommands. The client speaks RESP3 from then on. */
    static List<CommandShape> all(RespClient client) {
        client.call("HELLO", "3");
        List<CommandShape> shapes = new ArrayList<>();
        ((Map<?, ?>) client.call("COMMAND", "DOCS")).forEach((name, docs) -> {
            Map<?, ?> described = (Map<?, ?>) docs;
            shapes.add(new CommandShape(List.of((String) name), Arg.list(described)));
            if (described.containsKey("subcommands")) {
                ((Map<?, ?>) described.get("subcommands")).forEach((sub, subDocs) -> shapes.add(new CommandShape(
                    List.of(((String) sub).split("\\|")), Arg.list((Map<?, ?>) subDocs))));
            }
        });
        return shapes;
    }

    String name() {
        return String.join(" ", words);
    }
}
