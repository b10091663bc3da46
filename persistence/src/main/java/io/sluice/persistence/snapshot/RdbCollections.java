package io.sluice.persistence.snapshot;

import io.sluice.persistence.ValueType;

import java.io.IOException;

/** Reads lists, sets, sorted sets and hashes in every form that a release of Redis has written. */
final class RdbCollections implements AutoCloseable {

    static final int LIST = 1;
    static final int SET = 2;
    static final int HASH = 4;
    static final int ZSET_2 = 5;
    private static final int ZSET = 3;
    private static final int HASH_ZIPMAP = 9;
    private static final int LIST_ZIPLIST = 10;
    private static final int SET_INTSET = 11;
    private static final int ZSET_ZIPLIST = 12;
    private static final int HASH_ZIPLIST = 13;
    private static final int LIST_QUICKLIST = 14;
    private static final int HASH_LISTPACK = 16;
    private static final int ZSET_LISTPACK = 17;
    private static final int LIST_QUICKLIST_2 = 18;
    private static final int SET_LISTPACK = 20;

    private static final int NODE_PLAIN = 1;
    private static final int NODE_PACKED = 2;

    /** Lengths of a textual score that stand for something else. */
    private static final int SCORE_NAN = 253;
    private static final int SCORE_INFINITE = 254;
    private static final int SCORE_MINUS_INFINITE = 255;

    private final RdbInput in;
    private final NativeBlock first = new NativeBlock(256);
    private final NativeBlock second = new NativeBlock(256);
    private final RdbElement element = new RdbElement();
    private final RdbElement companion = new RdbElement();
    private final Listpack listpack = new Listpack();
    private final Ziplist ziplist = new Ziplist();
    private final Zipmap zipmap = new Zipmap();
    private final Intset intset = new Intset();
    private int bytesMax;
    private ElementSink sink;

    RdbCollections(final RdbInput in) {
        this.in = in;
    }

    /** The {@link ValueType} of what this type of the file holds; {@link ValueType#STRING} if it is no collection. */
    static int typeOf(final int rdbType) {
        return switch (rdbType) {
            case LIST, LIST_ZIPLIST, LIST_QUICKLIST, LIST_QUICKLIST_2 -> ValueType.LIST;
            case SET, SET_INTSET, SET_LISTPACK -> ValueType.SET;
            case ZSET, ZSET_2, ZSET_ZIPLIST, ZSET_LISTPACK -> ValueType.ZSET;
            case HASH, HASH_ZIPMAP, HASH_ZIPLIST, HASH_LISTPACK -> ValueType.HASH;
            default -> ValueType.STRING;
        };
    }

    /**
     * Reads a collection.
     *
     * @param elementBytesMax longest element that is wanted
     * @throws SnapshotException if it is damaged
     */
    void read(final int rdbType, final ElementSink target, final int elementBytesMax) throws IOException {
        sink = target;
        bytesMax = elementBytesMax;
        final int type = typeOf(rdbType);
        sink.begin(type);
        switch (rdbType) {
            case LIST, SET, HASH, ZSET, ZSET_2 -> plain(rdbType);
            case LIST_QUICKLIST, LIST_QUICKLIST_2 -> nodes(rdbType == LIST_QUICKLIST_2);
            case HASH_ZIPMAP -> pack(type, zipmap);
            case SET_INTSET -> pack(type, intset);
            case LIST_ZIPLIST, ZSET_ZIPLIST, HASH_ZIPLIST -> pack(type, ziplist);
            default -> pack(type, listpack);
        }
    }

    private void plain(final int rdbType) throws IOException {
        for (long left = in.number(); left != 0; left--) {
            final boolean isShort = string(first, element);
            final boolean unique = switch (rdbType) {
                case HASH -> string(second, companion) && isShort
                    ? sink.hashField(element.address(), element.length(), companion.address(), companion.length())
                    : tooLong();
                case ZSET -> scored(isShort, textScore());
                case ZSET_2 -> scored(isShort, Double.longBitsToDouble(in.integer(Double.BYTES)));
                default -> isShort ? single(typeOf(rdbType)) : tooLong();
            };
            require(unique, "an element that comes twice");
        }
    }

    private boolean string(final NativeBlock block, final RdbElement into) throws IOException {
        final int length = in.string(block, bytesMax);
        into.bytes(block.address(), length);
        return length != RdbInput.TOO_LONG;
    }

    private boolean tooLong() {
        sink.tooLong();
        return true;
    }

    private boolean single(final int type) {
        if (type == ValueType.SET) {
            return sink.setMember(element.address(), element.length());
        }
        sink.listElement(element.address(), element.length());
        return true;
    }

    private boolean scored(final boolean isShort, final double score) throws IOException {
        require(!Double.isNaN(score), "a score that is not a number");
        return isShort ? sink.zsetMember(element.address(), element.length(), score) : tooLong();
    }

    private double textScore() throws IOException {
        final int length = in.unsignedByte();
        switch (length) {
            case SCORE_NAN -> {
                return Double.NaN;
            }
            case SCORE_INFINITE -> {
                return Double.POSITIVE_INFINITY;
            }
            case SCORE_MINUS_INFINITE -> {
                return Double.NEGATIVE_INFINITY;
            }
            default -> {
                in.bytes(length, second, length);
                return ScoreText.parse(second.address(), length);
            }
        }
    }

    private void nodes(final boolean withForm) throws IOException {
        for (long left = in.number(); left != 0; left--) {
            final long form = withForm ? in.number() : NODE_PACKED;
            require(form == NODE_PLAIN || form == NODE_PACKED, "a list node of an unknown form");
            if (form == NODE_PACKED) {
                pack(ValueType.LIST, withForm ? listpack : ziplist);
            } else if (string(first, element)) {
                single(ValueType.LIST);
            } else {
                sink.tooLong();
            }
        }
    }

    private void pack(final int type, final RdbPack pack) throws IOException {
        final int length = in.string(first, bytesMax);
        if (length == RdbInput.TOO_LONG) {
            sink.tooLong();
            return;
        }
        require(pack.open(first.address(), length), "a damaged pack of elements");
        while (!pack.isAtEnd()) {
            final boolean paired = type == ValueType.HASH || type == ValueType.ZSET;
            require(pack.next(element) && (!paired || pack.next(companion)), "a damaged pack of elements");
            final boolean unique = switch (type) {
                case ValueType.HASH -> sink.hashField(
                    element.address(), element.length(), companion.address(), companion.length());
                case ValueType.ZSET -> scored(true, ScoreText.parse(companion.address(), companion.length()));
                default -> single(type);
            };
            require(unique, "an element that comes twice");
        }
    }

    private void require(final boolean condition, final String problem) throws SnapshotException {
        if (!condition) {
            throw in.error(problem);
        }
    }

    @Override
    public void close() {
        first.close();
        second.close();
        element.close();
        companion.close();
    }
}
