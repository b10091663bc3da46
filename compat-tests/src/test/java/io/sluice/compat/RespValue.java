package io.sluice.compat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives the bytes of a reply a shape that assertions read well on: {@code Long}, {@code String} (bulk, simple and
 * verbatim strings alike), {@code null}, {@code List}, {@code Map}, {@code Set}, {@code Double}, {@code Boolean} and
 * {@link Failure}.
 */
final class RespValue {
    /** An error reply, without the leading minus. */
    record Failure(String text) { }

    private final String bytes;
    private int position;

    private RespValue(String bytes) {
        this.bytes = bytes;
    }

    static Object parse(String bytes) {
        return new RespValue(bytes).next();
    }

    /** Returns the bytes of each item of an array. */
    static List<String> items(String array) {
        if (array.charAt(0) != '*') {
            return List.of();
        }
        RespValue value = new RespValue(array);
        value.position = array.indexOf("\r\n") + 2;
        List<String> items = new ArrayList<>();
        while (value.position < array.length()) {
            int start = value.position;
            value.next();
            items.add(array.substring(start, value.position));
        }
        return items;
    }

    static Failure failure(String text) {
        return new Failure(text);
    }

    private Object next() {
        String head = bytes.substring(position, bytes.indexOf("\r\n", position));
        position += head.length() + 2;
        String rest = head.substring(1);
        return switch (head.charAt(0)) {
            case '+' -> rest;
            case '-' -> failure(rest);
            case ':' -> Long.valueOf(rest);
            case '_' -> null;
            case ',' -> Double.valueOf(rest.replace("inf", "Infinity"));
            case '#' -> rest.equals("t");
            case '$' -> body(Integer.parseInt(rest));
            case '=' -> body(Integer.parseInt(rest)).substring("txt:".length());
            case '*', '>' -> list(Integer.parseInt(rest));
            case '~' -> set(Integer.parseInt(rest));
            case '%' -> map(Integer.parseInt(rest));
            default -> throw new IllegalArgumentException(head);
        };
    }

    private String body(int length) {
        if (length < 0) {
            return null;
        }
        String body = bytes.substring(position, position + length);
        position += length + 2;
        return body;
    }

    private List<Object> list(int count) {
        if (count < 0) {
            return null;
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(next());
        }
        return list;
    }

    private Set<Object> set(int count) {
        return new LinkedHashSet<>(list(count));
    }

    private Map<Object, Object> map(int pairs) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs; i++) {
            map.put(next(), next());
        }
        return map;
    }
}
