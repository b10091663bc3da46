package io.sluice.lua;

import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * A Lua table: an array part for the keys 1..n and a hash part for the rest.
 *
 * <p>The hash part is a list of entries in insertion order, found through an index of open addressing once there are
 * more
 * than a few. So {@code pairs} goes in insertion order, the same in every run, although the hash of strings is seeded.
 * Assigning nil keeps the entry (a traversal may go on over it); it goes when the part is rebuilt.
 *
 * <p>The array part keeps holes, and {@code #} halves it as Lua does when its last element is nil.
 */
public final class LuaTable extends HashPart {

    // References are counted as whole words, since the collector that we run with does not compress them. Every place
    // may hold a number, which takes an object that nobody else counts.
    private static final int TABLE_BYTES = 96;
    static final int NUMBER_BYTES = 24;
    private static final int ELEMENT_BYTES = 8 + NUMBER_BYTES;
    private static final int ENTRY_BYTES = 2 * (8 + NUMBER_BYTES) + 6;

    /**
     * The array part: {@code array[0..arraySize)} are the keys 1..arraySize. Key arraySize+1 is never in the hash
     * part.
     */
    Object[] array;
    int arraySize;

    LuaTable metatable;
    private boolean readonly;
    /** {@link LiveMemory}'s. */
    int mark;

    /** An empty table. */
    public LuaTable() {
        super(0);
        this.array = NOTHING;
    }

    /**
     * An empty table with room.
     *
     * @param arrayCapacity expected elements of the array part
     * @param hashCapacity expected other keys
     */
    public LuaTable(int arrayCapacity, int hashCapacity) {
        super(hashCapacity);
        this.array = arrayCapacity == 0 ? NOTHING : new Object[arrayCapacity];
    }

    /**
     * A table of these values as the keys 1..n.
     *
     * @param values Lua values, not copied
     * @return the table
     */
    public static LuaTable ofArray(Object... values) {
        LuaTable table = new LuaTable();
        table.array = values;
        table.arraySize = values.length;
        return table;
    }

    /** An estimate of the heap it takes, for the memory limit. */
    long footprint() {
        return TABLE_BYTES + (long) ELEMENT_BYTES * array.length + hashFootprint();
    }

    static long initialFootprint(int arrayCapacity, int hashCapacity) {
        return TABLE_BYTES + (long) ELEMENT_BYTES * arrayCapacity + (long) ENTRY_BYTES * hashCapacity;
    }

    /**
     * Makes every further change by a script an error ("Attempt to modify a readonly table").
     */
    public void makeReadonly() {
        readonly = true;
    }

    boolean isReadonly() {
        return readonly;
    }

    /**
     * The value of a key, without metamethods.
     *
     * @param key any Lua value
     * @return its value, null for nil
     */
    public Object get(Object key) {
        if (key instanceof LuaString s) {
            return get(s);
        }
        if (key instanceof Double d) {
            return get(d.doubleValue());
        }
        if (key == null) {
            return null;
        }
        int at = findOther(key);
        return at < 0 ? null : entries[at + 1];
    }

    /**
     * The value of a string key, without metamethods.
     *
     * @param key the key
     * @return its value, null for nil
     */
    public Object get(LuaString key) {
        int at = find(key);
        return at < 0 ? null : entries[at + 1];
    }

    /**
     * The value of an integer key, without metamethods.
     *
     * @param key the key, 1 for the first element
     * @return its value, null for nil
     */
    public Object get(int key) {
        int i = key - 1;
        if (i >= 0 && i < arraySize) {
            return array[i];
        }
        return hashUsed() == 0 ? null : getNumber(key);
    }

    Object get(double key) {
        int i = (int) key;
        if (i == key) {
            return get(i);
        }
        return getNumber(key);
    }

    private Object getNumber(double key) {
        int at = findNumber(key);
        return at < 0 ? null : entries[at + 1];
    }

    /**
     * Assigns without metamethods and without asking whether the table is read-only: for Java code that builds tables.
     *
     * @param key any Lua value but nil and NaN
     * @param value any Lua value, null for nil
     */
    public void set(Object key, Object value) {
        if (key instanceof Double d) {
            set(d.doubleValue(), value);
        } else {
            setHash(key, value);
        }
    }

    /**
     * Assigns a field by its Java name.
     *
     * @param name the key, Latin-1
     * @param value any Lua value, null for nil
     */
    public void set(String name, Object value) {
        setHash(LuaString.name(name), value);
    }

    /**
     * Assigns an integer key.
     *
     * @param key the key, 1 for the first element
     * @param value any Lua value, null for nil
     */
    public void set(int key, Object value) {
        int i = key - 1;
        if (i >= 0 && i < arraySize) {
            array[i] = value;
        } else if (i == arraySize) {
            append(value);
        } else {
            setHash(Double.valueOf(key), value);
        }
    }

    void set(double key, Object value) {
        int i = (int) key;
        if (i == key) {
            set(i, value);
        } else {
            setHash(Double.valueOf(key), value);
        }
    }

    /** Assigns if that takes no more room than the array part has; false if nothing was done. */
    boolean setElement(double key, Object value) {
        int i = (int) key - 1;
        if (i + 1 != key || i < 0) {
            return false;
        }
        if (i < arraySize) {
            array[i] = value;
            return true;
        }
        if (i == arraySize && i < array.length && hashUsed() == 0 && value != null) {
            array[arraySize++] = value;
            return true;
        }
        return false;
    }

    private void append(Object value) {
        if (value == null) {
            return;
        }
        if (arraySize == array.length) {
            array = Arrays.copyOf(array, Math.max(4, arraySize + (arraySize >> 1)));
        }
        array[arraySize++] = value;
        if (hashUsed() > 0) {
            takeFromHash();
        }
    }

    /** Moves keys that now follow the array part into it. */
    private void takeFromHash() {
        int at = findNumber(arraySize + 1.0);
        while (at >= 0 && entries[at + 1] != null) {
            Object value = entries[at + 1];
            entries[at + 1] = null;
            if (arraySize == array.length) {
                array = Arrays.copyOf(array, arraySize + (arraySize >> 1) + 4);
            }
            array[arraySize++] = value;
            at = findNumber(arraySize + 1.0);
        }
    }

    /**
     * Lua's {@code #}: a border, that is some n with a value whose successor is nil.
     *
     * @return the border
     */
    public int length() {
        int size = arraySize;
        if (size == 0 || array[size - 1] != null) {
            return size;
        }
        int low = 0;
        int high = size;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (array[middle - 1] == null) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /**
     * The number of keys that have a value.
     *
     * @return the number
     */
    public int count() {
        int count = 0;
        for (int p = nextPosition(0); p > 0; p = nextPosition(p)) {
            count++;
        }
        return count;
    }

    /**
     * Shows every key with its value, in the order of {@code pairs} without metamethods.
     *
     * @param visitor takes key and value; must not change the table
     */
    public void forEach(BiConsumer<Object, Object> visitor) {
        for (int p = nextPosition(0); p > 0; p = nextPosition(p)) {
            visitor.accept(keyAt(p), valueAt(p));
        }
    }

    /** Takes the positional values of a constructor as the keys 1..count; holes among them stay, as Lua keeps them. */
    void setArrayPart(Object[] values, int count) {
        if (arraySize == 0) {
            array = values;
            arraySize = count;
            if (hashUsed() > 0) {
                takeFromHash();
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            set(i + 1, values[i]);
        }
    }

    /**
     * The step after {@code position} in a traversal, -1 at its end; start with 0. See {@link #keyAt}, {@link
     * #valueAt}.
     */
    int nextPosition(int position) {
        int p = position;
        while (p < arraySize) {
            p++;
            if (array[p - 1] != null) {
                return p;
            }
        }
        for (int i = p - arraySize; 2 * i < hashUsed(); i++) {
            if (entries[2 * i + 1] != null) {
                return arraySize + i + 1;
            }
        }
        return -1;
    }

    Object keyAt(int position) {
        return position <= arraySize ? (Object) Double.valueOf(position) : entries[2 * (position - arraySize - 1)];
    }

    Object valueAt(int position) {
        return position <= arraySize ? array[position - 1] : entries[2 * (position - arraySize - 1) + 1];
    }

    /** The position of a key that a traversal was at, 0 for nil, -1 for a key that is not there. */
    int positionOf(Object key) {
        if (key == null) {
            return 0;
        }
        if (key instanceof Double d) {
            int i = (int) (double) d;
            if (i == d && i >= 1 && i <= arraySize) {
                return i;
            }
        }
        int at = find(key);
        return at < 0 ? -1 : arraySize + at / 2 + 1;
    }

    /** Moves the elements {@code position..n} up by one; false if they are not all in the array part. */
    boolean shiftUp(int position, int n) {
        if (position < 1 || position > n || n > arraySize) {
            return false;
        }
        Object last = array[n - 1];
        System.arraycopy(array, position - 1, array, position, n - position);
        set(n + 1, last);
        return true;
    }

    /**
     * Moves the elements {@code position+1..n} down by one and ends with nil; false if not all are in the array
     * part.
     */
    boolean shiftDown(int position, int n) {
        if (position < 1 || position > n || n > arraySize) {
            return false;
        }
        System.arraycopy(array, position, array, position - 1, n - position);
        array[n - 1] = null;
        return true;
    }

    /** The largest positive number among the keys with a value, for {@code table.maxn}. */
    double maxKey() {
        double max = 0;
        for (int p = nextPosition(0); p > 0; p = nextPosition(p)) {
            if (keyAt(p) instanceof Double d && d > max) {
                max = d;
            }
        }
        return max;
    }
}
