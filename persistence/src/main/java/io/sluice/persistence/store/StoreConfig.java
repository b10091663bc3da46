package io.sluice.persistence.store;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What a {@link ChronicleStore} is made of.
 *
 * @param directory     where its files are; made when it is absent
 * @param initialKeys   small keys that the first file is made for; each further file adds a quarter of what is there
 *                      and at least as much as the first. Counts only where there is no file yet.
 * @param keysMax       most keys, 0 for no limit
 * @param bytesMax      most bytes of entries with their overhead, 0 for no limit
 * @param expendDamaged whether to go on with what is sound of damaged files. They are set aside, never deleted, and
 *                      the report names them.
 */
public record StoreConfig(Path directory, long initialKeys, long keysMax, long bytesMax, boolean expendDamaged) {

    /** A first file of 15 MB. A million keys of 17 bytes with a limiter's state end up in four of them. */
    public static final long INITIAL_KEYS_DEFAULT = 275_000;

    public StoreConfig {
        Objects.requireNonNull(directory);
        if (initialKeys < 1 || keysMax < 0 || bytesMax < 0) {
            throw new IllegalArgumentException("initialKeys must be positive, limits must not be negative");
        }
    }

    /** Default sizes, no limits, nothing expendable. */
    public static StoreConfig of(final Path directory) {
        return new StoreConfig(directory, INITIAL_KEYS_DEFAULT, 0, 0, false);
    }
}
