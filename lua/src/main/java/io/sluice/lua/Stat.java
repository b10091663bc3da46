package io.sluice.lua;

/** A node that does something; says how it ended. */
abstract class Stat {

    static final int NORMAL = 0;
    static final int BREAK = 1;
    /** {@link Frame#result} holds the results. */
    static final int RETURN = 2;
    /** {@link Frame#tailFunction} and its arguments in {@link Frame#result} are to be run in place of this function. */
    static final int TAIL_CALL = 3;

    abstract int exec(Frame f);
}
