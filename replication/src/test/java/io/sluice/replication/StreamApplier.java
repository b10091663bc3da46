package io.sluice.replication;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.snapshot.DumpPayload;
import org.agrona.UnsafeApi;

import java.util.List;

/** Applies a stream to a keyspace as a replica would. */
final class StreamApplier implements AutoCloseable {

    private final KeyspaceDriver replica;
    private final DumpPayload payload = new DumpPayload();
    private int db;
    private boolean inMulti;

    StreamApplier(final KeyspaceDriver replica) {
        this.replica = replica;
    }

    void apply(final String stream) {
        StreamText.commands(stream).forEach(this::apply);
    }

    private void apply(final List<String> command) {
        final String key = command.size() > 1 ? command.get(1) : null;
        switch (command.get(0)) {
            case "SELECT" -> db = Integer.parseInt(key);
            case "MULTI" -> frame(true);
            case "EXEC" -> frame(false);
            case "SET" -> replica.put(
                db, key, command.get(2), command.size() == 3 ? Entry.NO_EXPIRY : Long.parseLong(command.get(4)));
            case "RESTORE" -> restore(key, Long.parseLong(command.get(2)), command.get(3));
            case "DEL" -> replica.remove(db, key);
            case "PEXPIREAT" -> replica.expireAt(db, key, Long.parseLong(command.get(2)));
            case "PERSIST" -> replica.persist(db, key);
            case "FLUSHDB" -> replica.flushDb(db);
            case "FLUSHALL" -> replica.flushAll();
            case "SWAPDB" -> replica.swapDb(Integer.parseInt(key), Integer.parseInt(command.get(2)));
            default -> throw new AssertionError("unknown command " + command);
        }
    }

    private void frame(final boolean begin) {
        if (inMulti == begin) {
            throw new AssertionError(begin ? "MULTI within MULTI" : "EXEC without MULTI");
        }
        inMulti = begin;
    }

    private void restore(final String key, final long expireAtMs, final String bytes) {
        final long address = UnsafeApi.allocateMemory(bytes.length());
        for (int i = 0; i < bytes.length(); i++) {
            UnsafeApi.putByte(address + i, (byte) bytes.charAt(i));
        }
        if (!DumpPayload.isIntact(address, bytes.length())) {
            throw new AssertionError("damaged payload for " + key);
        }
        final boolean restored = replica.unit(() -> payload.restore(
            replica.keyspace, replica.at(db, key), address, bytes.length(),
            expireAtMs == 0 ? Entry.NO_EXPIRY : expireAtMs));
        if (!restored) {
            throw new AssertionError("payload refused for " + key);
        }
        UnsafeApi.freeMemory(address);
    }

    @Override
    public void close() {
        payload.close();
    }
}
