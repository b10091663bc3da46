package io.sluice.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.persistence.ExpirySweeper;
import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceModel;
import io.sluice.persistence.store.HeapStore;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.UnsafeApi;

import java.util.Random;

/** A replica that applies the stream holds what the primary holds. */
class EffectStreamProperties {

    @Property(tries = 30)
    void shouldMakeAReplicaEqual(@ForAll final long seed) {
        final Random random = new Random(seed);
        try (Backlog backlog = new Backlog(1 << 20, 0); EffectEncoder encoder = new EffectEncoder(backlog);
             KeyspaceDriver primary = new KeyspaceDriver(new HeapStore(1));
             KeyspaceDriver replica = new KeyspaceDriver(new HeapStore(2));
             StreamApplier applier = new StreamApplier(replica)) {
            primary.keyspace.effects(encoder);
            final KeyspaceModel model = new KeyspaceModel(primary, random);
            final ExpirySweeper sweeper = new ExpirySweeper(primary.keyspace, () -> 0, 1_000_000, 30);
            long offset = 0;
            for (int round = 0; round < 20; round++) {
                steps(model, random, sweeper, primary);
                final String read = read(backlog, offset);
                offset += read.length();
                applier.apply(read);
                // The replica's clock is behind until here: what the stream says does not depend on it.
                replica.advanceMs(primary.nowMs() - replica.nowMs());
                assertEqual(primary, replica);
            }
            assertEquals(backlog.endOffset(), offset);
        }
    }

    @Property(tries = 30)
    void shouldMakeAReplicaEqualThatAppliesItTwice(@ForAll final long seed) {
        final Random random = new Random(seed);
        final StreamText stream = new StreamText();
        try (EffectEncoder encoder = new EffectEncoder(stream);
             KeyspaceDriver primary = new KeyspaceDriver(new HeapStore(1));
             KeyspaceDriver replica = new KeyspaceDriver(new HeapStore(2));
             StreamApplier applier = new StreamApplier(replica)) {
            primary.keyspace.effects(encoder);
            final KeyspaceModel model = new KeyspaceModel(primary, random).withoutSwaps();
            final ExpirySweeper sweeper = new ExpirySweeper(primary.keyspace, () -> 0, 1_000_000, 30);
            for (int round = 0; round < 5; round++) {
                steps(model, random, sweeper, primary);
                encoder.forgetSelection();
                final String read = stream.take();
                applier.apply(read);
                applier.apply(read);
                replica.advanceMs(primary.nowMs() - replica.nowMs());
                assertEqual(primary, replica);
            }
        }
    }

    private static void steps(
        final KeyspaceModel model, final Random random, final ExpirySweeper sweeper,
        final KeyspaceDriver primary) {
        for (int i = random.nextInt(200); i > 0; i--) {
            model.step();
            if (random.nextInt(20) == 0) {
                sweeper.doWork(primary.nowNs());
            }
        }
    }

    private static void assertEqual(final KeyspaceDriver primary, final KeyspaceDriver replica) {
        for (int db = 0; db < primary.keyspace.databases(); db++) {
            assertEquals(primary.all(db), replica.all(db));
        }
    }

    /** Reads to the end, in parts. */
    private static String read(final Backlog backlog, final long from) {
        final StringBuilder text = new StringBuilder();
        final long scratch = UnsafeApi.allocateMemory(1_000);
        int read = backlog.read(from, scratch, 1_000);
        while (read > 0) {
            text.append(KeyspaceDriver.text(scratch, read));
            read = backlog.read(from + text.length(), scratch, 1_000);
        }
        UnsafeApi.freeMemory(scratch);
        return text.toString();
    }
}
