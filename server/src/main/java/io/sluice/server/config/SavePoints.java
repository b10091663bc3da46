package io.sluice.server.config;

import java.util.ArrayList;
import java.util.List;

/** The value of {@code save}: pairs of seconds and changes; empty for no snapshots. */
final class SavePoints extends ConfigType {

    SavePoints() {
        super("seconds changes ...");
    }

    @Override
    boolean isList() {
        return true;
    }

    @Override
    int wordsPerLine() {
        return 2;
    }

    @Override
    String canonical(List<String> words) throws ConfigException {
        List<String> canonical = new ArrayList<>();
        for (String word : words) {
            if (!word.isBlank()) {
                canonical.add(word);
            }
        }
        if (canonical.size() % 2 != 0) {
            throw new ConfigException("Invalid save parameters");
        }
        for (int i = 0; i < canonical.size(); i++) {
            try {
                canonical.set(i, inRange(Long.parseLong(canonical.get(i)), i % 2 == 0 ? 1 : 0, Integer.MAX_VALUE));
            } catch (NumberFormatException e) {
                throw new ConfigException("Invalid save parameters");
            }
        }
        return String.join(" ", canonical);
    }
}
