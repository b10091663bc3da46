package io.sluice.persistence;

/**
 * Told of every change: {@code WATCH} and keyspace events. Called on the owner thread in the midst of a write, so it
 * must not call the keyspace. Key addresses are valid during the call only.
 */
public interface KeyObserver {

    /** The key's value or expiry has changed, or the key was removed. Also called for expiry and eviction. */
    void keyTouched(int db, long keyAddress, int keyLength);

    /** A named event. The keyspace itself raises {@code EXPIRED} and {@code EVICTED}, command handlers the rest. */
    void keyEvent(KeyEvent event, int db, long keyAddress, int keyLength);

    /** All content of a database was replaced: flushed, or swapped with another. Called before the change. */
    void databaseReplaced(int db);
}
