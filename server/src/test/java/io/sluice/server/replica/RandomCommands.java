package io.sluice.server.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random commands on keys of all types, few enough that they meet. In a row a letter stands for a key of that type (by
 * its number), {@code w} for a word, {@code #} for a whole number, {@code %} for a score, {@code @} for a position.
 */
final class RandomCommands {
    private static final List<String> COLLECTIONS = List.of(
        "LPUSH l w w w", "RPUSH l w", "RPUSH l w w w w w w w w", "LPUSHX l w", "LPOP l", "RPOP l", "LPOP l @",
        "RPOP l @", "LSET l @ w", "LINSERT l BEFORE w w", "LINSERT l AFTER w w", "LREM l 0 w", "LREM l 2 w",
        "LREM l -2 w", "LTRIM l @ -2", "LTRIM l 0 @", "LMOVE l l LEFT RIGHT", "RPOPLPUSH l l", "LMPOP 2 l l RIGHT",
        "SADD s w w w", "SADD s # # # #", "SADD s w", "SADD s #", "SREM s w #", "SPOP s", "SPOP s @", "SMOVE s s w",
        "SINTERSTORE s s s", "SUNIONSTORE s s s", "SDIFFSTORE s s s",
        "HSET h w w", "HSET h w # w #", "HSET h w w w w w w w w", "HDEL h w w", "HINCRBY h # #", "HSETNX h w w",
        "HINCRBYFLOAT h # 0.5", "HMSET h w w",
        "ZADD z % w", "ZADD z % w % w % w", "ZADD z GT % w", "ZADD z NX % w", "ZINCRBY z % w", "ZREM z w w",
        "ZREMRANGEBYRANK z @ @", "ZREMRANGEBYSCORE z % %", "ZPOPMIN z", "ZPOPMAX z @", "ZUNIONSTORE z 2 z z",
        "ZINTERSTORE z 2 z z", "ZRANGESTORE z z 0 @", "ZDIFFSTORE z 2 z z", "ZMPOP 2 z z MIN",
        "DEL l", "DEL s", "DEL h", "DEL z", "PEXPIRE l #", "PEXPIRE s #", "PEXPIRE h #", "PEXPIRE z #", "PERSIST h",
        "RENAME l l", "RENAME z z", "COPY s s REPLACE", "COPY h h", "SORT l ALPHA STORE l");
    private static final List<String> LIMITS = List.of(
        "RL.LOG g # 1", "RL.LOG g # 2 2", "RL.LOG g # 0.1", "RL.BUCKET b # 5 1", "RL.LEAKY y # 5 1", "RL.FIXED f # 1",
        "RL.SLIDING i # 1", "CL.THROTTLE t 5 10 1", "RENAME g g", "DEL g", "PEXPIRE g #");
    private static final int KEYS = 3;
    private static final int WORDS = 12;

    private final Random random;

    RandomCommands(Random random) {
        this.random = random;
    }

    String[] ofCollections() {
        return fill(COLLECTIONS.get(random.nextInt(COLLECTIONS.size())));
    }

    String[] ofLimits() {
        return fill(LIMITS.get(random.nextInt(LIMITS.size())));
    }

    private String[] fill(String row) {
        List<String> words = new ArrayList<>();
        for (String word : row.split(" ")) {
            words.add(switch (word) {
                case "l", "s", "h", "z", "g", "b", "y", "f", "i", "t" -> word + random.nextInt(KEYS);
                case "w" -> word();
                case "#" -> Integer.toString(1 + random.nextInt(random.nextInt(4) == 0 ? 1_000_000 : 20));
                case "%" -> score();
                case "@" -> Integer.toString(random.nextInt(5));
                default -> word;
            });
        }
        return words.toArray(String[]::new);
    }

    private String word() {
        int number = random.nextInt(WORDS);
        return switch (number) {
            case 0 -> "";
            case 1, 2, 3 -> Integer.toString(number - 2);
            case 4 -> "long".repeat(1 + random.nextInt(60));
            case 5 -> "\0\r\n\u00ff";
            default -> "w" + number + (random.nextInt(3) == 0 ? "x".repeat(random.nextInt(30)) : "");
        };
    }

    private String score() {
        return switch (random.nextInt(8)) {
            case 0 -> "-0";
            case 1 -> random.nextBoolean() ? "1e300" : "-inf";
            case 2 -> Double.toString(random.nextGaussian());
            case 3 -> "3.0000000000000004";
            default -> Integer.toString(random.nextInt(7) - 3);
        };
    }
}
