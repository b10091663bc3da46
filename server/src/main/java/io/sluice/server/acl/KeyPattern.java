package io.sluice.server.acl;

import io.sluice.resp.Glob;
import io.sluice.server.command.KeyAccess;

import java.nio.charset.StandardCharsets;

/** Keys that may be used, and how: {@code ~pattern}, {@code %R~pattern}, {@code %W~pattern}. */
record KeyPattern(String text, Glob glob, int access) {

    KeyPattern(String text, int access) {
        this(text, Glob.of(text.getBytes(StandardCharsets.ISO_8859_1)), access);
    }

    /** The rule that makes this pattern. */
    String rule() {
        return switch (access) {
            case KeyAccess.READ -> "%R~" + text;
            case KeyAccess.WRITE -> "%W~" + text;
            default -> "~" + text;
        };
    }
}
