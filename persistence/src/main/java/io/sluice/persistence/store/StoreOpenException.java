package io.sluice.persistence.store;

/** A store cannot be opened. The message is for the operator; nothing in the data directory has been changed. */
public final class StoreOpenException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why a store cannot be opened, with the exit code that a process should end with. */
    public enum Reason {
        /** Another process has the directory. */
        LOCKED(71),
        /** The directory cannot be made, read or written. */
        NOT_WRITABLE(73),
        /** The disk has no room for the files. */
        NO_SPACE(74),
        /** The files have another format version. */
        OTHER_VERSION(76),
        /** The files are damaged and the configuration does not allow to go on without them. */
        DAMAGED(65);

        private final int exitCode;

        Reason(final int exitCode) {
            this.exitCode = exitCode;
        }

        /** Exit code of a process that ends for this reason. */
        public int exitCode() {
            return exitCode;
        }
    }

    StoreOpenException(final Reason reason, final String message, final Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    StoreOpenException(final Reason reason, final String message) {
        this(reason, message, null);
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
