/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into maps, lists, strings, numbers and booleans. Here because the shaded Hadoop client has no JSON library under
 * a name that can be relied on.
 */
final class Json {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /**
     * The document; JSON's {@code null} becomes an empty string.
     *
     * @throws IllegalArgumentException if it is none; the text says where
     */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.unexpected("the end");
        }
        return value;
    }

    private Object value() {
        skipSpace();
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", "");
            default:
                return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new HashMap<>();
        enter();
        for (boolean more = !closes('}'); more; more = continues('}')) {
            skipSpace();
            String key = string();
            skipSpace();
            take(':');
            object.put(key, value());
        }
        depth--;
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        enter();
        for (boolean more = !closes(']'); more; more = continues(']')) {
            array.add(value());
        }
        depth--;
        return array;
    }

    private void enter() {
        at++;
        depth++;
        if (depth > DEEPEST) {
            throw unexpected("at most " + DEEPEST + " levels");
        }
    }

    private boolean closes(char end) {
        skipSpace();
        if (peek() == end) {
            at++;
            return true;
        }
        return false;
    }

    private boolean continues(char end) {
        if (closes(end)) {
            return false;
        }
        take(',');
        return true;
    }

    private String string() {
        take('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            char next = text.charAt(at++);
            string.append(next == '\\' ? escaped() : next);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        switch (kind) {
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                if (at + 4 > text.length()) {
                    throw unexpected("four digits");
                }
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                return kind;
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected(word);
        }
        at += word.length();
        return value;
    }

    private Double number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (begin == at) {
            throw unexpected("a value");
        }
        return Double.valueOf(text.substring(begin, at));
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw unexpected("more");
        }
        return text.charAt(at);
    }

    private void take(char wanted) {
        if (peek() != wanted) {
            throw unexpected("'" + wanted + "'");
        }
        at++;
    }

    private IllegalArgumentException unexpected(String wanted) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new IllegalArgumentException("wanted " + wanted + " at character " + at + ", found " + found);
    }
}
