package compat;

import java.util.*;
import java.util.concurrent.*;

/**
 * usage: Main PORT [--only substr] [--extras|--extras-only]; one PASS/FAIL line per scenario, last
 * line "N passed, M failed".
 */
public final class Main {
    interface Body {
        void run() throws Exception;
    }

    record Scenario(String name, boolean extra, Body body) {}

    static int port;
    static final List<Scenario> all = new ArrayList<>();

    static void core(String n, Body b) {
        all.add(new Scenario(n, false, b));
    }

    static void extra(String n, Body b) {
        all.add(new Scenario(n, true, b));
    }

    public static void main(String[] a) throws Exception {
        port = Integer.parseInt(a[0]);
        List<String> args = Arrays.asList(a);
        String only = args.contains("--only") ? args.get(args.indexOf("--only") + 1) : "";
        boolean ex = args.contains("--extras"), exOnly = args.contains("--extras-only");
        JedisScenarios.register();
        LettuceScenarios.register();
        RedissonScenarios.register();
        Bucket4jScenarios.register();
        int pass = 0, fail = 0;
        ExecutorService pool =
                Executors.newCachedThreadPool(
                        r -> {
                            Thread t = new Thread(r);
                            t.setDaemon(true);
                            return t;
                        });
        for (Scenario s : all) {
            if (exOnly ? !s.extra : (s.extra && !ex)) continue;
            if (Arrays.stream(only.split(",")).noneMatch(s.name::contains)) continue;
            long t = System.currentTimeMillis();
            Future<?> f =
                    pool.submit(
                            () -> {
                                s.body.run();
                                return null;
                            });
            try {
                f.get(60, TimeUnit.SECONDS);
                pass++;
                System.out.println(
                        "PASS " + s.name + " (" + (System.currentTimeMillis() - t) + " ms)");
            } catch (TimeoutException e) {
                fail++;
                f.cancel(true);
                System.out.println("FAIL " + s.name + ": timed out");
            } catch (ExecutionException e) {
                fail++;
                Throwable c = e.getCause();
                Throwable root = c;
                while (root.getCause() != null && root.getCause() != root) root = root.getCause();
                System.out.println(
                        "FAIL "
                                + s.name
                                + ": "
                                + c.getClass().getSimpleName()
                                + ": "
                                + String.valueOf(c.getMessage()).replace('\n', ' ')
                                + (root != c
                                        ? " / "
                                                + root.getClass().getSimpleName()
                                                + ": "
                                                + String.valueOf(root.getMessage())
                                                        .replace('\n', ' ')
                                        : "")
                                + at(root));
            }
            System.out.flush();
        }
        System.out.println(pass + " passed, " + fail + " failed");
        System.exit(fail == 0 ? 0 : 1);
    }

    static String at(Throwable t) {
        for (StackTraceElement e : t.getStackTrace())
            if (e.getClassName().startsWith("compat.") && !e.getClassName().equals("compat.Main"))
                return " at " + e.getFileName() + ":" + e.getLineNumber();
        return "";
    }

    static String uniq(String p) {
        return "compat:"
                + p
                + ":"
                + ProcessHandle.current().pid()
                + ":"
                + Long.toString(System.nanoTime(), 36);
    }

    static void eq(Object exp, Object act, String what) {
        if (!Objects.equals(exp, act))
            throw new AssertionError(what + ": expected " + exp + " but got " + act);
    }

    static void yes(boolean b, String what) {
        if (!b) throw new AssertionError(what);
    }

    static void between(long v, long lo, long hi, String what) {
        yes(v >= lo && v <= hi, what + ": expected " + lo + ".." + hi + " but got " + v);
    }

    static void fails(Body b, String text) throws Exception {
        try {
            b.run();
        } catch (Exception e) {
            yes(
                    String.valueOf(e.getMessage()).contains(text)
                            || String.valueOf(e.getCause()).contains(text),
                    "expected '" + text + "' in " + e);
            return;
        }
        throw new AssertionError("expected a failure mentioning " + text);
    }

    static final String LUA =
            "local v=redis.call('INCRBY',KEYS[1],ARGV[1]) redis.call('PEXPIRE',KEYS[1],ARGV[2])"
                + " return {v,redis.call('PTTL',KEYS[1])}";
}
