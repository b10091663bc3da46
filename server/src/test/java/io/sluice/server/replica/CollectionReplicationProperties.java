package io.sluice.server.replica;

import io.sluice.replication.ReplicationId;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A replica that applies the effects of random commands holds what its primary holds, whatever form that has. */
class CollectionReplicationProperties {
    private static final int COMMANDS = 600;
    private static final int DELIVERIES_MAX = 10_000;

    private Random random;
    private SimLink[] ends;
    private SimNode primary;
    private SimNode replica;
    private long nowMs;

    @Property(tries = 40)
    void shouldHoldWhatThePrimaryHolds(@ForAll long seed) {
        random = new Random(seed);
        nowMs = 1_000;
        primary = new SimNode("p", 0, ReplicationId::random);
        replica = new SimNode("r", 3_600_000, ReplicationId::random);
        primary.isPrimary = true;
        primary.start(nowMs);
        replica.start(nowMs);
        primary.smallForms();
        replica.smallForms();
        RandomCommands commands = new RandomCommands(random);
        for (int i = 0; i < COMMANDS / 4; i++) {
            primary.run(commands.ofCollections());
        }
        replica.follow(primary);
        ends = SimLink.pair(random);
        primary.accept(ends[1]);
        replica.connect(ends[0]);
        for (int i = 0; i < COMMANDS; i++) {
            boolean unit = random.nextInt(8) == 0;
            if (unit) {
                primary.run("MULTI");
            }
            for (int more = unit ? random.nextInt(5) : 1; more > 0; more--) {
                primary.run(random.nextInt(6) == 0 ? commands.ofLimits() : commands.ofCollections());
            }
            if (unit) {
                primary.run("EXEC");
            }
            if (random.nextInt(10) == 0) {
                catchUp();
                assertEquals(primary.digest(), replica.digest(), "after " + i);
            }
        }
        assertEquals(1, replica.fullSyncs);
        ends[0].close();
        ends[0].deliver(random);
        ends[1].deliver(random);
        primary.close();
        replica.close();
    }

    private void catchUp() {
        for (int i = 0; !replica.isFollowing() || replica.stream.offset() < primary.stream.offset(); i++) {
            assertTrue(i < DELIVERIES_MAX, "the replica catches up");
            nowMs += random.nextInt(20);
            primary.doWork(nowMs);
            replica.doWork(nowMs);
            if (replica.hasReceived()) {
                replica.beginLoading();
                replica.finishLoading();
            }
            ends[0].deliver(random);
            ends[1].deliver(random);
        }
    }
}
