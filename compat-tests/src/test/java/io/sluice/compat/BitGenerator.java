package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;

/** Random commands on strings as rows of bits. */
final class BitGenerator {
    private static final String[] BIT_OFFSETS = {"0", "1", "7", "8", "15", "100", "2001"};
    private static final String[] ODD_OFFSETS = {"-1", "abc", "", "+1", "#1", "4294967296000", "9223372036854775807"};
    private static final String[] RANGE_ENDS = {"0", "1", "2", "-1", "-2", "5", "-7", "40", "-40", "100000"};
    private static final String[] TYPES = {"u1", "u4", "i5", "u8", "i8", "i16", "u31", "i32", "u63", "i64"};
    private static final String[] ODD_TYPES = {"u64", "i65", "u0", "x8", "8", "u", "", "I8", "u-1"};

    private final CommandGenerator words;

    BitGenerator(CommandGenerator words) {
        this.words = words;
    }

    void addTo() {
        words.add(5, "SETBIT", () -> List.of(words.plainKey(), bitOffset(),
            words.chance(8) ? words.pick("2", "-1", "abc", "") : words.pick("0", "1")));
        words.add(3, "GETBIT", () -> List.of(words.key(), bitOffset()));
        words.add(4, "BITCOUNT", () -> CommandGenerator.with(List.of(words.key()), range()));
        words.add(4, "BITPOS", () -> CommandGenerator.with(List.of(words.key(),
            words.chance(8) ? words.pick("2", "-1", "abc") : words.pick("0", "1")), range()));
        words.add(3, "BITOP", () -> CommandGenerator.with(
            List.of(words.pick("AND", "or", "XOR", "NOT", "NOT", "NAND"), words.plainKey()), words.keys(3)));
        words.add(6, "BITFIELD", () -> CommandGenerator.with(List.of(words.plainKey()), fields(true)));
        words.add(2, "BITFIELD_RO", () -> CommandGenerator.with(List.of(words.key()), fields(words.chance(10))));
    }

    private String bitOffset() {
        return words.chance(8) ? words.pick(ODD_OFFSETS) : words.pick(BIT_OFFSETS);
    }

    private List<String> range() {
        List<String> range = new ArrayList<>();
        if (words.chance(70)) {
            range.add(end());
            range.addAll(words.chance(80) ? List.of(end()) : List.of());
            range.addAll(words.chance(40) ? List.of(words.pick("BIT", "byte", "Bit", "BYTE", "bits")) : List.of());
        }
        return range;
    }

    private String end() {
        return words.chance(4) ? words.integer() : words.pick(RANGE_ENDS);
    }

    private List<String> fields(boolean written) {
        List<String> fields = new ArrayList<>();
        while (words.chance(65)) {
            String type = words.chance(4) ? words.pick(ODD_TYPES) : words.pick(TYPES);
            String offset = words.chance(40) ? words.pick("#0", "#1", "#3", "#7") : bitOffset();
            if (!written || words.chance(25)) {
                fields.addAll(List.of(words.pick("GET", "get"), type, offset));
                continue;
            }
            if (words.chance(40)) {
                fields.addAll(List.of("OVERFLOW", words.pick("WRAP", "SAT", "FAIL", "sat", "fail", "NONE")));
            }
            fields.addAll(List.of(words.pick("SET", "INCRBY", "incrby"), type, offset,
                words.chance(60) ? words.pick("1", "-1", "100", "-100", "255", "300", "-3000") : words.integer()));
        }
        return fields;
    }
}
