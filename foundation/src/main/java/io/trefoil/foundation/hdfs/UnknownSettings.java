/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.EditDistance;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Finds names in a configuration that begin with {@code trefoil.} but are not settings: a misspelt name, one that was
 * removed, or the suffix of a nameservice that the configuration does not know. Immutable.
 *
 * <p>Settings of a jar that is not on the class path are ignored, because nothing here can tell whether they are
 * correct. So are those of the smart client, which checks them itself where it runs.
 *
 * <p>Uses {@code DFSUtilClient.getNameServiceIds}, {@code getNameNodeIds}.
 */
final class UnknownSettings {
    private static final String CLIENT = "client";
    /** The second words of all setting names, whichever jar declares them. */
    private static final Set<String> SECTIONS = Collections.unmodifiableSet(
            new HashSet<>(Arrays.asList("journal", "ha", CLIENT, "checkpoint", "federation")));
    /** The number of wrong letters up to which a word still counts as the same; the smart client uses the same number. */
    private static final int SAME_WORD = 2;

    private final Set<String> known;
    private final Map<String, String> removedSettings;
    private final Set<String> sections = new HashSet<>();

    /**
     * @param knownKeys names without suffixes, at least one
     * @param removedSettings what is there instead of names that were known once
     */
    UnknownSettings(Collection<String> knownKeys, Map<String, String> removedSettings) {
        this.known = Collections.unmodifiableSet(new TreeSet<>(knownKeys));
        this.removedSettings = Collections.unmodifiableMap(new HashMap<>(removedSettings));
        knownKeys.forEach(name -> sections.add(sectionOf(name)));
    }

    /** The unknown names, each with what replaces it, or the nearest known name with the same suffix. */
    SortedMap<String, String> find(Configuration conf) {
        Set<String> suffixes = findSuffixes(conf);
        SortedMap<String, String> unknown = new TreeMap<>();
        for (Map.Entry<String, String> property : conf) {
            String name = property.getKey();
            if (name.startsWith(TrefoilSettings.PREFIX) && isTrefoilSection(sectionOf(name))) {
                hint(name, suffixes).ifPresent(hint -> unknown.put(name, hint));
            }
        }
        return unknown;
    }

    private boolean isTrefoilSection(String section) {
        if (SECTIONS.contains(section)) {
            return sections.contains(section);
        }
        return EditDistance.between(section, CLIENT) > SAME_WORD;
    }

    private static String sectionOf(String name) {
        String rest = name.substring(TrefoilSettings.PREFIX.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }

    private static Set<String> findSuffixes(Configuration conf) {
        Set<String> suffixes = new TreeSet<>();
        String own = conf.getTrimmed(DFSConfigKeys.DFS_NAMESERVICE_ID, "");
        if (!own.isEmpty()) {
            suffixes.add("." + own);
            suffixes.add("." + own + "." + conf.getTrimmed(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, ""));
        }
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            suffixes.add("." + nameservice);
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                suffixes.add("." + nameservice + "." + nameNode);
            }
        }
        return suffixes;
    }

    /** A hint for an unknown name; empty if the name is known. */
    private Optional<String> hint(String name, Set<String> suffixes) {
        Set<String> endings = new TreeSet<>();
        endings.add("");
        suffixes.stream().filter(name::endsWith).forEach(endings::add);
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String ending : endings) {
            String base = name.substring(0, name.length() - ending.length());
            if (known.contains(base)) {
                return Optional.empty();
            }
            if (removedSettings.containsKey(base)) {
                return Optional.of("it was removed: " + removedSettings.get(base));
            }
            for (String candidate : known) {
                int distance = EditDistance.between(base, candidate);
                if (distance < least) {
                    least = distance;
                    nearest = candidate + ending;
                }
            }
        }
        return Optional.of("the nearest known one is " + nearest);
    }
}
