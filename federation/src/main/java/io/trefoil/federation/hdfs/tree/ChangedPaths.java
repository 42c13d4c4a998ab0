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
 * The certain knowledge of a tree after edits that name paths: which nodes are where, which of them have to be read
 * again, and which paths are unknown. Paths that no edit names are unchanged. Pure; belongs to one thread.
 *
 * <p>Edits of the time in which the tree was read may be in it or not. Until {@link #settle} all paths of an edit, with
 * everything below, become unknown, which is right for either case. Afterwards edits are carried out on the tree.
 *
 * <p>Paths are relative, as {@code /x/y}.
 */
final class ChangedPaths {

    /** A folder that was made since, and is not read yet. */
    private static final TreeNode MADE = TreeNode.folder(
            0,
            TreeNodeAttributes.builder()
                    .owner("")
                    .group("")
                    .permission(0)
                    .modified(0)
                    .build());

    private final SortedMap<String, TreeNode> tree;
    /** The path of each node, by its number: a search of the tree takes longer the larger it is. */
    private final Map<Long, String> places = new HashMap<>();

    private final SortedSet<String> doubtful = new TreeSet<>();
    private final SortedSet<String> unknown = new TreeSet<>();
    private final SortedSet<String> changed = new TreeSet<>();
    private boolean isSettled;
    private boolean folderRenamed;

    /**
     * @param tree with folders before what is in them; it is copied
     * @throws InconclusiveEditsException if a node is in it twice: it was read while it was renamed
     */
    ChangedPaths(SortedMap<String, TreeNode> tree) throws InconclusiveEditsException {
        this.tree = new TreeMap<>(tree);
        for (Map.Entry<String, TreeNode> one : tree.entrySet()) {
            place(one.getKey(), one.getValue());
        }
    }

    private void place(String path, TreeNode node) throws InconclusiveEditsException {
        String other = isNewUnread(node) ? null : places.put(node.id(), path);
        if (other != null && !other.equals(path)) {
            throw new InconclusiveEditsException("number " + node.id() + " is at " + other + " and at " + path);
        }
    }

    /** Edits that follow are later than the tree. */
    void settle() {
        isSettled = true;
    }

    /** Records that something other than a name was changed at a path. */
    void update(String path) {
        if (tree.containsKey(path)) {
            markDoubtful(path);
        } else {
            forget(path);
        }
    }

    /** A file was made, perhaps over another one. */
    void make(String path) {
        markParentDoubtful(path);
        forget(path);
    }

    /** A folder was made where nothing was. */
    void recordNewDirectory(String path) {
        markParentDoubtful(path);
        if (isSettled && isInKnownFolder(path)) {
            drop(path);
            tree.put(path, MADE);
            markDoubtful(path);
        } else {
            forget(path);
        }
    }

    /** A file, or a folder with everything in it, was deleted. */
    void delete(String path) {
        markParentDoubtful(path);
        if (isSettled && isInKnownFolder(path)) {
            drop(path);
        } else {
            forget(path);
        }
    }

    /** A file, or a folder with everything in it, got another name, perhaps over another one. */
    void rename(String from, String to) {
        markParentDoubtful(from);
        markParentDoubtful(to);
        if (!isSettled || !tree.containsKey(from) || !isInKnownFolder(to)) {
            forget(from);
            forget(to);
            return;
        }
        folderRenamed |= tree.get(from).isFolder();
        SortedMap<String, TreeNode> nodes = new TreeMap<>();
        below(tree, from).forEach((path, node) -> nodes.put(to + path.substring(from.length()), node));
        nodes.put(to, tree.get(from));
        List<String> doubts = moved(doubtful, from, to);
        List<String> unknowns = moved(unknown, from, to);
        drop(from);
        drop(to);
        tree.putAll(nodes);
        nodes.forEach((path, node) -> {
            if (!isNewUnread(node)) {
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

    /** Nodes with these numbers have to be read again. */
    void markDoubtful(Set<Long> ids) {
        for (long id : ids) {
            place(id).ifPresent(this::markDoubtful);
        }
    }

    /** The path of the node with a number, if it is known. */
    Optional<String> place(long id) {
        return Optional.ofNullable(places.get(id));
    }

    /** Excludes a path, and everything below, from the tree. */
    void leaveOut(String path) {
        drop(path);
        changed.remove(path);
        below(changed, path).clear();
    }

    /**
     * Puts a node that was read at its path.
     *
     * @throws InconclusiveEditsException if the node is said to be elsewhere: it was renamed, and no edit told so
     */
    void put(String path, TreeNode node) throws InconclusiveEditsException {
        remove(path);
        tree.put(path, node);
        place(path, node);
    }

    /** Removes a path at which no node was found. */
    void remove(String path) {
        TreeNode gone = tree.remove(path);
        if (gone != null) {
            forgetPath(gone);
        }
        changed.add(path);
    }

    /** The nodes that are known; what is in a folder that is not known is not among them. */
    SortedMap<String, TreeNode> tree() {
        return Collections.unmodifiableSortedMap(tree);
    }

    /** Paths of nodes of the tree that have to be read again. */
    SortedSet<String> doubtful() {
        return Collections.unmodifiableSortedSet(doubtful);
    }

    /** Paths at which, and below which, there may be anything. */
    SortedSet<String> unknown() {
        return Collections.unmodifiableSortedSet(unknown);
    }

    /** Paths at which the tree is, or may be, another one than the first. */
    SortedSet<String> changed() {
        return Collections.unmodifiableSortedSet(changed);
    }

    /** Whether a folder of the first tree, or one that was made since, has another name. */
    boolean folderRenamed() {
        return folderRenamed;
    }

    /** Whether a folder was made since and is not read yet. */
    static boolean isNewUnread(TreeNode node) {
        return node == MADE;
    }

    static String folderOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private void markDoubtful(String path) {
        doubtful.add(path);
        changed.add(path);
    }

    private void markParentDoubtful(String path) {
        String folder = folderOf(path);
        if (!folder.isEmpty()) {
            update(folder);
        }
    }

    private boolean isInKnownFolder(String path) {
        String folder = folderOf(path);
        return folder.isEmpty() || (tree.containsKey(folder) && tree.get(folder).isFolder());
    }

    /** Makes a path unknown, with everything below; if a folder around it is not known, that folder instead. */
    private void forget(String path) {
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            String folder = path.substring(0, end);
            if (unknown.contains(folder)) {
                return;
            }
            if (!tree.containsKey(folder) || !tree.get(folder).isFolder()) {
                forget(folder);
                return;
            }
        }
        drop(path);
        unknown.add(path);
        markParentDoubtful(path);
    }

    private void drop(String path) {
        remove(path);
        changed.addAll(below(tree, path).keySet());
        below(tree, path).values().forEach(this::forgetPath);
        below(tree, path).clear();
        doubtful.remove(path);
        below(doubtful, path).clear();
        unknown.remove(path);
        below(unknown, path).clear();
    }

    private void forgetPath(TreeNode node) {
        places.remove(node.id());
    }

    private static List<String> moved(SortedSet<String> paths, String from, String to) {
        List<String> moved = new ArrayList<>();
        below(paths, from).forEach(path -> moved.add(to + path.substring(from.length())));
        return moved;
    }

    /** The character after {@code /} is {@code 0}. */
    static <V> SortedMap<String, V> below(SortedMap<String, V> map, String path) {
        return map.subMap(path + "/", path + "0");
    }

    private static SortedSet<String> below(SortedSet<String> set, String path) {
        return set.subSet(path + "/", path + "0");
    }
}
