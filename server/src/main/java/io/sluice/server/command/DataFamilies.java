package io.sluice.server.command;

import java.util.ArrayList;
import java.util.List;

/** The families that work on keys; they need nothing but their {@link CommandContext}. */
final class DataFamilies {
    private DataFamilies() {
    }

    /** The rows of all such families. */
    static List<CommandSpec> specs() {
        List<CommandSpec> specs = new ArrayList<>();
        specs.addAll(KeyCommands.specs());
        specs.addAll(new ExpireCommands().specs());
        specs.addAll(ScanCommands.specs());
        specs.addAll(ObjectCommands.specs());
        specs.addAll(DatabaseCommands.specs());
        specs.addAll(new StringCommands().specs());
        specs.addAll(new StringPartCommands().specs());
        specs.addAll(new BitCommands().specs());
        specs.addAll(new BitFieldCommands().specs());
        CounterCommands counters = new CounterCommands();
        specs.addAll(counters.specs());
        specs.addAll(new IncrExCommands(counters).specs());
        specs.addAll(new ListCommands().specs());
        specs.addAll(new ListMoveCommands().specs());
        specs.addAll(new ZSetCommands().specs());
        ZRangeCommands ranges = new ZRangeCommands();
        specs.addAll(ranges.specs());
        specs.addAll(ranges.numberSpecs());
        specs.addAll(new ZPopCommands().specs());
        specs.addAll(new ZWalkCommands().specs());
        specs.addAll(new ZSetAlgebraCommands().specs());
        specs.addAll(new HashCommands().specs());
        specs.addAll(new HashNumberCommands().specs());
        specs.addAll(new SetCommands().specs());
        specs.addAll(new SetAlgebraCommands().specs());
        specs.addAll(new SortCommands().specs());
        specs.addAll(new DumpCommands().specs());
        specs.addAll(TransactionCommands.specs());
        specs.addAll(new ThrottleCommands().specs());
        specs.addAll(new GcraCommands().specs());
        specs.addAll(new RateLimitCommands().specs());
        return specs;
    }
}
