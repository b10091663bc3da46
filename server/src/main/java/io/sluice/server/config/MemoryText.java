package io.sluice.server.config;

import java.util.Locale;

/** Redis's memory values: {@code 1k} is 1000 bytes, {@code 1kb} is 1024, and so on. */
final class MemoryText {
    private MemoryText() {
    }

    static long bytes(String text) throws ConfigException {
        String lower = text.toLowerCase(Locale.ROOT);
        int digits = 0;
        while (digits < lower.length() && lower.charAt(digits) >= '0' && lower.charAt(digits) <= '9') {
            digits++;
        }
        long unit = switch (lower.substring(digits)) {
            case "", "b" -> 1;
            case "k" -> 1000;
            case "kb" -> 1L << 10;
            case "m" -> 1_000_000;
            case "mb" -> 1L << 20;
            case "g" -> 1_000_000_000;
            case "gb" -> 1L << 30;
            default -> 0;
        };
        try {
            if (unit > 0) {
                return Math.multiplyExact(Long.parseLong(lower.substring(0, digits)), unit);
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Said below.
        }
        throw new ConfigException("argument must be a memory value");
    }
}
