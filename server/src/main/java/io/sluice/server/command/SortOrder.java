package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.persistence.DecimalText;
import io.sluice.persistence.Memory;
import io.sluice.persistence.collection.PackedValue;
import org.agrona.UnsafeApi;

import java.util.Arrays;
import java.util.Comparator;

/** The order that {@code SORT} gives to the elements of a value: by numbers or by bytes, their own or others'. */
final class SortOrder {
    private static final int NOTHING = -1;

    private final CommandContext ctx;
    private final PackedValue value;
    private final SortPattern by;
    /** What is compared first, for each element: a number, or bytes. */
    private double[] numbers;
    private long[] addresses;
    private int[] lengths;

    /** @param by what is compared in place of the elements; null for themselves */
    SortOrder(CommandContext ctx, PackedValue value, SortPattern by) {
        this.ctx = ctx;
        this.value = value;
        this.by = by;
    }

    /** Handles of the elements in the order of numbers, equal ones by their bytes; null if something is no number. */
    int[] byNumbers(boolean descending) {
        numbers = new double[value.size()];
        Scores scores = new Scores();
        for (int i = 0; i < numbers.length; i++) {
            int handle = value.at(i);
            long address = value.address(handle);
            int length = value.length(handle);
            if (by != null) {
                if (!by.find(ctx, address, length)) {
                    continue;
                }
                address = by.address();
                length = by.length();
            }
            if (!scores.parse(address, length)) {
                return null;
            }
            numbers[i] = scores.value() + 0.0;
        }
        return sorted((a, b) -> {
            int order = Double.compare(numbers[a], numbers[b]);
            return order != 0 ? order : compareElements(a, b);
        }, descending);
    }

    /** Handles of the elements in the order of bytes; what has none comes first. */
    int[] byBytes(boolean descending) {
        if (by == null) {
            return sorted(this::compareElements, descending);
        }
        addresses = new long[value.size()];
        lengths = new int[value.size()];
        // Texts of integers, which are nowhere else.
        ByteBuf integers = PooledByteBufAllocator.DEFAULT.directBuffer(value.size() * DecimalText.BYTES_MAX);
        try {
            noteBytes(integers);
            return sorted(this::compareBytes, descending);
        } finally {
            integers.release();
        }
    }

    private void noteBytes(ByteBuf integers) {
        for (int i = 0; i < lengths.length; i++) {
            int handle = value.at(i);
            if (!by.find(ctx, value.address(handle), value.length(handle))) {
                lengths[i] = NOTHING;
                continue;
            }
            addresses[i] = by.address();
            lengths[i] = by.length();
            if (!by.isLasting()) {
                addresses[i] = integers.memoryAddress() + integers.writerIndex();
                UnsafeApi.copyMemory(by.address(), addresses[i], by.length());
                integers.writerIndex(integers.writerIndex() + by.length());
            }
        }
    }

    private int compareElements(int a, int b) {
        int first = value.at(a);
        int second = value.at(b);
        return Memory.compare(value.address(first), value.length(first), value.address(second), value.length(second));
    }

    private int compareBytes(int a, int b) {
        if (lengths[a] == NOTHING || lengths[b] == NOTHING) {
            return Boolean.compare(lengths[a] != NOTHING, lengths[b] != NOTHING);
        }
        return Memory.compare(addresses[a], lengths[a], addresses[b], lengths[b]);
    }

    /** Handles in an order of positions. */
    private int[] sorted(Comparator<Integer> order, boolean descending) {
        Integer[] positions = new Integer[value.size()];
        Arrays.setAll(positions, i -> i);
        Arrays.sort(positions, descending ? order.reversed() : order);
        int[] handles = new int[positions.length];
        for (int i = 0; i < handles.length; i++) {
            handles[i] = value.at(positions[i]);
        }
        return handles;
    }
}
