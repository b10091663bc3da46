package io.sluice.server.script;

import io.sluice.resp.Request;
import io.sluice.server.net.Connection;

import java.util.ArrayList;
import java.util.List;

/** The run of a script or function: who runs what, and what it has done so far. One at a time, reused. */
public final class ScriptRun {
    /** Words of the command that FUNCTION STATS shows. */
    private static final int SHOWN_WORDS_MAX = 32;

    private Connection connection;
    private String name;
    private boolean function;
    private boolean readOnly;
    private boolean written;
    private int protocol;
    private long startNs;
    private Request request;
    private String killed;

    void begin(Connection newConnection, Request newRequest, String newName, boolean isFunction, boolean mayOnlyRead,
            long nowNs) {
        connection = newConnection;
        request = newRequest;
        name = newName;
        function = isFunction;
        readOnly = mayOnlyRead;
        written = false;
        protocol = 2;
        killed = null;
        startNs = nowNs;
    }

    void end() {
        connection = null;
        request = null;
    }

    /** Whether a script or function is running. */
    public boolean isRunning() {
        return connection != null;
    }

    /** Who runs it. */
    Connection connection() {
        return connection;
    }

    /** The SHA-1 of a script, the name of a function. */
    public String name() {
        return name;
    }

    /** Whether it is a function, called by FCALL, and not a script. */
    public boolean isFunction() {
        return function;
    }

    /** Whether it may not write. */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** Whether it has called a command that writes: from then on it cannot be ended without leaving half of it. */
    public boolean hasWritten() {
        return written;
    }

    void written() {
        written = true;
    }

    /** The version of the protocol whose types it wants replies in. */
    int protocol() {
        return protocol;
    }

    void protocol(int version) {
        protocol = version;
    }

    /** When it began, monotonic. */
    public long startNs() {
        return startNs;
    }

    /** The command that runs it, shortened. */
    public List<byte[]> command() {
        List<byte[]> words = new ArrayList<>();
        for (int i = 0; i < Math.min(request.argCount(), SHOWN_WORDS_MAX); i++) {
            words.add(request.argBytes(i));
        }
        return words;
    }

    /** Ends it at its next loop or call, with this error. */
    public void kill(String error) {
        killed = error;
    }

    /** Why it has to end, or null. */
    String killed() {
        return killed;
    }
}
