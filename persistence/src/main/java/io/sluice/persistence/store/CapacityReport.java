package io.sluice.persistence.store;

import java.util.List;

/**
 * How large a store is.
 *
 * @param keys           number of keys
 * @param bytesUsed      bytes that entries take up
 * @param bytesAllocated bytes of all files
 * @param indexBytes     anonymous memory of the index over the files
 * @param files          one line per file, oldest first
 * @param growthFailure  why the last attempt to make a file failed, or null
 */
public record CapacityReport(
    long keys, long bytesUsed, long bytesAllocated, long indexBytes, List<FileReport> files, String growthFailure) {

    /**
     * One file.
     *
     * @param name           file name inside the data directory
     * @param keys           keys in it
     * @param keysNominal    keys it was made for
     * @param bytesUsed      bytes its entries take up
     * @param bytesAllocated its length
     */
    public record FileReport(String name, long keys, long keysNominal, long bytesUsed, long bytesAllocated) {
    }
}
