package io.sluice.persistence;

import static io.sluice.persistence.KeyspaceDriver.payloadOf;

import io.sluice.persistence.KeyspaceDriver.Held;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** What a keyspace ought to hold, in the plainest form, and random operations on both. */
public final class KeyspaceModel {

    private static final int KEYS = 40;

    private final KeyspaceDriver driver;
    private final int databases;
    private final Random random;
    private final List<Map<String, Held>> content = new ArrayList<>();
    private boolean swaps = true;

    public KeyspaceModel(final KeyspaceDriver driver, final Random random) {
        this.driver = driver;
        this.random = random;
        databases = driver.keyspace.databases();
        for (int db = 0; db < databases; db++) {
            content.add(new TreeMap<>());
        }
    }

    /** Never lets databases change places from now on. */
    public KeyspaceModel withoutSwaps() {
        swaps = false;
        return this;
    }

    /** Live keys of a database. */
    public Map<String, Held> all(final int db) {
        final Map<String, Held> live = new TreeMap<>(content.get(db));
        live.values().removeIf(held -> driver.nowMs() > held.expireAtMs());
        return live;
    }

    public String randomKey() {
        final int i = random.nextInt(KEYS);
        return i == 0 ? "" : i < 4 ? "k".repeat(i * 100) : "key:" + i;
    }

    /** One random operation on keyspace and model. Answers of the keyspace are checked. */
    public void step() {
        final int db = random.nextInt(databases);
        final String key = randomKey();
        switch (random.nextInt(17)) {
            case 0, 1, 2 -> put(db, key, Long.toString(randomLong()));
            case 3, 4 -> put(db, key, randomText(60));
            case 5 -> put(db, key, randomText(3_000));
            case 6 -> words(db, key);
            case 7 -> blob(db, key);
            case 8 -> append(db, key);
            case 9 -> setRange(db, key);
            case 10 -> check(driver.remove(db, key), live(db).remove(key) != null);
            case 11 -> expire(db, key);
            case 12 -> persist(db, key);
            case 13, 14 -> transfer(db, key);
            case 15 -> driver.advanceMs(random.nextInt(20));
            default -> wholeDatabase(db);
        }
    }

    /** The keyspace holds what the model holds. */
    public void verify() {
        for (int db = 0; db < databases; db++) {
            final Map<String, Held> expected = all(db);
            check(driver.all(db), expected);
            final String key = randomKey();
            check(driver.get(db, key), expected.get(key));
        }
    }

    private Map<String, Held> live(final int db) {
        final Map<String, Held> live = all(db);
        content.set(db, live);
        return live;
    }

    private void put(final int db, final String key, final String text) {
        final long expireAtMs = randomExpiry();
        driver.put(db, key, text, expireAtMs);
        content.get(db).put(key, new Held(ValueType.STRING, text, expireAtMs));
    }

    private void words(final int db, final String key) {
        final long expireAtMs = randomExpiry();
        final long[] words = random.longs(1 + random.nextInt(4)).toArray();
        final int type = ValueType.GCRA + random.nextInt(5);
        driver.putWords(db, key, type, expireAtMs, words);
        content.get(db).put(key, new Held(type, payloadOf(words), expireAtMs));
    }

    private void blob(final int db, final String key) {
        final long expireAtMs = randomExpiry();
        final String blob = randomText(500);
        driver.putBlob(db, key, ValueType.LOG, blob, expireAtMs);
        content.get(db).put(key, new Held(ValueType.LOG, blob, expireAtMs));
    }

    private void append(final int db, final String key) {
        final Held old = live(db).get(key);
        if (old == null || old.type() == ValueType.STRING) {
            final String more = randomText(40);
            final String text = (old == null ? "" : old.payload()) + more;
            check(driver.append(db, key, more), text.length());
            string(db, key, text, old);
        }
    }

    private void setRange(final int db, final String key) {
        final Held old = live(db).get(key);
        if (old == null || old.type() == ValueType.STRING) {
            final String part = randomText(30);
            final int offset = random.nextInt(100);
            final StringBuilder text = new StringBuilder(old == null ? "" : old.payload());
            if (!part.isEmpty()) {
                text.append("\0".repeat(Math.max(0, offset + part.length() - text.length())));
                text.replace(offset, offset + part.length(), part);
            }
            check(driver.setRange(db, key, offset, part), text.length());
            if (!part.isEmpty()) {
                string(db, key, text.toString(), old);
            }
        }
    }

    private void string(final int db, final String key, final String text, final Held old) {
        content.get(db).put(
            key, new Held(ValueType.STRING, text, old == null ? Entry.NO_EXPIRY : old.expireAtMs()));
    }

    private void expire(final int db, final String key) {
        final long expireAtMs = driver.nowMs() + random.nextInt(100) - 10;
        final Held old = live(db).get(key);
        check(driver.expireAt(db, key, expireAtMs), old != null);
        if (old != null) {
            content.get(db).put(key, new Held(old.type(), old.payload(), expireAtMs));
        }
    }

    private void persist(final int db, final String key) {
        final Held old = live(db).get(key);
        final boolean expires = old != null && old.expireAtMs() != Entry.NO_EXPIRY;
        check(driver.persist(db, key), expires);
        if (expires) {
            content.get(db).put(key, new Held(old.type(), old.payload(), Entry.NO_EXPIRY));
        }
    }

    private void transfer(final int db, final String key) {
        final int toDb = random.nextInt(databases);
        final String toKey = randomKey();
        final Held held = live(db).get(key);
        final boolean same = db == toDb && key.equals(toKey);
        if (random.nextBoolean()) {
            check(driver.rename(db, key, toDb, toKey), held != null);
            if (held != null && !same) {
                content.get(db).remove(key);
                content.get(toDb).put(toKey, held);
            }
        } else {
            check(driver.copy(db, key, toDb, toKey), held != null);
            if (held != null) {
                content.get(toDb).put(toKey, held);
            }
        }
    }

    private void wholeDatabase(final int db) {
        switch (random.nextInt(12)) {
            case 0 -> {
                driver.flushDb(db);
                content.get(db).clear();
            }
            case 1 -> {
                driver.flushAll();
                content.forEach(Map::clear);
            }
            default -> {
                final int with = swaps ? random.nextInt(databases) : db;
                driver.swapDb(db, with);
                Collections.swap(content, db, with);
            }
        }
    }

    private long randomExpiry() {
        return random.nextInt(3) == 0 ? driver.nowMs() + random.nextInt(200) : Entry.NO_EXPIRY;
    }

    private long randomLong() {
        return random.nextLong() >> random.nextInt(64);
    }

    private String randomText(final int lengthMax) {
        final StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
            text.append((char) random.nextInt(256));
        }
        return text.toString();
    }

    private static void check(final Object actual, final Object expected) {
        if (actual == null ? expected != null : !actual.equals(expected)) {
            throw new AssertionError("expected " + expected + " but was " + actual);
        }
    }
}
