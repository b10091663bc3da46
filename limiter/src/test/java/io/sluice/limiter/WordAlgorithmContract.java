package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What every algorithm whose state is a few words must do besides. */
abstract class WordAlgorithmContract extends AlgorithmContract {
    abstract Algorithm newAlgorithm();

    @Override
    final WordKey newKey() {
        return new WordKey(newAlgorithm());
    }

    @Property
    void shouldNotGainFromAWriteTornAfterAnyWord(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final WordKey key = newKey();
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final long[] before = key.stored();
            if (!key.ask(limit, step.quantity(), nowNs).changed()) {
                continue;
            }
            final long[] after = key.stored();
            for (int written = 0; written < after.length; written++) {
                final long[] torn = before.length == 0 ? new long[after.length] : before.clone();
                System.arraycopy(after, 0, torn, 0, written);
                for (long laterNs = nowNs; laterNs < nowNs + 2 * parameters.periodNs(); laterNs += 7) {
                    final long without = newKey().holding(before).ask(limit, 0, laterNs).remaining();
                    final long with = newKey().holding(torn).ask(limit, 0, laterNs).remaining();
                    assertTrue(with <= without, with + " instead of " + without + " after " + written + " words");
                }
            }
        }
    }

    @Property
    void shouldStandAnyStoredWords(@ForAll final long[] words, @ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final int count = newAlgorithm().words();
        if (words.length < count) {
            return;
        }
        final WordKey key = newKey().holding(Arrays.copyOf(words, count));
        final long[] before = key.stored();
        final Limit limit = limitOf(parameters);
        for (final Step step : steps) {
            if (key.tryAsk(limit, step.quantity(), START_NS) != LimitError.NONE) {
                assertArrayEquals(before, key.stored());
                return;
            }
            final Decision decision = key.decision();
            assertTrue(decision.remaining() >= 0 && decision.remaining() <= parameters.limit());
            assertTrue(decision.retryAfterNs() >= Decision.NO_RETRY && decision.retryAfterNs() != 0);
            assertTrue(decision.resetAfterNs() >= 0);
        }
    }
}
