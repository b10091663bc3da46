package io.sluice.persistence.collection;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import org.agrona.UnsafeApi;

/** What {@code OBJECT ENCODING} calls the form in which a collection is held. */
public final class CollectionEncoding {

    private CollectionEncoding() {
    }

    /** Name of the form of an entry that is a list, set, sorted set or hash. */
    public static String nameOf(final Entry e) {
        final int flags = UnsafeApi.getByte(e.payloadAddress());
        if ((flags & Packed.LARGE) != 0) {
            return switch (e.type()) {
                case ValueType.LIST -> "quicklist";
                case ValueType.ZSET -> "skiplist";
                default -> "hashtable";
            };
        }
        return (flags & Packed.INTEGERS) != 0 ? "intset" : "listpack";
    }
}
