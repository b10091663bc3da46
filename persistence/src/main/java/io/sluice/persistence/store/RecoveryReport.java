package io.sluice.persistence.store;

import java.util.List;

/**
 * What was found when a store was opened.
 *
 * @param created            whether the directory held no store
 * @param clean              whether the last user stopped cleanly
 * @param keys               keys found
 * @param bytes              bytes that their entries take up
 * @param dropped            entries that were not sound and were removed
 * @param duplicatesResolved keys found twice, as a value was being moved, of which one copy was kept
 * @param repairs            what Chronicle Map reported to have put right (locks left held, counters), and a value that
 *                           was half overwritten
 * @param setAside           damaged files, by their new names; what was not sound in them is missing
 * @param millis             how long it took
 */
public record RecoveryReport(
    boolean created, boolean clean, long keys, long bytes, long dropped, long duplicatesResolved, long repairs,
    List<String> setAside, long millis) {
}
