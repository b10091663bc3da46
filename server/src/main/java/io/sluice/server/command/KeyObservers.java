package io.sluice.server.command;

import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.KeyObserver;

/** All who are told of changes, in this order. */
final class KeyObservers implements KeyObserver {
    private final KeyObserver[] observers;

    KeyObservers(KeyObserver... observers) {
        this.observers = observers.clone();
    }

    @Override
    public void keyTouched(int db, long keyAddress, int keyLength) {
        for (KeyObserver observer : observers) {
            observer.keyTouched(db, keyAddress, keyLength);
        }
    }

    @Override
    public void keyEvent(KeyEvent event, int db, long keyAddress, int keyLength) {
        for (KeyObserver observer : observers) {
            observer.keyEvent(event, db, keyAddress, keyLength);
        }
    }

    @Override
    public void databaseReplaced(int db) {
        for (KeyObserver observer : observers) {
            observer.databaseReplaced(db);
        }
    }
}
