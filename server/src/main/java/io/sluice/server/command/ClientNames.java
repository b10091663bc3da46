package io.sluice.server.command;

/** What a client may call itself: the line that {@code CLIENT LIST} prints of it must stay readable by machines. */
final class ClientNames {
    private ClientNames() {
    }

    /**
     * Latches an error unless the name is printable without blanks, and without {@code =}, which ends words there.
     */
    static void check(String name, Args args) {
        if (!isReadable(name)) {
            args.fail("ERR Client names cannot contain spaces, newlines or special characters.");
        }
    }

    static boolean isReadable(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '=');
    }
}
