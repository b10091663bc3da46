package io.sluice.lua;

/** Placeholder until coroutines come. */
final class Coroutine {

    private Coroutine() {
    }
}
