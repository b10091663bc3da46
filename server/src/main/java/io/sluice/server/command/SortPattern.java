package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.persistence.store.Store;
import io.sluice.resp.Request;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.nio.ByteBuffer;

/**
 * What {@code BY} and {@code GET} name for each element: {@code #} the element itself, {@code weight_*} the string
 * whose key has the element in place of the star, {@code object_*->weight} a field of such a hash.
 */
final class SortPattern {
    private static final int NONE = -1;

    /** What patterns look keys up with; one for all of them, since it is outside the heap. */
    static final class Lookup {
        private final HashValue hash = new HashValue();
        private final StringBytes string = new StringBytes();
        private final ByteBuffer scratch = ByteBuffer.allocateDirect(Store.KEY_BYTES_MAX);
        private final long scratchAddress = BufferUtil.address(scratch);
    }

    private final Lookup lookup;
    private final byte[] text;
    private final int star;
    private final int arrow;
    private long address;
    private int length;
    private boolean lasting;

    SortPattern(Lookup lookup, Request request, int arg) {
        this.lookup = lookup;
        text = request.argBytes(arg);
        star = indexOfStar();
        arrow = star < 0 ? NONE : indexOfArrow();
    }

    /** C's strings end at a NUL. */
    private int indexOfStar() {
        for (int i = 0; i < text.length && text[i] != 0; i++) {
            if (text[i] == '*') {
                return i;
            }
        }
        return NONE;
    }

    /** Where {@code ->} and a field stand behind the star. */
    private int indexOfArrow() {
        for (int i = star + 1; i + 2 < text.length && text[i] != 0; i++) {
            if (text[i] == '-' && text[i + 1] == '>') {
                return text[i + 2] == 0 ? NONE : i;
            }
        }
        return NONE;
    }

    /** Whether it names the same for all elements, so that there is nothing to look up. */
    boolean isConstant() {
        return star < 0;
    }

    private boolean isElement() {
        return text.length == 1 && text[0] == '#';
    }

    /**
     * Finds what the pattern names for an element, until another pattern is asked. False if it is not there.
     */
    boolean find(CommandContext ctx, long elementAddress, int elementLength) {
        if (isElement()) {
            return found(elementAddress, elementLength, true);
        }
        int keyEnd = arrow < 0 ? text.length : arrow;
        long keyLength = keyEnd - 1L + elementLength;
        if (star < 0 || keyLength > Store.KEY_BYTES_MAX) {
            return false;
        }
        put(0, 0, star);
        UnsafeApi.copyMemory(elementAddress, lookup.scratchAddress + star, elementLength);
        put(star + elementLength, star + 1, keyEnd - star - 1);
        Entry entry = ctx.entry(1);
        ctx.keyspace().lookupRead(entry, ctx.db(), lookup.scratchAddress, (int) keyLength);
        if (!entry.exists() || entry.type() != (arrow < 0 ? ValueType.STRING : ValueType.HASH)) {
            return false;
        }
        if (arrow < 0) {
            lookup.string.of(entry);
            return found(lookup.string.address(), lookup.string.length(), !entry.isInt());
        }
        int fieldLength = text.length - arrow - 2;
        put(0, arrow + 2, fieldLength);
        HashValue hash = lookup.hash;
        hash.open(ctx.keyspace(), entry);
        int handle = hash.find(lookup.scratchAddress, fieldLength);
        return handle != HashValue.ABSENT && found(hash.valueAddress(handle), hash.valueLength(handle), true);
    }

    private void put(int at, int from, int count) {
        lookup.scratch.put(at, text, from, count);
    }

    private boolean found(long atAddress, int atLength, boolean isLasting) {
        address = atAddress;
        length = atLength;
        lasting = isLasting;
        return true;
    }

    /** Native address of what was found. */
    long address() {
        return address;
    }

    int length() {
        return length;
    }

    /** Whether the bytes stay there until the command is over, not only until the next is looked for. */
    boolean isLasting() {
        return lasting;
    }
}
