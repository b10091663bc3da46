package io.sluice.server.net;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Request;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TransactionTest {
    private static final int MB = 1 << 20;

    /** What clients queue may not take the heap, of which there is too little for all of them. */
    @Test
    void shouldQueueOffTheHeap() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Transaction transaction = new Transaction();
        byte[][] words = new byte[100_000][];
        Arrays.fill(words, new byte[] {'a'});
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer();
        Request request = Request.of(bytes, words);
        transaction.open();
        assertTrue(transaction.add(request, 64 * MB));
        long before = threads.getCurrentThreadAllocatedBytes();
        int added = 1;
        while (transaction.add(request, 64 * MB)) {
            added++;
        }
        assertTrue(threads.getCurrentThreadAllocatedBytes() - before < MB);
        assertEquals(added, transaction.size());
        assertTrue(added > 60, String.valueOf(added));
        for (int i = 0; i < added; i++) {
            Request queued = transaction.next();
            assertEquals(words.length, queued.argCount());
            assertEquals("a", queued.argText(words.length - 1));
        }
        transaction.close();
        transaction.close();
        assertFalse(transaction.isOpen());
        bytes.release();
    }
}
