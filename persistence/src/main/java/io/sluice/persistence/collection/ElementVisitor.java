package io.sluice.persistence.collection;

/** Is shown elements of a collection, which must not change meanwhile. */
@FunctionalInterface
public interface ElementVisitor {

    /** An element, by its handle. */
    void visit(int handle);
}
