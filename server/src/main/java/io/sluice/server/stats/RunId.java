package io.sluice.server.stats;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Forty hexadecimal digits that are new at each start; Sentinel tells restarts by them. */
public final class RunId {
    public static final String VALUE = random();

    private RunId() {
    }

    private static String random() {
        byte[] bytes = new byte[20];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
