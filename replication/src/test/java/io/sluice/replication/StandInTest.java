package io.sluice.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.resp.RequestParser;
import io.sluice.resp.RespLimits;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class StandInTest {

    /** What a stock replica reads instead of a command, which must be as long as the command. */
    private static List<String> read(final String command) {
        final byte[] bytes = command.getBytes(StandardCharsets.ISO_8859_1);
        final ByteBuf buffer = Unpooled.directBuffer();
        try (StandIn standIn = new StandIn()) {
            final long address = standIn.reserve(bytes.length);
            for (int i = 0; i < bytes.length; i++) {
                UnsafeApi.putByte(address + i, bytes[i]);
            }
            standIn.replace(bytes.length);
            assertEquals(bytes.length, standIn.length());
            for (int i = 0; i < bytes.length; i++) {
                buffer.writeByte(UnsafeApi.getByte(standIn.address() + i));
            }
            final List<String> commands = new ArrayList<>();
            final RequestParser parser = new RequestParser();
            while (parser.parse(buffer, RespLimits.of(1 << 20), true) == RequestParser.Result.COMPLETE) {
                final StringBuilder words = new StringBuilder();
                for (int i = 0; i < parser.request().argCount(); i++) {
                    words.append(i == 0 ? "" : " ").append(parser.request().argText(i));
                }
                commands.add(words.toString());
            }
            return commands;
        } finally {
            buffer.release();
        }
    }

    @Test
    void shouldRemoveTheKeyAndFillTheRestWhateverTheLengths() {
        for (int keyLength = 0; keyLength < 130; keyLength++) {
            for (int payloadLength = 10; payloadLength < 130; payloadLength++) {
                final String key = "k".repeat(keyLength);
                final List<String> commands = read(Greeting.command(
                    "RESTORE", key, "1700000000000", "p".repeat(payloadLength), "REPLACE", "ABSTTL"));
                assertEquals("DEL " + key, commands.get(0));
                assertEquals(2, commands.size());
                assertTrue(commands.get(1).matches("PING +"));
            }
        }
    }

    @Test
    void shouldFillWhatIsNoRestore() {
        for (int length = 20; length < 1_200; length++) {
            final List<String> commands = read(Greeting.command("OTHER", "x".repeat(length)));
            assertEquals(1, commands.size());
            assertTrue(commands.get(0).matches("PING +"));
        }
    }
}
