package io.sluice.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The value of {@code rename-command}: pairs of a command's name and its new one, which may be empty. */
final class CommandNames extends ConfigType {

    CommandNames() {
        super("command name");
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
        if (words.equals(List.of(""))) {
            return "";
        }
        if (words.size() % 2 != 0) {
            throw new ConfigException("wrong number of arguments");
        }
        List<String> quoted = new ArrayList<>();
        for (String word : words) {
            quoted.add(Words.quote(word.toLowerCase(Locale.ROOT)));
        }
        return String.join(" ", quoted);
    }
}
