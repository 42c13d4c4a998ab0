/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.diagnose;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Keeps secrets out of an archive: hides the values of settings that may be secrets, wherever they occur. Immutable. */
final class SecretRedactor {
    static final String HIDDEN = "<hidden>";

    private static final Pattern NAMES = Pattern.compile(
            "(?i)pass(?:word|wd|phrase)?\\b|password|passwd|passphrase|secret(?!\\.file)|credential|jaas|oauth|token$"
                    + "|(?:account|access|encryption)[.-]?key|zookeeper\\.(?:auth|acl)$");
    /** Values that reveal nothing, and occur everywhere. */
    private static final Pattern PLAIN = Pattern.compile("true|false|none|[0-9]+[a-z]*|[a-z]{1,7}");

    private static final int MIN_SECRET_LENGTH = 4;

    /** The pattern of a secret in any text, including the words that introduce it. */
    private static final Pattern TEXT_SECRET = Pattern.compile(
            "(?i)(digest:[^:\\s,]+:|(?:password|passwd|passphrase|secret|token|credentials?)[\"']?\\s*[=:]\\s*[\"']?"
                    + "|authorization:\\s*(?:basic|bearer|negotiate)\\s+)[^\\s,;\"'@<]+");

    private static final Pattern URI_SECRET = Pattern.compile("(://[^/\\s:@]+:)[^/\\s@]+(?=@)");

    private final Predicate<String> isSensitive;
    private final List<String> values = new ArrayList<>();

    /** @param isSensitive which names of settings Hadoop hides as well */
    SecretRedactor(Map<String, String> settings, Predicate<String> isSensitive) {
        this.isSensitive = isSensitive;
        settings.forEach((name, value) -> {
            String trimmed = value.trim();
            if (isSecret(name)
                    && trimmed.length() >= MIN_SECRET_LENGTH
                    && !PLAIN.matcher(trimmed).matches()) {
                values.add(trimmed);
            }
        });
        // The longest first: one may contain another.
        values.sort(Comparator.comparingInt(String::length).reversed());
    }

    private boolean isSecret(String name) {
        return NAMES.matcher(name).find() || isSensitive.test(name);
    }

    /** Returns settings as lines, with the values of secrets hidden. */
    String redactedSettings(Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(settings).forEach((name, value) -> text.append(name)
                .append('=')
                .append(isSecret(name) ? HIDDEN : redact(value))
                .append('\n'));
        return text.toString();
    }

    /** Returns a text without its secrets. */
    String redact(String text) {
        String result = text;
        for (String value : values) {
            result = result.replace(value, HIDDEN);
        }
        return URI_SECRET
                .matcher(TEXT_SECRET.matcher(result).replaceAll("$1" + HIDDEN))
                .replaceAll("$1" + HIDDEN);
    }
}
