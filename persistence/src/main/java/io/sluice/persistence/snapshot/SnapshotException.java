package io.sluice.persistence.snapshot;

import java.io.IOException;

/** A snapshot cannot be read. The message tells at which byte and why. */
public final class SnapshotException extends IOException {

    private static final long serialVersionUID = 1L;

    SnapshotException(final long offset, final String message) {
        super("byte " + offset + ": " + message);
    }
}
