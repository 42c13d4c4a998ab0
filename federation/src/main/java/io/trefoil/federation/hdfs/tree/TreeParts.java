/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.move.TreeNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The parts of a tree, each small enough for a NameNode to visit all of it in one call, and the directories above them, whose names are
 * listed. Immutable.
 */
final class TreeParts {

    private final List<String> whole = new ArrayList<>();
    private final List<String> above = new ArrayList<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final Map<String, List<String>> directories = new HashMap<>();

    private TreeParts() {}

    /** @param slice how many nodes a part has at most, unless it is a directory whose names are more than half of it */
    static TreeParts of(SortedMap<String, TreeNode> tree, long slice) {
        TreeParts parts = new TreeParts();
        List<String> paths = new ArrayList<>(tree.keySet());
        // What is in a directory comes before it.
        Collections.reverse(paths);
        for (String path : paths) {
            String directory = ChangedPaths.parentOf(path);
            parts.names.merge(directory, 1, Integer::sum);
            parts.sizes.merge(directory, 1 + parts.sizes.getOrDefault(path, 0), Integer::sum);
            if (tree.get(path).isDirectory()) {
                parts.directories
                        .computeIfAbsent(directory, key -> new ArrayList<>())
                        .add(path);
            }
        }
        parts.divide("", slice);
        return parts;
    }

    private void divide(String directory, long slice) {
        if (isPart(sizes.getOrDefault(directory, 0), names.getOrDefault(directory, 0), slice)) {
            whole.add(directory);
            return;
        }
        above.add(directory);
        directories.getOrDefault(directory, Collections.emptyList()).forEach(child -> divide(child, slice));
    }

    /** Whether a directory with this many nodes is one part: listing its names takes just as long if they make up most of it. */
    static boolean isPart(long nodes, long names, long slice) {
        return nodes <= Math.max(slice, 2 * names);
    }

    /** The directories that are parts. */
    List<String> undividedParts() {
        return Collections.unmodifiableList(whole);
    }

    /** The directories that are divided. */
    List<String> dividedDirectories() {
        return Collections.unmodifiableList(above);
    }
}
