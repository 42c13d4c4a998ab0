/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The steps that make a staged tree equal to the desired one. What was renamed at the source is renamed, not copied again:
 * nodes are the same if they have the same number. Everything that leaves its place goes aside first, the deepest
 * first, so that swaps and cycles of names need no special case. Pure.
 *
 * <p>Trees are maps from relative paths, as {@code /x/y}, to nodes. The directory itself is not in them.
 */
public final class TreeDiff {

    private static final long ROOT = 0;

    private final SortedMap<String, TreeNode> stagedTree;
    private final SortedMap<String, TreeNode> expectedNodes;
    private final Map<Long, String> wantedPaths = new HashMap<>();
    private final Map<Long, String> stagedPaths = new HashMap<>();

    private TreeDiff(SortedMap<String, TreeNode> stagedTree, SortedMap<String, TreeNode> expectedNodes) {
        this.stagedTree = stagedTree;
        this.expectedNodes = expectedNodes;
        stagedTree.forEach((path, node) -> stagedPaths.put(node.id(), path));
        expectedNodes.forEach((path, node) -> wantedPaths.put(node.id(), path));
    }

    /** @param expectedNodes may have a node twice if it was renamed while it was listed; the second is left to the next plan */
    public static TreeDiff between(SortedMap<String, TreeNode> stagedTree, SortedMap<String, TreeNode> expectedNodes) {
        return new TreeDiff(stagedTree, withoutDuplicates(expectedNodes));
    }

    /**
     * Returns the difference of trees that differ at a few paths.
     *
     * @param paths all at which they differ, perhaps more
     */
    public static TreeDiff between(
            SortedMap<String, TreeNode> stagedTree,
            SortedMap<String, TreeNode> expectedNodes,
            Collection<String> paths) {
        return between(nodesAt(stagedTree, paths), nodesAt(expectedNodes, paths));
    }

    /** The nodes at some paths, and the directories that contain them. */
    private static SortedMap<String, TreeNode> nodesAt(SortedMap<String, TreeNode> tree, Collection<String> paths) {
        SortedMap<String, TreeNode> part = new TreeMap<>();
        for (String path : paths) {
            for (String ancestor = path;
                    !ancestor.isEmpty() && !part.containsKey(ancestor);
                    ancestor = parentOf(ancestor)) {
                TreeNode node = tree.get(ancestor);
                if (node != null) {
                    part.put(ancestor, node);
                }
            }
        }
        return part;
    }

    private static SortedMap<String, TreeNode> withoutDuplicates(SortedMap<String, TreeNode> tree) {
        SortedMap<String, TreeNode> once = new TreeMap<>();
        Set<Long> seen = new HashSet<>();
        tree.forEach((path, node) -> {
            boolean hasParent = parentOf(path).isEmpty() || once.containsKey(parentOf(path));
            if (hasParent && seen.add(node.id())) {
                once.put(path, node);
            }
        });
        return Collections.unmodifiableSortedMap(once);
    }

    /** The desired tree, with each node once. */
    public SortedMap<String, TreeNode> targetTree() {
        return expectedNodes;
    }

    /** Performs all steps except the copying of files. */
    public void perform(Staging staging) throws IOException {
        // Descending: a node leaves before the directory that it is in.
        List<String> descending = new ArrayList<>(stagedTree.keySet());
        Collections.reverse(descending);
        for (String path : descending) {
            TreeNode node = stagedTree.get(path);
            if (!survives(node)) {
                if (parentOf(path).isEmpty() || survives(stagedTree.get(parentOf(path)))) {
                    staging.delete(path);
                }
            } else if (!staysInPlace(path, node)) {
                staging.moveAside(path, node.id());
            }
        }
        // Ascending: a directory comes before what is in it.
        for (Map.Entry<String, TreeNode> entry : expectedNodes.entrySet()) {
            String path = entry.getKey();
            TreeNode node = entry.getValue();
            if (!isAlreadyStaged(node)) {
                if (node.isDirectory()) {
                    staging.mkdir(path, node);
                }
            } else if (!staysInPlace(stagedPaths.get(node.id()), node)) {
                staging.moveIn(node.id(), path);
            }
        }
    }

    /** The files that must be copied after the other steps, in any order. */
    public SortedMap<String, TreeNode> filesToCopy() {
        SortedMap<String, TreeNode> copies = new TreeMap<>();
        expectedNodes.forEach((path, node) -> {
            if (!node.isDirectory() && !isAlreadyStaged(node)) {
                copies.put(path, node);
            }
        });
        return copies;
    }

    /** The nodes whose traits must be set after everything else, because they differ, or a step has changed their times. */
    public SortedMap<String, TreeNode> nodesToUpdate() {
        Set<String> disturbed = new HashSet<>();
        stagedTree.forEach((path, node) -> {
            if (!survives(node) || !staysInPlace(path, node)) {
                targetPathOf(parentOf(path)).ifPresent(disturbed::add);
            }
        });
        SortedMap<String, TreeNode> touched = new TreeMap<>();
        expectedNodes.forEach((path, node) -> {
            String before = stagedPaths.get(node.id());
            boolean isStaged = isAlreadyStaged(node);
            if (!isStaged || !staysInPlace(before, node)) {
                disturbed.add(parentOf(path));
            }
            if (!isStaged || !stagedTree.get(before).traits().equals(node.traits())) {
                touched.put(path, node);
            }
        });
        for (String path : disturbed) {
            if (expectedNodes.containsKey(path)) {
                touched.put(path, expectedNodes.get(path));
            }
        }
        return touched;
    }

    private Optional<String> targetPathOf(String stagedDirectory) {
        TreeNode directory = stagedTree.get(stagedDirectory);
        return Optional.ofNullable(directory == null ? null : wantedPaths.get(directory.id()));
    }

    private boolean survives(TreeNode stagedNode) {
        String path = wantedPaths.get(stagedNode.id());
        return path != null && expectedNodes.get(path).hasSameContent(stagedNode);
    }

    private boolean isAlreadyStaged(TreeNode wantedNode) {
        String path = stagedPaths.get(wantedNode.id());
        return path != null && stagedTree.get(path).hasSameContent(wantedNode);
    }

    /** Whether a node that survives keeps its name in the same directory; that directory may itself be renamed. */
    private boolean staysInPlace(String stagedPath, TreeNode node) {
        String wantedPath = wantedPaths.get(node.id());
        return nameOf(stagedPath).equals(nameOf(wantedPath))
                && parentId(stagedTree, stagedPath) == parentId(expectedNodes, wantedPath);
    }

    private static long parentId(SortedMap<String, TreeNode> tree, String path) {
        String parent = parentOf(path);
        return parent.isEmpty() ? ROOT : tree.get(parent).id();
    }

    private static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
