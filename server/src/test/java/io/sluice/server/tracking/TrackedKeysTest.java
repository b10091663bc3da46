package io.sluice.server.tracking;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrackedKeysTest {
    private static final byte[] A = {'a'};
    private static final byte[] B = {'b', 'b'};

    private final TrackedKeys keys = new TrackedKeys();

    @Test
    void shouldNoteEachClientOncePerKey() {
        keys.add(A, 1);
        keys.add(A, 1);
        keys.add(A, 2);
        keys.add(B, 2);
        assertEquals(2, keys.size());
        assertEquals(3, keys.items());
        var clients = keys.remove(new byte[] {'a'});
        assertEquals(2, clients.size());
        assertTrue(clients.contains(1) && clients.contains(2));
        assertTrue(keys.remove(A).isEmpty());
        assertEquals(1, keys.items());
    }

    @Test
    void shouldCountItsBytesBackToNothing() {
        keys.add(A, 1);
        long one = keys.bytesUsed();
        keys.add(B, 1);
        keys.add(B, 2);
        assertTrue(keys.bytesUsed() > 2 * one);
        keys.remove(B);
        assertEquals(one, keys.bytesUsed());
        keys.remove(A);
        assertEquals(0, keys.bytesUsed());
        assertTrue(keys.isEmpty());
    }

    @Test
    void shouldKnowWhichKeyWasReadFirst() {
        keys.add(B, 1);
        keys.add(A, 1);
        keys.add(B, 2);
        assertArrayEquals(B, keys.eldest());
    }
}
