package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.Future;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.KeyObserver;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.resp.Request;
import io.sluice.server.net.Connection;
import org.agrona.BufferUtil;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Clients that wait for a key. When the unit that has changed such a key is over, the commands of those who wait for it
 * are executed again, in the order in which they came; one that finds nothing for it goes on waiting. Meanwhile a
 * client is suspended, and a copy of its command is kept, which is bounded by what a client may send.
 */
public final class BlockedClients implements KeyObserver {
    private static final String UNBLOCKED = "UNBLOCKED client unblocked via CLIENT UNBLOCK";
    private static final int KEY_BYTES_INITIAL = 64;
    /** Most memory that the keys of all who wait may take: they are on the heap. */
    static final long BYTES_MAX = 32L << 20;
    /** What a key takes besides its name: its queue, and its places in the tables. */
    private static final int KEY_OVERHEAD_BYTES = 300;

    /** Executes the command of a client that waits. */
    interface Executor {
        /** Returns whether the client was answered; otherwise it goes on waiting. */
        boolean execute(Waiter waiter);
    }

    /** A client with the command that it waits with. */
    static final class Waiter {
        final Connection connection;
        final Request request;
        /** Whether the client does not want the reply. */
        final boolean muted;
        private final ByteBuf bytes;
        private final int type;
        /** Its place in every queue: who came earlier has a lower one. */
        private final long arrival;
        private final List<KeyQueue> queues = new ArrayList<>();
        private final long keyBytes;
        private Future<?> timeout;

        Waiter(Connection connection, Request command, int type, long arrival, long keyBytes) {
            this.connection = connection;
            this.keyBytes = keyBytes;
            this.arrival = arrival;
            this.type = type;
            muted = connection.settings().isMuted();
            bytes = PooledByteBufAllocator.DEFAULT.directBuffer();
            request = command.appendTo(bytes);
        }
    }

    /** Those who wait for a key, by their arrival. */
    private static final class KeyQueue {
        private final KeyName key;
        private final NavigableMap<Long, Waiter> waiters = new TreeMap<>();

        KeyQueue(KeyName key) {
            this.key = key;
        }
    }

    private final Map<Connection, Waiter> byConnection = new HashMap<>();
    private final Map<KeyName, KeyQueue> byKey = new HashMap<>();
    private final Set<KeyQueue> changed = new LinkedHashSet<>();
    private final KeyName wanted = new KeyName(KEY_BYTES_INITIAL);
    private long arrivals;
    private long bytesUsed;
    private final Entry entry = new Entry();
    private final ByteBuffer keyBytes = ByteBuffer.allocateDirect(Store.KEY_BYTES_MAX);
    private final long keyAddress = BufferUtil.address(keyBytes);

    /**
     * Lets a client wait.
     *
     * @param firstKey  index of the first argument that is a key to wait for; the others follow it
     * @param type      what a key must be to be of use
     * @param timeoutMs 0 for no end
     * @throws CommandException if there is no room for its keys
     */
    void add(CommandContext ctx, int firstKey, int lastKey, long timeoutMs, int type) {
        Request request = ctx.request();
        long keyBytes = 0;
        for (int i = firstKey; i <= lastKey; i++) {
            keyBytes += KEY_OVERHEAD_BYTES + request.argLength(i);
        }
        if (bytesUsed + keyBytes > BYTES_MAX) {
            throw new CommandException("ERR too many keys are waited for");
        }
        bytesUsed += keyBytes;
        Waiter waiter = new Waiter(ctx.connection(), request, type, ++arrivals, keyBytes);
        for (int i = firstKey; i <= lastKey; i++) {
            KeyName key = new KeyName(request.argLength(i)).set(ctx.db(), request.argAddress(i), request.argLength(i));
            KeyQueue queue = byKey.computeIfAbsent(key, KeyQueue::new);
            queue.waiters.put(waiter.arrival, waiter);
            waiter.queues.add(queue);
        }
        byConnection.put(waiter.connection, waiter);
        waiter.connection.block();
        if (timeoutMs > 0) {
            waiter.timeout = waiter.connection.channel().eventLoop().schedule(
                () -> endWithNothing(waiter), timeoutMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Number of clients that wait. */
    public int size() {
        return byConnection.size();
    }

    /** Number of keys that somebody waits for. */
    public int keys() {
        return byKey.size();
    }

    /** Whether keys have changed that somebody waits for. */
    boolean isDue() {
        return !changed.isEmpty();
    }

    /** Executes what waits for keys that have changed, and for those that change by that. */
    void serve(Keyspace keyspace, Executor executor) {
        while (!changed.isEmpty()) {
            KeyQueue queue = changed.iterator().next();
            changed.remove(queue);
            serve(queue, keyspace, executor);
        }
    }

    /** The key is looked up once, and again when a command has run, which may have taken what was there. */
    private void serve(KeyQueue queue, Keyspace keyspace, Executor executor) {
        boolean isThere = lookup(queue.key, keyspace);
        Map.Entry<Long, Waiter> next = queue.waiters.firstEntry();
        while (isThere && next != null) {
            Waiter waiter = next.getValue();
            if (waiter.connection.isClosing()) {
                // Its end is on its way here; what it took would be lost with it.
                remove(waiter);
            } else if (entry.type() == waiter.type) {
                if (executor.execute(waiter)) {
                    end(waiter);
                }
                isThere = lookup(queue.key, keyspace);
            }
            next = queue.waiters.higherEntry(waiter.arrival);
        }
    }

    private boolean lookup(KeyName key, Keyspace keyspace) {
        keyBytes.put(0, key.bytes, 0, key.length);
        return keyspace.lookup(entry, key.db, keyAddress, key.length);
    }

    /**
     * Ends the waiting of a client, as if its time were over or with an error. Returns whether it has waited.
     */
    boolean unblock(long clientId, boolean withError) {
        for (Waiter waiter : byConnection.values()) {
            if (waiter.connection.id() == clientId) {
                if (withError) {
                    endWithError(waiter, UNBLOCKED);
                } else {
                    endWithNothing(waiter);
                }
                return true;
            }
        }
        return false;
    }

    /** Ends the waiting of all: each is told this error and closed behind it. */
    public void closeAll(String error) {
        for (Waiter waiter : List.copyOf(byConnection.values())) {
            waiter.connection.closeAfterReplies();
            endWithError(waiter, error);
        }
    }

    private void endWithError(Waiter waiter, String error) {
        if (!waiter.muted) {
            waiter.connection.reply().error(error);
        }
        end(waiter);
    }

    private void endWithNothing(Waiter waiter) {
        if (!waiter.muted) {
            // As Redis does for all of them, also for those that answer with a single element.
            waiter.connection.reply().nullArray();
        }
        end(waiter);
    }

    private void end(Waiter waiter) {
        remove(waiter);
        waiter.connection.resume();
    }

    /** The client is gone. */
    void forget(Connection connection) {
        Waiter waiter = byConnection.get(connection);
        if (waiter != null) {
            remove(waiter);
        }
    }

    private void remove(Waiter waiter) {
        if (!byConnection.remove(waiter.connection, waiter)) {
            return;
        }
        bytesUsed -= waiter.keyBytes;
        for (KeyQueue queue : waiter.queues) {
            queue.waiters.remove(waiter.arrival);
            if (queue.waiters.isEmpty()) {
                byKey.remove(queue.key, queue);
            }
        }
        if (waiter.timeout != null) {
            waiter.timeout.cancel(false);
        }
        waiter.bytes.release();
    }

    @Override
    public void keyTouched(int db, long address, int length) {
        if (!byKey.isEmpty()) {
            KeyQueue queue = byKey.get(wanted.set(db, address, length));
            if (queue != null) {
                changed.add(queue);
            }
        }
    }

    @Override
    public void keyEvent(KeyEvent event, int db, long address, int length) {
        // What matters is that the key was touched.
    }

    @Override
    public void databaseReplaced(int db) {
        for (KeyQueue queue : byKey.values()) {
            if (queue.key.db == db) {
                changed.add(queue);
            }
        }
    }
}
