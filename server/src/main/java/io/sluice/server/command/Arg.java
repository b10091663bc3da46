package io.sluice.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One argument in a command's documentation, in the shape that {@code COMMAND DOCS} reports and redis-cli's hints
 * read. Immutable; {@link #optional()}, {@link #multiple()} and {@link #token(String)} give changed copies.
 */
public final class Arg {
    private final String name;
    private final String type;
    private final String token;
    private final boolean optional;
    private final boolean multiple;
    private final List<Arg> children;

    private Arg(String name, String type, String token, boolean optional, boolean multiple, List<Arg> children) {
        this.name = name;
        this.type = type;
        this.token = token;
        this.optional = optional;
        this.multiple = multiple;
        this.children = children;
    }

    /** A key. */
    public static Arg key(String name) {
        return of(name, "key");
    }

    /** Any bytes. */
    public static Arg string(String name) {
        return of(name, "string");
    }

    /** A whole number. */
    public static Arg integer(String name) {
        return of(name, "integer");
    }

    /** A decimal number. */
    public static Arg decimal(String name) {
        return of(name, "double");
    }

    /** A pattern of names. */
    public static Arg pattern(String name) {
        return of(name, "pattern");
    }

    /** A time since the epoch. */
    public static Arg unixTime(String name) {
        return of(name, "unix-time");
    }

    /** A fixed word; its name is the word in lower case. */
    public static Arg word(String token) {
        return new Arg(token.toLowerCase(Locale.ROOT), "pure-token", token, false, false, List.of());
    }

    /** A fixed word with a name of its own. */
    public static Arg word(String name, String token) {
        return new Arg(name, "pure-token", token, false, false, List.of());
    }

    /** Exactly one of the given arguments. */
    public static Arg oneOf(String name, Arg... choices) {
        return new Arg(name, "oneof", null, false, false, List.of(choices));
    }

    /** The given arguments, one after the other. */
    public static Arg block(String name, Arg... parts) {
        return new Arg(name, "block", null, false, false, List.of(parts));
    }

    private static Arg of(String name, String type) {
        return new Arg(name, type, null, false, false, List.of());
    }

    /** The same, which may be left out. */
    public Arg optional() {
        return new Arg(name, type, token, true, multiple, children);
    }

    /** The same, which may be given more than once. */
    public Arg multiple() {
        return new Arg(name, type, token, optional, true, children);
    }

    /** The word that stands before the argument's value. */
    public Arg token(String word) {
        return new Arg(name, type, word, optional, multiple, children);
    }

    String name() {
        return name;
    }

    String type() {
        return type;
    }

    String token() {
        return token;
    }

    List<Arg> children() {
        return children;
    }

    /** The words of Redis's argument flags that apply. */
    List<String> flags() {
        List<String> flags = new ArrayList<>(2);
        if (optional) {
            flags.add("optional");
        }
        if (multiple) {
            flags.add("multiple");
        }
        return flags;
    }

    /** The argument as the manual writes it: {@code [EX seconds | PX milliseconds]}. */
    String syntax() {
        String text = switch (type) {
            case "oneof" -> join(" | ");
            case "block" -> join(" ");
            case "pure-token" -> token;
            default -> token == null ? name : token + " " + name;
        };
        if (token != null && !children.isEmpty()) {
            text = token + " " + text;
        }
        if (multiple) {
            text = text + " [" + text + " ...]";
        }
        if (optional) {
            return "[" + text + "]";
        }
        return "oneof".equals(type) ? "<" + text + ">" : text;
    }

    private String join(String separator) {
        List<String> parts = new ArrayList<>(children.size());
        children.forEach(child -> parts.add(child.syntax()));
        return String.join(separator, parts);
    }
}
