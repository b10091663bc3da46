package io.sluice.lua;

import io.sluice.lua.Syntax.Body;
import io.sluice.lua.Syntax.Expression;
import io.sluice.lua.Syntax.Local;
import io.sluice.lua.Syntax.Statement;
import java.util.ArrayList;
import java.util.List;

/** Statements of Lua 5.1 by recursive descent; expressions are {@link ExpressionParser}'s. */
final class Parser {

    /** Nested blocks, functions, parentheses and right operands; Lua's own limit. */
    private static final int NESTING_MAX = 200;

    final Lexer lexer;
    FunctionScope scope;
    private final ExpressionParser expressions;
    private int nesting;

    Parser(byte[] source, String chunkName) {
        this.lexer = new Lexer(source, chunkName);
        this.expressions = new ExpressionParser(this);
    }

    Body chunk() {
        lexer.next();
        scope = new FunctionScope(null, 0, lexer);
        scope.vararg = true;
        List<Statement> block = statements();
        expect(Token.EOF);
        return new Body(List.of(), true, -1, null, scope.slotCount, scope.upvalues, block);
    }

    void enter() {
        if (++nesting > NESTING_MAX) {
            throw lexer.error("chunk has too many syntax levels");
        }
    }

    void leave() {
        nesting--;
    }

    boolean accept(char c) {
        if (lexer.is(c)) {
            lexer.next();
            return true;
        }
        return false;
    }

    boolean accept(Token token) {
        if (lexer.token == token) {
            lexer.next();
            return true;
        }
        return false;
    }

    void expect(char c) {
        if (!accept(c)) {
            throw lexer.errorNear("'" + c + "' expected");
        }
    }

    private void expect(Token token) {
        if (lexer.token != token) {
            throw lexer.errorNear("'" + token.text + "' expected");
        }
        lexer.next();
    }

    /** The closing partner of something opened at a line. */
    void expectClosing(Token what, Token who, int line) {
        if (!accept(what)) {
            throw unclosed(what.text, who.text, line);
        }
    }

    void expectClosing(char what, char who, int line) {
        if (!accept(what)) {
            throw unclosed(String.valueOf(what), String.valueOf(who), line);
        }
    }

    private LuaError unclosed(String what, String who, int line) {
        if (line == lexer.line) {
            return lexer.errorNear("'" + what + "' expected");
        }
        return lexer.errorNear("'" + what + "' expected (to close '" + who + "' at line " + line + ")");
    }

    LuaString name() {
        if (lexer.token != Token.NAME) {
            throw lexer.errorNear("'" + Token.NAME.text + "' expected");
        }
        LuaString name = lexer.string;
        lexer.next();
        return name;
    }

    private boolean blockEnds() {
        return switch (lexer.token) {
            case ELSE, ELSEIF, END, EOF, UNTIL -> true;
            default -> false;
        };
    }

    /** Statements up to the end of their block, in the current scope. */
    private List<Statement> statements() {
        enter();
        List<Statement> list = new ArrayList<>();
        boolean last = false;
        while (!last && !blockEnds()) {
            last = lexer.token == Token.RETURN || lexer.token == Token.BREAK;
            list.add(statement());
            accept(';');
        }
        leave();
        return list;
    }

    private List<Statement> block() {
        int mark = scope.open();
        List<Statement> list = statements();
        scope.close(mark);
        return list;
    }

    private List<Statement> loopBlock() {
        scope.loopDepth++;
        List<Statement> list = block();
        scope.loopDepth--;
        return list;
    }

    private Statement statement() {
        int line = lexer.line;
        switch (lexer.token) {
            case IF:
                return ifStatement(line);
            case WHILE:
                return whileStatement(line);
            case DO:
                lexer.next();
                List<Statement> block = block();
                expectClosing(Token.END, Token.DO, line);
                return new Syntax.Do(block);
            case FOR:
                return forStatement(line);
            case REPEAT:
                return repeatStatement(line);
            case FUNCTION:
                return functionStatement(line);
            case LOCAL:
                lexer.next();
                return accept(Token.FUNCTION) ? localFunction() : localDeclaration();
            case RETURN:
                return returnStatement();
            case BREAK:
                lexer.next();
                if (scope.loopDepth == 0) {
                    throw lexer.errorNear("no loop to break");
                }
                return new Syntax.Break();
            default:
                return expressionStatement();
        }
    }

    private Statement ifStatement(int line) {
        List<Expression> conditions = new ArrayList<>();
        List<List<Statement>> blocks = new ArrayList<>();
        do {
            lexer.next();
            conditions.add(expressions.expression());
            expect(Token.THEN);
            blocks.add(block());
        } while (lexer.token == Token.ELSEIF);
        List<Statement> otherwise = accept(Token.ELSE) ? block() : null;
        expectClosing(Token.END, Token.IF, line);
        return new Syntax.If(conditions, blocks, otherwise);
    }

    private Statement whileStatement(int line) {
        lexer.next();
        Expression condition = expressions.expression();
        expect(Token.DO);
        List<Statement> block = loopBlock();
        expectClosing(Token.END, Token.WHILE, line);
        return new Syntax.While(condition, block, line);
    }

    private Statement repeatStatement(int line) {
        lexer.next();
        int mark = scope.open();
        scope.loopDepth++;
        List<Statement> block = statements();
        scope.loopDepth--;
        int endLine = lexer.line;
        expectClosing(Token.UNTIL, Token.REPEAT, line);
        Expression condition = expressions.expression();
        scope.close(mark);
        return new Syntax.Repeat(block, condition, endLine);
    }

    private Statement forStatement(int line) {
        lexer.next();
        LuaString first = name();
        int mark = scope.open();
        Statement loop;
        if (lexer.is('=')) {
            loop = numericFor(first, line);
        } else if (lexer.is(',') || lexer.token == Token.IN) {
            loop = genericFor(first, line);
        } else {
            throw lexer.errorNear("'=' or 'in' expected");
        }
        expectClosing(Token.END, Token.FOR, line);
        scope.close(mark);
        return loop;
    }

    private Statement numericFor(LuaString name, int line) {
        scope.checkRoom(4);
        lexer.next();
        Expression start = expressions.expression();
        expect(',');
        Expression limit = expressions.expression();
        Expression step = accept(',') ? expressions.expression() : new Syntax.Constant(1.0);
        expect(Token.DO);
        Local variable = scope.declare(name.toString());
        return new Syntax.NumericFor(variable, start, limit, step, loopBlock(), line);
    }

    private Statement genericFor(LuaString first, int line) {
        List<String> names = new ArrayList<>();
        names.add(first.toString());
        while (accept(',')) {
            names.add(name().toString());
        }
        expect(Token.IN);
        int callLine = lexer.line;
        List<Expression> values = expressions.list();
        int stateSlot = scope.declare("(for generator)").slot;
        scope.declare("(for state)");
        scope.checkRoom(names.size() + 1);
        expect(Token.DO);
        List<Local> variables = declareAll(names);
        return new Syntax.GenericFor(variables, values, stateSlot, loopBlock(), callLine);
    }

    private List<Local> declareAll(List<String> names) {
        List<Local> locals = new ArrayList<>();
        for (String name : names) {
            locals.add(scope.declare(name));
        }
        return locals;
    }

    private Statement functionStatement(int line) {
        lexer.next();
        Expression target = expressions.variable(name());
        boolean method = false;
        while (lexer.is('.') || lexer.is(':')) {
            method = lexer.is(':');
            lexer.next();
            LuaString key = name();
            target = new Syntax.Index(target, new Syntax.Constant(key), lexer.lastLine);
            if (method) {
                break;
            }
        }
        Body body = functionBody(method, line);
        return new Syntax.Assignment(List.of(target), List.of(new Syntax.FunctionExpression(body)));
    }

    private Statement localFunction() {
        Local local = scope.declare(name().toString());
        return new Syntax.LocalFunction(local, functionBody(false, lexer.line));
    }

    private Statement localDeclaration() {
        List<String> names = new ArrayList<>();
        do {
            names.add(name().toString());
            scope.checkRoom(names.size());
        } while (accept(','));
        List<Expression> values = accept('=') ? expressions.list() : List.of();
        return new Syntax.LocalDeclaration(declareAll(names), values);
    }

    private Statement returnStatement() {
        lexer.next();
        List<Expression> values = blockEnds() || lexer.is(';') ? List.of() : expressions.list();
        return new Syntax.Return(values, lexer.lastLine);
    }

    private Statement expressionStatement() {
        Expression first = expressions.primary();
        if (first instanceof Syntax.Call || first instanceof Syntax.MethodCall) {
            return new Syntax.CallStatement(first);
        }
        List<Expression> targets = new ArrayList<>();
        targets.add(assignable(first));
        while (accept(',')) {
            targets.add(assignable(expressions.primary()));
            if (targets.size() > NESTING_MAX) {
                throw lexer.error("too many variables in assignment");
            }
        }
        expect('=');
        return new Syntax.Assignment(targets, expressions.list());
    }

    private Expression assignable(Expression target) {
        boolean variable = target instanceof Syntax.LocalUse || target instanceof Syntax.UpvalueUse
            || target instanceof Syntax.GlobalUse || target instanceof Syntax.Index;
        if (!variable) {
            throw lexer.errorNear("syntax error");
        }
        return target;
    }

    /** Parameters and block of a function whose keyword (and name) are consumed. */
    Body functionBody(boolean method, int line) {
        FunctionScope outer = scope;
        scope = new FunctionScope(outer, line, lexer);
        List<Local> parameters = new ArrayList<>();
        expect('(');
        if (method) {
            parameters.add(scope.declare("self"));
        }
        if (!lexer.is(')')) {
            parameters(parameters);
        }
        expect(')');
        List<Statement> block = statements();
        expectClosing(Token.END, Token.FUNCTION, line);
        FunctionScope done = scope;
        scope = outer;
        boolean needsArg = done.argLocal != null && !done.usesVararg;
        return new Body(parameters, done.vararg, needsArg ? done.argLocal.slot : -1, done.argLocal, done.slotCount,
            done.upvalues, block);
    }

    private void parameters(List<Local> parameters) {
        do {
            if (lexer.token == Token.NAME) {
                parameters.add(scope.declare(name().toString()));
            } else if (accept(Token.DOTS)) {
                scope.argLocal = scope.declare("arg");
                scope.vararg = true;
            } else {
                throw lexer.errorNear("<name> or '...' expected");
            }
        } while (!scope.vararg && accept(','));
    }
}
