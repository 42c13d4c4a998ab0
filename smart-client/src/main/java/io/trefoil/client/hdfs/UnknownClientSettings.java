/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning, once per process, for each name in a configuration that begins with {@code trefoil.client.}, or nearly does, but is not a
 * setting. Ignores server settings, which the servers check. For any thread.
 *
 * <p>{@code UnknownSettings} of the servers does the same for all others; the two share no code, because the client's
 * jar depends on none of the servers'.
 */
final class UnknownClientSettings {
    private static final UnknownClientSettings SHARED =
            new UnknownClientSettings(LoggerFactory.getLogger(UnknownClientSettings.class)::warn);

    private static final String PREFIX = "trefoil.";
    private static final String CLIENT = "client";
    private static final String TABLE = "fs.viewfs.mounttable.path";
    /** The number of letters in which two spellings of one word may differ; the servers use the same number. */
    private static final int SAME_WORD = 2;

    private final Consumer<String> warning;
    private final AtomicBoolean done = new AtomicBoolean();

    UnknownClientSettings(Consumer<String> warning) {
        this.warning = warning;
    }

    /** Checks a configuration, if it is that of the first client in this process. */
    static void warnOnce(Configuration conf) {
        SHARED.warn(conf);
    }

    void warn(Configuration conf) {
        if (done.compareAndSet(false, true)) {
            findUnknown(conf)
                    .forEach((name, hint) -> warning.accept("Unknown setting " + name + " has no effect; " + hint));
        }
    }

    /** The unknown names, each with what replaces it, or the nearest known name with the same suffix. */
    static SortedMap<String, String> findUnknown(Configuration conf) {
        Collection<String> nameservices = conf.getTrimmedStringCollection(HdfsClientConfigKeys.DFS_NAMESERVICES);
        SortedMap<String, String> unknown = new TreeMap<>();
        for (Map.Entry<String, String> property : conf) {
            String name = property.getKey();
            if (name.startsWith(PREFIX) && distance(section(name), CLIENT) <= SAME_WORD) {
                String suffix = suffix(name, nameservices);
                String base = name.substring(0, name.length() - suffix.length());
                String nearest = nearest(base);
                if (ClientSetting.removed().containsKey(base)) {
                    unknown.put(
                            name, "it was removed: " + ClientSetting.removed().get(base));
                } else if (!nearest.equals(base) && !mayBeFederationSetting(name, conf)) {
                    unknown.put(name, "the nearest known one is " + nearest + suffix);
                }
            }
        }
        return unknown;
    }

    private static String section(String name) {
        String rest = name.substring(PREFIX.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }

    private static String suffix(String name, Collection<String> nameservices) {
        for (String nameservice : nameservices) {
            if (name.endsWith("." + nameservice)) {
                return "." + nameservice;
            }
        }
        return "";
    }

    /** Whether a setting may be one of a federation, whose name is known only from the URIs that clients use. */
    private static boolean mayBeFederationSetting(String name, Configuration conf) {
        return conf.get(TABLE) != null
                && ClientSetting.all().stream()
                        .map(setting -> setting.name() + ".")
                        .anyMatch(prefix -> name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0);
    }

    private static String nearest(String name) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (ClientSetting setting : ClientSetting.all()) {
            int distance = distance(name, setting.name());
            if (distance < least) {
                least = distance;
                nearest = setting.name();
            }
        }
        return nearest;
    }

    /** The number of letters to insert, delete or change to turn one word into the other (Levenshtein). */
    private static int distance(String one, String otherName) {
        int[] row = new int[otherName.length() + 1];
        Arrays.setAll(row, column -> column);
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= otherName.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == otherName.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[otherName.length()];
    }
}
