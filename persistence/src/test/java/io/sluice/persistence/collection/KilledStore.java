package io.sluice.persistence.collection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.sluice.persistence.ValueType;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.Store;
import org.agrona.UnsafeApi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A store that checks, whenever a value was changed where it is, that a process killed just before the end of the
 * change would find the collection from before: with the pieces of the image put back, every byte that meant something
 * is as it was.
 */
final class KilledStore {

    private record Piece(int offset, byte[] bytes) {
    }

    /** What is in front of the payload in a value of a collection. */
    private static final int HEADER_BYTES = 16;

    private final HeapStore store;
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private byte[] before;
    private long valueAddress;
    int changes;

    KilledStore(final long seed) {
        store = new HeapStore(seed);
    }

    Store asStore() {
        return (Store) Proxy.newProxyInstance(
            Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                switch (method.getName()) {
                    case "keepImage" -> keepImage((Long) arguments[3], (Integer) arguments[4]);
                    case "keepMore" -> pieces.push(new Piece((Integer) arguments[0],
                        read(valueAddress + (Integer) arguments[0], (Integer) arguments[1])));
                    case "dropImage" -> checkImage();
                    default -> {
                    }
                }
                try {
                    return method.invoke(store, arguments);
                } catch (final InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private void keepImage(final long address, final int bytes) {
        pieces.clear();
        valueAddress = address;
        before = read(address, store.capacityOf(address));
        if (bytes > 0) {
            pieces.push(new Piece(0, read(address, bytes)));
        }
    }

    private void checkImage() {
        if (before[0] < ValueType.LIST) {
            return;
        }
        changes++;
        final byte[] restored = read(valueAddress, store.capacityOf(valueAddress));
        pieces.forEach(piece -> System.arraycopy(piece.bytes, 0, restored, piece.offset, piece.bytes.length));
        assertArrayEquals(meaningful(before), meaningful(restored));
    }

    /** The payload with zeros where nothing is. */
    private static byte[] meaningful(final byte[] value) {
        final long address = UnsafeApi.allocateMemory(value.length);
        UnsafeApi.copyMemory(value, UnsafeApi.arrayBaseOffset(byte[].class), null, address, value.length);
        final Packed packed = new Packed();
        packed.read(address + HEADER_BYTES, value.length - HEADER_BYTES);
        for (int i = packed.count; i < packed.ringCapacity(); i++) {
            packed.refAt(i, 0);
        }
        final byte[] bytes = read(address + HEADER_BYTES, packed.arenaEnd);
        UnsafeApi.freeMemory(address);
        return bytes;
    }

    private static byte[] read(final long address, final int length) {
        final byte[] bytes = new byte[length];
        UnsafeApi.copyMemory(null, address, bytes, UnsafeApi.arrayBaseOffset(byte[].class), length);
        return bytes;
    }
}
