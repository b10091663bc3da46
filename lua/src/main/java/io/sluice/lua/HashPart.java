package io.sluice.lua;

/**
 * The hash part of a table: a list of entries in insertion order, found through an index of open addressing once
 * there are
 * more than a few. Assigning nil keeps the entry, so that a traversal can go on over it, until the part is rebuilt.
 */
abstract class HashPart {

    /** Entries up to which a linear search does without an index. */
    private static final int LINEAR_MAX = 8;

    static final Object[] NOTHING = new Object[0];

    /** Key, value, key, value, ...; {@code used} of them (counted in array slots, so twice the entries). */
    Object[] entries = NOTHING;
    private int used;
    /** Entry position + 1 by hash, 0 for free; null while a linear search will do. */
    private int[] index;

    HashPart(int capacity) {
        if (capacity > 0) {
            entries = new Object[2 * capacity];
            if (capacity > LINEAR_MAX) {
                index = new int[indexSize(capacity)];
            }
        }
    }

    /** An estimate of the heap it takes. */
    final long hashFootprint() {
        return (8L + LuaTable.NUMBER_BYTES) * entries.length + (index == null ? 0 : 4L * index.length);
    }

    final int hashUsed() {
        return used;
    }

    /** The position of a string key in {@link #entries}, or -1. Its value is one further and may be null. */
    final int find(LuaString key) {
        Object[] e = entries;
        if (index == null) {
            for (int i = 0; i < used; i += 2) {
                if (e[i] == key) {
                    return i;
                }
            }
            int hash = key.hashCode();
            for (int i = 0; i < used; i += 2) {
                if (e[i] instanceof LuaString s && s.hashCode() == hash && s.contentEquals(key)) {
                    return i;
                }
            }
            return -1;
        }
        int mask = index.length - 1;
        for (int slot = key.hashCode() & mask;; slot = slot + 1 & mask) {
            int at = index[slot] - 1;
            if (at < 0) {
                return -1;
            }
            Object k = e[at];
            if (k == key || k instanceof LuaString s && s.contentEquals(key)) {
                return at;
            }
        }
    }

    final int findNumber(double key) {
        Object[] e = entries;
        if (index == null) {
            for (int i = 0; i < used; i += 2) {
                if (e[i] instanceof Double d && d == key) {
                    return i;
                }
            }
            return -1;
        }
        int mask = index.length - 1;
        for (int slot = hash(key) & mask;; slot = slot + 1 & mask) {
            int at = index[slot] - 1;
            if (at < 0) {
                return -1;
            }
            if (e[at] instanceof Double d && d == key) {
                return at;
            }
        }
    }

    final int findOther(Object key) {
        Object[] e = entries;
        if (index == null) {
            for (int i = 0; i < used; i += 2) {
                if (e[i] == key) {
                    return i;
                }
            }
            return -1;
        }
        int mask = index.length - 1;
        for (int slot = hash(key) & mask;; slot = slot + 1 & mask) {
            int at = index[slot] - 1;
            if (at < 0) {
                return -1;
            }
            if (e[at] == key) {
                return at;
            }
        }
    }

    final int find(Object key) {
        if (key instanceof LuaString s) {
            return find(s);
        }
        return key instanceof Double d ? findNumber(d) : findOther(key);
    }

    private static int hash(double key) {
        long bits = Double.doubleToLongBits(key + 0.0);
        long mixed = bits * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 32) ^ (int) (mixed >>> 50);
    }

    private static int hash(Object key) {
        if (key instanceof LuaString s) {
            return s.hashCode();
        }
        if (key instanceof Double d) {
            return hash(d.doubleValue());
        }
        int h = System.identityHashCode(key);
        return h ^ h >>> 16;
    }

    final void setHash(Object key, Object value) {
        int at = find(key);
        if (at >= 0) {
            entries[at + 1] = value;
        } else if (value != null) {
            insert(key, value);
        }
    }

    private void insert(Object key, Object value) {
        if (used == entries.length) {
            rebuild();
        }
        entries[used] = key;
        entries[used + 1] = value;
        used += 2;
        if (index != null) {
            addToIndex(key, used - 2);
        }
    }

    private void addToIndex(Object key, int at) {
        int mask = index.length - 1;
        int slot = hash(key) & mask;
        while (index[slot] != 0) {
            slot = slot + 1 & mask;
        }
        index[slot] = at + 1;
    }

    /** Drops dead entries and makes room for as many as there are, at least. */
    private void rebuild() {
        int live = 0;
        for (int i = 0; i < used; i += 2) {
            live += entries[i + 1] != null ? 1 : 0;
        }
        int capacity = Math.max(4, live * 2);
        Object[] old = entries;
        int oldUsed = used;
        entries = new Object[2 * capacity];
        index = capacity > LINEAR_MAX ? new int[indexSize(capacity)] : null;
        used = 0;
        for (int i = 0; i < oldUsed; i += 2) {
            if (old[i + 1] != null) {
                insert(old[i], old[i + 1]);
            }
        }
    }

    private static int indexSize(int capacity) {
        return Integer.highestOneBit(capacity * 2 - 1) * 2;
    }
}
