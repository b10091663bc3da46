package io.sluice.server.command;

/** How sets, or sorted sets, are put together. */
enum SetOperation {
    UNION,
    INTERSECTION,
    /** What the first one has and no other. */
    DIFFERENCE
}
