package io.sluice.lua;

import io.sluice.lua.Syntax.BinaryOperator;
import io.sluice.lua.Syntax.Constant;
import io.sluice.lua.Syntax.Expression;
import io.sluice.lua.Syntax.Local;
import io.sluice.lua.Syntax.UnaryOperator;
import java.util.ArrayList;
import java.util.List;

/** Expressions of Lua 5.1, by precedence climbing. */
final class ExpressionParser {

    private final Parser parser;
    private final Lexer lexer;

    ExpressionParser(Parser parser) {
        this.parser = parser;
        this.lexer = parser.lexer;
    }

    Expression expression() {
        return operand(0);
    }

    List<Expression> list() {
        List<Expression> list = new ArrayList<>();
        do {
            list.add(expression());
        } while (parser.accept(','));
        return list;
    }

    /** An expression of operators that bind tighter than {@code limit}. */
    private Expression operand(int limit) {
        parser.enter();
        Expression left;
        UnaryOperator unary = unaryOperator();
        if (unary != null) {
            lexer.next();
            Expression inner = operand(UnaryOperator.PRIORITY);
            left = unary(unary, inner);
        } else {
            left = simple();
        }
        BinaryOperator operator = binaryOperator();
        while (operator != null && operator.leftPriority > limit) {
            lexer.next();
            Expression right = operand(operator.rightPriority);
            left = new Syntax.Binary(operator, left, right, lexer.lastLine);
            operator = binaryOperator();
        }
        parser.leave();
        return left;
    }

    private Expression unary(UnaryOperator operator, Expression inner) {
        if (operator == UnaryOperator.MINUS && inner instanceof Constant c && c.value() instanceof Double d) {
            return new Constant(Numbers.negate(d));
        }
        return new Syntax.Unary(operator, inner, lexer.lastLine);
    }

    private UnaryOperator unaryOperator() {
        if (lexer.token == Token.NOT) {
            return UnaryOperator.NOT;
        }
        if (lexer.is('-')) {
            return UnaryOperator.MINUS;
        }
        return lexer.is('#') ? UnaryOperator.LENGTH : null;
    }

    private BinaryOperator binaryOperator() {
        return switch (lexer.token) {
            case OR -> BinaryOperator.OR;
            case AND -> BinaryOperator.AND;
            case CONCAT -> BinaryOperator.CONCAT;
            case EQ -> BinaryOperator.EQ;
            case NE -> BinaryOperator.NE;
            case LE -> BinaryOperator.LE;
            case GE -> BinaryOperator.GE;
            case CHARACTER -> switch (lexer.character) {
                case '<' -> BinaryOperator.LT;
                case '>' -> BinaryOperator.GT;
                case '+' -> BinaryOperator.ADD;
                case '-' -> BinaryOperator.SUB;
                case '*' -> BinaryOperator.MUL;
                case '/' -> BinaryOperator.DIV;
                case '%' -> BinaryOperator.MOD;
                case '^' -> BinaryOperator.POW;
                default -> null;
            };
            default -> null;
        };
    }

    private Expression simple() {
        Expression constant;
        switch (lexer.token) {
            case NUMBER:
                constant = new Constant(lexer.number);
                break;
            case STRING:
                constant = new Constant(lexer.string);
                break;
            case NIL:
                constant = new Constant(null);
                break;
            case TRUE:
                constant = new Constant(Boolean.TRUE);
                break;
            case FALSE:
                constant = new Constant(Boolean.FALSE);
                break;
            case DOTS:
                if (!parser.scope.vararg) {
                    throw lexer.errorNear("cannot use '...' outside a vararg function");
                }
                parser.scope.usesVararg = true;
                constant = new Syntax.Vararg();
                break;
            case FUNCTION:
                int line = lexer.line;
                lexer.next();
                return new Syntax.FunctionExpression(parser.functionBody(false, line));
            default:
                return lexer.is('{') ? table() : primary();
        }
        lexer.next();
        return constant;
    }

    Expression variable(LuaString name) {
        String text = name.toString();
        Local local = parser.scope.findLocal(text);
        if (local != null) {
            return new Syntax.LocalUse(local);
        }
        int upvalue = parser.scope.findUpvalue(text);
        return upvalue >= 0 ? new Syntax.UpvalueUse(upvalue, text) : new Syntax.GlobalUse(name, lexer.lastLine);
    }

    /** A variable, call or parenthesised expression with its suffixes. */
    Expression primary() {
        Expression left = prefix();
        while (true) {
            if (lexer.token == Token.STRING) {
                left = call(left);
            } else if (lexer.token != Token.CHARACTER) {
                return left;
            } else {
                switch (lexer.character) {
                    case '.' -> {
                        lexer.next();
                        LuaString key = parser.name();
                        left = new Syntax.Index(left, new Constant(key), lexer.lastLine);
                    }
                    case '[' -> left = new Syntax.Index(left, bracketed(), lexer.lastLine);
                    case ':' -> {
                        lexer.next();
                        LuaString name = parser.name();
                        int line = lexer.line;
                        left = new Syntax.MethodCall(left, name, arguments(), line);
                    }
                    case '(', '{' -> left = call(left);
                    default -> {
                        return left;
                    }
                }
            }
        }
    }

    private Expression call(Expression function) {
        int line = lexer.line;
        return new Syntax.Call(function, arguments(), line);
    }

    private Expression bracketed() {
        lexer.next();
        Expression key = expression();
        parser.expect(']');
        return key;
    }

    private Expression prefix() {
        if (lexer.token == Token.NAME) {
            return variable(parser.name());
        }
        if (lexer.is('(')) {
            int line = lexer.line;
            lexer.next();
            Expression inner = expression();
            parser.expectClosing(')', '(', line);
            return new Syntax.Single(inner);
        }
        throw lexer.errorNear("unexpected symbol");
    }

    private List<Expression> arguments() {
        if (lexer.token == Token.STRING) {
            LuaString argument = lexer.string;
            lexer.next();
            return List.of(new Constant(argument));
        }
        if (lexer.is('{')) {
            return List.of(table());
        }
        if (!lexer.is('(')) {
            throw lexer.errorNear("function arguments expected");
        }
        int line = lexer.line;
        if (line != lexer.lastLine) {
            throw lexer.errorNear("ambiguous syntax (function call x new statement)");
        }
        lexer.next();
        if (parser.accept(')')) {
            return List.of();
        }
        List<Expression> arguments = list();
        parser.expectClosing(')', '(', line);
        return arguments;
    }

    private Expression table() {
        int line = lexer.line;
        parser.expect('{');
        List<Expression> keys = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!lexer.is('}')) {
            if (lexer.token == Token.NAME && lexer.nextIs('=')) {
                keys.add(new Constant(parser.name()));
                lexer.next();
            } else if (lexer.is('[')) {
                keys.add(bracketed());
                parser.expect('=');
            } else {
                keys.add(null);
            }
            values.add(expression());
            if (!parser.accept(',') && !parser.accept(';')) {
                break;
            }
        }
        parser.expectClosing('}', '{', line);
        return new Syntax.TableConstructor(keys, values, lexer.lastLine);
    }
}
