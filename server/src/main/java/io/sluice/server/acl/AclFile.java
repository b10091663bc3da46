package io.sluice.server.acl;

import io.sluice.server.config.FileErrors;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file of users: a line {@code user name rule rule ...} each, nothing else. */
final class AclFile {
    private AclFile() {
    }

    /**
     * The users of a file.
     *
     * @throws IOException if it cannot be read, or with everything that is wrong with it, as Redis says it
     */
    static Map<String, User> read(Path file, UserRules rules) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IOException("Error loading ACLs, opening file '" + file + "': "
                    + FileErrors.reason(e), e);
        }
        Map<String, User> users = new LinkedHashMap<>();
        StringBuilder errors = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty()) {
                readLine(line, file + ":" + (i + 1), rules, users, errors);
            }
        }
        if (errors.length() > 0) {
            throw new IOException(errors
                    + "WARNING: ACL errors detected, no change to the previously active ACL rules was performed");
        }
        return users;
    }

    private static void readLine(String line, String place, UserRules rules, Map<String, User> users,
            StringBuilder errors) {
        List<String> words = List.of(line.split(" +"));
        if (!"user".equals(words.get(0)) || words.size() < 2) {
            errors.append(place).append(": line should start with user keyword followed by the username. ");
            return;
        }
        String name = words.get(1);
        if (UserRules.hasSpaces(name)) {
            errors.append(place).append(": username '").append(name).append("' contains invalid characters. ");
            return;
        }
        User user = rules.newUser(name);
        if (users.putIfAbsent(name, user) != null) {
            errors.append("WARNING: Duplicate user '").append(name).append("' found in ").append(place).append(". ");
            return;
        }
        List<String> joined;
        try {
            joined = UserRules.joinSelectors(words.subList(2, words.size()));
        } catch (IllegalArgumentException e) {
            errors.append(place).append(": Unmatched parenthesis in selector definition. ");
            return;
        }
        boolean failed = false;
        for (String rule : joined) {
            try {
                rules.apply(user, rule);
            } catch (RuleException e) {
                if (e.isUnknownCommand()) {
                    errors.append(place).append(": Error in applying operation '").append(rule).append("': ")
                            .append(e.getMessage()).append(". ");
                } else if (!failed) {
                    errors.append(place).append(": ").append(e.getMessage()).append(". ");
                    failed = true;
                }
            }
        }
    }
}
