/**
 * Commands: how one gets from its words to its reply, and what each of them does.
 *
 * <p>The way of a command: {@code Dispatcher} finds its row ({@code CommandTable}, {@code CommandSpec}), asks
 * {@code CommandRules} and {@code AccessControl} whether it may run, and lets {@code CommandRunner} run it: the
 * handler, with a {@code CommandContext}, in a unit of one time ({@code CommandClock}). {@code CommandAccount} counts.
 *
 * <p>What they do is in the families, {@code ...Commands}: handlers, and their rows at the end of each file. What
 * several families need stands beside them: {@code Args}, {@code Values}, {@code Strings}, {@code Timeouts},
 * {@code FirstKeyPop}, {@code Errors}.
 *
 * <p>Who is told of changes: {@code KeyObservers} and what it names, {@code WatchTable}, {@code BlockedClients},
 * {@code KeyNotifier}.
 */
package io.sluice.server.command;
