package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LuaTableTest {

    private static Object key(Random random) {
        return switch (random.nextInt(5)) {
            case 0, 1 -> (double) random.nextInt(-2, 20);
            case 2 -> random.nextInt(20) / 4.0;
            case 3 -> LuaString.of("key" + random.nextInt(30));
            default -> random.nextBoolean() ? Boolean.TRUE : Boolean.FALSE;
        };
    }

    private static Object normal(Object key) {
        return key instanceof Double d ? (Object) (d + 0.0) : key;
    }

    @Test
    void shouldHoldWhatAMapHolds() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            LuaTable table = new LuaTable(random.nextInt(4), random.nextInt(12));
            Map<Object, Object> model = new HashMap<>();
            for (int i = 0; i < 200; i++) {
                Object key = key(random);
                Object value = random.nextInt(3) == 0 ? null : (Object) (double) i;
                table.set(key, value);
                if (value == null) {
                    model.remove(normal(key));
                } else {
                    model.put(normal(key), value);
                }
                assertEquals(model.get(normal(key)), table.get(key));
            }
            compare(table, model);
            border(table);
        }
    }

    private static void compare(LuaTable table, Map<Object, Object> model) {
        Map<Object, Object> seen = new HashMap<>();
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            assertNull(seen.put(normal(table.keyAt(p)), table.valueAt(p)));
            assertEquals(p, table.positionOf(table.keyAt(p)));
        }
        assertEquals(model, seen);
        model.forEach((k, v) -> assertEquals(v, table.get(k)));
    }

    private static void border(LuaTable table) {
        int n = table.length();
        assertTrue(n == 0 || table.get(n) != null);
        assertNull(table.get(n + 1));
    }

    @Test
    void shouldKeepInsertionOrderOfKeys() {
        LuaTable table = new LuaTable();
        StringBuilder order = new StringBuilder();
        for (String name : new String[] {"z", "a", "m", "b", "y", "c", "x", "d", "w", "e", "v", "f"}) {
            table.set(LuaString.of(name), 1.0);
        }
        table.set(LuaString.of("m"), null);
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            order.append(table.keyAt(p));
        }
        assertEquals("zabycxdwevf", order.toString());
    }

    @Test
    void shouldTreatBothZerosAsOneKey() {
        LuaTable table = new LuaTable();
        table.set((Object) (-0.0), LuaString.of("zero"));
        for (int i = 0; i < 20; i++) {
            table.set(LuaString.of("filler" + i), 1.0);
        }
        assertEquals(LuaString.of("zero"), table.get(0.0));
        assertEquals(LuaString.of("zero"), table.get((Object) (-0.0)));
    }

    @Test
    void shouldMoveKeysIntoTheArrayPartWhenTheGapCloses() {
        LuaTable table = new LuaTable();
        for (int i = 1000; i >= 1; i--) {
            table.set(i, (Object) (double) i);
        }
        assertEquals(1000, table.length());
        assertEquals(1000, table.arraySize);
        assertNull(table.get(1001));
    }
}
