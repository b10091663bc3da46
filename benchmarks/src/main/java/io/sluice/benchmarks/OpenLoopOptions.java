package io.sluice.benchmarks;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What an {@link OpenLoop} sends where.
 *
 * @param address     the server
 * @param connections how many, used in turn
 * @param rate        requests per second over all connections
 * @param warmupNs    time that is not measured
 * @param durationNs  time that is
 * @param keys        how many different numbers {@code __rand_int__} becomes
 * @param seed        start of the random sequence
 * @param commands    words of each command of a request, separated by blanks
 */
public record OpenLoopOptions(
    InetSocketAddress address,
    int connections,
    long rate,
    long warmupNs,
    long durationNs,
    long keys,
    long seed,
    List<String> commands) {

    /** Help for the command line. */
    public static final String USAGE = """
        usage: OpenLoop [options] --command "WORD ..." [--command "WORD ..."]...
          Several commands make one request, answered when all are. __rand_int__ in them becomes a random number.
          --host HOST         127.0.0.1
          --port PORT         6379
          --connections N     50
          --rate N            requests per second, 10000
          --seconds N         measured, 10
          --warmup N          seconds before that, 2
          --keys N            different random numbers, 1000000
          --seed N            of the random numbers, 1""";

    /** Refuses what cannot be run. */
    public OpenLoopOptions {
        if (commands.isEmpty() || commands.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("at least one --command is needed, and none may be empty");
        }
        if (connections < 1 || rate < 1 || warmupNs < 0 || durationNs < 1 || keys < 1) {
            throw new IllegalArgumentException("numbers must be positive");
        }
        commands = List.copyOf(commands);
    }

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static OpenLoopOptions parse(String... args) {
        String host = "127.0.0.1";
        int port = 6379;
        int connections = 50;
        long rate = 10_000;
        long seconds = 10;
        long warmup = 2;
        long keys = 1_000_000;
        long seed = 1;
        List<String> commands = new ArrayList<>();
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value");
            }
            String value = args[i + 1];
            switch (args[i]) {
                case "--host" -> host = value;
                case "--port" -> port = Integer.parseInt(value);
                case "--connections" -> connections = Integer.parseInt(value);
                case "--rate" -> rate = Long.parseLong(value);
                case "--seconds" -> seconds = Long.parseLong(value);
                case "--warmup" -> warmup = Long.parseLong(value);
                case "--keys" -> keys = Long.parseLong(value);
                case "--seed" -> seed = Long.parseLong(value);
                case "--command" -> commands.add(value);
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        return new OpenLoopOptions(new InetSocketAddress(host, port), connections, rate,
            TimeUnit.SECONDS.toNanos(warmup), TimeUnit.SECONDS.toNanos(seconds), keys, seed, commands);
    }

    /** When a request is due, counted from the start; the first is number 0. */
    long dueNs(long request) {
        return request / rate * TimeUnit.SECONDS.toNanos(1) + request % rate * TimeUnit.SECONDS.toNanos(1) / rate;
    }

    /** Requests due before a time counted from the start. */
    long requestsUntil(long timeNs) {
        return (long) Math.ceil(timeNs / 1e9 * rate);
    }
}
