package io.sluice.server.script;

import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaScript;
import io.sluice.persistence.snapshot.FunctionPayload;
import io.sluice.resp.ErrorText;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The libraries that are loaded. Whatever changes them changes all or nothing; where there is a {@link FunctionFile},
 * a change counts only when it is in the file, so that functions outlive a restart.
 */
public final class FunctionLibraries {
    /** Heap that the variables of all libraries may hold when they have been loaded, and between calls. */
    static final long HELD_BYTES_MAX = 64 << 20;
    /** What calls may leave behind before it is looked at. */
    private static final long UNMEASURED_BYTES_MAX = 16 << 20;

    /** What RESTORE does with libraries that are there. */
    public enum RestorePolicy {
        /** They go. */
        FLUSH,
        /** They stay, and none of the new ones may have the name of one. */
        APPEND,
        /** They stay, but for those that are replaced. */
        REPLACE
    }

    private static final String TOO_LARGE = "ERR libraries take too much memory";

    private final LibraryLoader loader;
    private final long codeBytesMax;
    private Map<String, FunctionLibrary> libraries = new TreeMap<>();
    /** By name in lower case. */
    private Map<String, LibraryFunction> functions = new HashMap<>();
    private FunctionFile file;
    private long heldBytes;
    private long unmeasuredBytes;

    /** @param codeBytesMax most heap that the code of all libraries may take, by {@link LuaScript#heapBytes} */
    FunctionLibraries(RedisTable table, long codeBytesMax) {
        loader = new LibraryLoader(table);
        this.codeBytesMax = codeBytesMax;
    }

    /**
     * Loads what a file holds and keeps every change in it from then on.
     *
     * @throws IOException if it cannot be read, or what it holds cannot be loaded
     */
    public void keepIn(FunctionFile newFile) throws IOException {
        byte[] payload = newFile.read();
        if (payload != null) {
            try {
                restore(payload, RestorePolicy.FLUSH);
            } catch (ScriptException e) {
                throw newFile.unusable(e.getMessage().replaceFirst("^ERR ", ""), e);
            }
        }
        file = newFile;
    }

    /** Loads a library and gives its name. */
    public String load(byte[] code, boolean replace) throws ScriptException {
        Map<String, FunctionLibrary> changed = new TreeMap<>(libraries);
        FunctionLibrary library = add(changed, code, replace);
        adopt(changed);
        return library.name();
    }

    /** Removes a library; false if there is none of this name. */
    public boolean delete(String name) throws ScriptException {
        Map<String, FunctionLibrary> changed = new TreeMap<>(libraries);
        if (changed.remove(name) == null) {
            return false;
        }
        adopt(changed);
        return true;
    }

    /** Removes all libraries. */
    public void flush() throws ScriptException {
        adopt(new TreeMap<>());
    }

    /** The sources of all libraries. */
    public List<byte[]> codes() {
        return codes(libraries);
    }

    /**
     * Makes these the libraries, but for those that cannot be loaded here.
     *
     * @param refused is told which cannot, and why
     * @throws ScriptException if they cannot be kept; nothing has changed then
     */
    public void replaceAll(List<byte[]> codes, BiConsumer<String, String> refused) throws ScriptException {
        Map<String, FunctionLibrary> changed = new TreeMap<>();
        for (byte[] code : codes) {
            Map<String, FunctionLibrary> more = new TreeMap<>(changed);
            String name = "?";
            try {
                name = Shebang.ofLibrary(code).name();
                add(more, code, true);
                check(more);
                changed = more;
            } catch (ScriptException e) {
                refused.accept(name, e.getMessage());
            }
        }
        adopt(changed);
    }

    /** All libraries as one piece of bytes, which Redis reads too. */
    public byte[] dump() {
        return dump(libraries);
    }

    /** Takes libraries from what {@link #dump} of this server or of a Redis has made. */
    public void restore(byte[] payload, RestorePolicy policy) throws ScriptException {
        List<byte[]> codes = FunctionPayload.decode(payload, (int) Math.min(codeBytesMax, Integer.MAX_VALUE));
        if (codes == null) {
            throw new ScriptException("ERR DUMP payload version or checksum are wrong");
        }
        Map<String, FunctionLibrary> changed = new TreeMap<>();
        if (policy != RestorePolicy.FLUSH) {
            changed.putAll(libraries);
        }
        long codeBytes = 0;
        long held = 0;
        for (byte[] code : codes) {
            FunctionLibrary library = add(changed, code, policy == RestorePolicy.REPLACE);
            codeBytes += LuaScript.heapBytes(code.length);
            held += heldBy(library.functions());
            // Before the next one takes memory, too.
            checkSize(codeBytes, held);
        }
        adopt(changed);
    }

    private FunctionLibrary add(Map<String, FunctionLibrary> to, byte[] code, boolean replace) throws ScriptException {
        Shebang shebang = Shebang.ofLibrary(code);
        if (to.containsKey(shebang.name()) && !replace) {
            throw new ScriptException("ERR Library '" + shebang.name() + "' already exists");
        }
        FunctionLibrary library = loader.load(shebang, code);
        to.put(shebang.name(), library);
        return library;
    }

    /** Makes these the libraries, unless two of them have a function of the same name. */
    private void adopt(Map<String, FunctionLibrary> changed) throws ScriptException {
        Map<String, LibraryFunction> all = check(changed);
        if (file != null) {
            write(changed);
        }
        libraries = changed;
        functions = all;
        measure();
    }

    /** All functions by name in lower case, unless they cannot be held together. */
    private Map<String, LibraryFunction> check(Map<String, FunctionLibrary> changed) throws ScriptException {
        Map<String, LibraryFunction> all = new HashMap<>();
        long bytes = 0;
        for (FunctionLibrary library : changed.values()) {
            bytes += LuaScript.heapBytes(library.code().length);
            for (LibraryFunction function : library.functions()) {
                if (all.put(function.name().toLowerCase(Locale.ROOT), function) != null) {
                    throw new ScriptException("ERR Function " + function.name() + " already exists");
                }
            }
        }
        checkSize(bytes, heldBy(all.values()));
        return all;
    }

    /** Functions may have come to hold more while they ran; to remove some of them is allowed all the same. */
    private void checkSize(long codeBytes, long held) throws ScriptException {
        if (codeBytes > codeBytesMax || held > HELD_BYTES_MAX && held > heldBy(functions.values())) {
            throw new ScriptException(TOO_LARGE);
        }
    }

    private static long heldBy(Collection<LibraryFunction> functions) {
        return LuaRuntime.heldBy(functions.stream().map(LibraryFunction::callback)::iterator);
    }

    /** A call has ended and left at most so many bytes in variables of its library. */
    void left(long bytesAtMost) {
        unmeasuredBytes += bytesAtMost;
        if (unmeasuredBytes > UNMEASURED_BYTES_MAX) {
            measure();
        }
    }

    private void measure() {
        unmeasuredBytes = 0;
        heldBytes = heldBy(functions.values());
    }

    /** Whether variables hold more than they may; no function is called then, until a library goes. */
    boolean areFull() {
        return heldBytes > HELD_BYTES_MAX;
    }

    private void write(Map<String, FunctionLibrary> changed) throws ScriptException {
        try {
            file.write(dump(changed));
        } catch (IOException e) {
            throw new ScriptException("ERR functions cannot be kept: "
                    + ErrorText.echo(String.valueOf(e.getMessage())));
        }
    }

    private static byte[] dump(Map<String, FunctionLibrary> of) {
        return FunctionPayload.encode(codes(of));
    }

    private static List<byte[]> codes(Map<String, FunctionLibrary> of) {
        List<byte[]> codes = new ArrayList<>();
        of.values().forEach(library -> codes.add(library.code()));
        return codes;
    }

    /** The function of this name, in any case, or null. */
    LibraryFunction find(String name) {
        return functions.get(name.toLowerCase(Locale.ROOT));
    }

    /** All libraries, by name. */
    public List<FunctionInfo> describe() {
        List<FunctionInfo> all = new ArrayList<>();
        for (FunctionLibrary library : libraries.values()) {
            all.add(new FunctionInfo(library.name(), library.code(), library.functions().stream()
                .map(f -> new FunctionInfo.Function(f.name(), f.description(), ScriptFlags.names(f.flags())))
                .toList()));
        }
        return all;
    }

    /** Number of libraries. */
    public int libraryCount() {
        return libraries.size();
    }

    /** Number of functions. */
    public int functionCount() {
        return functions.size();
    }
}
