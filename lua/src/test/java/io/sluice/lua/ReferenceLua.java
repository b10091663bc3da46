package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The reference implementation as an oracle: runs whole batches of programs in one process of {@code lua5.1}. */
final class ReferenceLua {

    private static final String SEPARATOR = "\n--%%--\n";

    private ReferenceLua() {
    }

    /** Fails where the tests must be complete (CI), is a skipped test elsewhere. */
    static void require() {
        for (String dir : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(dir, "lua5.1"))) {
                return;
            }
        }
        if (System.getenv("CI") != null) {
            fail("lua5.1 is not installed: the engine cannot be compared with the reference implementation");
        }
        Assumptions.abort("NOT TESTED against the reference implementation: lua5.1 is not installed");
    }

    /** Runs programs in both engines and compares what each gave. */
    static void compare(List<String> programs) throws IOException, InterruptedException {
        List<String> expected = reference(programs);
        List<String> actual = ours(programs);
        StringBuilder differences = new StringBuilder();
        for (int i = 0; i < programs.size(); i++) {
            String e = i < expected.size() ? expected.get(i) : "(lua5.1 gave nothing)";
            String a = i < actual.size() ? actual.get(i) : "(nothing)";
            if (!e.equals(a)) {
                differences.append("\n").append(programs.get(i)).append("\n  lua5.1: ").append(e).append("\n  ours:   ")
                    .append(a).append("\n");
            }
        }
        assertEquals("", differences.toString());
    }

    static List<String> split(String batch) {
        return Arrays.asList(batch.split(SEPARATOR));
    }

    private static List<String> reference(List<String> programs) throws IOException, InterruptedException {
        Path dir = Files.createTempDirectory("lua");
        Path batch = dir.resolve("batch.lua");
        Path driver = dir.resolve("driver.lua");
        Path output = dir.resolve("output");
        try {
            Files.writeString(batch, String.join(SEPARATOR, programs), StandardCharsets.ISO_8859_1);
            String head = "PROGRAMS = io.open('" + batch + "'):read('*a') emit = print ";
            Files.writeString(driver, head + Lua.resource("differential/driver.lua"), StandardCharsets.ISO_8859_1);
            Process process = new ProcessBuilder("lua5.1", driver.toString()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                fail("lua5.1 did not end");
            }
            return Files.readAllLines(output, StandardCharsets.ISO_8859_1);
        } finally {
            for (Path file : List.of(batch, driver, output, dir)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static List<String> ours(List<String> programs) {
        LuaRuntime rt = new LuaRuntime(new LuaLimits(1L << 30, 4000, 200, 64));
        List<String> lines = new ArrayList<>();
        rt.define("PROGRAMS", LuaString.of(String.join(SEPARATOR, programs)));
        rt.define("print", LuaHostFunction.of((r, args) -> LuaValues.NONE));
        rt.define("emit", LuaHostFunction.of((r, args) -> {
            lines.add(args[0].toString());
            return LuaValues.NONE;
        }));
        rt.invoke(rt.load(LuaScript.compile(Lua.bytes(Lua.resource("differential/driver.lua")), "@driver")));
        return lines;
    }
}
