package io.sluice.persistence;

/** Empties databases and lets them change places, each a matter of one assignment. */
final class DatabaseSwitch {

    private final Core core;
    private final Purge purge;

    DatabaseSwitch(final Core core, final Purge purge) {
        this.core = core;
        this.purge = purge;
    }

    /** Returns how many keys the database had. */
    long flush(final int db) {
        final long keys = core.spaces.size(db);
        if (keys > 0) {
            replace(db);
            core.dirty += keys;
            if (core.effects != null) {
                core.effects.flushDb(db);
            }
        }
        return keys;
    }

    /** Returns how many keys all of them had. */
    long flushAll() {
        final long keys = core.spaces.size();
        for (int db = 0; db < core.spaces.databases() && keys > 0; db++) {
            if (core.spaces.size(db) > 0) {
                replace(db);
            }
        }
        if (keys > 0) {
            core.dirty += keys;
            if (core.effects != null) {
                core.effects.flushAll();
            }
        }
        return keys;
    }

    void swap(final int a, final int b) {
        if (a == b) {
            return;
        }
        if (core.observer != null) {
            core.observer.databaseReplaced(a);
            core.observer.databaseReplaced(b);
        }
        core.spaces.swap(a, b);
        core.version++;
        core.dirty++;
        if (core.effects != null) {
            core.effects.swapDb(a, b);
        }
    }

    /** Gives a database another space; only when all the spare ones are in use, what is dead must go first. */
    private void replace(final int db) {
        if (core.observer != null) {
            core.observer.databaseReplaced(db);
        }
        if (!core.spaces.renew(db)) {
            purge.everything(core.nowMs);
            core.spaces.renew(db);
        }
        core.version++;
    }
}
