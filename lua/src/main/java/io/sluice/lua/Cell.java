package io.sluice.lua;

/** A local variable that a closure captures. */
final class Cell {

    Object v;

    Cell(Object v) {
        this.v = v;
    }
}
