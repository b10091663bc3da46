package io.sluice.server.tracking;

import org.agrona.collections.LongHashSet;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which clients may have which keys in their caches, in the order in which keys were first read. */
final class TrackedKeys {
    /** What a key takes besides its bytes, and what a client takes in the set of a key. */
    private static final int KEY_OVERHEAD_BYTES = 240;
    private static final int CLIENT_BYTES = 16;
    private static final LongHashSet NONE = new LongHashSet();

    private final Map<ByteBuffer, LongHashSet> clients = new LinkedHashMap<>();
    private long bytesUsed;
    private long items;

    void add(byte[] key, long clientId) {
        LongHashSet ids = clients.get(ByteBuffer.wrap(key));
        if (ids == null) {
            ids = new LongHashSet();
            clients.put(ByteBuffer.wrap(key), ids);
            bytesUsed += KEY_OVERHEAD_BYTES + key.length;
        }
        if (ids.add(clientId)) {
            bytesUsed += CLIENT_BYTES;
            items++;
        }
    }

    /** Takes a key out; gives the clients that were noted for it. */
    LongHashSet remove(byte[] key) {
        LongHashSet ids = clients.remove(ByteBuffer.wrap(key));
        if (ids == null) {
            return NONE;
        }
        bytesUsed -= KEY_OVERHEAD_BYTES + key.length + (long) CLIENT_BYTES * ids.size();
        items -= ids.size();
        return ids;
    }

    /** The key that was read first of those that are here; there must be one. */
    byte[] eldest() {
        return clients.keySet().iterator().next().array();
    }

    void clear() {
        clients.clear();
        bytesUsed = 0;
        items = 0;
    }

    boolean isEmpty() {
        return clients.isEmpty();
    }

    int size() {
        return clients.size();
    }

    /** Pairs of a key and a client. */
    long items() {
        return items;
    }

    long bytesUsed() {
        return bytesUsed;
    }
}
