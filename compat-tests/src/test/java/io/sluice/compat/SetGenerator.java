package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/** Random commands on sets. */
final class SetGenerator {
    private static final String[] SETS = {"s1", "s2", "s3", "s4"};
    private static final String[] MEMBERS = {"a", "b", "c", "1", "2", "-7", "9223372036854775807", "01", "",
        "member".repeat(20), "\0\r\n"};

    private final CommandGenerator words;

    SetGenerator(CommandGenerator words) {
        this.words = words;
    }

    void addTo() {
        words.add(8, "SADD", () -> CommandGenerator.with(List.of(set()), members()));
        words.add(4, "SREM", () -> CommandGenerator.with(List.of(set()), members()));
        words.add(2, "SISMEMBER", () -> List.of(set(), words.pick(MEMBERS)));
        words.add(2, "SMISMEMBER", () -> CommandGenerator.with(List.of(set()), members()));
        words.add(3, "SMEMBERS", () -> List.of(set()));
        words.add(2, "SCARD", () -> List.of(set()));
        words.add(3, "SMOVE", () -> List.of(set(), set(), words.pick(MEMBERS)));
        words.add(1, "SPOP", () -> List.of(set(), words.pick("1000", "0", "-1", "abc")));
        words.add(2, "SRANDMEMBER", () -> List.of(set(), words.pick("1000", "0", "abc", "-9223372036854775808")));
        words.add(2, "SSCAN", () -> CommandGenerator.with(List.of(set(), words.pick("0", "0", "0", "-")),
            List.of("COUNT", "1000"), words.some("MATCH", words.pick("*", "a", "[a-c]", "?"))));
        for (String operation : new String[] {"SINTER", "SUNION", "SDIFF"}) {
            words.add(3, operation, this::sets);
            words.add(2, operation + "STORE", () -> CommandGenerator.with(List.of(set()), sets()));
        }
        words.add(3, "SINTERCARD", () -> CommandGenerator.with(
            List.of(words.pick("1", "2", "2", "3", "0", "-1", "abc")), sets(),
            words.some("LIMIT", words.pick("1", "0", "2", "-1", "abc"))));
        words.add(2, "DEL", () -> List.of(set()));
        words.add(2, "TYPE", () -> List.of(set()));
        words.add(1, "RESTORE", () -> List.of(set(), words.pick("0", "-1", "abc"), words.value()));
    }

    private String set() {
        return words.chance(85) ? words.pick(SETS) : words.plainKey();
    }

    private List<String> sets() {
        List<String> sets = new ArrayList<>();
        do {
            sets.add(set());
        } while (words.chance(50));
        return sets;
    }

    private List<String> members() {
        List<String> members = new ArrayList<>();
        do {
            members.add(words.pick(MEMBERS));
        } while (words.chance(50));
        return members;
    }
}
