package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.resp.Request;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

class CommandTableTest {
    private static final CommandHandler NOTHING = ctx -> { };

    private static CommandSpec.Builder row(String name) {
        return CommandSpec.named(name, 2, NOTHING).group("g").since("1").summary("s");
    }

    private static CommandSpec find(CommandTable table, String name) {
        ByteBuf scratch = Unpooled.directBuffer();
        try {
            return table.find(Request.of(scratch, name.getBytes(StandardCharsets.ISO_8859_1)), 0);
        } finally {
            scratch.release();
        }
    }

    @Test
    void shouldFindEveryCommandInAnyCase() {
        try (CommandTester server = new CommandTester()) {
            CommandTable table = server.dispatcher().table();
            for (CommandSpec spec : table.specs()) {
                String upper = spec.name().toUpperCase(Locale.ROOT);
                assertSame(spec, find(table, spec.name()));
                assertSame(spec, find(table, upper));
                assertSame(spec, find(table, upper.charAt(0) + spec.name().substring(1)));
                assertSame(spec, table.find(spec.name()));
                spec.subcommands().forEach(sub -> assertSame(sub, table.find(spec.name() + "|" + sub.name())));
            }
        }
    }

    @Test
    void shouldNotFindWhatOnlyLooksLikeACommand() {
        CommandTable table = new CommandTable(List.of(row("get").build(), row("cl.throttle").build()));
        for (String name : List.of("", "ge", "gett", "g\u0005t", "CL.THROTTL", "cl\u000ethrottle", "cl_throttle",
                "get\0", " get")) {
            assertNull(find(table, name), name);
        }
    }

    @Test
    void shouldRefuseRowsThatAreWrong() {
        assertRefused("command get: the name is taken", row("get").build(), row("get").build());
        assertRefused("command Get: name must be printable lower case", row("Get").build());
        assertRefused("command get: arity is missing",
                CommandSpec.named("get", 0, NOTHING).group("g").since("1").summary("s").build());
        assertRefused("command get: handler is missing",
                CommandSpec.named("get", 2, null).group("g").since("1").summary("s").build());
        assertRefused("command get: summary, group or since is missing",
                CommandSpec.named("get", 2, NOTHING).group("g").since("1").build());
        assertRefused("command get: both write and readonly",
                row("get").flags(CommandFlag.WRITE, CommandFlag.READONLY).build());
        assertRefused("command get: key lies behind the required arguments", row("get").key(2, "RO").build());
    }

    private static void assertRefused(String reason, CommandSpec... rows) {
        assertEquals(reason, assertThrows(IllegalStateException.class, () -> new CommandTable(List.of(rows)))
                .getMessage());
    }

    @Test
    void shouldKnowCommandsByTheNamesTheyWereGiven() {
        try (CommandTester server = new CommandTester("--rename-command", "FLUSHALL", "", "--rename-command", "GET",
                "Fetch")) {
            assertEquals("-ERR unknown command 'FLUSHALL', with args beginning with:", server.run("FLUSHALL"));
            assertEquals("-ERR unknown command 'get', with args beginning with: 'k'", server.run("get", "k"));
            assertEquals("$-1", server.run("FETCH", "k"));
        }
        List<CommandSpec> rows = List.of(row("get").build(), row("set").build());
        assertEquals("rename-command: there is no command nope", assertThrows(IllegalArgumentException.class,
                () -> new CommandTable(rows, Map.of("nope", "x"))).getMessage());
        assertEquals("rename-command: get cannot be called set, as another command is",
                assertThrows(IllegalArgumentException.class,
                        () -> new CommandTable(rows, Map.of("get", "set"))).getMessage());
        assertEquals(2, new CommandTable(rows, Map.of("get", "set", "set", "get")).specs().size());
    }

    @Test
    void shouldRefuseACategoryThatDoesNotExist() {
        assertThrows(IllegalArgumentException.class, () -> row("get").acl("nope").build());
    }

    @Test
    void shouldDeriveCategoriesFromFlagsInRedisOrder() {
        assertEquals(List.of("@write", "@string", "@slow"), row("set").flags(CommandFlag.WRITE).acl("string").build()
                .categories());
        assertEquals(List.of("@admin", "@slow", "@dangerous"), row("debug").flags(CommandFlag.ADMIN).build()
                .categories());
        assertEquals(List.of("@read", "@fast"),
                row("get").flags(CommandFlag.FAST, CommandFlag.READONLY).build().categories());
    }

    @Test
    void shouldWriteSyntaxAsTheManualDoes() {
        CommandSpec set = row("set").args(Arg.key("key"), Arg.string("value"),
                Arg.oneOf("condition", Arg.word("NX"), Arg.word("XX")).optional(),
                Arg.integer("seconds").token("EX").optional(), Arg.string("more").multiple()).build();
        assertEquals("SET key value [NX | XX] [EX seconds] more [more ...]", set.syntax());
    }
}
