package io.sluice.server.command;

/**
 * Executes one command: reads its arguments from the context and writes exactly one reply. The dispatcher has already
 * checked arity, authentication, role and loading. A handler that throws leaves no reply behind: the dispatcher takes
 * back what was written and answers with the error instead.
 */
@FunctionalInterface
public interface CommandHandler {
    void handle(CommandContext ctx);
}
