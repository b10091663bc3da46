package io.sluice.server.command;

import io.sluice.resp.Reply;

import java.util.List;

/** A row of the table in the shapes of {@code COMMAND INFO} and {@code COMMAND DOCS}. */
final class CommandReplies {
    private CommandReplies() {
    }

    /**
     * Ten fields: name, arity, flags, first and last key, step, categories, tips, key specifications, subcommands.
     */
    static void info(Reply reply, CommandSpec spec) {
        reply.array(10);
        reply.bulkText(spec.fullName());
        reply.integer(spec.arity());
        List<CommandFlag> flags = shown(spec);
        reply.set(flags.size());
        flags.forEach(flag -> reply.simple(flag.text()));
        boolean ranged = !spec.keySpecs().isEmpty() && !spec.keySpecs().get(0).byKeyCount();
        KeySpec first = ranged ? spec.keySpecs().get(0) : null;
        reply.integer(first == null ? 0 : first.begin());
        reply.integer(first == null ? 0 : lastKey(spec));
        reply.integer(first == null ? 0 : first.keyStep());
        reply.set(spec.categories().size());
        spec.categories().forEach(reply::simple);
        reply.set(spec.tips().size());
        spec.tips().forEach(reply::bulkText);
        reply.set(spec.keySpecs().size());
        spec.keySpecs().forEach(key -> keySpec(reply, key));
        if (spec.subcommands().isEmpty()) {
            reply.set(0);
            return;
        }
        reply.array(spec.subcommands().size());
        spec.subcommands().forEach(sub -> info(reply, sub));
    }

    private static List<CommandFlag> shown(CommandSpec spec) {
        return spec.flags().stream().filter(flag -> flag.text() != null).distinct().sorted().toList();
    }

    /** The last key of all ranges; negative ones count from the end of the arguments. */
    private static int lastKey(CommandSpec spec) {
        int last = 0;
        for (KeySpec key : spec.keySpecs()) {
            if (key.lastKey() < 0) {
                return key.lastKey();
            }
            last = Math.max(last, key.begin() + key.lastKey());
        }
        return last;
    }

    private static void keySpec(Reply reply, KeySpec key) {
        reply.map(3);
        reply.bulkText("flags");
        reply.set(key.flags().size());
        key.flags().forEach(reply::simple);
        reply.bulkText("begin_search");
        if (key.isUnknown()) {
            unknown(reply);
            reply.bulkText("find_keys");
            unknown(reply);
            return;
        }
        reply.map(2);
        reply.bulkText("type");
        reply.bulkText("index");
        reply.bulkText("spec");
        reply.map(1);
        reply.bulkText("index");
        reply.integer(key.begin());
        reply.bulkText("find_keys");
        reply.map(2);
        reply.bulkText("type");
        reply.bulkText(key.byKeyCount() ? "keynum" : "range");
        reply.bulkText("spec");
        reply.map(3);
        reply.bulkText(key.byKeyCount() ? "keynumidx" : "lastkey");
        reply.integer(key.byKeyCount() ? 0 : key.lastKey());
        reply.bulkText(key.byKeyCount() ? "firstkey" : "keystep");
        reply.integer(key.byKeyCount() ? 1 : key.keyStep());
        reply.bulkText(key.byKeyCount() ? "keystep" : "limit");
        reply.integer(key.byKeyCount() ? key.keyStep() : 0);
    }

    private static void unknown(Reply reply) {
        reply.map(2);
        reply.bulkText("type");
        reply.bulkText("unknown");
        reply.bulkText("spec");
        reply.map(0);
    }

    /** The name and a map of what is known. */
    static void namedDocs(Reply reply, CommandSpec spec) {
        reply.bulkText(spec.fullName());
        boolean hasArgs = !spec.args().isEmpty();
        boolean hasSubcommands = !spec.subcommands().isEmpty();
        reply.map(4 + (hasArgs ? 1 : 0) + (hasSubcommands ? 1 : 0));
        reply.bulkText("summary");
        reply.bulkText(spec.summary());
        reply.bulkText("since");
        reply.bulkText(spec.since());
        reply.bulkText("group");
        reply.bulkText(spec.group());
        reply.bulkText("complexity");
        reply.bulkText(spec.complexity());
        if (hasArgs) {
            reply.bulkText("arguments");
            args(reply, spec.args());
        }
        if (hasSubcommands) {
            reply.bulkText("subcommands");
            reply.map(spec.subcommands().size());
            spec.subcommands().forEach(sub -> namedDocs(reply, sub));
        }
    }

    private static void args(Reply reply, List<Arg> args) {
        reply.array(args.size());
        for (Arg arg : args) {
            arg(reply, arg);
        }
    }

    private static void arg(Reply reply, Arg arg) {
        boolean isKey = "key".equals(arg.type());
        boolean isGroup = !arg.children().isEmpty();
        reply.map(2 + (isKey ? 1 : 0) + (arg.token() != null ? 1 : 0) + (arg.flags().isEmpty() ? 0 : 1)
                + (isGroup ? 1 : 0));
        reply.bulkText("name");
        reply.bulkText(arg.name());
        reply.bulkText("type");
        reply.bulkText(arg.type());
        if (isKey) {
            reply.bulkText("key_spec_index");
            reply.integer(0);
        }
        if (arg.token() != null) {
            reply.bulkText("token");
            reply.bulkText(arg.token());
        }
        if (!arg.flags().isEmpty()) {
            reply.bulkText("flags");
            reply.set(arg.flags().size());
            arg.flags().forEach(reply::simple);
        }
        if (isGroup) {
            reply.bulkText("arguments");
            args(reply, arg.children());
        }
    }
}
