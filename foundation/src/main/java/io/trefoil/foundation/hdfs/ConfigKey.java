/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * A setting: name, type, default, bounds and meaning in one place. Immutable.
 *
 * <p>Uses {@code Configuration.getTimeDuration} and {@code StringUtils.TraditionalBinaryPrefix}, so that values are
 * written as everywhere in {@code hdfs-site.xml}: {@code 500ms}, {@code 64m}.
 */
public final class ConfigKey<T> {
    private final String name;
    private final String type;
    private final Function<String, T> parser;
    private final Optional<String> defaultText;
    private final Predicate<T> bound;
    private final String boundText;
    private final String doc;

    private ConfigKey(
            String name,
            String type,
            Function<String, T> parser,
            Optional<String> defaultText,
            Predicate<T> isValid,
            String boundText,
            String doc) {
        this.name = name;
        this.type = type;
        this.parser = parser;
        this.defaultText = defaultText;
        this.bound = isValid;
        this.boundText = boundText;
        this.doc = doc;
    }

    public static ConfigKey<String> text(String name) {
        return newKey(name, "text", text -> text);
    }

    /**
     * Creates the key of a setting of a special type: {@code type} is its name on the pages; the parser throws {@link
     * IllegalArgumentException}.
     */
    public static <T> ConfigKey<T> of(String name, String type, Function<String, T> parser) {
        return newKey(name, type, parser);
    }

    public static ConfigKey<Boolean> flag(String name) {
        return newKey(name, "true or false", ConfigKey::parseFlag);
    }

    public static ConfigKey<Integer> count(String name) {
        return newKey(name, "number", Integer::valueOf);
    }

    /** Creates a key whose value is one of several words: the names of an enum's constants in lower case. */
    public static <E extends Enum<E>> ConfigKey<E> choice(String name, Class<E> type) {
        Map<String, E> choices = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            choices.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        String words = String.join(", ", choices.keySet());
        return newKey(name, "one of " + words, text -> {
            E chosen = choices.get(text.toLowerCase(Locale.ROOT));
            if (chosen == null) {
                throw new IllegalArgumentException("none of " + words);
            }
            return chosen;
        });
    }

    public static ConfigKey<Duration> duration(String name) {
        return newKey(name, "time, as 500ms, 5s", ConfigKey::parseDuration);
    }

    public static ConfigKey<Integer> bytes(String name) {
        return newKey(name, "bytes, as 64m", ConfigKey::parseBytes);
    }

    private static <T> ConfigKey<T> newKey(String name, String type, Function<String, T> parser) {
        return new ConfigKey<>(name, type, parser, Optional.<String>empty(), value -> true, "", "");
    }

    public ConfigKey<T> withDefault(String text) {
        return new ConfigKey<>(name, type, parser, Optional.of(text), bound, boundText, doc);
    }

    /** Refuses values outside the bound; {@code text} completes a sentence with "must be". */
    public ConfigKey<T> withBound(String text, Predicate<T> allowed) {
        return new ConfigKey<>(name, type, parser, defaultText, allowed, text, doc);
    }

    public ConfigKey<T> withDoc(String text) {
        return new ConfigKey<>(name, type, parser, defaultText, bound, boundText, text);
    }

    public String name() {
        return name;
    }

    public String type() {
        return type;
    }

    public Optional<String> defaultText() {
        return defaultText;
    }

    public String boundText() {
        return boundText;
    }

    public String doc() {
        return doc;
    }

    /**
     * The configured value, or the default; empty if there is neither.
     *
     * @throws IllegalArgumentException if the value is not of the type, or is out of bounds; the text names the property
     */
    public Optional<T> find(SuffixedConfiguration conf) {
        Optional<String> configured = conf.text(name);
        if (!configured.isPresent()) {
            return defaultText.map(parser);
        }
        String property = conf.property(name);
        T value = parse(property, configured.get());
        if (!bound.test(value)) {
            throw new IllegalArgumentException(property + " is " + configured.get() + ", it must be " + boundText);
        }
        return Optional.of(value);
    }

    /** The configured value, or the default, of a key that has a default. */
    public T get(SuffixedConfiguration conf) {
        return find(conf).orElseThrow(() -> new IllegalStateException(name + " has no default"));
    }

    private T parse(String property, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    property + " is '" + text + "', which cannot be read as " + type + ": " + e.getMessage(), e);
        }
    }

    private static Boolean parseFlag(String text) {
        if (text.equalsIgnoreCase("true")) {
            return true;
        }
        if (text.equalsIgnoreCase("false")) {
            return false;
        }
        throw new IllegalArgumentException("neither true nor false");
    }

    /** Reads a time as it is written in {@code hdfs-site.xml}: {@code 500ms}, {@code 5s}. */
    public static Duration parseDuration(String text) {
        Configuration scratch = new Configuration(false);
        scratch.set("duration", text);
        return Duration.ofMillis(scratch.getTimeDuration("duration", 0, TimeUnit.MILLISECONDS));
    }

    private static Integer parseBytes(String text) {
        long bytes = TraditionalBinaryPrefix.string2long(text);
        if (bytes > Integer.MAX_VALUE || bytes < 0) {
            throw new IllegalArgumentException("not between 0 and 2g");
        }
        return (int) bytes;
    }
}
