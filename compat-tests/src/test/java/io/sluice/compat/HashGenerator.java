package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/** Random commands on hashes. Fields whose name begins with {@code f} hold fractions and nothing else. */
final class HashGenerator {
    private static final String[] HASHES = {"h1", "h2", "h3"};
    private static final String[] FIELDS = {"a", "b", "c", "d", "1", "-7", "", "field".repeat(20), "\0\r\n"};
    private static final String[] FRACTION_FIELDS = {"f1", "f2"};
    private static final String[] FRACTIONS = {"0.5", "-0.25", "3", "-12", "1000.125", "1e3", "0", "2.5e-1"};
    private static final String[] NO_FRACTIONS = {"nan", "abc", "", " 1", "1.2.3", "inf", "-inf"};

    private final CommandGenerator words;

    HashGenerator(CommandGenerator words) {
        this.words = words;
    }

    void addTo() {
        words.add(8, "HSET", () -> CommandGenerator.with(List.of(hash()), pairs()));
        words.add(2, "HMSET", () -> CommandGenerator.with(List.of(hash()), pairs()));
        words.add(2, "HSETNX", () -> List.of(hash(), words.pick(FIELDS), words.value()));
        words.add(3, "HGET", () -> List.of(hash(), field()));
        words.add(3, "HMGET", () -> CommandGenerator.with(List.of(hash()), fields()));
        words.add(3, "HDEL", () -> CommandGenerator.with(List.of(hash()), fields()));
        words.add(2, "HEXISTS", () -> List.of(hash(), field()));
        words.add(2, "HSTRLEN", () -> List.of(hash(), field()));
        for (String read : new String[] {"HGETALL", "HKEYS", "HVALS", "HLEN"}) {
            words.add(2, read, () -> List.of(hash()));
        }
        words.add(4, "HINCRBY", () -> List.of(hash(), words.pick(FIELDS), words.integer()));
        words.add(3, "HINCRBYFLOAT", () -> List.of(words.pick(HASHES), words.pick(FRACTION_FIELDS),
            words.chance(8) ? words.pick(NO_FRACTIONS) : words.pick(FRACTIONS)));
        words.add(2, "HRANDFIELD", () -> CommandGenerator.with(List.of(hash()),
            List.of(words.pick("1000", "0", "abc", "9223372036854775807", "-9223372036854775808")),
            words.some(words.pick("WITHVALUES", "withvalues", "NOSUCH"))));
        words.add(2, "HSCAN", () -> CommandGenerator.with(List.of(hash(), words.pick("0", "0", "0", "abc")),
            List.of("COUNT", "1000"), words.some("MATCH", words.pick("*", "a", "[a-c]", "f?"))));
        words.add(2, "DEL", () -> List.of(hash()));
        words.add(2, "COPY", () -> List.of(hash(), hash(), "REPLACE"));
        words.add(2, "RENAME", () -> List.of(words.pick(HASHES), words.pick(HASHES)));
        words.add(2, "OBJECT", () -> List.of("ENCODING", hash()));
    }

    private String hash() {
        return words.chance(80) ? words.pick(HASHES) : words.plainKey();
    }

    private String field() {
        return words.chance(20) ? words.pick(FRACTION_FIELDS) : words.pick(FIELDS);
    }

    private List<String> fields() {
        List<String> fields = new ArrayList<>();
        do {
            fields.add(field());
        } while (words.chance(60));
        return fields;
    }

    private List<String> pairs() {
        List<String> pairs = new ArrayList<>();
        do {
            pairs.addAll(words.chance(20) ? List.of(words.pick(FRACTION_FIELDS), words.pick(FRACTIONS))
                : List.of(words.pick(FIELDS), words.value()));
        } while (words.chance(50));
        return pairs;
    }
}
