/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Determines the owning nameservice of each path, by the longest entry that contains it. Immutable. */
public final class SubtreeOwnerResolver {
    private final NavigableMap<String, String> owners;
    private final String rootOwner;

    /** @param owners by the absolute path of each entry but the root */
    public SubtreeOwnerResolver(String rootOwner, Map<String, String> owners) {
        this.rootOwner = rootOwner;
        this.owners = new TreeMap<>(owners);
    }

    /** @param path absolute and normalized */
    public String ownerOf(String path) {
        return entryOf(path).map(owners::get).orElse(rootOwner);
    }

    /**
     * The longest entry that contains a path; empty for paths in no entry except the root.
     *
     * @param path absolute and normalized
     */
    public Optional<String> entryOf(String path) {
        String prefix = path;
        while (!prefix.isEmpty()) {
            if (owners.containsKey(prefix)) {
                return Optional.of(prefix);
            }
            prefix = prefix.substring(0, prefix.lastIndexOf('/'));
        }
        return Optional.empty();
    }

    /** Whether one nameservice owns everything. */
    public boolean hasOneOwner() {
        return owners.isEmpty();
    }

    /** @param path absolute and normalized */
    public boolean isEntry(String path) {
        return owners.containsKey(path);
    }

    /**
     * Whether a path is in no entry and has one below it.
     *
     * @param path absolute and normalized
     */
    public boolean isAboveEntry(String path) {
        String below = path.endsWith("/") ? path : path + "/";
        String next = owners.ceilingKey(below);
        return next != null && next.startsWith(below) && !entryOf(path).isPresent();
    }

    /**
     * The entries below a path that are in another entry, in order.
     *
     * @param path absolute and normalized
     */
    public List<String> nestedBelow(String path) {
        String below = path.endsWith("/") ? path : path + "/";
        List<String> nested = new ArrayList<>();
        for (String entry : owners.tailMap(below, false).keySet()) {
            if (!entry.startsWith(below)) {
                break;
            }
            if (entryOf(entry.substring(0, entry.lastIndexOf('/'))).isPresent()) {
                nested.add(entry);
            }
        }
        return nested;
    }

    /**
     * The names, in a directory outside all entries, that are entries or contain some, in order.
     *
     * @param path absolute and normalized
     */
    public Set<String> tableNamesIn(String path) {
        String below = path.endsWith("/") ? path : path + "/";
        Set<String> names = new TreeSet<>();
        for (String entry : owners.tailMap(below, false).keySet()) {
            if (!entry.startsWith(below)) {
                break;
            }
            String rest = entry.substring(below.length());
            names.add(rest.contains("/") ? rest.substring(0, rest.indexOf('/')) : rest);
        }
        return names;
    }
}
