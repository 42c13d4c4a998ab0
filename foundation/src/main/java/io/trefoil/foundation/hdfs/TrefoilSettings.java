/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of all our jars on the class path of a server or command, shown in Hadoop's configuration.
 *
 * <p>Not a default resource: Hadoop would read it after {@code hdfs-site.xml}, so it would override what an operator
 * has set; see {@code docs/design/settings.md}.
 */
public final class TrefoilSettings {
    private static final Logger LOG = LoggerFactory.getLogger(TrefoilSettings.class);

    /** The prefix of all our settings. */
    static final String PREFIX = "trefoil.";

    /** The source that Hadoop reports for a default value: the file that lists it with its description. */
    private static final String SOURCE = "trefoil-default.xml";

    private static final UnknownSettingsCheck CHECK = new UnknownSettingsCheck(LOG::warn);

    private TrefoilSettings() {}

    /**
     * Gives a configuration the default of each setting that it lacks, so that {@code /conf} of a NameNode shows them;
     * and logs warnings about unknown ones, once per process. For any thread; a second call changes nothing.
     *
     * @throws java.util.ServiceConfigurationError if a jar of ours on the class path is damaged, or has another version
     */
    public static void applyDefaults(Configuration conf) {
        CHECK.warnOnce(conf, unknownSettings());
        for (ConfigKey<?> key : declaredKeys()) {
            key.defaultText()
                    .filter(text -> conf.getRaw(key.name()) == null)
                    .ifPresent(text -> conf.set(key.name(), text, SOURCE));
        }
    }

    private static UnknownSettings unknownSettings() {
        List<String> names = declaredKeys().stream().map(ConfigKey::name).collect(Collectors.toList());
        Map<String, String> removed = new HashMap<>();
        sections().forEach(section -> removed.putAll(section.removedSettings()));
        return new UnknownSettings(names, removed);
    }

    /** The names that look like our settings but are not, each with the nearest actual setting, or with its replacement. */
    public static SortedMap<String, String> findUnknown(Configuration conf) {
        return unknownSettings().find(conf);
    }

    /**
     * Our settings whose value is not the default, by name. A secret is hidden, as on Hadoop's page {@code /conf}.
     */
    public static Map<String, ChangedSetting> findChanged(Configuration conf) {
        Map<String, String> defaults = new HashMap<>();
        declaredKeys().forEach(key -> key.defaultText().ifPresent(text -> defaults.put(key.name(), text)));
        ConfigRedactor redactor = new ConfigRedactor(conf);
        Map<String, ChangedSetting> changed = new TreeMap<>();
        conf.getPropsWithPrefix(PREFIX).forEach((rest, value) -> {
            String name = PREFIX + rest;
            if (!value.equals(defaults.get(name))) {
                changed.put(
                        name,
                        new ChangedSetting(redactor.redact(name, value), Optional.ofNullable(defaults.get(name))));
            }
        });
        return changed;
    }

    /** The faults of our unreadable settings, in words that name each setting; empty if all are readable. */
    public static List<String> findInvalid(SuffixedConfiguration conf) {
        List<String> faults = new ArrayList<>();
        for (ConfigKey<?> key : declaredKeys()) {
            try {
                key.find(conf);
            } catch (IllegalArgumentException e) {
                faults.add(e.getMessage());
            }
        }
        return Collections.unmodifiableList(faults);
    }

    /** A setting that was changed. Immutable. */
    public static final class ChangedSetting {
        private final String value;
        private final Optional<String> defaultText;

        ChangedSetting(String value, Optional<String> defaultText) {
            this.value = value;
            this.defaultText = defaultText;
        }

        public String value() {
            return value;
        }

        /** The default as text; empty if there is none. */
        public Optional<String> defaultText() {
            return defaultText;
        }
    }

    private static List<ConfigKey<?>> declaredKeys() {
        List<ConfigKey<?>> keys = new ArrayList<>();
        sections().forEach(section -> keys.addAll(withoutHadoopKeys(section.keys())));
        return Collections.unmodifiableList(keys);
    }

    private static Iterable<SettingsSection> sections() {
        return ServiceLoader.load(SettingsSection.class, SettingsSection.class.getClassLoader());
    }

    /** Warns of unknown settings, in the first configuration that it gets. */
    static final class UnknownSettingsCheck {
        private final Consumer<String> warning;
        private final AtomicBoolean done = new AtomicBoolean();

        UnknownSettingsCheck(Consumer<String> warning) {
            this.warning = warning;
        }

        void warnOnce(Configuration conf, UnknownSettings settings) {
            if (done.compareAndSet(false, true)) {
                settings.find(conf)
                        .forEach((name, hint) -> warning.accept("Unknown setting " + name + " has no effect; " + hint));
            }
        }
    }

    /** The keys that are ours, not Hadoop's. */
    static List<ConfigKey<?>> withoutHadoopKeys(List<ConfigKey<?>> keys) {
        return keys.stream().filter(key -> key.name().startsWith(PREFIX)).collect(Collectors.toList());
    }
}
