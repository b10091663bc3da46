package io.sluice.persistence.snapshot;

/**
 * Numbers of the RDB format, version 10, as Redis 7.0 writes it, and our module type: drawn in
 * {@code docs/FORMATS.md}, "Snapshot".
 */
final class Rdb {

    static final int VERSION = 10;
    /** Newest version that is read: those since 10 add types and opcodes, which are known or refused one by one. */
    static final int VERSION_READ_MAX = 12;
    /** First version with a checksum at the end. */
    static final int VERSION_WITH_CHECKSUM = 5;
    /** The Redis release whose files ours are like. */
    static final String REDIS_VERSION = "7.0.15";

    static final int OP_FUNCTION2 = 245;
    static final int OP_MODULE_AUX = 247;
    static final int OP_IDLE = 248;
    static final int OP_FREQ = 249;
    static final int OP_AUX = 250;
    static final int OP_RESIZEDB = 251;
    static final int OP_EXPIRETIME_MS = 252;
    static final int OP_EXPIRETIME = 253;
    static final int OP_SELECTDB = 254;
    static final int OP_EOF = 255;
    /** Types are below, opcodes from here on. */
    static final int OP_FIRST = 240;

    static final int TYPE_STRING = 0;
    static final int TYPE_MODULE_2 = 7;

    /** The top two bits of a length tell how many bytes it has. */
    static final int LENGTH_6 = 0;
    static final int LENGTH_14 = 1;
    static final int LENGTH_32 = 0x80;
    static final int LENGTH_64 = 0x81;
    static final int LENGTH_ENCODED = 3;

    static final int ENCODED_INT8 = 0xC0;
    static final int ENCODED_INT16 = 0xC1;
    static final int ENCODED_INT32 = 0xC2;
    static final int ENCODED_LZF = 0xC3;

    static final int MODULE_EOF = 0;
    static final int MODULE_SINT = 1;
    static final int MODULE_UINT = 2;
    static final int MODULE_FLOAT = 3;
    static final int MODULE_DOUBLE = 4;
    static final int MODULE_STRING = 5;

    private static final String MODULE_CHARACTERS =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    /** Under this name our own types travel: nine characters of A-Z a-z 0-9 - _. */
    static final String MODULE_NAME = "sluice-rl";
    static final int MODULE_ENCODING_VERSION = 1;
    static final long MODULE_ID = moduleId(MODULE_NAME, MODULE_ENCODING_VERSION);

    private Rdb() {
    }

    private static long moduleId(final String name, final int encodingVersion) {
        long id = 0;
        for (int i = 0; i < name.length(); i++) {
            id = id << 6 | MODULE_CHARACTERS.indexOf(name.charAt(i));
        }
        return id << 10 | encodingVersion;
    }

    /** The name in a module id. */
    static String moduleName(final long id) {
        final StringBuilder name = new StringBuilder();
        for (int shift = 58; shift >= 10; shift -= 6) {
            name.append(MODULE_CHARACTERS.charAt((int) (id >>> shift) & 63));
        }
        return name.toString();
    }
}
