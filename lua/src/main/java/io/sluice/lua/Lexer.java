package io.sluice.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Source text to tokens, one at a time with one token of look-ahead. Messages are Lua 5.1's. */
final class Lexer {

    private static final int EOZ = -1;
    private static final Map<LuaString, Token> RESERVED = new HashMap<>();

    static {
        for (Token token : Token.values()) {
            if (token.isReserved()) {
                RESERVED.put(LuaString.of(token.text), token);
            }
        }
    }

    /** The current token, and its character for {@link Token#CHARACTER}. */
    Token token;
    int character;
    /** Value of a name or string. */
    LuaString string;
    double number;

    /** Line of the character being read, of the last token consumed, and of the current one's end. */
    int line = 1;
    int lastLine = 1;

    private final byte[] source;
    private final String chunkName;
    private int at;
    /** Where the current token's text begins, for "near". */
    private int start;
    private final Map<LuaString, LuaString> constants = new HashMap<>();

    private boolean lookedAhead;
    private Token aheadToken;
    private int aheadCharacter;
    private LuaString aheadString;
    private double aheadNumber;

    Lexer(byte[] source, String chunkName) {
        this.source = source;
        this.chunkName = chunkName;
    }

    void next() {
        lastLine = line;
        if (lookedAhead) {
            lookedAhead = false;
            token = aheadToken;
            character = aheadCharacter;
            string = aheadString;
            number = aheadNumber;
        } else {
            token = read();
        }
    }

    /** Whether the token after the current one is this character. */
    boolean nextIs(char c) {
        Token heldToken = token;
        int heldCharacter = character;
        LuaString heldString = string;
        double heldNumber = number;
        aheadToken = read();
        aheadCharacter = character;
        aheadString = string;
        aheadNumber = number;
        lookedAhead = true;
        token = heldToken;
        character = heldCharacter;
        string = heldString;
        number = heldNumber;
        return aheadToken == Token.CHARACTER && aheadCharacter == c;
    }

    boolean is(char c) {
        return token == Token.CHARACTER && character == c;
    }

    LuaError error(String message) {
        String position = ChunkName.display(chunkName, ChunkName.SYNTAX_DISPLAY_MAX) + ":" + line + ": ";
        return new LuaError(LuaString.of(position + message));
    }

    LuaError errorNear(String message) {
        return errorNear(message, currentText());
    }

    private LuaError errorNear(String message, String near) {
        return error(message + " near '" + near + "'");
    }

    private String currentText() {
        if (token == Token.STRING && source[start] != '[') {
            char quote = (char) source[start];
            return cString(quote + string.toString() + quote);
        }
        if (token == Token.NAME || token == Token.STRING || token == Token.NUMBER) {
            return textSoFar();
        }
        return token == Token.CHARACTER ? display(character) : token.text;
    }

    static String display(int c) {
        return CharClass.isControl(c) ? "char(" + c + ")" : String.valueOf((char) c);
    }

    private String textSoFar() {
        return cString(new String(source, start, at - start, StandardCharsets.ISO_8859_1));
    }

    private static String cString(String text) {
        int nul = text.indexOf(0);
        return nul < 0 ? text : text.substring(0, nul);
    }

    private int peek() {
        return at < source.length ? source[at] & 0xff : EOZ;
    }

    private int peek(int ahead) {
        return at + ahead < source.length ? source[at + ahead] & 0xff : EOZ;
    }

    private Token read() {
        while (true) {
            int c = peek();
            start = at;
            switch (c) {
                case '\n', '\r' -> newLine();
                case ' ', '\t', 0x0b, '\f' -> at++;
                case '-' -> {
                    if (peek(1) != '-') {
                        return single(c);
                    }
                    skipComment();
                }
                case '[' -> {
                    int level = longBracketLevel();
                    if (level >= 0) {
                        string = constant(longString(level, "string"));
                        return Token.STRING;
                    }
                    if (level == -1) {
                        return single(c);
                    }
                    throw errorNear("invalid long string delimiter", textTo(at - level));
                }
                case '=' -> {
                    return pair('=', Token.EQ);
                }
                case '<' -> {
                    return pair('=', Token.LE);
                }
                case '>' -> {
                    return pair('=', Token.GE);
                }
                case '~' -> {
                    return pair('=', Token.NE);
                }
                case '"', '\'' -> {
                    return quoted(c);
                }
                case '.' -> {
                    return dots();
                }
                case EOZ -> {
                    return Token.EOF;
                }
                default -> {
                    return word(c);
                }
            }
        }
    }

    private String textTo(int end) {
        return new String(source, start, end - start, StandardCharsets.ISO_8859_1);
    }

    private Token single(int c) {
        at++;
        character = c;
        return Token.CHARACTER;
    }

    private Token pair(char second, Token both) {
        int c = peek();
        at++;
        if (peek() == second) {
            at++;
            return both;
        }
        character = c;
        return Token.CHARACTER;
    }

    private Token dots() {
        if (peek(1) == '.') {
            at += 2;
            if (peek() == '.') {
                at++;
                return Token.DOTS;
            }
            return Token.CONCAT;
        }
        return CharClass.isDigit(peek(1)) ? numeral() : single('.');
    }

    private Token word(int c) {
        if (CharClass.isDigit(c)) {
            return numeral();
        }
        if (!CharClass.isAlpha(c) && c != '_') {
            return single(c);
        }
        while (CharClass.isAlnum(peek()) || peek() == '_') {
            at++;
        }
        LuaString name = constant(Arrays.copyOfRange(source, start, at));
        Token reserved = RESERVED.get(name);
        string = name;
        return reserved != null ? reserved : Token.NAME;
    }

    /** One object for equal constants of a chunk, and for a name the libraries use, theirs. */
    private LuaString constant(byte[] content) {
        LuaString s = LuaString.of(content);
        LuaString known = constants.get(s);
        if (known == null) {
            known = content.length <= 32 ? LuaString.knownName(s.toString()) : null;
            known = known == null ? s : known;
            constants.put(known, known);
        }
        return known;
    }

    private void newLine() {
        int c = peek();
        at++;
        int d = peek();
        if ((d == '\n' || d == '\r') && d != c) {
            at++;
        }
        line++;
    }

    private void skipComment() {
        at += 2;
        if (peek() == '[') {
            int level = longBracketLevel();
            if (level >= 0) {
                longString(level, "comment");
                return;
            }
        }
        while (peek() != '\n' && peek() != '\r' && peek() != EOZ) {
            at++;
        }
    }

    /** At '[': the number of = before a second '['; -1 when none follows; -2-n after n of them without one. */
    private int longBracketLevel() {
        int level = 0;
        while (peek(1 + level) == '=') {
            level++;
        }
        if (peek(1 + level) == '[') {
            return level;
        }
        return level == 0 ? -1 : -1 - level;
    }

    private byte[] longString(int level, String what) {
        at += level + 2;
        if (peek() == '\n' || peek() == '\r') {
            newLine();
        }
        ByteBuilder out = new ByteBuilder(64);
        while (true) {
            int c = peek();
            switch (c) {
                case EOZ -> throw errorNear("unfinished long " + what, Token.EOF.text);
                case '\n', '\r' -> {
                    out.add('\n');
                    newLine();
                }
                case '[' -> {
                    if (level == 0 && peek(1) == '[') {
                        at += 2;
                        throw errorNear("nesting of [[...]] is deprecated", "[");
                    }
                    out.add(c);
                    at++;
                }
                case ']' -> {
                    if (closes(level)) {
                        at += level + 2;
                        return out.toByteArray();
                    }
                    out.add(c);
                    at++;
                }
                default -> {
                    out.add(c);
                    at++;
                }
            }
        }
    }

    private boolean closes(int level) {
        for (int i = 1; i <= level; i++) {
            if (peek(i) != '=') {
                return false;
            }
        }
        return peek(level + 1) == ']';
    }

    private Token quoted(int quote) {
        at++;
        ByteBuilder out = new ByteBuilder(32);
        while (peek() != quote) {
            int c = peek();
            switch (c) {
                case EOZ -> throw errorNear("unfinished string", Token.EOF.text);
                case '\n', '\r' -> throw errorNear("unfinished string", quotedSoFar(quote, out));
                case '\\' -> escape(quote, out);
                default -> {
                    out.add(c);
                    at++;
                }
            }
        }
        at++;
        string = constant(out.toByteArray());
        return Token.STRING;
    }

    private void escape(int quote, ByteBuilder out) {
        at++;
        int c = peek();
        switch (c) {
            case EOZ -> {
                // The caller reports the end.
            }
            case '\n', '\r' -> {
                out.add('\n');
                newLine();
            }
            default -> {
                if (CharClass.isDigit(c)) {
                    out.add(decimalEscape(quote, out));
                    return;
                }
                int i = "abfnrtv".indexOf(c);
                out.add(i < 0 ? c : "\u0007\b\f\n\r\t\u000b".charAt(i));
                at++;
            }
        }
    }

    private static String quotedSoFar(int quote, ByteBuilder out) {
        return cString((char) quote + out.toLuaString().toString());
    }

    private int decimalEscape(int quote, ByteBuilder out) {
        int value = 0;
        for (int i = 0; i < 3 && CharClass.isDigit(peek()); i++) {
            value = value * 10 + peek() - '0';
            at++;
        }
        if (value > 255) {
            throw errorNear("escape sequence too large", quotedSoFar(quote, out));
        }
        return value;
    }

    private Token numeral() {
        while (CharClass.isDigit(peek()) || peek() == '.') {
            at++;
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
        }
        while (CharClass.isAlnum(peek()) || peek() == '_') {
            at++;
        }
        number = NumberParser.parse(Arrays.copyOfRange(source, start, at));
        if (NumberParser.isFailure(number)) {
            throw errorNear("malformed number", textSoFar());
        }
        return Token.NUMBER;
    }
}
