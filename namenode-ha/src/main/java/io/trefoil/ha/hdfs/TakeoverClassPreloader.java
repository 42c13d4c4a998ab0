/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes that a NameNode loads when it becomes active and its first clients arrive. A JVM loads a class when it is
 * first needed, so the first takeover of a process would spend most of its time on loading.
 *
 * <p>The list was recorded during takeovers, with {@code -Xlog:class+load}. It is a hint: a class that does not exist,
 * for example in another Hadoop, is skipped.
 */
final class TakeoverClassPreloader {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverClassPreloader.class);

    private static final String LIST = "takeover.classes";

    private TakeoverClassPreloader() {}

    /** Loads and verifies the classes; verifying takes longer than loading. */
    static void load() {
        int loaded = 0;
        List<String> names = names();
        for (String name : names) {
            loaded += isLoadedAndLinked(name) ? 1 : 0;
        }
        LOG.debug("Preloaded classes={} of={}", loaded, names.size());
    }

    /**
     * Loads and links a class, and returns whether that worked: HotSpot links a class before it lists its methods. The class is
     * initialized when it is used.
     */
    static boolean isLoadedAndLinked(String name) {
        try {
            Class<?> type = Class.forName(name, false, TakeoverClassPreloader.class.getClassLoader());
            LOG.trace("class={} methods={}", name, type.getDeclaredMethods().length);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.debug("Not preloaded: class={}", name, e);
            return false;
        }
    }

    static List<String> names() {
        List<String> names = new ArrayList<>();
        try (InputStream list = TakeoverClassPreloader.class.getResourceAsStream(LIST);
                BufferedReader lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                names.add(line);
            }
        } catch (IOException e) {
            LOG.warn(
                    "Cannot read the list of classes to preload; no action needed: only the first takeover takes longer",
                    e);
        }
        return names;
    }
}
