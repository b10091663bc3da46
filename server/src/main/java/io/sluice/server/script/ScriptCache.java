package io.sluice.server.script;

import io.sluice.lua.LuaError;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaScript;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Request;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The scripts by the SHA-1 of their source, each compiled once. What {@code SCRIPT LOAD} brought stays until it is
 * flushed. What only {@code EVAL} brought stays as long as there is room: the script that has not been used for
 * longest makes place, so that a client which writes a new script for every call harms nobody.
 */
public final class ScriptCache {
    /** Scripts that only EVAL brought. */
    static final int EVAL_SCRIPTS_MAX = 500;

    private static final String CHUNK = "@user_script";
    private static final String FULL = "ERR scripts take too much memory; SCRIPT FLUSH forgets them";

    private final LuaRuntime runtime;
    /** Heap for the scripts that EVAL brought, and for those that SCRIPT LOAD brought. */
    private final long bytesMax;
    private final Sha1 sha1 = new Sha1();
    private final Sha1.Key wanted = new Sha1.Key();
    private final Map<Sha1.Key, Script> loaded = new HashMap<>();
    private final LinkedHashMap<Sha1.Key, Script> evaluated = new LinkedHashMap<>(16, 0.75f, true);
    private long loadedBytes;
    private long evaluatedBytes;

    /** @param bytesMax most heap that either kind of scripts may take, by {@link LuaScript#heapBytes} */
    ScriptCache(LuaRuntime runtime, long bytesMax) {
        this.runtime = runtime;
        this.bytesMax = bytesMax;
    }

    /** The script that an argument names by its SHA-1, or null. */
    Script find(Request request, int arg) {
        return wanted.parse(request, arg) ? wanted() : null;
    }

    /** Whether {@link #find} would find it. */
    public boolean contains(Request request, int arg) {
        return wanted.parse(request, arg) && (loaded.containsKey(wanted) || evaluated.containsKey(wanted));
    }

    /** The script whose source an argument is, compiled if it is new. */
    Script evaluated(Request request, int arg) throws ScriptException {
        sha1.of(request, arg, wanted);
        Script script = wanted();
        if (script == null) {
            script = compile(request.argBytes(arg));
            evaluated.put(wanted.copy(), script);
            evaluatedBytes += script.heapBytes();
            makeRoom();
        }
        return script;
    }

    /** Keeps the script whose source an argument is, and gives its SHA-1. */
    public String load(Request request, int arg) throws ScriptException {
        sha1.of(request, arg, wanted);
        Script script = loaded.get(wanted);
        if (script == null) {
            if (loadedBytes + LuaScript.heapBytes(request.argLength(arg)) > bytesMax) {
                throw new ScriptException(FULL);
            }
            script = evaluated.remove(wanted);
            if (script == null) {
                script = compile(request.argBytes(arg));
            } else {
                evaluatedBytes -= script.heapBytes();
            }
            loaded.put(wanted.copy(), script);
            loadedBytes += script.heapBytes();
        }
        return script.sha();
    }

    /** Forgets all scripts. */
    public void flush() {
        loaded.clear();
        evaluated.clear();
        loadedBytes = 0;
        evaluatedBytes = 0;
    }

    /** Number of scripts. */
    public int size() {
        return loaded.size() + evaluated.size();
    }

    /** Heap that all scripts take, by {@link LuaScript#heapBytes}. */
    public long heapBytes() {
        return loadedBytes + evaluatedBytes;
    }

    private Script wanted() {
        Script script = loaded.get(wanted);
        return script == null ? evaluated.get(wanted) : script;
    }

    private Script compile(byte[] source) throws ScriptException {
        Shebang shebang = Shebang.ofScript(source);
        try {
            byte[] code = Arrays.copyOfRange(source, shebang.length(), source.length);
            return new Script(wanted.toString(), runtime.load(LuaScript.compile(code, CHUNK)), shebang.flags(),
                    LuaScript.heapBytes(source.length));
        } catch (LuaError e) {
            throw new ScriptException("ERR Error compiling script (new function): "
                    + ErrorText.sanitise(e.getMessage()));
        }
    }

    private void makeRoom() {
        Iterator<Script> eldest = evaluated.values().iterator();
        while (evaluated.size() > EVAL_SCRIPTS_MAX
                || evaluatedBytes > bytesMax && evaluated.size() > 1) {
            evaluatedBytes -= eldest.next().heapBytes();
            eldest.remove();
        }
    }
}
