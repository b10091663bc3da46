package io.sluice.lua;

/** Kinds of tokens; the text is how messages show a kind. */
enum Token {
    AND("and"), BREAK("break"), DO("do"), ELSE("else"), ELSEIF("elseif"), END("end"), FALSE("false"), FOR("for"),
    FUNCTION("function"), IF("if"), IN("in"), LOCAL("local"), NIL("nil"), NOT("not"), OR("or"), REPEAT("repeat"),
    RETURN("return"), THEN("then"), TRUE("true"), UNTIL("until"), WHILE("while"),
    CONCAT(".."), DOTS("..."), EQ("=="), GE(">="), LE("<="), NE("~="),
    NUMBER("<number>"), NAME("<name>"), STRING("<string>"), EOF("<eof>"),
    /** Any other single character: an operator, a bracket, or one that no syntax knows. */
    CHARACTER("");

    final String text;

    Token(String text) {
        this.text = text;
    }

    boolean isReserved() {
        return ordinal() <= WHILE.ordinal();
    }
}
