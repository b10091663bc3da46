package io.sluice.server.command;

import java.util.Locale;

/** Collects sections of {@code field:value} lines. */
public final class InfoText {
    private static final String END = "\r\n";
    private static final long KB = 1024;

    private final StringBuilder text = new StringBuilder(4096);

    InfoText section(String title) {
        if (text.length() > 0) {
            text.append(END);
        }
        text.append("# ").append(title).append(END);
        return this;
    }

    InfoText field(String name, String value) {
        text.append(name).append(':').append(value).append(END);
        return this;
    }

    InfoText field(String name, long value) {
        text.append(name).append(':').append(value).append(END);
        return this;
    }

    InfoText field(String name, double value, int decimals) {
        return field(name, String.format(Locale.ROOT, "%." + decimals + "f", value));
    }

    /** The bytes, and in a second field how a person would say it. */
    InfoText bytes(String name, long value) {
        return field(name, value).field(name + "_human", human(value));
    }

    /** Bytes as a person would say them: {@code 1.50M}. */
    public static String human(long bytes) {
        String units = "BKMGTP";
        double value = bytes;
        int unit = 0;
        while (value >= KB && unit < units.length() - 1) {
            value /= KB;
            unit++;
        }
        return unit == 0 ? bytes + "B" : String.format(Locale.ROOT, "%.2f%c", value, units.charAt(unit));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
