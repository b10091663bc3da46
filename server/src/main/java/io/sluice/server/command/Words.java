package io.sluice.server.command;

import java.nio.charset.StandardCharsets;

/** Fixed words as bytes, for comparing with arguments and for replies. */
final class Words {
    private Words() {
    }

    /** The bytes of a word in lower-case ASCII. */
    static byte[] lower(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
