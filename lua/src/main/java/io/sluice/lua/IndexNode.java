package io.sluice.lua;

/** A node that indexes something, read or write: what the slow way needs to know of it. */
interface IndexNode {

    int line();

    /** The node that gave what is indexed, for its name in messages; may be null. */
    Expr base();
}
