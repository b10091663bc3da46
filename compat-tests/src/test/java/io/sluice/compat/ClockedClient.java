package io.sluice.compat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** A client that holds the server's clock: time passes only where a test says so. Starts with an empty server. */
final class ClockedClient implements AutoCloseable {
    /** 2023-11-14T00:00Z: aligned windows of up to a day begin here. */
    private static final BigDecimal START_SECONDS = new BigDecimal(1_699_920_000L);

    private final RespClient client;

    ClockedClient(ServerProcess server) {
        client = server.connect();
        client.call("FLUSHALL");
        at("0");
    }

    /** Sets the clock to so many seconds after the start. */
    ClockedClient at(String seconds) {
        BigDecimal nowNs = START_SECONDS.add(new BigDecimal(seconds)).scaleByPowerOfTen(9);
        Object reply = client.call("DEBUG", "CLOCK", nowNs.toBigIntegerExact().toString());
        if (!"OK".equals(reply)) {
            throw new AssertionError("DEBUG CLOCK answers " + reply);
        }
        return this;
    }

    /** Sends one command, written with blanks between its words, and returns its reply. */
    Object line(String words) {
        return client.line(words);
    }

    /** Sends a command whose reply is an array of integers. */
    List<Long> numbers(String words) {
        Object reply = client.line(words);
        if (!(reply instanceof List<?> items)) {
            throw new AssertionError(words + " answers " + reply);
        }
        return items.stream().map(Long.class::cast).toList();
    }

    /** Sends a limiting command. Returns whether it let the request pass. */
    boolean allows(String words) {
        return numbers(words).get(0) == 0;
    }

    /** Sends a limiting command. Returns what remains. */
    long remaining(String words) {
        return numbers(words).get(2);
    }

    /** Sends a limiting command so many times. Returns how many let the request pass. */
    int allowed(int times, String words) {
        return (int) numbers(times, words).stream().filter(reply -> reply.get(0) == 0).count();
    }

    /** Sends a limiting command so many times, pipelined. */
    List<List<Long>> numbers(int times, String words) {
        String command = RespClient.command(words.split(" "));
        client.send(command.repeat(times));
        List<List<Long>> replies = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Object reply = RespValue.parse(client.read());
            if (!(reply instanceof List<?> items)) {
                throw new AssertionError(words + " answers " + reply);
            }
            replies.add(items.stream().map(Long.class::cast).toList());
        }
        return replies;
    }

    @Override
    public void close() {
        client.close();
    }
}
