package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * One-line scripts with the replies that redis-server 7.0.15 gave to {@code EVAL <line> 0}. A {@code .txt} file has the
 * scripts, the {@code .expected} file beside it the replies, line by line.
 */
final class RedisRecordingsTest {

    @TestFactory
    List<DynamicTest> shouldAnswerTheSnippetsAsRedisDoes() {
        return compare("snippets");
    }

    @TestFactory
    List<DynamicTest> shouldReportErrorsAndProtectGlobalsAsRedisDoes() {
        return compare("errors");
    }

    @TestFactory
    List<DynamicTest> shouldHaveTheLibrariesOfRedis() {
        return compare("libraries");
    }

    private static List<DynamicTest> compare(String file) {
        List<String> scripts = Lua.lines("redis/" + file + ".txt");
        List<String> expected = Lua.lines("redis/" + file + ".expected");
        assertEquals(scripts.size(), expected.size());
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < scripts.size(); i++) {
            String script = scripts.get(i);
            String reply = expected.get(i);
            tests.add(DynamicTest.dynamicTest(script, () -> assertEquals(reply, RedisReply.eval(script), script)));
        }
        return tests;
    }
}
