package io.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTemplateTest {

    @Test
    void shouldEncodeWords() {
        assertEquals("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", RequestTemplate.encode(" GET  k "));
    }

    @Test
    void shouldPutTheSameNumberInEveryPlaceOfARequest() {
        RequestTemplate template = new RequestTemplate(
            List.of("SET k:__rand_int__ __rand_int__", "GET k:__rand_int__"), 1_000_000, 7);
        String request = next(template);
        String number = request.substring(request.indexOf("k:") + 2, request.indexOf("k:") + 14);
        assertTrue(number.matches("000000[0-9]{6}"), number);
        assertEquals("*3\r\n$3\r\nSET\r\n$14\r\nk:" + number + "\r\n$12\r\n" + number + "\r\n"
            + "*2\r\n$3\r\nGET\r\n$14\r\nk:" + number + "\r\n", request);
        assertEquals(2, template.commands());
    }

    @Test
    void shouldRepeatItselfFromTheSameSeedOnly() {
        List<String> commands = List.of("GET __rand_int__");
        String first = next(new RequestTemplate(commands, 1_000_000, 1));
        assertEquals(first, next(new RequestTemplate(commands, 1_000_000, 1)));
        assertNotEquals(first, next(new RequestTemplate(commands, 1_000_000, 2)));
    }

    @Test
    void shouldKeepNumbersBelowTheNumberOfKeys() {
        RequestTemplate template = new RequestTemplate(List.of("GET __rand_int__"), 3, 1);
        for (int i = 0; i < 100; i++) {
            assertTrue(next(template).matches("(?s).*\r\n00000000000[012]\r\n"));
        }
    }

    private static String next(RequestTemplate template) {
        ByteBuffer out = ByteBuffer.allocate(template.byteLength());
        template.put(out);
        return new String(out.array(), StandardCharsets.ISO_8859_1);
    }
}
