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
 * Selects the folders of a tree that get a quota before its own folder does. A NameNode counts everything in a folder
 * that gets its first quota, and answers nobody meanwhile; but what is in a folder with a quota it has counted. Pure.
 */
public final class InitialQuotas {

    private final SortedMap<String, TreeNode> tree;
    private final long slice;
    /** The count of files and folders in each folder, without the folder itself. */
    private final Map<String, Long> inside = new HashMap<>();
    /** The folders in each folder that are counted with what is in them. */
    private final Map<String, List<String>> uncounted = new HashMap<>();

    private final List<String> order = new ArrayList<>();

    private InitialQuotas(SortedMap<String, TreeNode> tree, long slice) {
        this.tree = tree;
        this.slice = slice;
    }

    /**
     * The folders that need one, those below first, so that each call counts no more files and folders than a slice, or than a folder has
     * names.
     */
    public static List<String> before(SortedMap<String, TreeNode> tree, long slice) {
        InitialQuotas quotas = new InitialQuotas(tree, slice);
        List<String> paths = new ArrayList<>(tree.keySet());
        // What is in a folder comes before it.
        Collections.reverse(paths);
        paths.forEach(quotas::add);
        quotas.divide("");
        return Collections.unmodifiableList(quotas.order);
    }

    private void add(String path) {
        TreeNode node = tree.get(path);
        String folder = path.substring(0, path.lastIndexOf('/'));
        long counted = 1;
        if (node.isFolder()) {
            divide(path);
            if (node.traits().quotas().isEmpty() && of(path) > 1) {
                uncounted.computeIfAbsent(folder, key -> new ArrayList<>()).add(path);
                counted = of(path);
            }
        }
        inside.merge(folder, counted, Long::sum);
    }

    private long of(String folder) {
        return 1 + inside.getOrDefault(folder, 0L);
    }

    /** The largest first, as few as possible. */
    private void divide(String folder) {
        List<String> folders = uncounted.remove(folder);
        if (folders == null || of(folder) <= slice) {
            return;
        }
        folders.sort(Comparator.comparing(this::of).reversed());
        for (String one : folders) {
            if (of(folder) <= slice) {
                return;
            }
            order.add(one);
            inside.merge(folder, 1 - of(one), Long::sum);
        }
    }
}
