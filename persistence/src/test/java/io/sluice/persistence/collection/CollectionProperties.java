package io.sluice.persistence.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.CollectionLimits;
import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceDriver;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.UnsafeApi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Every collection is what the same calls make of Java's collections, and is whole whenever the process is killed. */
class CollectionProperties {

    private static final int STEPS = 1_500;

    private final long scratch = UnsafeApi.allocateMemory(1 << 12);
    private final long otherScratch = UnsafeApi.allocateMemory(1 << 12);

    private interface Step {
        void run(Keyspace keyspace, Entry entry, int step);
    }

    private void run(final long seed, final Step step) {
        final KilledStore store = new KilledStore(seed);
        try (KeyspaceDriver driver = new KeyspaceDriver(store.asStore())) {
            final CollectionLimits limits = driver.keyspace.blobs().limits();
            limits.hashEntries = 8;
            limits.setEntries = 8;
            limits.intsetEntries = 16;
            limits.zsetEntries = 8;
            limits.listSize = 20;
            for (int i = 0; i < STEPS; i++) {
                final int number = i;
                driver.unit(() -> {
                    step.run(driver.keyspace, driver.at(0, "k"), number);
                    return null;
                });
            }
            assertTrue(store.changes > STEPS / 10);
        }
    }

    /** Grows in some phases and shrinks in others. */
    private static boolean grows(final Random random, final int step) {
        return random.nextInt(10) < (step / 300 % 2 == 0 ? 8 : 3);
    }

    private long write(final String text) {
        return write(text, scratch);
    }

    private static long write(final String text, final long to) {
        for (int i = 0; i < text.length(); i++) {
            UnsafeApi.putByte(to + i, (byte) text.charAt(i));
        }
        return to;
    }

    private static String text(final PackedValue value, final int handle) {
        return KeyspaceDriver.text(value.address(handle), value.length(handle));
    }

    private static String word(final Random random, final int different) {
        final int number = random.nextInt(different);
        return number % 7 == 0 ? "long".repeat(number % 20 + 1) + number : "w" + number;
    }

    private static List<String> all(final PackedValue value) {
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            all.add(text(value, value.at(i)));
        }
        return all;
    }

    @Property(tries = 20)
    void shouldBeAList(@ForAll final long seed) {
        final Random random = new Random(seed);
        final List<String> model = new ArrayList<>();
        final ListValue list = new ListValue();
        run(seed, (keyspace, entry, step) -> {
            assertEquals(!model.isEmpty(), entry.exists());
            list.open(keyspace, entry);
            if (grows(random, step)) {
                grow(list, model, random);
            } else if (!model.isEmpty()) {
                shrink(list, model, random);
            }
            assertEquals(model, all(list));
        });
    }

    private void grow(final ListValue list, final List<String> model, final Random random) {
        final String word = word(random, 30);
        final String pivot = word(random, 30);
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                list.pushLast(write(word), word.length());
                model.add(word);
            }
            case 2, 3 -> {
                list.pushFirst(write(word), word.length());
                model.add(0, word);
            }
            default -> {
                final boolean before = random.nextBoolean();
                final int at = model.indexOf(pivot);
                assertEquals(at >= 0, list.insert(
                    before, write(pivot, otherScratch), pivot.length(), write(word), word.length()));
                if (at >= 0) {
                    model.add(before ? at : at + 1, word);
                }
            }
        }
    }

    private void shrink(final ListValue list, final List<String> model, final Random random) {
        final String word = word(random, 30);
        final int some = 1 + random.nextInt(Math.min(model.size(), random.nextInt(20) == 0 ? 200 : 3));
        switch (random.nextInt(5)) {
            case 0 -> {
                list.removeFirst(some);
                model.subList(0, some).clear();
            }
            case 1 -> {
                list.removeLast(some);
                model.subList(model.size() - some, model.size()).clear();
            }
            case 2, 3 -> {
                final int at = random.nextInt(model.size());
                list.set(at, write(word), word.length());
                model.set(at, word);
            }
            default -> removeEqual(list, model, word, random.nextInt(5) - 2);
        }
    }

    private void removeEqual(final ListValue list, final List<String> model, final String word, final int count) {
        int removed = 0;
        while (model.contains(word) && (count == 0 || removed < Math.abs(count))) {
            model.remove(count < 0 ? model.lastIndexOf(word) : model.indexOf(word));
            removed++;
        }
        assertEquals(removed, list.removeEqual(count, write(word), word.length()));
    }

    @Property(tries = 20)
    void shouldBeAHash(@ForAll final long seed) {
        final Random random = new Random(seed);
        final Map<String, String> model = new LinkedHashMap<>();
        final HashValue hash = new HashValue();
        run(seed, (keyspace, entry, step) -> {
            assertEquals(!model.isEmpty(), entry.exists());
            hash.open(keyspace, entry);
            final String field = word(random, 40);
            if (grows(random, step)) {
                final String value = random.nextInt(20) == 0 ? "v".repeat(random.nextInt(300)) : "" + random.nextInt();
                assertEquals(model.put(field, value) == null, hash.put(
                    write(field), field.length(), write(value, otherScratch), value.length()));
            } else {
                assertEquals(model.remove(field) != null, hash.remove(write(field), field.length()));
            }
            checkHash(hash, model);
        });
    }

    private void checkHash(final HashValue hash, final Map<String, String> model) {
        final Map<String, String> held = new LinkedHashMap<>();
        for (int i = 0; i < hash.size(); i++) {
            final int handle = hash.at(i);
            final String field = text(hash, handle);
            held.put(field, KeyspaceDriver.text(hash.valueAddress(handle), hash.valueLength(handle)));
            assertEquals(handle, hash.find(write(field), field.length()));
        }
        assertEquals(model, held);
        if (!hash.isLarge()) {
            assertEquals(List.copyOf(model.keySet()), List.copyOf(held.keySet()), "in the order in which they came");
        }
        assertEquals(PackedValue.ABSENT, hash.find(write("absent"), 6));
        final Set<String> scanned = new HashSet<>();
        long cursor = 0;
        do {
            cursor = hash.scan(cursor, 3, handle -> assertTrue(scanned.add(text(hash, handle))));
        } while (cursor != 0);
        assertEquals(model.keySet(), scanned);
    }

    @Property(tries = 20)
    void shouldBeASet(@ForAll final long seed) {
        final Random random = new Random(seed);
        final Set<String> model = new HashSet<>();
        final SetValue set = new SetValue();
        run(seed, (keyspace, entry, step) -> {
            set.open(keyspace, entry);
            assertEquals(!model.isEmpty(), entry.exists());
            final String member = random.nextInt(50) == 0 || random.nextInt(600) < step % 600
                ? word(random, 40) : Integer.toString(random.nextInt(60) - 30);
            if (grows(random, step)) {
                assertEquals(model.add(member), set.add(write(member), member.length()));
            } else {
                assertEquals(model.remove(member), set.remove(write(member), member.length()));
            }
            final List<String> all = all(set);
            assertEquals(model.size(), all.size());
            assertEquals(model, new HashSet<>(all));
            all.forEach(held -> assertTrue(set.find(write(held), held.length()) != PackedValue.ABSENT));
            if (set.size() > 0 && set.isIntegers()) {
                assertEquals(all.stream().sorted(Comparator.comparing(Integer::valueOf)).toList(), all);
            }
        });
    }

    private record Scored(double score, String member) implements Comparable<Scored> {
        @Override
        public int compareTo(final Scored other) {
            final int byScore = Double.compare(score, other.score);
            return byScore != 0 ? byScore : member.compareTo(other.member);
        }
    }

    @Property(tries = 20)
    void shouldBeASortedSet(@ForAll final long seed) {
        final Random random = new Random(seed);
        final Map<String, Double> scores = new LinkedHashMap<>();
        final ZSetValue zset = new ZSetValue();
        run(seed, (keyspace, entry, step) -> {
            assertEquals(!scores.isEmpty(), entry.exists());
            zset.open(keyspace, entry);
            final String member = word(random, 300);
            if (grows(random, step)) {
                final double score = random.nextInt(3) == 0 ? random.nextInt(10) : step;
                assertEquals(scores.put(member, score) == null, zset.put(score, write(member), member.length()));
            } else if (random.nextInt(4) > 0) {
                assertEquals(scores.remove(member) != null, zset.remove(write(member), member.length()));
            } else if (!scores.isEmpty()) {
                removeRange(zset, scores, random);
            }
            checkSortedSet(zset, scores, random);
        });
    }

    private static List<Scored> sorted(final Map<String, Double> scores) {
        return scores.entrySet().stream().map(e -> new Scored(e.getValue(), e.getKey())).sorted().toList();
    }

    private void removeRange(final ZSetValue zset, final Map<String, Double> scores, final Random random) {
        final int from = random.nextInt(2) * random.nextInt(scores.size());
        final int members = random.nextInt(random.nextInt(20) == 0 ? scores.size() - from + 1
            : Math.min(scores.size() - from, 4) + 1);
        sorted(scores).subList(from, from + members).forEach(scored -> scores.remove(scored.member));
        zset.removeRange(from, members);
    }

    private void checkSortedSet(final ZSetValue zset, final Map<String, Double> scores, final Random random) {
        final List<Scored> model = sorted(scores);
        final List<Scored> held = new ArrayList<>();
        for (int i = 0; i < zset.size(); i++) {
            final int handle = zset.at(i);
            held.add(new Scored(zset.score(handle), text(zset, handle)));
            assertEquals(i, zset.rank(handle));
            assertEquals(handle, zset.find(write(held.get(i).member), held.get(i).member.length()));
        }
        assertEquals(model, held);
        final double bound = random.nextInt(12) - 1;
        assertEquals(model.stream().filter(scored -> scored.score < bound).count(), zset.firstAtLeast(bound));
        assertEquals(model.stream().filter(scored -> scored.score <= bound).count(), zset.firstAbove(bound));
    }

    @Property(tries = 20)
    void shouldBeMadeApartAndStoredAtOnce(@ForAll final long seed) {
        final Random random = new Random(seed);
        final KilledStore store = new KilledStore(seed);
        try (KeyspaceDriver driver = new KeyspaceDriver(store.asStore())) {
            driver.put(0, "k", "something else");
            final Map<String, Double> scores = new LinkedHashMap<>();
            final ZSetValue zset = new ZSetValue();
            zset.build(driver.keyspace);
            for (int i = random.nextInt(400); i > 0; i--) {
                final String member = word(random, 500);
                final double score = random.nextInt(100);
                assertEquals(scores.put(member, score) == null, zset.put(score, write(member), member.length()));
                if (random.nextInt(10) == 0) {
                    removeRange(zset, scores, random);
                }
            }
            driver.unit(() -> {
                final Entry entry = driver.at(0, "k");
                assertEquals(!scores.isEmpty(), zset.store(entry, Entry.NO_EXPIRY));
                assertEquals(!scores.isEmpty(), driver.at(0, "k").exists());
                zset.open(driver.keyspace, driver.at(0, "k"));
                checkSortedSet(zset, scores, random);
                return null;
            });
        }
    }
}
