/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import java.util.Collection;
import java.util.Map;

/** Writes maps, collections, texts, numbers and truth values as JSON; nothing else is needed, so no library is. */
final class Json {

    private static final String STEP = "  ";

    private Json() {}

    /** @throws IllegalArgumentException if there is a value of another type inside */
    static String text(Map<String, ?> object) {
        StringBuilder text = new StringBuilder();
        append(object, "\n", text);
        return text.append('\n').toString();
    }

    private static void append(Object value, String newLine, StringBuilder text) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof CharSequence) {
            quote(value.toString(), text);
        } else if (value instanceof Map) {
            appendObject((Map<?, ?>) value, newLine, text);
        } else if (value instanceof Collection) {
            appendArray((Collection<?>) value, newLine, text);
        } else {
            throw new IllegalArgumentException("Not for JSON: " + value.getClass());
        }
    }

    private static void appendObject(Map<?, ?> object, String newLine, StringBuilder text) {
        String inner = newLine + STEP;
        String separator = "";
        text.append('{');
        for (Map.Entry<?, ?> field : object.entrySet()) {
            text.append(separator).append(inner);
            quote(field.getKey().toString(), text);
            text.append(": ");
            append(field.getValue(), inner, text);
            separator = ",";
        }
        text.append(object.isEmpty() ? "" : newLine).append('}');
    }

    private static void appendArray(Collection<?> array, String newLine, StringBuilder text) {
        String inner = newLine + STEP;
        String separator = "";
        text.append('[');
        for (Object value : array) {
            text.append(separator).append(inner);
            append(value, inner, text);
            separator = ",";
        }
        text.append(array.isEmpty() ? "" : newLine).append(']');
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
