package io.sluice.server.script;

import io.sluice.resp.ErrorText;
import io.sluice.server.config.Words;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The first line of a script, {@code #!lua flags=no-writes}, or of a library, {@code #!lua name=mylib}.
 *
 * @param flags bits of {@link ScriptFlags}
 * @param name  of the library; null in a script
 * @param length bytes of the line without its end
 */
record Shebang(int flags, String name, int length) {
    private static final String ENGINE = "lua";
    private static final String FLAGS = "flags=";
    private static final String NAME = "name=";

    /**
     * The first line of a script. A flag that is not known is passed over: it belongs to another server, which
     * {@code allow-key-locking} does, and every script that runs there runs here.
     */
    static Shebang ofScript(byte[] source) throws ScriptException {
        if (!isThere(source)) {
            return new Shebang(ScriptFlags.UNDECLARED, null, 0);
        }
        int length = length(source, "ERR Invalid script shebang");
        List<String> words = words(source, length, "ERR Invalid engine in script shebang");
        if (!words.get(0).equals("#!" + ENGINE)) {
            throw new ScriptException("ERR Unexpected engine in script shebang: " + ErrorText.echo(words.get(0)));
        }
        int flags = 0;
        for (String word : words.subList(1, words.size())) {
            if (!word.startsWith(FLAGS)) {
                throw new ScriptException("ERR Unknown lua shebang option: " + ErrorText.echo(word));
            }
            for (String flag : word.substring(FLAGS.length()).split(",")) {
                flags |= ScriptFlags.of(flag);
            }
        }
        return new Shebang(flags, null, length);
    }

    /** The first line of a library. */
    static Shebang ofLibrary(byte[] source) throws ScriptException {
        if (!isThere(source)) {
            throw new ScriptException("ERR Missing library metadata");
        }
        int length = length(source, "ERR Invalid library metadata");
        List<String> words = words(source, length, "ERR Invalid library metadata");
        String name = null;
        for (String word : words.subList(1, words.size())) {
            if (!word.toLowerCase(Locale.ROOT).startsWith(NAME)) {
                throw new ScriptException("ERR Invalid metadata value given: " + ErrorText.echo(word));
            }
            if (name != null) {
                throw new ScriptException("ERR Invalid metadata value, name argument was given multiple times");
            }
            name = word.substring(NAME.length());
        }
        if (name == null) {
            throw new ScriptException("ERR Library name was not given");
        }
        if (!isName(name)) {
            throw new ScriptException("ERR Library names can only contain letters, numbers, or underscores(_) and must "
                    + "be at least one character long");
        }
        String engine = words.get(0).substring(2);
        if (!engine.equalsIgnoreCase(ENGINE)) {
            throw new ScriptException("ERR Engine '" + ErrorText.echo(engine) + "' not found");
        }
        return new Shebang(0, name, length);
    }

    /** Whether a library or function may have this name. */
    static boolean isName(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> c == '_' || c >= '0' && c <= '9'
                || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
    }

    private static boolean isThere(byte[] source) {
        return source.length >= 2 && source[0] == '#' && source[1] == '!';
    }

    private static int length(byte[] source, String error) throws ScriptException {
        for (int i = 0; i < source.length; i++) {
            if (source[i] == '\n') {
                return i;
            }
        }
        throw new ScriptException(error);
    }

    private static List<String> words(byte[] source, int length, String error) throws ScriptException {
        List<String> words = Words.split(new String(source, 0, length, StandardCharsets.ISO_8859_1));
        if (words == null || words.isEmpty()) {
            throw new ScriptException(error);
        }
        return words;
    }
}
