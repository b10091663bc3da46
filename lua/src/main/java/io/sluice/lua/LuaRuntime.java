package io.sluice.lua;

/**
 * Where scripts run: globals, libraries, limits, and the state of the run. One thread at a time.
 *
 * <p>Build one, {@link #define} what the host adds, {@link #seal} it; then {@link #load} scripts and {@link #invoke}
 * them.
 * After sealing, scripts can change neither globals nor library tables, and reading a global that does not exist is an
 * error, as in Redis.
 */
public final class LuaRuntime {

    final LuaTable globals = new LuaTable(0, 64);
    final LuaTable stringMetatable = new LuaTable();
    final LuaLimits limits;
    final RandomSequence random = new RandomSequence();

    /** The innermost activation of a Lua function, or a mark that a library function called back. */
    Frame frame;

    private final Coroutines coroutines;
    /** The coroutine that runs, null for the thread that called {@link #invoke}. */
    private Coroutine coroutine;
    private int depth;
    private int hostDepth;

    private final RunMemory memory;

    /** Something waits for the next back-edge or call. */
    private volatile boolean poll;
    private volatile boolean interruptRequested;
    private LuaInterrupt interrupt = runtime -> {
    };

    /**
     * A runtime with the language's libraries.
     *
     * @param limits what one run may use
     */
    public LuaRuntime(LuaLimits limits) {
        this.limits = limits;
        this.memory = new RunMemory(limits.memoryBytesMax());
        this.coroutines = new Coroutines(limits.coroutinesMax());
        BaseLib.open(this);
    }

    /**
     * Adds a global or replaces one.
     *
     * @param name its name
     * @param value its value
     */
    public void define(String name, Object value) {
        globals.set(name, value);
    }

    /**
     * As {@link #define(String, Object)}, for a host that defines a global before each run.
     *
     * @param name its name
     * @param value its value
     */
    public void define(LuaString name, Object value) {
        globals.set(name, value);
    }

    /**
     * The value of a global.
     *
     * @param name its name
     * @return its value, null if there is none
     */
    public Object global(String name) {
        return globals.get(LuaString.name(name));
    }

    /**
     * Protects the globals, every table that can be reached from them, and the metatable of strings against scripts;
     * and makes reading an unknown global an error.
     */
    public void seal() {
        globals.metatable = Sealing.guard();
        Sealing.protect(globals, globals.metatable, stringMetatable);
    }

    /**
     * Sets what is asked after {@link #interrupt()}.
     *
     * @param hook the answer
     */
    public void onInterrupt(LuaInterrupt hook) {
        this.interrupt = hook;
    }

    /** Asks the running script to call the {@link LuaInterrupt} soon. From any thread; cheap; may come any time. */
    public void interrupt() {
        interruptRequested = true;
        poll = true;
    }

    /**
     * A compiled chunk as a function of this runtime.
     *
     * @param script the code
     * @return the function, to {@link #invoke}
     */
    public LuaFunction load(LuaScript script) {
        return new LuaClosure(script.main, new Cell[0]);
    }

    /**
     * Runs a function as a new run, with fresh limits.
     *
     * @param function what to run
     * @param args its arguments
     * @return what it returned: one value, or an array of any number
     * @throws LuaError and nothing else, whatever the script does
     */
    public Object invoke(LuaFunction function, Object... args) {
        if (frame != null) {
            throw new IllegalStateException("a script is running");
        }
        memory.startRun();
        try {
            return function.call(this, args);
        } catch (StackOverflowError e) {
            throw new LuaError("stack overflow");
        } catch (OutOfMemoryError e) {
            throw notEnoughMemory();
        } finally {
            coroutines.endRun();
            coroutine = null;
            frame = null;
            depth = 0;
            hostDepth = 0;
        }
    }

    /**
     * Calls a function from a host function that is itself running in a script.
     *
     * @param function what to call
     * @param args its arguments
     * @return what it returned: one value, or an array of any number
     */
    public Object call(LuaFunction function, Object... args) {
        Frame caller = frame;
        enterHost();
        frame = new Frame(this, caller);
        Object results = function.call(this, args);
        frame = caller;
        leaveHost();
        return results;
    }

    /** Calls any value: a function, or something with {@code __call}. */
    Object callValue(Object callee, Object... args) {
        if (callee instanceof LuaFunction fn) {
            return call(fn, args);
        }
        Object handler = Metatables.method(this, callee, Metatables.CALL);
        if (!(handler instanceof LuaFunction fn)) {
            throw new LuaError("attempt to call a " + LuaValues.typeName(callee) + " value").at(this);
        }
        Object[] all = new Object[args.length + 1];
        all[0] = callee;
        System.arraycopy(args, 0, all, 1, args.length);
        return call(fn, all);
    }

    /**
     * Where one coroutine (or the main thread) is: what changes hands when another one runs.
     *
     * @param frame its innermost activation
     * @param depth its nested evaluations
     * @param hostDepth its nested calls from Java
     */
    record Position(Frame frame, int depth, int hostDepth) {
        static final Position START = new Position(null, 0, 0);
    }

    Coroutine coroutine() {
        return coroutine;
    }

    Coroutines coroutines() {
        return coroutines;
    }

    /**
     * Makes another coroutine the running one; null for a position keeps the present one. Returns the position
     * before.
     */
    Position switchTo(Coroutine other, Position to) {
        Position before = new Position(frame, depth, hostDepth);
        coroutine = other;
        if (to != null) {
            unwind(to.frame(), to.depth(), to.hostDepth());
        }
        return before;
    }

    /** Runs something of the host's, on the thread that called {@link #invoke}. */
    Object onHostThread(Coroutine.Task work) {
        return coroutine == null ? work.run() : coroutine.ask(work);
    }

    /** What {@link ProtectedCall} needs to come back after an error. */
    int depth() {
        return depth;
    }

    int hostDepth() {
        return hostDepth;
    }

    void unwind(Frame to, int toDepth, int toHostDepth) {
        frame = to;
        depth = toDepth;
        hostDepth = toHostDepth;
    }

    /** Begins an activation. */
    void enter(Frame f) {
        int deeper = depth + f.proto.depth;
        if (deeper > limits.stackDepthMax()) {
            throw error("stack overflow");
        }
        if (poll) {
            answerPoll();
        }
        depth = deeper;
        frame = f;
        f.allocatedBefore = memory.allocated;
        f.allocatedAtEdge = memory.allocated;
    }

    void leave(Frame f) {
        depth -= f.proto.depth;
        frame = f.parent;
    }

    /** Begins a call from Java code back into a function. */
    void enterHost() {
        if (hostDepth >= limits.hostDepthMax()) {
            throw error("C stack overflow");
        }
        hostDepth++;
    }

    void leaveHost() {
        hostDepth--;
    }

    /** A loop that stands in that line goes round: its function has nothing but what its slots hold. */
    void backEdge(Frame f, int line) {
        f.allocatedAtEdge = memory.allocated;
        if (poll) {
            f.site = ~line;
            answerPoll();
            if (memory.measureDue) {
                // Not with coroutines about, whose stacks are not looked at.
                memory.measure(globals, f, !coroutines.any());
            }
        }
    }

    /** A library function has worked for a while. */
    void checkpoint() {
        if (poll) {
            answerPoll();
        }
    }

    private void answerPoll() {
        poll = memory.measureDue;
        if (interruptRequested) {
            interruptRequested = false;
            onHostThread(() -> {
                askInterrupt();
                return null;
            });
        }
    }

    private void askInterrupt() {
        try {
            interrupt.interrupted(this);
        } catch (LuaError e) {
            throw e.at(this);
        }
    }

    /**
     * Counts memory that is about to be taken; a host function does so for what it makes in one run.
     *
     * @param bytes how much
     * @throws LuaError "not enough memory" when the run's limit does not allow it
     */
    public void allocate(long bytes) {
        if (!memory.take(bytes)) {
            throw notEnoughMemory();
        }
        if (memory.measureDue) {
            poll = true;
        }
    }

    /** Counts memory that is not looked for when what is alive is measured. */
    void allocateForRun(long bytes) {
        allocate(bytes);
        memory.keepForRun(bytes);
    }

    /**
     * What the run has allocated, or the last one had when it ended: the most it can have left behind.
     *
     * @return bytes, as this engine counts them
     */
    public long allocated() {
        return memory.allocated;
    }

    /**
     * What functions hold from one run to the next: themselves and what their captured variables lead to.
     *
     * @param functions functions, none of which is running
     * @return bytes, as this engine counts them
     */
    public static long heldBy(Iterable<LuaFunction> functions) {
        return LiveMemory.heldBy(functions);
    }

    /** Room for a string. */
    byte[] newBytes(long length) {
        if (length > LuaLimits.STRING_BYTES_MAX) {
            throw notEnoughMemory();
        }
        allocate(LuaString.OVERHEAD_BYTES + length);
        return new byte[(int) length];
    }

    LuaString counted(LuaString s) {
        allocate(LuaString.OVERHEAD_BYTES + s.bytes.length);
        return s;
    }

    LuaError notEnoughMemory() {
        return new LuaError("not enough memory").at(this);
    }

    /** Assigns in a table and counts what it grew. */
    void set(LuaTable table, Object key, Object value) {
        long before = table.footprint();
        table.set(key, value);
        long grown = table.footprint() - before;
        if (grown > 0) {
            allocate(grown);
        }
    }

    /**
     * An error with the position of the Lua function that called the running host function.
     *
     * @param message the text
     * @return the error to throw
     */
    public LuaError error(String message) {
        return new LuaError(where(1) + message).at(this);
    }

    /**
     * An error with a value, which notes where the running script is.
     *
     * @param value any Lua value, null for nil
     * @return the error to throw
     */
    public LuaError raise(Object value) {
        return new LuaError(value).at(this);
    }

    /**
     * An error about an argument of the running host function, naming it as the script called it.
     *
     * @param number the argument, from 1
     * @param message what is wrong with it
     * @return the error to throw
     */
    public LuaError argumentError(int number, String message) {
        return error(CallSite.badArgument(frame == null ? null : frame.callSite(), number, message));
    }

    /** "user_script:3: " for the function {@code level} calls out, 1 being the caller of a host function; or "". */
    String where(int level) {
        return frame == null ? "" : frame.where(level);
    }
}
