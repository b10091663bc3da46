package io.sluice.persistence.store;

/** What {@link Store#forEach} shows entries to. */
@FunctionalInterface
public interface StoreVisitor {

    /** One entry; all addresses are native and valid until the entry is removed or resized. */
    void visit(long hash, int space, long keyAddress, int keyLength, long valueAddress);
}
