package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.resp.Request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The commands by name, found without allocation from the bytes in the read buffer, ignoring case. Open addressing
 * over at least four times as many slots as names. The table checks its rows when it is built: a duplicate, a row
 * without summary, group or version, or one whose arity contradicts its keys is a programming error and stops the
 * start.
 */
public final class CommandTable {
    private static final long LOWER_CASE_BITS = 0x2020202020202020L;

    private final List<CommandSpec> rows;
    private final int idCount;
    private final List<CommandSpec> specs;
    private final CommandSpec[] slots;
    private final byte[][] names;
    private final int mask;

    /**
     * The commands under their own names.
     *
     * @throws IllegalStateException if a row is incomplete or its name is taken
     */
    public CommandTable(List<CommandSpec> rows) {
        this(rows, Map.of());
    }

    /**
     * The commands under their own or other names.
     *
     * @param renamed new names by names, all in lower case; an empty one leaves the command out
     * @throws IllegalStateException if a row is incomplete or its name is taken
     * @throws IllegalArgumentException if a command that is to be renamed does not exist, or its new name is another's
     */
    public CommandTable(List<CommandSpec> rows, Map<String, String> renamed) {
        checkRenamed(rows, renamed);
        this.rows = List.copyOf(rows);
        idCount = number(rows, 0);
        List<CommandSpec> sorted = new ArrayList<>(rows);
        sorted.removeIf(spec -> "".equals(renamed.get(spec.name())));
        sorted.sort(Comparator.comparing(CommandSpec::name));
        specs = List.copyOf(sorted);
        slots = new CommandSpec[Integer.highestOneBit(Math.max(specs.size(), 2)) * 8];
        names = new byte[slots.length][];
        mask = slots.length - 1;
        for (CommandSpec spec : specs) {
            check(spec);
            insert(spec, Words.lower(renamed.getOrDefault(spec.name(), spec.name())));
        }
    }

    /** Gives each row and subcommand a number; the table of a whole server has the last word on its subcommands. */
    private static int number(List<CommandSpec> specs, int first) {
        int next = first;
        for (CommandSpec spec : specs) {
            spec.id(next++);
            next = number(spec.subcommands(), next);
        }
        return next;
    }

    /** All rows, those included that were taken away under their own name. */
    public List<CommandSpec> rows() {
        return rows;
    }

    /** Every {@link CommandSpec#id} is below this. */
    public int idCount() {
        return idCount;
    }

    /** All commands, without subcommands, by name. */
    public List<CommandSpec> specs() {
        return specs;
    }

    /** The command named by argument {@code arg} of the request, or null. */
    public CommandSpec find(Request request, int arg) {
        int length = request.argLength(arg);
        if (length == 0) {
            return null;
        }
        int slot = hash(request.buffer(), request.argOffset(arg), length) & mask;
        for (CommandSpec spec = slots[slot]; spec != null; spec = slots[slot]) {
            if (request.argIs(arg, names[slot])) {
                return spec;
            }
            slot = slot + 1 & mask;
        }
        return null;
    }

    /** The command or subcommand that a request names; null if there is none. */
    public CommandSpec resolve(Request request) {
        CommandSpec spec = find(request, 0);
        return spec != null && spec.subcommandTable() != null && request.argCount() > 1
                ? spec.subcommandTable().find(request, 1) : spec;
    }

    /** The command of this lower-case name, {@code container|subcommand} for a subcommand, or null. */
    public CommandSpec find(String fullName) {
        return find(specs, fullName);
    }

    /** As {@link #find(String)}, among all {@link #rows}. */
    public CommandSpec findRow(String fullName) {
        return find(rows, fullName);
    }

    private static CommandSpec find(List<CommandSpec> specs, String fullName) {
        for (CommandSpec spec : specs) {
            if (spec.name().equals(fullName)) {
                return spec;
            }
            for (CommandSpec sub : spec.subcommands()) {
                if (sub.fullName().equals(fullName)) {
                    return sub;
                }
            }
        }
        return null;
    }

    /** Mixes the first and the last eight bytes (which may overlap), upper and lower case alike, and the length. */
    private static int hash(ByteBuf bytes, int offset, int length) {
        long first;
        long last;
        if (length >= Long.BYTES) {
            first = bytes.getLongLE(offset);
            last = bytes.getLongLE(offset + length - Long.BYTES);
        } else {
            first = 0;
            for (int i = 0; i < length; i++) {
                first = first << 8 | bytes.getByte(offset + i) & 0xff;
            }
            last = first;
        }
        return mix(first, last, length);
    }

    private static int hash(byte[] name) {
        return hash(Unpooled.wrappedBuffer(name), 0, name.length);
    }

    private static int mix(long first, long last, int length) {
        long word = (first | LOWER_CASE_BITS) * 0x9E3779B97F4A7C15L
                + (last | LOWER_CASE_BITS) * 0xC2B2AE3D27D4EB4FL + length;
        return (int) (word >>> 40 ^ word >>> 20);
    }

    private void insert(CommandSpec spec, byte[] name) {
        int slot = hash(name) & mask;
        while (slots[slot] != null) {
            require(!Arrays.equals(names[slot], name), spec.name(), "the name is taken");
            slot = slot + 1 & mask;
        }
        slots[slot] = spec;
        names[slot] = name;
    }

    private static void checkRenamed(List<CommandSpec> rows, Map<String, String> renamed) {
        Set<String> taken = new HashSet<>();
        rows.forEach(spec -> taken.add(spec.name()));
        for (String name : renamed.keySet()) {
            if (!taken.remove(name)) {
                throw new IllegalArgumentException("rename-command: there is no command " + name);
            }
        }
        renamed.forEach((name, newName) -> {
            if (!newName.isEmpty() && !taken.add(newName)) {
                throw new IllegalArgumentException("rename-command: " + name + " cannot be called " + newName
                        + ", as another command is");
            }
        });
    }

    private static void check(CommandSpec spec) {
        String name = spec.name();
        require(!name.isEmpty() && name.chars().allMatch(c -> c > ' ' && c < 0x7f && !Character.isUpperCase(c)), name,
                "name must be printable lower case");
        require(spec.arity() != 0, name, "arity is missing");
        require(spec.handler() != null || !spec.subcommands().isEmpty(), name, "handler is missing");
        require(!spec.summary().isEmpty() && !spec.group().isEmpty() && !spec.since().isEmpty(), name,
                "summary, group or since is missing");
        require(!(spec.has(CommandFlag.WRITE) && spec.has(CommandFlag.READONLY)), name, "both write and readonly");
        for (KeySpec key : spec.keySpecs()) {
            require(key.isUnknown() || key.begin() >= 1 && key.begin() < Math.abs(spec.arity()), name,
                    "key lies behind the required arguments");
        }
    }

    private static void require(boolean condition, String name, String problem) {
        if (!condition) {
            throw new IllegalStateException("command " + name + ": " + problem);
        }
    }
}
