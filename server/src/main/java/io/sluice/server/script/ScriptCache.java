package io.sluice.server.script;

import io.sluice.lua.LuaError;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaScript;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Request;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * The scripts by the SHA-1 of their source, each compiled once. They stay as long as there is room: the script that has
 * not been used for longest makes place. Those that {@code SCRIPT LOAD} brought and those that only {@code EVAL}
 * brought have room of their own, so that a client which writes a new script for every call harms nobody. Whoever
 * loads scripts has to be ready for {@code NOSCRIPT} anyway, after a restart for one.
 */
public final class ScriptCache {
    /** Scripts that only EVAL brought. */
    static final int EVAL_SCRIPTS_MAX = 500;

    private static final String CHUNK = "@user_script";
    private static final String TOO_LARGE = "ERR the script takes more memory than all scripts may";

    private final LuaRuntime runtime;
    private final long bytesMax;
    private final Sha1 sha1 = new Sha1();
    private final Sha1.Key wanted = new Sha1.Key();
    private final Kept loaded = new Kept(Integer.MAX_VALUE);
    private final Kept evaluated = new Kept(EVAL_SCRIPTS_MAX);
    private long evicted;

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
        return wanted.parse(request, arg) && (loaded.bySha.containsKey(wanted) || evaluated.bySha.containsKey(wanted));
    }

    /** The script whose source an argument is, compiled if it is new. */
    Script evaluated(Request request, int arg) throws ScriptException {
        sha1.of(request, arg, wanted);
        Script script = wanted();
        if (script == null) {
            script = compile(request.argBytes(arg));
            evicted += evaluated.add(wanted.copy(), script, bytesMax);
        }
        return script;
    }

    /** Keeps the script whose source an argument is, and gives its SHA-1. */
    public String load(Request request, int arg) throws ScriptException {
        sha1.of(request, arg, wanted);
        Script script = loaded.bySha.get(wanted);
        if (script == null) {
            if (LuaScript.heapBytes(request.argLength(arg)) > bytesMax) {
                throw new ScriptException(TOO_LARGE);
            }
            script = evaluated.remove(wanted);
            if (script == null) {
                script = compile(request.argBytes(arg));
            }
            evicted += loaded.add(wanted.copy(), script, bytesMax);
        }
        return script.sha();
    }

    /** Forgets all scripts. */
    public void flush() {
        loaded.clear();
        evaluated.clear();
    }

    /** Number of scripts. */
    public int size() {
        return loaded.bySha.size() + evaluated.bySha.size();
    }

    /** How many scripts have made place for others. */
    public long evicted() {
        return evicted;
    }

    /** Heap that all scripts take, by {@link LuaScript#heapBytes}. */
    public long heapBytes() {
        return loaded.bytes + evaluated.bytes;
    }

    private Script wanted() {
        Script script = loaded.bySha.get(wanted);
        return script == null ? evaluated.bySha.get(wanted) : script;
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

    /** Scripts, the one used last at the end. */
    private static final class Kept {
        private final LinkedHashMap<Sha1.Key, Script> bySha = new LinkedHashMap<>(16, 0.75f, true);
        private final int scriptsMax;
        private long bytes;

        Kept(int scriptsMax) {
            this.scriptsMax = scriptsMax;
        }

        /** Returns how many had to go for it; it stays itself, however large it is. */
        int add(Sha1.Key key, Script script, long bytesMax) {
            bySha.put(key, script);
            bytes += script.heapBytes();
            int gone = 0;
            Iterator<Script> eldest = bySha.values().iterator();
            while (bySha.size() > scriptsMax || bytes > bytesMax && bySha.size() > 1) {
                bytes -= eldest.next().heapBytes();
                eldest.remove();
                gone++;
            }
            return gone;
        }

        /** Returns the script, or null if it is not here. */
        Script remove(Sha1.Key key) {
            Script script = bySha.remove(key);
            bytes -= script == null ? 0 : script.heapBytes();
            return script;
        }

        void clear() {
            bySha.clear();
            bytes = 0;
        }
    }
}
