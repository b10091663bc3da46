package io.sluice.lua;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine against the reference implementation, program by program. */
final class DifferentialTest {

    private static final int GENERATED = 3000;

    @BeforeEach
    void requireReference() {
        ReferenceLua.require();
    }

    @Test
    void shouldAgreeOnTheLanguage() throws IOException, InterruptedException {
        ReferenceLua.compare(ReferenceLua.split(Lua.resource("differential/language.lua")));
    }

    @Test
    void shouldAgreeOnErrorsAndTheirTexts() throws IOException, InterruptedException {
        ReferenceLua.compare(ReferenceLua.split(Lua.resource("differential/errors.lua")));
    }

    @Test
    void shouldAgreeOnStringsAndTables() throws IOException, InterruptedException {
        ReferenceLua.compare(ReferenceLua.split(Lua.resource("differential/strings.lua")));
    }

    @Test
    void shouldAgreeOnGeneratedPrograms() throws IOException, InterruptedException {
        List<String> programs = new ArrayList<>();
        for (int seed = 0; seed < GENERATED; seed++) {
            programs.add(new ProgramGenerator(new Random(seed)).program());
        }
        ReferenceLua.compare(programs);
    }

    @Test
    void shouldAgreeOnGeneratedLibraryCalls() throws IOException, InterruptedException {
        List<String> programs = new ArrayList<>();
        for (int seed = 0; seed < GENERATED; seed++) {
            LibraryCallGenerator generator = new LibraryCallGenerator(new Random(seed));
            programs.add(generator.patternCalls());
            programs.add(generator.formatCall());
            programs.add(generator.sortCall());
            programs.add(generator.arrayChanges());
        }
        ReferenceLua.compare(programs);
    }

    @Test
    void shouldAgreeOnNumbersAsText() throws IOException, InterruptedException {
        Random random = new Random(1);
        List<String> programs = new ArrayList<>();
        for (int i = 0; i < GENERATED; i++) {
            String number = number(random);
            programs.add("local n = " + number
                + " return tostring(n), string.format('%.17g %.3f %.0f %e %g %d %.1g', n, n, n, n, n, n, n), n .. '',"
                + " tonumber(tostring(n))");
        }
        ReferenceLua.compare(programs);
    }

    private static String number(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Integer.toString(random.nextInt(1, 1000));
            case 1 -> Long.toString(random.nextLong() >>> random.nextInt(1, 60) | 1);
            case 2 -> Double.toString(random.nextDouble() * Math.pow(10, random.nextInt(-20, 20)) + 1e-300);
            case 3 -> random.nextInt(1, 10000) / 8.0 + "";
            case 4 -> "17" + (random.nextInt(1 << 30) + 0x10000000) + "." + random.nextInt(1000000);
            default -> random.nextInt(1, 100) + "e" + random.nextInt(-300, 300);
        };
    }
}
