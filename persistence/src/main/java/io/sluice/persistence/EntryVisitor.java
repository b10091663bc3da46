package io.sluice.persistence;

/** What scans show entries to. */
@FunctionalInterface
public interface EntryVisitor {

    /** One live entry, a flyweight that is valid during the call only. The visitor must not write to the keyspace. */
    void visit(Entry entry);
}
