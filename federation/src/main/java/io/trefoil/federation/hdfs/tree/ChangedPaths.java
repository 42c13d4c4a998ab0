/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.TreeNodeAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The certain part of a tree after edits that name paths: the places of nodes, the nodes that must be reread, and the unknown paths.
 * Paths that no edit names are unchanged. Pure; belongs to one thread.
 *
 * <p>Edits of the time in which the tree was read may be in it or not. Until {@link #settleTree} all paths of an edit, with
 * everything below, become unknown, which is right for either case. Afterwards edits are carried out on the tree.
 *
 * <p>Paths are relative, as {@code /x/y}.
 */
final class ChangedPaths {

    /** A directory that was created since, and has not been read yet. */
    private static final TreeNode MADE = TreeNode.newDirectory(
            0,
            TreeNodeAttributes.builder()
                    .owner("")
                    .group("")
                    .permission(0)
                    .modificationTime(0)
                    .build());

    private final SortedMap<String, TreeNode> tree;
    /** The path of each node, by its id: searching the tree would take longer the larger it is. */
    private final Map<Long, String> places = new HashMap<>();

    private final SortedSet<String> doubtful = new TreeSet<>();
    private final SortedSet<String> unknown = new TreeSet<>();
    private final SortedSet<String> changed = new TreeSet<>();
    private boolean isSettled;
    private boolean directoryRenamed;

    /**
     * @param tree with directories before what is in them; it is copied
     * @throws InconclusiveEditsException if a node is in it twice: it was read while it was renamed
     */
    ChangedPaths(SortedMap<String, TreeNode> tree) throws InconclusiveEditsException {
        this.tree = new TreeMap<>(tree);
        for (Map.Entry<String, TreeNode> entry : tree.entrySet()) {
            setInitialNode(entry.getKey(), entry.getValue());
        }
    }

    private void setInitialNode(String path, TreeNode node) throws InconclusiveEditsException {
        String other = isUnreadNewDirectory(node) ? null : places.put(node.id(), path);
        if (other != null && !other.equals(path)) {
            throw new InconclusiveEditsException("number " + node.id() + " is at " + other + " and at " + path);
        }
    }

    /** Records that all further edits are later than the tree. */
    void settleTree() {
        isSettled = true;
    }

    /** Records that something other than the name was changed at a path. */
    void update(String path) {
        if (tree.containsKey(path)) {
            markDoubtful(path);
        } else {
            forget(path);
        }
    }

    /** Records that a file was created, perhaps over another one. */
    void recordNewFile(String path) {
        markParentDoubtful(path);
        forget(path);
    }

    /** Records that a directory was created where nothing existed. */
    void recordNewDirectory(String path) {
        markParentDoubtful(path);
        if (isSettled && isInKnownDirectory(path)) {
            drop(path);
            tree.put(path, MADE);
            markDoubtful(path);
        } else {
            forget(path);
        }
    }

    /** Records that a file, or a directory with everything in it, was deleted. */
    void delete(String path) {
        markParentDoubtful(path);
        if (isSettled && isInKnownDirectory(path)) {
            drop(path);
        } else {
            forget(path);
        }
    }

    /** Records that a file, or a directory with everything in it, was renamed, perhaps over another one. */
    void rename(String from, String to) {
        markParentDoubtful(from);
        markParentDoubtful(to);
        if (!isSettled || !tree.containsKey(from) || !isInKnownDirectory(to)) {
            forget(from);
            forget(to);
            return;
        }
        directoryRenamed |= tree.get(from).isDirectory();
        SortedMap<String, TreeNode> nodes = new TreeMap<>();
        entriesBelow(tree, from).forEach((path, node) -> nodes.put(to + path.substring(from.length()), node));
        nodes.put(to, tree.get(from));
        List<String> doubts = renamedPaths(doubtful, from, to);
        List<String> unknowns = renamedPaths(unknown, from, to);
        drop(from);
        drop(to);
        tree.putAll(nodes);
        nodes.forEach((path, node) -> {
            if (!isUnreadNewDirectory(node)) {
                places.put(node.id(), path);
            }
        });
        changed.addAll(nodes.keySet());
        doubtful.addAll(doubts);
        unknown.addAll(unknowns);
        changed.addAll(unknowns);
        // Its policy may be another one, if it has none of its own.
        markDoubtful(to);
    }

    /** Records that the nodes with these inode ids must be reread. */
    void markDoubtful(Set<Long> ids) {
        for (long id : ids) {
            pathOf(id).ifPresent(this::markDoubtful);
        }
    }

    /** The path of the node with an inode id, if it is known. */
    Optional<String> pathOf(long id) {
        return Optional.ofNullable(places.get(id));
    }

    /** Excludes a path, and everything below, from the tree. */
    void excludePath(String path) {
        drop(path);
        changed.remove(path);
        entriesBelow(changed, path).clear();
    }

    /**
     * Adds a node that was read, at its path.
     *
     * @throws InconclusiveEditsException if the node is said to be elsewhere: it was renamed, and no edit told so
     */
    void put(String path, TreeNode node) throws InconclusiveEditsException {
        remove(path);
        tree.put(path, node);
        setInitialNode(path, node);
    }

    /** Removes a path at which no node was found. */
    void remove(String path) {
        TreeNode gone = tree.remove(path);
        if (gone != null) {
            forgetPath(gone);
        }
        changed.add(path);
    }

    /** The known nodes, without the content of unknown directories. */
    SortedMap<String, TreeNode> tree() {
        return Collections.unmodifiableSortedMap(tree);
    }

    /** The paths of nodes in the tree that must be reread. */
    SortedSet<String> doubtfulPaths() {
        return Collections.unmodifiableSortedSet(doubtful);
    }

    /** The paths at and below which anything may exist. */
    SortedSet<String> unknownPaths() {
        return Collections.unmodifiableSortedSet(unknown);
    }

    /** The paths at which the tree differs, or may differ, from the first one. */
    SortedSet<String> changedPaths() {
        return Collections.unmodifiableSortedSet(changed);
    }

    /** Whether a directory of the first tree, or one created since, has another name. */
    boolean hasRenamedDirectory() {
        return directoryRenamed;
    }

    /** Whether a directory was created since and has not been read yet. */
    static boolean isUnreadNewDirectory(TreeNode node) {
        return node == MADE;
    }

    static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private void markDoubtful(String path) {
        doubtful.add(path);
        changed.add(path);
    }

    private void markParentDoubtful(String path) {
        String directory = parentOf(path);
        if (!directory.isEmpty()) {
            update(directory);
        }
    }

    private boolean isInKnownDirectory(String path) {
        String directory = parentOf(path);
        return directory.isEmpty()
                || (tree.containsKey(directory) && tree.get(directory).isDirectory());
    }

    /** Makes a path unknown, with everything below; if a parent directory is unknown, that directory instead. */
    private void forget(String path) {
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            String directory = path.substring(0, end);
            if (unknown.contains(directory)) {
                return;
            }
            if (!tree.containsKey(directory) || !tree.get(directory).isDirectory()) {
                forget(directory);
                return;
            }
        }
        drop(path);
        unknown.add(path);
        markParentDoubtful(path);
    }

    private void drop(String path) {
        remove(path);
        changed.addAll(entriesBelow(tree, path).keySet());
        entriesBelow(tree, path).values().forEach(this::forgetPath);
        entriesBelow(tree, path).clear();
        doubtful.remove(path);
        entriesBelow(doubtful, path).clear();
        unknown.remove(path);
        entriesBelow(unknown, path).clear();
    }

    private void forgetPath(TreeNode node) {
        places.remove(node.id());
    }

    private static List<String> renamedPaths(SortedSet<String> paths, String from, String to) {
        List<String> moved = new ArrayList<>();
        entriesBelow(paths, from).forEach(path -> moved.add(to + path.substring(from.length())));
        return moved;
    }

    /** The entries for paths below one; the character after {@code /} is {@code 0}. */
    static <V> SortedMap<String, V> entriesBelow(SortedMap<String, V> map, String path) {
        return map.subMap(path + "/", path + "0");
    }

    private static SortedSet<String> entriesBelow(SortedSet<String> set, String path) {
        return set.subSet(path + "/", path + "0");
    }
}
