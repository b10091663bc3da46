package io.sluice.server.script;

/** Why a script or library cannot be had; without a stack trace, since it is an answer for the client. */
public final class ScriptException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param error the whole error reply */
    ScriptException(String error) {
        super(error, null, false, false);
    }
}
