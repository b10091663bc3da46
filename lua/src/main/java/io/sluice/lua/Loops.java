package io.sluice.lua;

/** Loop statements. Each asks at its back-edge whether the run has been interrupted. */
final class Loops {

    private Loops() {
    }

    static final class While extends Stat {
        private final Expr condition;
        private final Stat body;
        private final int line;

        While(Expr condition, Stat body, int line) {
            this.condition = condition;
            this.body = body;
            this.line = line;
        }

        @Override
        int exec(Frame f) {
            while (condition.test(f)) {
                int outcome = body.exec(f);
                if (outcome != NORMAL) {
                    return outcome == BREAK ? NORMAL : outcome;
                }
                f.rt.backEdge(f, line);
            }
            return NORMAL;
        }
    }

    static final class Repeat extends Stat {
        private final Stat body;
        private final Expr condition;
        private final int line;

        Repeat(Stat body, Expr condition, int line) {
            this.body = body;
            this.condition = condition;
            this.line = line;
        }

        @Override
        int exec(Frame f) {
            do {
                int outcome = body.exec(f);
                if (outcome != NORMAL) {
                    return outcome == BREAK ? NORMAL : outcome;
                }
                f.rt.backEdge(f, line);
            } while (!condition.test(f));
            return NORMAL;
        }
    }

    static final class NumericFor extends Stat {
        private final int slot;
        private final boolean captured;
        private final Expr start;
        private final Expr limit;
        private final Expr step;
        private final Stat body;
        private final int line;

        NumericFor(int slot, boolean captured, Expr[] range, Stat body, int line) {
            this.slot = slot;
            this.captured = captured;
            this.start = range[0];
            this.limit = range[1];
            this.step = range[2];
            this.body = body;
            this.line = line;
        }

        @Override
        int exec(Frame f) {
            Object from = start.eval(f);
            Object to = limit.eval(f);
            Object by = step.eval(f);
            double i = number(f, from, "initial value");
            double last = number(f, to, "limit");
            double delta = number(f, by, "step");
            boolean up = delta > 0;
            while (up ? i <= last : last <= i) {
                Double boxed = i;
                f.slots[slot] = captured ? new Cell(boxed) : boxed;
                int outcome = body.exec(f);
                if (outcome != NORMAL) {
                    return outcome == BREAK ? NORMAL : outcome;
                }
                f.rt.backEdge(f, line);
                i += delta;
            }
            return NORMAL;
        }

        private double number(Frame f, Object value, String what) {
            if (!LuaValues.isNumber(value)) {
                throw f.error(line, "'for' " + what + " must be a number");
            }
            return LuaValues.toNumber(value);
        }
    }

    static final class GenericFor extends Stat {
        private final int[] slots;
        private final boolean[] captured;
        private final Arguments values;
        /** Iterator function and state live in these two slots, so that what they hold counts as alive. */
        private final int stateSlot;
        private final Stat body;
        private final int site;
        private final int line;

        GenericFor(int[] slots, boolean[] captured, Arguments values, int stateSlot, Stat body, int site, int line) {
            this.slots = slots;
            this.captured = captured;
            this.values = values;
            this.stateSlot = stateSlot;
            this.body = body;
            this.site = site;
            this.line = line;
        }

        @Override
        int exec(Frame f) {
            Object[] init = values.eval(f, 0);
            Object function = init.length > 0 ? init[0] : null;
            Object state = init.length > 1 ? init[1] : null;
            Object control = init.length > 2 ? init[2] : null;
            // From here on only the slots may hold values, or the memory limit would not see them.
            init = null;
            f.slots[stateSlot] = function;
            f.slots[stateSlot + 1] = state;
            int outcome;
            if (function == BaseLib.NEXT && state instanceof LuaTable table && control == null) {
                outcome = overTable(f, table);
            } else if (function == BaseLib.IPAIRS_STEP && state instanceof LuaTable table) {
                outcome = overArray(f, table);
            } else {
                outcome = overCalls(f, function, state, control);
            }
            return outcome == BREAK ? NORMAL : outcome;
        }

        private void assign(Frame f, int i, Object value) {
            f.slots[slots[i]] = captured[i] ? new Cell(value) : value;
        }

        private void assign(Frame f, Object first, Object second) {
            assign(f, 0, first);
            if (slots.length > 1) {
                assign(f, 1, second);
                for (int i = 2; i < slots.length; i++) {
                    assign(f, i, null);
                }
            }
        }

        /** {@code next} on a table, without looking each key up again. */
        private int overTable(Frame f, LuaTable table) {
            for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
                assign(f, table.keyAt(p), table.valueAt(p));
                int outcome = body.exec(f);
                if (outcome != NORMAL) {
                    return outcome;
                }
                f.rt.backEdge(f, line);
            }
            return NORMAL;
        }

        private int overArray(Frame f, LuaTable table) {
            int i = 1;
            for (Object value = table.get(i); value != null; value = table.get(i)) {
                assign(f, (Double) (double) i, value);
                int outcome = body.exec(f);
                if (outcome != NORMAL) {
                    return outcome;
                }
                f.rt.backEdge(f, line);
                i++;
            }
            return NORMAL;
        }

        private int overCalls(Frame f, Object function, Object state, Object start) {
            Object control = start;
            while (true) {
                f.site = site;
                Object results = function instanceof LuaFunction fn ? fn.call2(f.rt, state, control)
                    : Operations.callValue(f, function, new Object[] {state, control}, null, null);
                control = LuaValues.first(results);
                if (control == null) {
                    return NORMAL;
                }
                if (results instanceof Object[] many) {
                    for (int i = 0; i < slots.length; i++) {
                        assign(f, i, i < many.length ? many[i] : null);
                    }
                } else {
                    assign(f, control, null);
                }
                int outcome = body.exec(f);
                if (outcome != NORMAL) {
                    return outcome;
                }
                f.rt.backEdge(f, line);
            }
        }
    }
}
