package io.sluice.compat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What Sluice knows of the keys of commands that only Redis has is what Redis says of them. */
final class StreamedKeysTest {
    private static final Path LISTED =
        Path.of("..", "server", "src", "main", "resources", "io", "sluice", "server", "command", "redis-keys.txt");
    /** Never sent to replicas as they are: others are sent in their place. */
    private static final Set<String> NEVER_SENT = Set.of("migrate", "xreadgroup");
    private static final Set<String> CHANGES = Set.of("insert", "delete", "update");

    private static List<?> commands(ServerProcess server) {
        try (RespClient client = server.connect()) {
            client.call("HELLO", "3");
            return (List<?>) client.call("COMMAND");
        }
    }

    private static String name(Object command) {
        return (String) ((List<?>) command).get(0);
    }

    /** By place, the words on the use of each key of the command and its subcommands that may be written. */
    private static void written(Object command, Map<String, Set<String>> byPlace) {
        for (Object keySpec : (Collection<?>) ((List<?>) command).get(8)) {
            Set<String> flags = words((Collection<?>) ((Map<?, ?>) keySpec).get("flags"));
            Map<?, ?> begin = (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) keySpec).get("begin_search")).get("spec");
            Object place = begin.containsKey("index") ? begin.get("index") : begin.get("keyword");
            if (!flags.contains("RO") && !flags.contains("not_key")) {
                byPlace.computeIfAbsent(place.toString().toLowerCase(Locale.ROOT), key -> new TreeSet<>())
                    .addAll(flags);
            }
        }
        ((Collection<?>) ((List<?>) command).get(9)).forEach(sub -> written(sub, byPlace));
    }

    private static Set<String> words(Collection<?> flags) {
        return flags.stream().map(Object::toString).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> ofRedis(List<?> redis, Set<String> ofSluice) {
        Set<String> lines = new TreeSet<>();
        for (Object command : redis) {
            if (!ofSluice.contains(name(command)) && !NEVER_SENT.contains(name(command))) {
                Map<String, Set<String>> byPlace = new TreeMap<>();
                written(command, byPlace);
                byPlace.forEach((place, flags) -> lines.add(flags.stream().anyMatch(CHANGES::contains)
                    ? name(command) + " " + place + " " + flags : name(command)));
            }
        }
        return lines;
    }

    private static String line(String listed) {
        String[] fields = listed.split(" ", 3);
        return fields.length == 1 ? listed
            : fields[0] + " " + fields[1] + " " + new TreeSet<>(Arrays.asList(fields[2].split(" ")));
    }

    @Test
    void shouldListWhatRedisTells() throws IOException {
        try (RedisServer redis = new RedisServer(); SluiceServer sluice = Replicating.server()) {
            redis.start();
            sluice.start();
            Set<String> ofSluice =
                commands(sluice).stream().map(StreamedKeysTest::name).collect(Collectors.toSet());
            Set<String> listed = Files.readAllLines(LISTED).stream().filter(line -> !line.startsWith("#"))
                .map(StreamedKeysTest::line).collect(Collectors.toCollection(TreeSet::new));
            assertEquals(ofRedis(commands(redis), ofSluice), listed);
        }
    }
}
