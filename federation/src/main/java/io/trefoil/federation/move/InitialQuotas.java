/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Selects the directories of a tree that get a quota before its own directory does. A NameNode counts everything in a directory
 * that gets its first quota, and answers no call meanwhile; but what is in a directory with a quota it has counted. Pure.
 */
public final class InitialQuotas {

    private final SortedMap<String, TreeNode> tree;
    private final long slice;
    /** The count of files and directories in each directory, without the directory itself. */
    private final Map<String, Long> inside = new HashMap<>();
    /** The directories in each directory that are counted with their content. */
    private final Map<String, List<String>> uncounted = new HashMap<>();

    private final List<String> order = new ArrayList<>();

    private InitialQuotas(SortedMap<String, TreeNode> tree, long slice) {
        this.tree = tree;
        this.slice = slice;
    }

    /**
     * The directories that need a quota, bottom-up, so that each call counts no more files and directories than a slice, or than a
     * directory has names.
     */
    public static List<String> select(SortedMap<String, TreeNode> tree, long slice) {
        InitialQuotas quotas = new InitialQuotas(tree, slice);
        List<String> paths = new ArrayList<>(tree.keySet());
        // What is in a directory comes before it.
        Collections.reverse(paths);
        paths.forEach(quotas::addQuota);
        quotas.divide("");
        return Collections.unmodifiableList(quotas.order);
    }

    private void addQuota(String path) {
        TreeNode node = tree.get(path);
        String directory = path.substring(0, path.lastIndexOf('/'));
        long counted = 1;
        if (node.isDirectory()) {
            divide(path);
            if (node.traits().quotas().isEmpty() && nodeCount(path) > 1) {
                uncounted.computeIfAbsent(directory, key -> new ArrayList<>()).add(path);
                counted = nodeCount(path);
            }
        }
        inside.merge(directory, counted, Long::sum);
    }

    private long nodeCount(String directory) {
        return 1 + inside.getOrDefault(directory, 0L);
    }

    /** Divides a directory by its largest directories, but as few as possible. */
    private void divide(String directory) {
        List<String> directories = uncounted.remove(directory);
        if (directories == null || nodeCount(directory) <= slice) {
            return;
        }
        directories.sort(Comparator.comparing(this::nodeCount).reversed());
        for (String one : directories) {
            if (nodeCount(directory) <= slice) {
                return;
            }
            order.add(one);
            inside.merge(directory, 1 - nodeCount(one), Long::sum);
        }
    }
}
