package io.sluice.lua;

import java.util.List;

/** What the parser makes of source text: expressions, statements and function bodies, names already resolved. */
final class Syntax {

    private Syntax() {
    }

    /** A local variable of some function. Mutable only while its function is being parsed. */
    static final class Local {
        final String name;
        final int slot;
        /** A closure uses it, so it lives in a {@link Cell}. */
        boolean captured;

        Local(String name, int slot) {
            this.name = name;
            this.slot = slot;
        }
    }

    /**
     * Where a closure gets a variable from when it is made.
     *
     * @param name the variable
     * @param fromLocal the local of the enclosing function, or null
     * @param fromUpvalue else the enclosing function's own upvalue of this index
     */
    record Upvalue(String name, Local fromLocal, int fromUpvalue) {
    }

    /** A function: its parameters first in the slots. */
    record Body(List<Local> parameters, boolean vararg, int argSlot, Local argLocal, int slotCount,
        List<Upvalue> upvalues, List<Statement> block) {
    }

    /** An expression. */
    interface Expression {
        /** A call or {@code ...}, which may give any number of values where the place allows. */
        default boolean isMulti() {
            return false;
        }
    }

    record Constant(Object value) implements Expression {
    }

    record Vararg() implements Expression {
        @Override
        public boolean isMulti() {
            return true;
        }
    }

    record FunctionExpression(Body body) implements Expression {
    }

    record LocalUse(Local local) implements Expression {
    }

    record UpvalueUse(int index, String name) implements Expression {
    }

    record GlobalUse(LuaString name, int line) implements Expression {
    }

    record Index(Expression table, Expression key, int line) implements Expression {
    }

    record Call(Expression function, List<Expression> arguments, int line) implements Expression {
        @Override
        public boolean isMulti() {
            return true;
        }
    }

    record MethodCall(Expression object, LuaString name, List<Expression> arguments, int line) implements Expression {
        @Override
        public boolean isMulti() {
            return true;
        }
    }

    record Binary(BinaryOperator operator, Expression left, Expression right, int line) implements Expression {
    }

    record Unary(UnaryOperator operator, Expression operand, int line) implements Expression {
    }

    /** Parentheses around something multi: exactly one value. */
    record Single(Expression inner) implements Expression {
    }

    /**
     * A table constructor.
     *
     * @param keys for each item its key, or null for a positional one
     */
    record TableConstructor(List<Expression> keys, List<Expression> values, int line) implements Expression {
    }

    enum BinaryOperator {
        OR(1, 1), AND(2, 2),
        LT(3, 3), GT(3, 3), LE(3, 3), GE(3, 3), NE(3, 3), EQ(3, 3),
        CONCAT(5, 4), ADD(6, 6), SUB(6, 6), MUL(7, 7), DIV(7, 7), MOD(7, 7), POW(10, 9);

        final int leftPriority;
        final int rightPriority;

        BinaryOperator(int leftPriority, int rightPriority) {
            this.leftPriority = leftPriority;
            this.rightPriority = rightPriority;
        }
    }

    enum UnaryOperator {
        MINUS, NOT, LENGTH;

        static final int PRIORITY = 8;
    }

    /** A statement. */
    interface Statement {
    }

    record LocalDeclaration(List<Local> locals, List<Expression> values) implements Statement {
    }

    record LocalFunction(Local local, Body body) implements Statement {
    }

    record Assignment(List<Expression> targets, List<Expression> values) implements Statement {
    }

    record CallStatement(Expression call) implements Statement {
    }

    record Do(List<Statement> block) implements Statement {
    }

    record While(Expression condition, List<Statement> block, int line) implements Statement {
    }

    /** A loop with its condition, which stands in that line, at the end. */
    record Repeat(List<Statement> block, Expression condition, int line) implements Statement {
    }

    /**
     * An if with its elseifs.
     *
     * @param otherwise the else block, or null
     */
    record If(List<Expression> conditions, List<List<Statement>> blocks, List<Statement> otherwise)
        implements Statement {
    }

    record NumericFor(Local variable, Expression start, Expression limit, Expression step, List<Statement> block,
        int line) implements Statement {
    }

    /**
     * A for over an iterator.
     *
     * @param stateSlot first of two slots that hold the iterator function and its state
     */
    record GenericFor(List<Local> variables, List<Expression> values, int stateSlot, List<Statement> block, int line)
        implements Statement {
    }

    record Return(List<Expression> values, int line) implements Statement {
    }

    record Break() implements Statement {
    }
}
