package io.sluice.server.command;

import io.sluice.resp.Request;

import java.util.List;

/** How a command uses a key as far as rights are concerned, where its row alone does not tell. */
@FunctionalInterface
public interface KeyAccess {
    /** The key's value is read. */
    int READ = 1;
    /** The key's value is made, changed or removed. */
    int WRITE = 2;
    int BOTH = READ | WRITE;
    /** What looks like a key to a cluster is none. */
    int NOT_A_KEY = -1;

    /** The bits for one call. */
    int of(Request request);

    /** Redis's words on the use of a key, where it differs from call to call. */
    static List<String> words(int access) {
        return switch (access) {
            case READ -> List.of("RO", "access");
            case WRITE -> List.of("OW", "update");
            default -> List.of("RW", "access", "update");
        };
    }

    /** What Redis's words on the use of a key mean for rights. */
    static int of(List<String> flags) {
        if (flags.contains("not_key")) {
            return NOT_A_KEY;
        }
        boolean writes = flags.contains("insert") || flags.contains("delete") || flags.contains("update");
        return (flags.contains("access") ? READ : 0) | (writes ? WRITE : 0);
    }
}
