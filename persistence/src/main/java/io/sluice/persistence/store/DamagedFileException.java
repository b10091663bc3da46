package io.sluice.persistence.store;

import java.nio.file.Path;

/**
 * A map file is damaged in a way that shows only when one of its entries is to be changed. The message names the file
 * and is for the operator.
 */
public final class DamagedFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DamagedFileException(final Path file, final String what, final Throwable cause) {
        super("damaged file " + file + ": " + what + (cause == null ? "" : ": " + cause), cause);
    }
}
