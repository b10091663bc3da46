package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobProperties {

    /** Verdicts as Redis 7.0.15 gives them. */
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {
        "h?llo hello true", "h?llo hllo false", "h*llo heeeello true", "h*llo hllo true", "h[ae]llo hallo true",
        "h[ae]llo hillo false", "h[^e]llo hallo true", "h[^e]llo hello false", "h[a-b]llo hbllo true",
        "h[b-a]llo hallo true", "h\\?llo h?llo true", "h\\?llo hello false", "* a true", "** a true", "? a true",
        "?* a true", "*? a true", "*?*? a false", "a** a true", "a* a true", "a? a false", "[a a true", "[a b false",
        "[ a false", "[^ a true", "[^a b true", "[] a false", "[^] a true", "[]] ] false", "[a-] - false",
        "[a-] b false", "[a-] ^ true", "[-a] - true", "[a-c-e] d false", "[a-c-e] - true", "[a-c-e] e true",
        "[\\]] ] true", "[\\-] - true", "[a\\-c] b false", "\\ \\ true", "\\\\ \\ true", "\\a a true", "a\\ a\\ true",
        "A a false", "*a*b*c xaybzc true", "*a*b*c xaybzcd false", "[^^] ^ false", "[x^] ^ true"})
    void shouldJudgeAsRedis(String pattern, String text, boolean matches) {
        assertEquals(matches, matches(Glob::of, pattern, text));
        assertEquals(matches, Reference.matches(pattern, text));
    }

    @Test
    void shouldMatchTheEmptyTextWithTheEmptyPatternOnly() {
        assertTrue(matches(Glob::of, "", ""));
        assertFalse(matches(Glob::of, "", "a"));
        assertFalse(matches(Glob::of, "*", ""));
        assertFalse(matches(Glob::of, "**", ""));
    }

    @Test
    void shouldTellThePatternThatIsForEverything() {
        assertTrue(Glob.of(bytes("*")).matchesAll());
        assertFalse(Glob.of(bytes("**")).matchesAll());
        assertFalse(Glob.of(bytes("\\*")).matchesAll());
    }

    @Test
    void shouldTakeBytesAsSignedInRanges() {
        assertTrue(matches(Glob::of, "[\u0080-a]", "\u00ff"));
        assertTrue(matches(Glob::of, "[\u0080-a]", "A"));
        assertFalse(matches(Glob::of, "[\u0080-a]", "b"));
        assertTrue(matches(Glob::of, "[\u0080-\u00ff]", "\u00e9"));
        assertTrue(matches(Glob::of, "[\u007f-\u0080]", "a"));
    }

    @Test
    void shouldIgnoreCaseOfLettersOnly() {
        assertTrue(matches(Glob::ofAnyCase, "MaxMem*", "maxmemory"));
        assertTrue(matches(Glob::ofAnyCase, "[x]a[B-D]", "XAc"));
        assertFalse(matches(Glob::ofAnyCase, "[\\x]", "X"));
        assertFalse(matches(Glob::ofAnyCase, "[Z-a]", "a"));
        assertFalse(matches(Glob::ofAnyCase, "@", "`"));
        assertFalse(matches(Glob::ofAnyCase, "[@]", "`"));
    }

    @Test
    void shouldMatchPartOfAnArray() {
        assertTrue(Glob.of(bytes("a?c")).matches(bytes("xabcx"), 1, 3));
        assertFalse(Glob.of(bytes("a?c")).matches(bytes("xabcx"), 1, 4));
    }

    @Property(tries = 20_000)
    void shouldAgreeWithARecursiveMatcher(@ForAll("patterns") String pattern, @ForAll("texts") String text) {
        assertEquals(Reference.matches(pattern, text), matches(Glob::of, pattern, text), pattern + " " + text);
    }

    @Property
    void shouldNeverTakeMoreStepsThanTheProductOfTheLengths(
        @ForAll("patterns") String pattern, @ForAll("texts") String text) {
        assertTrue(steps(pattern, text) <= (pattern.length() + 1L) * (text.length() + 1L));
    }

    @Test
    void shouldNotBlowUpOnManyStars() {
        int length = 2000;
        String text = "a".repeat(length);
        assertTrue(steps("a*".repeat(length / 2) + "b", text) <= 4L * length);
        assertTrue(steps("*a".repeat(length / 2) + "*b", text) <= 4L * length);
        assertTrue(steps("*[a]?".repeat(length / 4) + "b", text) <= 4L * length);
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.strings().withChars("ab*?[]^-\\").ofMaxLength(9);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("ab-^\\]").ofMaxLength(6);
    }

    private static boolean matches(Function<byte[], Glob> compiler, String pattern, String text) {
        return compiler.apply(bytes(pattern)).matches(bytes(text));
    }

    private static long steps(String pattern, String text) {
        int steps = Glob.of(bytes(pattern)).match(bytes(text), 0, text.length());
        return steps < 0 ? ~steps : steps;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The same language by trying everything. */
    private static final class Reference {
        static boolean matches(String pattern, String text) {
            return text.isEmpty() ? pattern.isEmpty() : rest(pattern, text);
        }

        private static boolean rest(String pattern, String text) {
            if (pattern.isEmpty()) {
                return text.isEmpty();
            }
            char first = pattern.charAt(0);
            if (first == '*') {
                return Stream.iterate(text, t -> t != null, t -> t.isEmpty() ? null : t.substring(1))
                    .anyMatch(t -> rest(pattern.substring(1), t));
            }
            if (text.isEmpty()) {
                return false;
            }
            char c = text.charAt(0);
            if (first == '?') {
                return rest(pattern.substring(1), text.substring(1));
            }
            if (first == '[') {
                return bracket(pattern.substring(1), c, text.substring(1));
            }
            String literal = first == '\\' && pattern.length() > 1 ? pattern.substring(1) : pattern;
            return literal.charAt(0) == c && rest(literal.substring(1), text.substring(1));
        }

        private static boolean bracket(String behind, char c, String text) {
            boolean negated = behind.startsWith("^");
            String set = negated ? behind.substring(1) : behind;
            boolean found = false;
            while (!set.isEmpty() && set.charAt(0) != ']') {
                int taken = 1;
                char low = set.charAt(0);
                char high = low;
                if (low == '\\' && set.length() > 1) {
                    taken = 2;
                    low = set.charAt(1);
                    high = low;
                } else if (set.length() > 2 && set.charAt(1) == '-') {
                    taken = 3;
                    high = set.charAt(2);
                }
                found |= c >= Math.min(low, high) && c <= Math.max(low, high);
                set = set.substring(taken);
            }
            return found != negated && rest(set.isEmpty() ? set : set.substring(1), text);
        }
    }
}
