package io.sluice.lua;

/**
 * How a chunk's name shows in messages: "@user_script" as it is, source text as {@code [string "its first
 * line..."]}.
 */
final class ChunkName {

    /** Room for a name in run-time messages, with C's terminating NUL. */
    static final int DISPLAY_MAX = 60;
    /** The same in syntax errors. */
    static final int SYNTAX_DISPLAY_MAX = 80;

    private ChunkName() {
    }

    static String display(String name, int max) {
        if (name.startsWith("=")) {
            return name.substring(1, Math.min(name.length(), max));
        }
        if (name.startsWith("@")) {
            String rest = name.substring(1);
            int room = max - " '...' ".length() - 1;
            return rest.length() > room ? "..." + rest.substring(rest.length() - room) : rest;
        }
        int line = 0;
        while (line < name.length() && name.charAt(line) != '\n' && name.charAt(line) != '\r') {
            line++;
        }
        int room = max - " [string \"...\"] ".length() - 1;
        int length = Math.min(line, room);
        boolean cut = length < name.length();
        return "[string \"" + name.substring(0, length) + (cut ? "...\"]" : "\"]");
    }
}
