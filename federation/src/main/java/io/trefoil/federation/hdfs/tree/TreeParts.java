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
 * The parts of a tree, each so small that a NameNode may visit all of it in one call, and the folders above them, whose names are looked at
 * by listing. Immutable.
 */
final class TreeParts {

    private final List<String> whole = new ArrayList<>();
    private final List<String> above = new ArrayList<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final Map<String, List<String>> folders = new HashMap<>();

    private TreeParts() {}

    /** @param slice how many nodes a part has at most, unless it is a folder whose names are more than half of it */
    static TreeParts of(SortedMap<String, TreeNode> tree, long slice) {
        TreeParts parts = new TreeParts();
        List<String> paths = new ArrayList<>(tree.keySet());
        // What is in a folder comes before it.
        Collections.reverse(paths);
        for (String path : paths) {
            String folder = ChangedPaths.folderOf(path);
            parts.names.merge(folder, 1, Integer::sum);
            parts.sizes.merge(folder, 1 + parts.sizes.getOrDefault(path, 0), Integer::sum);
            if (tree.get(path).isFolder()) {
                parts.folders.computeIfAbsent(folder, key -> new ArrayList<>()).add(path);
            }
        }
        parts.divide("", slice);
        return parts;
    }

    private void divide(String folder, long slice) {
        if (isPart(sizes.getOrDefault(folder, 0), names.getOrDefault(folder, 0), slice)) {
            whole.add(folder);
            return;
        }
        above.add(folder);
        folders.getOrDefault(folder, Collections.emptyList()).forEach(one -> divide(one, slice));
    }

    /** Whether a folder with so many nodes is one part: to look at its names takes as long if these are most of it. */
    static boolean isPart(long nodes, long names, long slice) {
        return nodes <= Math.max(slice, 2 * names);
    }

    /** Folders that are parts. */
    List<String> undividedParts() {
        return Collections.unmodifiableList(whole);
    }

    /** Folders that are divided. */
    List<String> above() {
        return Collections.unmodifiableList(above);
    }
}
