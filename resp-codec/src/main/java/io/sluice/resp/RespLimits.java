package io.sluice.resp;

/**
 * The bounds a {@link RequestParser} enforces. Values and error texts are those of Redis where Redis has them.
 *
 * @param inlineBytesMax              longest line: an inline command, or the line that holds a count or a length
 * @param multibulkCountMax           most arguments of one command
 * @param bulkBytesMax                longest argument ({@code proto-max-bulk-len})
 * @param unauthenticatedArgsMax      most arguments of one command before the client has authenticated
 * @param unauthenticatedBulkBytesMax longest argument before the client has authenticated
 */
public record RespLimits(
    int inlineBytesMax,
    int multibulkCountMax,
    int bulkBytesMax,
    int unauthenticatedArgsMax,
    int unauthenticatedBulkBytesMax) {

    /** Redis's {@code PROTO_INLINE_MAX_SIZE}. */
    public static final int INLINE_BYTES_MAX = 64 * 1024;
    /** The bound Redis had up to version 6; later versions allow 2^31-1, which no limiter's client needs. */
    public static final int MULTIBULK_COUNT_MAX = 1024 * 1024;
    /** Redis's bound since 6.2.6 (CVE-2021-32675). */
    public static final int UNAUTHENTICATED_ARGS_MAX = 10;
    /** Redis's bound since 6.2.6 (CVE-2021-32675). */
    public static final int UNAUTHENTICATED_BULK_BYTES_MAX = 16 * 1024;

    /** Refuses bounds under which not even a {@code PING} would pass. */
    public RespLimits {
        requirePositive("inlineBytesMax", inlineBytesMax);
        requirePositive("multibulkCountMax", multibulkCountMax);
        requirePositive("bulkBytesMax", bulkBytesMax);
        requirePositive("unauthenticatedArgsMax", unauthenticatedArgsMax);
        requirePositive("unauthenticatedBulkBytesMax", unauthenticatedBulkBytesMax);
    }

    /**
     * The usual limits.
     *
     * @param bulkBytesMax longest argument ({@code proto-max-bulk-len})
     * @return Redis's values for all others
     */
    public static RespLimits of(int bulkBytesMax) {
        return new RespLimits(
            INLINE_BYTES_MAX, MULTIBULK_COUNT_MAX, bulkBytesMax, UNAUTHENTICATED_ARGS_MAX,
            UNAUTHENTICATED_BULK_BYTES_MAX);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
