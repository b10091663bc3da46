package io.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplyCounterTest {

    @ParameterizedTest
    @CsvSource({
        "+OK~, 1, 0", ":-1~, 1, 0", "-ERR no~, 1, 1", "$-1~, 1, 0", "$0~~, 1, 0", "$4~a~b~, 1, 0", "*0~, 1, 0",
        "*-1~, 1, 0", "*5~:0~:16~:15~:-1~:2~, 1, 0", "*2~*1~:1~$1~x~, 1, 0", "%1~+k~:1~, 1, 0", "~2~:1~:2~, 1, 0",
        "_~, 1, 0", "#t~, 1, 0", "'=7~txt:abc~', 1, 0", "',1.5~', 1, 0", "(12~, 1, 0",
        "*2~-ERR a~+OK~, 1, 1", "+OK~+OK~-ERR x~-ERR y~, 4, 2", "*2~:1~, 0, 0", "$3~ab, 0, 0", "%0~, 1, 0"})
    void shouldCountRepliesWholeAndByteByByte(String stream, long replies, long errors) {
        byte[] bytes = stream.replaceAll("(?<!^)~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        ReplyCounter whole = new ReplyCounter();
        whole.read(ByteBuffer.wrap(bytes));
        ReplyCounter pieces = new ReplyCounter();
        for (byte b : bytes) {
            pieces.read(ByteBuffer.wrap(new byte[] {b}));
        }
        for (ReplyCounter counter : new ReplyCounter[] {whole, pieces}) {
            assertEquals(replies, counter.replies());
            assertEquals(errors, counter.errors());
            assertEquals(errors == 0, counter.firstError().isEmpty());
        }
    }
}
