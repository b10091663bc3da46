package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/** Random commands on lists. Most keys are lists or nothing, so that their own rules are met more often than types. */
final class ListGenerator {
    private static final String[] KEYS = {"l1", "l2", "l3"};
    private static final String[] ELEMENTS = {"a", "b", "c", "1", "22", "-3", "", "hello world", "\0\r\n\u00ff"};

    private final CommandGenerator words;

    ListGenerator(CommandGenerator words) {
        this.words = words;
    }

    void addTo() {
        for (String push : new String[] {"LPUSH", "RPUSH", "LPUSHX", "RPUSHX"}) {
            words.add(push.length() == 5 ? 6 : 1, push, () -> CommandGenerator.with(List.of(key()), elements()));
        }
        for (String pop : new String[] {"LPOP", "RPOP"}) {
            words.add(3, pop, () -> CommandGenerator.with(List.of(key()), words.some(words.pick("1", "2", "3", "0",
                "100", "-1", "abc"))));
        }
        words.add(2, "LLEN", () -> List.of(key()));
        words.add(4, "LINDEX", () -> List.of(key(), words.offset()));
        words.add(6, "LRANGE", () -> List.of(key(), words.offset(), words.offset()));
        words.add(2, "LTRIM", () -> List.of(key(), words.offset(), words.offset()));
        words.add(4, "LSET", () -> List.of(key(), words.offset(), element()));
        words.add(4, "LREM", () -> List.of(key(),
            words.chance(5) ? words.pick("abc", "", "1000000") : words.pick("0", "1", "-1", "2", "-2"), element()));
        words.add(4, "LINSERT", () -> List.of(key(), words.pick("BEFORE", "AFTER", "before", "after", "BEHIND"),
            element(), element()));
        words.add(5, "LPOS", () -> CommandGenerator.with(List.of(key(), element()), findOptions()));
        words.add(3, "LMOVE", () -> List.of(key(), key(), end(), end()));
        words.add(2, "RPOPLPUSH", () -> List.of(key(), key()));
        words.add(3, "LMPOP", () -> CommandGenerator.with(counted(), List.of(end()), count()));
        timed();
    }

    /** With a time-out so short that both servers give up before anybody notices. */
    private void timed() {
        for (String pop : new String[] {"BLPOP", "BRPOP"}) {
            words.add(2, pop, () -> CommandGenerator.with(keys(), List.of(timeout())));
        }
        words.add(1, "BLMOVE", () -> List.of(key(), key(), end(), end(), timeout()));
        words.add(1, "BRPOPLPUSH", () -> List.of(key(), key(), timeout()));
        words.add(1, "BLMPOP", () -> CommandGenerator.with(List.of(timeout()), counted(), List.of(end()), count()));
    }

    private String timeout() {
        return words.chance(8) ? words.pick("-1", "abc", "", "1e400", "9223372036854775807") : "0.001";
    }

    private List<String> counted() {
        List<String> keys = keys();
        String number = words.chance(8) ? words.pick("0", "-1", "abc", "5") : Integer.toString(keys.size());
        return CommandGenerator.with(List.of(number), keys);
    }

    private List<String> count() {
        return words.chance(40) ? List.of("COUNT", words.pick("1", "2", "10", "0", "-1", "abc")) : List.of();
    }

    private List<String> findOptions() {
        List<String> options = new ArrayList<>();
        while (words.chance(45)) {
            options.add(words.pick("RANK", "COUNT", "MAXLEN", "rank", "NOSUCH"));
            options.add(words.chance(10) ? words.integer() : words.pick("0", "1", "2", "-1", "-2"));
        }
        return options;
    }

    private String end() {
        return words.pick("LEFT", "RIGHT", "left", "RIGHT", "LEFT", words.chance(10) ? "UP" : "Left");
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>(List.of(key()));
        while (words.chance(40)) {
            keys.add(key());
        }
        return keys;
    }

    private String key() {
        return words.chance(8) ? words.plainKey() : words.pick(KEYS);
    }

    private List<String> elements() {
        List<String> elements = new ArrayList<>(List.of(element()));
        while (words.chance(50)) {
            elements.add(element());
        }
        return elements;
    }

    private String element() {
        return words.chance(10) ? words.value() : words.pick(ELEMENTS);
    }
}
