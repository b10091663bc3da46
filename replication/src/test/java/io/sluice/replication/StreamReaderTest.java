package io.sluice.replication;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Units of a primary's stream begin and end, whatever happens inside. */
class StreamReaderTest {
    private final ReplicationStream stream = new ReplicationStream();
    private final List<String> told = new ArrayList<>();
    private final StreamReader reader = new StreamReader(stream, new Host(), () -> { });
    private final ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer();

    StreamReaderTest() {
        stream.restore("a".repeat(40), 0, 0, 10_000);
    }

    @AfterEach
    void close() {
        in.release();
        stream.close();
    }

    private String read(final String inline) {
        in.writeBytes(inline.getBytes(StandardCharsets.US_ASCII));
        return reader.read(in);
    }

    @Test
    void shouldApplyCommandsInUnits() {
        assertNull(read("SET k v\r\nMULTI\r\nSET k w\r\nDEL k\r\nEXEC\r\n"));
        assertEquals(List.of("begin", "SET", "end", "begin", "SET", "DEL", "end"), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"THROW\r\nSET k v\r\n", "MULTI\r\nTHROW\r\nEXEC\r\nSET k v\r\n"})
    void shouldEndAUnitThatFailsAndApplyNothingBehindIt(final String commands) {
        assertThrows(IllegalStateException.class, () -> read(commands));
        assertEquals(List.of("begin", "THROW", "failed"), told);
        assertNotNull(read("SET k v\r\n"));
        assertEquals(List.of("begin", "THROW", "failed"), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "2147483648", "4294967296", "9223372036854775808", "x", "", "0 0"})
    void shouldNotTakeWhatIsNoIndexForADatabase(final String index) {
        assertNull(read("SELECT 3\r\n"));
        assertEquals(3, stream.selectedDb());
        assertNull(read("SELECT " + index + "\r\n"));
        assertEquals(Integer.MAX_VALUE, stream.selectedDb());
    }

    private final class Host implements ReplicaHost {
        @Override
        public void unitBegins(final boolean repeatable) {
            told.add("begin");
        }

        @Override
        public void apply(final Request command, final int db) {
            told.add(command.argText(0));
            if (command.argText(0).equals("THROW")) {
                throw new IllegalStateException();
            }
        }

        @Override
        public void unitEnds() {
            told.add("end");
        }

        @Override
        public void unitFailed() {
            told.add("failed");
        }

        @Override
        public void syncBegins() {
            throw new AssertionError();
        }

        @Override
        public void syncBytes(final ByteBuf bytes) {
            throw new AssertionError();
        }

        @Override
        public void syncReceived() {
            throw new AssertionError();
        }

        @Override
        public void renamed() {
            throw new AssertionError();
        }

        @Override
        public void streamBegins(final boolean partial) {
            throw new AssertionError();
        }

        @Override
        public void advancing(final long reachedAtMost) {
            // Nothing is remembered here.
        }

        @Override
        public void advanced() {
            // Nothing is remembered here.
        }

        @Override
        public void failed(final String reason) {
            throw new AssertionError();
        }
    }
}
