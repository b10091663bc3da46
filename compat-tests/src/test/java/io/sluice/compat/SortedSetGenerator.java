package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/**
 * Random commands on sorted sets. Scores are such that Redis 7.0, which prints seventeen digits, and 7.2, which prints
 * the shortest text, print the same. Ranges by member are asked of keys whose scores are all zero.
 */
final class SortedSetGenerator {
    private static final String[] KEYS = {"z1", "z2", "z3"};
    private static final String[] LEX_KEYS = {"zl1", "zl2"};
    private static final String[] MEMBERS = {"a", "b", "c", "d", "aa", "ab", "1", "22", "", "\0\r\n\u00ff", "zz"};
    private static final String[] SCORES = {"0", "1", "2", "3", "-1", "0.5", "2.25", "-1.75", "1e3", "100", "inf",
        "-inf", "+inf", "1000000", "-0"};
    private static final String[] NO_SCORES = {"nan", "abc", "", " 1", "1x", "--1", "1e400"};
    private static final String[] MEMBER_ENDS = {"-", "+", "[a", "(a", "[b", "(aa", "[zz", "(", "["};

    private final CommandGenerator words;

    SortedSetGenerator(CommandGenerator words) {
        this.words = words;
    }

    void addTo() {
        words.add(14, "ZADD", () -> CommandGenerator.with(List.of(key()), addOptions(), pairs()));
        words.add(5, "ZADD", () -> List.of(words.pick(LEX_KEYS), "0", member(), "0", member()));
        words.add(4, "ZINCRBY", () -> List.of(key(), score(), member()));
        words.add(4, "ZREM", () -> CommandGenerator.with(List.of(key()), members()));
        words.add(2, "ZSCORE", () -> List.of(key(), member()));
        words.add(2, "ZMSCORE", () -> CommandGenerator.with(List.of(key()), members()));
        words.add(2, "ZCARD", () -> List.of(key()));
        words.add(2, "ZRANK", () -> List.of(key(), member()));
        words.add(2, "ZREVRANK", () -> List.of(key(), member()));
        words.add(2, "ZSCAN", () -> CommandGenerator.with(List.of(key(), "0"), words.some("COUNT", "1000"),
            words.some("MATCH", words.pick("*", "a*", "[a-c]"))));
        words.add(1, "ZRANDMEMBER", () -> List.of(key(), words.pick("0", "abc", "1000"), "WITHSCORES"));
        ranges();
        pops();
        algebra();
    }

    private void ranges() {
        words.add(5, "ZRANGE", () -> CommandGenerator.with(List.of(key(), words.offset(), words.offset()),
            rangeOptions()));
        words.add(5, "ZRANGE", () -> CommandGenerator.with(List.of(key(), scoreEnd(), scoreEnd(), "BYSCORE"),
            rangeOptions()));
        words.add(3, "ZRANGE", () -> CommandGenerator.with(List.of(words.pick(LEX_KEYS), memberEnd(), memberEnd(),
            "BYLEX"), rangeOptions()));
        words.add(2, "ZRANGESTORE", () -> CommandGenerator.with(List.of(key(), key(), words.offset(),
            words.offset()), words.some("REV")));
        words.add(2, "ZRANGESTORE", () -> CommandGenerator.with(List.of(key(), key(), scoreEnd(), scoreEnd(),
            "BYSCORE"), words.some("REV"), limit()));
        words.add(2, "ZREVRANGE", () -> CommandGenerator.with(List.of(key(), words.offset(), words.offset()),
            words.some("WITHSCORES")));
        for (String byScore : new String[] {"ZRANGEBYSCORE", "ZREVRANGEBYSCORE"}) {
            words.add(3, byScore, () -> CommandGenerator.with(List.of(key(), scoreEnd(), scoreEnd()),
                words.some("WITHSCORES"), limit()));
        }
        for (String byMember : new String[] {"ZRANGEBYLEX", "ZREVRANGEBYLEX"}) {
            words.add(2, byMember, () -> CommandGenerator.with(List.of(words.pick(LEX_KEYS), memberEnd(),
                memberEnd()), limit()));
        }
        words.add(3, "ZCOUNT", () -> List.of(key(), scoreEnd(), scoreEnd()));
        words.add(2, "ZLEXCOUNT", () -> List.of(words.pick(LEX_KEYS), memberEnd(), memberEnd()));
        words.add(2, "ZREMRANGEBYSCORE", () -> List.of(key(), scoreEnd(), scoreEnd()));
        words.add(1, "ZREMRANGEBYRANK", () -> List.of(key(), words.offset(), words.offset()));
        words.add(2, "ZREMRANGEBYLEX", () -> List.of(words.pick(LEX_KEYS), memberEnd(), memberEnd()));
    }

    private void pops() {
        for (String pop : new String[] {"ZPOPMIN", "ZPOPMAX"}) {
            words.add(2, pop, () -> CommandGenerator.with(List.of(key()), words.some(words.pick("0", "1", "2", "-1",
                "abc"))));
            words.add(1, "B" + pop, () -> CommandGenerator.with(List.of(key(), key()), List.of("0.001")));
        }
        words.add(2, "ZMPOP", () -> CommandGenerator.with(counted(), List.of(words.pick("MIN", "MAX", "min", "MID")),
            words.some("COUNT", words.pick("1", "2", "0", "abc"))));
        words.add(1, "BZMPOP", () -> CommandGenerator.with(List.of("0.001"), counted(), List.of("MIN"),
            words.some("COUNT", "2")));
    }

    private void algebra() {
        for (String name : new String[] {"ZUNION", "ZINTER", "ZDIFF"}) {
            words.add(2, name, () -> CommandGenerator.with(counted(), algebraOptions(), words.some("WITHSCORES")));
            words.add(2, name + "STORE", () -> CommandGenerator.with(List.of(key()), counted(), algebraOptions()));
        }
        words.add(2, "ZINTERCARD", () -> CommandGenerator.with(counted(), words.some("LIMIT", words.pick("0", "1",
            "-1", "abc"))));
    }

    private List<String> algebraOptions() {
        List<String> options = new ArrayList<>();
        if (words.chance(25)) {
            options.addAll(List.of("WEIGHTS", weight(), weight()));
        }
        if (words.chance(25)) {
            options.addAll(List.of("AGGREGATE", words.pick("SUM", "MIN", "MAX", "sum", "AVG")));
        }
        return options;
    }

    /** None that lets scores grow without end. */
    private String weight() {
        return words.chance(5) ? words.pick(NO_SCORES) : words.pick("0", "1", "-1");
    }

    private List<String> counted() {
        return CommandGenerator.with(List.of(words.chance(6) ? words.pick("0", "-1", "3", "abc") : "2"),
            List.of(key(), key()));
    }

    private List<String> addOptions() {
        List<String> options = new ArrayList<>();
        while (words.chance(30)) {
            options.add(words.pick("NX", "XX", "GT", "LT", "CH", "INCR", "nx", "gt"));
        }
        return options;
    }

    private List<String> pairs() {
        List<String> pairs = new ArrayList<>(List.of(score(), member()));
        while (words.chance(50)) {
            pairs.addAll(List.of(score(), member()));
        }
        return pairs;
    }

    private List<String> rangeOptions() {
        List<String> options = new ArrayList<>();
        options.addAll(words.some("REV"));
        options.addAll(words.some("WITHSCORES"));
        options.addAll(limit());
        options.addAll(words.chance(5) ? List.of(words.pick("BYLEX", "BYSCORE", "REV", "NOSUCH")) : List.of());
        return options;
    }

    private List<String> limit() {
        return words.chance(30)
            ? List.of("LIMIT", words.pick("0", "1", "-1", "abc"), words.pick("0", "1", "2", "-1", "10")) : List.of();
    }

    private String scoreEnd() {
        String bracket = words.chance(25) ? "(" : "";
        return words.chance(5) ? words.pick("abc", "[1", "nan") : bracket + words.pick(SCORES);
    }

    private String memberEnd() {
        return words.chance(5) ? words.pick("", "a", "-x", "+x") : words.pick(MEMBER_ENDS);
    }

    private String score() {
        return words.chance(5) ? words.pick(NO_SCORES) : words.pick(SCORES);
    }

    private List<String> members() {
        List<String> members = new ArrayList<>(List.of(member()));
        while (words.chance(50)) {
            members.add(member());
        }
        return members;
    }

    private String member() {
        return words.pick(MEMBERS);
    }

    private String key() {
        return words.chance(8) ? words.plainKey() : words.pick(KEYS);
    }
}
