package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.persistence.collection.SetValue;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.Reply;
import org.agrona.UnsafeApi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Sorted sets united, intersected and subtracted; a set counts as one whose scores are all 1. Allocates. */
final class ZSetAlgebraCommands {
    private static final byte[] WEIGHTS = Words.lower("weights");
    private static final byte[] AGGREGATE = Words.lower("aggregate");
    private static final byte[] WITHSCORES = Words.lower("withscores");
    private static final byte[] LIMIT = Words.lower("limit");
    private static final byte[] SUM = Words.lower("sum");
    private static final byte[] MIN = Words.lower("min");
    private static final byte[] MAX = Words.lower("max");
    private static final String BAD_WEIGHT = "ERR weight value is not a float";

    private enum Aggregate { SUM, MIN, MAX }

    /** A member's bytes. */
    private record Member(byte[] bytes) implements Comparable<Member> {
        /** So that members of equal hash cost a map no more than their logarithm. */
        @Override
        public int compareTo(Member other) {
            return Arrays.compareUnsigned(bytes, other.bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Member member && Arrays.equals(bytes, member.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** A member of the result, and in how many of the sets so far it was. */
    private static final class Scored {
        private final byte[] bytes;
        private double score;
        private int sets = 1;

        Scored(byte[] bytes, double score) {
            this.bytes = bytes;
            this.score = score;
        }
    }

    private static final Comparator<Scored> ORDER = (a, b) -> a.score == b.score
        ? Arrays.compareUnsigned(a.bytes, b.bytes) : a.score < b.score ? -1 : 1;

    private final ZSetValue zset = new ZSetValue();
    private final SetValue set = new SetValue();
    private final Scores number = new Scores();
    private double[] weights;
    private Aggregate aggregate;
    private boolean withScores;
    private long limit;

    private void union(CommandContext ctx) {
        answer(ctx, SetOperation.UNION);
    }

    private void intersection(CommandContext ctx) {
        answer(ctx, SetOperation.INTERSECTION);
    }

    private void difference(CommandContext ctx) {
        answer(ctx, SetOperation.DIFFERENCE);
    }

    private void unionStore(CommandContext ctx) {
        store(ctx, SetOperation.UNION, KeyEvent.ZUNIONSTORE);
    }

    private void intersectionStore(CommandContext ctx) {
        store(ctx, SetOperation.INTERSECTION, KeyEvent.ZINTERSTORE);
    }

    private void differenceStore(CommandContext ctx) {
        store(ctx, SetOperation.DIFFERENCE, KeyEvent.ZDIFFSTORE);
    }

    private void answer(CommandContext ctx, SetOperation operation) {
        List<Scored> result = result(ctx, 1, operation, false, false);
        if (result == null) {
            return;
        }
        Reply reply = ctx.reply();
        boolean nested = withScores && reply.protocol() > 2;
        reply.array(withScores && !nested ? 2 * result.size() : result.size());
        for (Scored scored : result) {
            if (nested) {
                reply.array(2);
            }
            reply.bulk(scored.bytes);
            if (withScores) {
                reply.doubleValue(scored.score);
            }
        }
    }

    private void store(CommandContext ctx, SetOperation operation, KeyEvent event) {
        List<Scored> result = result(ctx, 2, operation, true, false);
        if (result == null) {
            return;
        }
        zset.build(ctx.keyspace());
        long bytes = 0;
        int longest = 1;
        for (Scored scored : result) {
            bytes += scored.bytes.length;
            longest = Math.max(longest, scored.bytes.length);
        }
        zset.reserve(result.size(), bytes);
        long member = UnsafeApi.allocateMemory(longest);
        try {
            for (Scored scored : result) {
                UnsafeApi.copyMemory(scored.bytes, UnsafeApi.arrayBaseOffset(byte[].class), null, member,
                    scored.bytes.length);
                zset.put(scored.score, member, scored.bytes.length);
            }
        } finally {
            UnsafeApi.freeMemory(member);
        }
        Values.store(ctx, zset, ctx.lookup(0, 1), event);
    }

    private void intersectionSize(CommandContext ctx) {
        List<Scored> result = result(ctx, 1, SetOperation.INTERSECTION, false, true);
        if (result != null) {
            ctx.reply().integer(limit == 0 ? result.size() : Math.min(limit, result.size()));
        }
    }

    /** The result in its order, or null if there was an error, which is the reply then. */
    private List<Scored> result(
            CommandContext ctx, int keyCount, SetOperation operation, boolean stored, boolean onlySize) {
        Args args = ctx.args();
        args.position(keyCount);
        long announced = args.nextLong();
        if (announced < 1) {
            args.fail("ERR at least 1 input key is needed for '" + ctx.command().fullName() + "' command");
        }
        int keys = args.passKeys(announced, 0, Errors.SYNTAX);
        int firstKey = keyCount + 1;
        if (args.failed(ctx.reply())
                || !Values.areSources(ctx, firstKey, firstKey + keys, ValueType.ZSET, ValueType.SET)) {
            return null;
        }
        parseOptions(ctx, keys, operation, stored, onlySize);
        if (args.failed(ctx.reply())) {
            return null;
        }
        return combined(ctx, firstKey, keys, operation);
    }

    private void parseOptions(CommandContext ctx, int keys, SetOperation operation, boolean stored, boolean onlySize) {
        Args args = ctx.args();
        weights = new double[keys];
        Arrays.fill(weights, 1);
        aggregate = Aggregate.SUM;
        withScores = false;
        limit = 0;
        boolean combines = operation != SetOperation.DIFFERENCE && !onlySize;
        while (args.hasNext()) {
            if (combines && args.remaining() > keys && args.accept(WEIGHTS)) {
                for (int i = 0; i < keys; i++) {
                    if (!number.parse(ctx.request(), args.next())) {
                        args.fail(BAD_WEIGHT);
                    }
                    weights[i] = number.value();
                }
            } else if (combines && args.remaining() > 1 && args.accept(AGGREGATE)) {
                aggregate = nextAggregate(args);
            } else if (!stored && !onlySize && args.accept(WITHSCORES)) {
                withScores = true;
            } else if (onlySize && args.remaining() > 1 && args.accept(LIMIT)) {
                limit = args.nextLong(0, Long.MAX_VALUE, Errors.NEGATIVE_LIMIT);
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
    }

    private static Aggregate nextAggregate(Args args) {
        if (args.accept(SUM)) {
            return Aggregate.SUM;
        }
        if (args.accept(MIN)) {
            return Aggregate.MIN;
        }
        if (!args.accept(MAX)) {
            args.fail(Errors.SYNTAX);
        }
        return Aggregate.MAX;
    }

    private List<Scored> combined(CommandContext ctx, int firstKey, int keys, SetOperation operation) {
        Map<Member, Scored> members = new HashMap<>();
        Integer[] inputs = inputs(ctx, firstKey, keys, operation);
        for (int turn = 0; turn < keys; turn++) {
            PackedValue opened = open(ctx, ctx.lookup(0, firstKey + inputs[turn]));
            for (int position = 0; position < opened.size(); position++) {
                combine(members, opened, opened.at(position), weights[inputs[turn]], turn, operation);
            }
        }
        List<Scored> result = new ArrayList<>(members.size());
        for (Scored scored : members.values()) {
            boolean in = switch (operation) {
                case UNION -> true;
                case INTERSECTION -> scored.sets == keys;
                case DIFFERENCE -> scored.sets == 1;
            };
            if (in) {
                result.add(scored);
            }
        }
        result.sort(ORDER);
        return result;
    }

    /** Sums depend on their order where infinities are added: Redis takes the smallest set first. */
    private Integer[] inputs(CommandContext ctx, int firstKey, int keys, SetOperation operation) {
        Integer[] inputs = new Integer[keys];
        Arrays.setAll(inputs, i -> i);
        if (operation != SetOperation.DIFFERENCE) {
            Arrays.sort(inputs, Comparator.comparingInt(i -> open(ctx, ctx.lookup(0, firstKey + i)).size()));
        }
        return inputs;
    }

    /** What is not there is an empty sorted set. */
    private PackedValue open(CommandContext ctx, Entry entry) {
        boolean plain = entry.exists() && entry.type() == ValueType.SET;
        PackedValue opened = plain ? set : zset;
        opened.open(ctx.keyspace(), entry);
        return opened;
    }

    private void combine(
            Map<Member, Scored> members, PackedValue from, int handle, double weight, int turn,
            SetOperation operation) {
        byte[] bytes = new byte[from.length(handle)];
        UnsafeApi.copyMemory(null, from.address(handle), bytes, UnsafeApi.arrayBaseOffset(byte[].class), bytes.length);
        Member member = new Member(bytes);
        double score = weight * (from == zset ? zset.score(handle) : 1);
        if (turn == 0 || operation != SetOperation.INTERSECTION) {
            // Of what is intersected with the first, Redis takes no product to be zero by itself, only the sum.
            score = numberOrZero(score);
        }
        Scored known = members.get(member);
        if (known != null && (operation != SetOperation.INTERSECTION || known.sets == turn)) {
            known.score = operation == SetOperation.DIFFERENCE ? known.score : aggregated(known.score, score);
            known.sets++;
        } else if (known == null && (turn == 0 || operation == SetOperation.UNION)) {
            members.put(member, new Scored(bytes, score));
        }
    }

    private double aggregated(double a, double b) {
        return switch (aggregate) {
            case SUM -> numberOrZero(a + b);
            case MIN -> b < a ? b : a;
            case MAX -> b > a ? b : a;
        };
    }

    /** Infinity times zero, or minus infinity, is zero to Redis. */
    private static double numberOrZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    List<CommandSpec> specs() {
        return List.of(
            row("zunion", -3, this::union).flags(READONLY).countedKeys(1, "RO access").since("6.2.0")
                .complexity("O(N log N) with N members altogether")
                .summary("Returns what is in any of several sorted sets.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(),
                    weights(),
                    aggregate(),
                    Arg.word("WITHSCORES").optional()).build(),
            row("zunionstore", -4, this::unionStore).flags(WRITE, DENYOOM).key(1, "OW update")
                .countedKeys(2, "RO access").since("2.0.0").complexity("O(N log N) with N members altogether")
                .summary("Makes what is in any of several sorted sets the value of a key.")
                .args(Arg.key("destination"), Arg.integer("numkeys"), Arg.key("key").multiple(),
                    weights(),
                    aggregate()).build(),
            row("zinter", -3, this::intersection).flags(READONLY).countedKeys(1, "RO access").since("6.2.0")
                .complexity("O(N log N) with N members altogether")
                .summary("Returns what is in all of several sorted sets.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(),
                    weights(),
                    aggregate(),
                    Arg.word("WITHSCORES").optional()).build(),
            row("zinterstore", -4, this::intersectionStore).flags(WRITE, DENYOOM).key(1, "OW update")
                .countedKeys(2, "RO access").since("2.0.0").complexity("O(N log N) with N members altogether")
                .summary("Makes what is in all of several sorted sets the value of a key.")
                .args(Arg.key("destination"), Arg.integer("numkeys"), Arg.key("key").multiple(),
                    weights(),
                    aggregate()).build(),
            row("zdiff", -3, this::difference).flags(READONLY).countedKeys(1, "RO access").since("6.2.0")
                .complexity("O(N log N) with N members altogether")
                .summary("Returns what is in the first of several sorted sets only.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(), Arg.word("WITHSCORES").optional()).build(),
            row("zdiffstore", -4, this::differenceStore).flags(WRITE, DENYOOM).key(1, "OW update")
                .countedKeys(2, "RO access").since("6.2.0").complexity("O(N log N) with N members altogether")
                .summary("Makes what is in the first of several sorted sets only the value of a key.")
                .args(Arg.key("destination"), Arg.integer("numkeys"), Arg.key("key").multiple()).build(),
            row("zintercard", -3, this::intersectionSize).flags(READONLY).countedKeys(1, "RO access").since("7.0.0")
                .complexity("O(N) with N members altogether").summary("Counts what is in all of several sorted sets.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(),
                    Arg.integer("limit").token("LIMIT").optional()).build());
    }

    private static Arg weights() {
        return Arg.integer("weight").token("WEIGHTS").optional().multiple();
    }

    private static Arg aggregate() {
        return Arg.oneOf("aggregate", Arg.word("SUM"), Arg.word("MIN"), Arg.word("MAX")).token("AGGREGATE").optional();
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("sortedset").group("sorted-set");
    }
}
