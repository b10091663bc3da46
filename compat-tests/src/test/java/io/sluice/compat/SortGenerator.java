package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/**
 * Random sorts and comparisons. What Redis leaves to chance or to the locale is left out: the own order of a set, that
 * of elements with the same weight, that of bytes where nothing is stored. Sorted sets have a key of their own here,
 * since Redis gives them another encoding, and with it another order of ZSCAN, when it sorts them.
 */
final class SortGenerator {
    private static final String[] KEYS = {"l1", "l2", "l3", "s1", "s2", "sorted", "h1"};
    private static final String[] PATTERNS = {"key:{*}", "*", "h*->a", "h*->b", "*->a", "nosuch:*", "f*", "->*", "*->"};

    private final CommandGenerator words;

    SortGenerator(CommandGenerator words) {
        this.words = words;
    }

    void addTo() {
        words.add(2, "ZADD", () -> List.of("sorted", words.pick("0", "1", "-2.5"), words.pick("1", "22", "-3", "1e1")));
        words.add(1, "ZREM", () -> List.of("sorted", words.pick("1", "22", "-3", "x")));
        words.add(10, "SORT", this::sort);
        words.add(3, "SORT_RO", () -> CommandGenerator.with(List.of(words.pick(KEYS)), options(true)));
        words.add(3, "LCS", () -> CommandGenerator.with(List.of(words.key(), words.key()), words.some("IDX"),
            words.some(words.pick("LEN", "WITHMATCHLEN")), words.some("MINMATCHLEN", words.offset()),
            words.some("withmatchlen")));
    }

    private List<String> sort() {
        boolean stores = words.chance(60);
        List<String> sort = new ArrayList<>(List.of(words.pick(KEYS)));
        sort.addAll(options(!stores || words.chance(50)));
        if (stores) {
            sort.addAll(List.of(words.pick("STORE", "store"), words.chance(60) ? words.pick("l1", "l2", "l3")
                : words.plainKey()));
        }
        return sort;
    }

    private List<String> options(boolean byNumbers) {
        List<String> by = byNumbers ? words.some("BY", words.pick(PATTERNS))
            : words.chance(50) ? List.of("BY", words.pick("nosort", "#", "")) : List.of("ALPHA");
        return CommandGenerator.with(by, words.some("LIMIT", words.offset(), words.offset()),
            words.some("GET", words.pick(PATTERNS)), words.some("get", words.pick("#", "key:{*}", "nosort")),
            words.some(words.pick("ASC", "DESC", "desc")));
    }
}
