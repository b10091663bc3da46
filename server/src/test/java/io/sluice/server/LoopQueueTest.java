package io.sluice.server;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LoopQueueTest {
    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final LoopQueue queue = new LoopQueue(loop::add);
    private final List<Integer> done = new ArrayList<>();

    private void turn() {
        loop.remove().run();
    }

    @Test
    void shouldWakeTheLoopOnceForWhatHasGathered() {
        assertTrue(queue.offer(() -> done.add(1)));
        assertTrue(queue.offer(() -> done.add(2)));
        assertEquals(1, loop.size());
        turn();
        assertEquals(List.of(1, 2), done);
        assertTrue(loop.isEmpty());
        queue.offer(() -> done.add(3));
        turn();
        assertEquals(List.of(1, 2, 3), done);
    }

    @Test
    void shouldGoOnAfterATaskThatFails() {
        queue.offer(() -> {
            throw new IllegalStateException("no");
        });
        queue.offer(() -> done.add(1));
        assertThrows(IllegalStateException.class, this::turn);
        turn();
        assertEquals(List.of(1), done);
    }

    @Test
    void shouldTakeNoMoreThanItsCapacity() {
        for (int i = 0; i < LoopQueue.CAPACITY; i++) {
            assertTrue(queue.offer(() -> done.add(0)));
        }
        assertFalse(queue.offer(() -> done.add(0)));
        turn();
        assertEquals(LoopQueue.CAPACITY, done.size());
        assertTrue(queue.offer(() -> done.add(0)));
    }
}
