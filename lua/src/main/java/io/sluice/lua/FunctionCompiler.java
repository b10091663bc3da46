package io.sluice.lua;

import io.sluice.lua.Syntax.Body;
import io.sluice.lua.Syntax.Expression;
import io.sluice.lua.Syntax.Local;
import io.sluice.lua.Syntax.Statement;
import io.sluice.lua.Syntax.Upvalue;
import java.util.ArrayList;
import java.util.List;

/** Makes nodes of one function's statements; chooses the most special node that fits. */
final class FunctionCompiler {

    /**
     * Nodes below nodes in one function: long chains of operators are deep trees. Keeps compiling off the stack's
     * end.
     */
    private static final int DEPTH_MAX = 1000;

    /** What a call adds to the function's own nodes. */
    private static final int CALL_DEPTH = 2;

    private final Body body;
    private final String chunkName;
    private final List<CallSite> sites = new ArrayList<>();
    private final ExpressionCompiler expressions = new ExpressionCompiler(this);
    private int level;
    private int depth;

    private FunctionCompiler(Body body, String chunkName) {
        this.body = body;
        this.chunkName = chunkName;
    }

    static Prototype compile(Body body, String chunkName) {
        FunctionCompiler compiler = new FunctionCompiler(body, chunkName);
        Stat block = compiler.block(body.block());
        return new Prototype(compiler, block);
    }

    Body body() {
        return body;
    }

    String chunkName() {
        return chunkName;
    }

    CallSite[] sites() {
        return sites.toArray(new CallSite[0]);
    }

    int depth() {
        return depth + CALL_DEPTH;
    }

    int[] cellParameters() {
        List<Local> all = new ArrayList<>(body.parameters());
        if (body.argLocal() != null) {
            all.add(body.argLocal());
        }
        int[] slots = all.stream().filter(p -> p.captured).mapToInt(p -> p.slot).toArray();
        return slots.length == 0 ? null : slots;
    }

    int site(int line, Expr callee) {
        sites.add(new CallSite(line, callee == null ? null : callee.kind(), callee == null ? null : callee.name()));
        return sites.size() - 1;
    }

    int methodSite(int line, LuaString method) {
        sites.add(new CallSite(line, "method", method.toString()));
        return sites.size() - 1;
    }

    void enter() {
        depth = Math.max(depth, ++level);
        if (level > DEPTH_MAX) {
            String position = ChunkName.display(chunkName, ChunkName.SYNTAX_DISPLAY_MAX);
            throw new LuaError(position + ": chunk has too many syntax levels");
        }
    }

    void leave() {
        level--;
    }

    Expr function(Body inner) {
        int[] captures = new int[inner.upvalues().size()];
        for (int i = 0; i < captures.length; i++) {
            Upvalue upvalue = inner.upvalues().get(i);
            captures[i] = upvalue.fromLocal() != null ? upvalue.fromLocal().slot : ~upvalue.fromUpvalue();
        }
        return new Literals.Function(compile(inner, chunkName), captures);
    }

    private Stat block(List<Statement> statements) {
        enter();
        Stat[] nodes = new Stat[statements.size()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = statement(statements.get(i));
        }
        leave();
        return nodes.length == 1 ? nodes[0] : new Control.Block(nodes);
    }

    private Stat statement(Statement s) {
        enter();
        Stat node;
        if (s instanceof Syntax.LocalDeclaration d) {
            node = localDeclaration(d);
        } else if (s instanceof Syntax.Assignment a) {
            node = assignment(a);
        } else if (s instanceof Syntax.CallStatement c) {
            node = new Control.CallStatement(expression(c.call()));
        } else if (s instanceof Syntax.If i) {
            node = ifStatement(i);
        } else if (s instanceof Syntax.Return r) {
            node = returnStatement(r);
        } else if (s instanceof Syntax.LocalFunction f) {
            Expr function = function(f.body());
            node = f.local().captured ? new Assignments.NewFunctionCell(f.local().slot, function)
                : new Assignments.SetLocal(f.local().slot, function);
        } else if (s instanceof Syntax.Do d) {
            node = block(d.block());
        } else if (s instanceof Syntax.Break) {
            node = new Control.Break();
        } else {
            node = loop(s);
        }
        leave();
        return node;
    }

    private Stat loop(Statement s) {
        if (s instanceof Syntax.While w) {
            return new Loops.While(expression(w.condition()), block(w.block()), w.line());
        }
        if (s instanceof Syntax.Repeat r) {
            return new Loops.Repeat(block(r.block()), expression(r.condition()), r.line());
        }
        if (s instanceof Syntax.NumericFor n) {
            Expr[] range = {expression(n.start()), expression(n.limit()), expression(n.step())};
            Local variable = n.variable();
            return new Loops.NumericFor(variable.slot, variable.captured, range, block(n.block()), n.line());
        }
        Syntax.GenericFor g = (Syntax.GenericFor) s;
        sites.add(new CallSite(g.line(), "local", "(for generator)"));
        int site = sites.size() - 1;
        return new Loops.GenericFor(slots(g.variables()), captured(g.variables()), arguments(g.values()), g.stateSlot(),
            block(g.block()), site, g.line());
    }

    private Stat ifStatement(Syntax.If s) {
        int count = s.conditions().size();
        Stat otherwise = s.otherwise() == null ? null : block(s.otherwise());
        Expr[] conditions = expressions(s.conditions());
        Stat[] blocks = new Stat[count];
        for (int i = 0; i < count; i++) {
            blocks[i] = block(s.blocks().get(i));
        }
        return count == 1 ? new Control.If(conditions[0], blocks[0], otherwise)
            : new Control.IfChain(conditions, blocks, otherwise);
    }

    private Stat localDeclaration(Syntax.LocalDeclaration d) {
        List<Local> locals = d.locals();
        if (locals.size() == 1 && d.values().size() <= 1) {
            Expr value = d.values().isEmpty() ? new Literals.Value(null) : expression(d.values().get(0));
            int slot = locals.get(0).slot;
            return locals.get(0).captured ? new Assignments.NewCell(slot, value)
                : new Assignments.SetLocal(slot, value);
        }
        return new Assignments.NewLocals(slots(locals), captured(locals), arguments(d.values()));
    }

    private static int[] slots(List<Local> locals) {
        return locals.stream().mapToInt(l -> l.slot).toArray();
    }

    private static boolean[] captured(List<Local> locals) {
        boolean[] captured = new boolean[locals.size()];
        for (int i = 0; i < captured.length; i++) {
            captured[i] = locals.get(i).captured;
        }
        return captured;
    }

    private Stat assignment(Syntax.Assignment a) {
        if (a.targets().size() == 1 && a.values().size() == 1) {
            return assignOne(a.targets().get(0), a.values().get(0));
        }
        Target[] targets = new Target[a.targets().size()];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = target(a.targets().get(i));
        }
        return new Assignments.SetMany(targets, arguments(a.values()));
    }

    private Stat assignOne(Expression target, Expression valueSyntax) {
        Expr value = expression(valueSyntax);
        if (target instanceof Syntax.LocalUse l) {
            int slot = l.local().slot;
            return l.local().captured ? new Assignments.SetCell(slot, value) : new Assignments.SetLocal(slot, value);
        }
        if (target instanceof Syntax.UpvalueUse u) {
            return new Assignments.SetUpvalue(u.index(), value);
        }
        if (target instanceof Syntax.GlobalUse g) {
            return new Assignments.SetGlobal(g.name(), value, g.line());
        }
        Syntax.Index i = (Syntax.Index) target;
        return new Assignments.SetIndex(expression(i.table()), expression(i.key()), value, i.line());
    }

    private Target target(Expression target) {
        if (target instanceof Syntax.LocalUse l) {
            return new Target.LocalTarget(l.local().slot, l.local().captured);
        }
        if (target instanceof Syntax.UpvalueUse u) {
            return new Target.UpvalueTarget(u.index());
        }
        if (target instanceof Syntax.GlobalUse g) {
            return new Target.IndexTarget(null, new Literals.Value(g.name()), g.line());
        }
        Syntax.Index i = (Syntax.Index) target;
        return new Target.IndexTarget(expression(i.table()), expression(i.key()), i.line());
    }

    private Stat returnStatement(Syntax.Return r) {
        if (r.values().size() == 1) {
            Expression value = r.values().get(0);
            if (value instanceof Syntax.Call c) {
                Expr function = expression(c.function());
                return new Control.TailCall(function, arguments(c.arguments()), site(c.line(), function));
            }
            if (value instanceof Syntax.MethodCall) {
                return new Control.TailMethodCall((Calls.MethodCall) expression(value));
            }
            if (!value.isMulti()) {
                return new Control.ReturnOne(expression(value));
            }
        }
        return new Control.ReturnMany(arguments(r.values()));
    }

    Arguments arguments(List<Expression> list) {
        return new Arguments(expressions(list));
    }

    Expr[] expressions(List<Expression> list) {
        Expr[] nodes = new Expr[list.size()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = expression(list.get(i));
        }
        return nodes;
    }

    Expr expression(Expression e) {
        enter();
        Expr node = expressions.compile(e);
        leave();
        return node;
    }
}
