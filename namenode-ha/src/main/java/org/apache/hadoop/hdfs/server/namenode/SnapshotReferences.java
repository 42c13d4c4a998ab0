/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeReference.WithCount;
import org.apache.hadoop.hdfs.server.namenode.INodeReference.WithName;
import org.apache.hadoop.hdfs.server.namenode.snapshot.DirectoryWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.DirectoryWithSnapshotFeature.DirectoryDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Finds everything that counts a file or directory besides its own place: it was renamed after a snapshot, or is in a directory that was.
 * HDFS has a reference with the former name in the snapshot then. The caller holds HDFS's locks.
 */
final class SnapshotReferences {
    private final Set<INode> climbed = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<INode> walked = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<DeletedEntry> holders = new LinkedHashSet<>();
    private final List<INode> renamed = new ArrayList<>();

    /** The entries that count the examined inodes, and possibly others. */
    Set<DeletedEntry> holders() {
        return holders;
    }

    /** The examined inode, and all inodes in the namespace that examined snapshots refer to, except those inside another one of them. */
    List<INode> outermost(INode topInode) {
        Set<INode> all = Collections.newSetFromMap(new IdentityHashMap<>());
        all.add(referred(topInode));
        all.addAll(renamed);
        List<INode> tops = new ArrayList<>();
        for (INode each : all) {
            if (each.getParent() == null || !isAtOrBelowAny(each.getParent(), all)) {
                tops.add(each);
            }
        }
        return tops;
    }

    /** Examines a file or directory, and the directories that contain it. */
    void addHoldersOf(INode node) {
        INode realInode = referred(node);
        if (climbed.add(realInode)) {
            for (INode listed : listings(realInode)) {
                INodeDirectory parent = listed.getParent();
                if (parent != null) {
                    if (!isChild(listed, parent)) {
                        holders.add(new DeletedEntry(parent, listed.getLocalNameBytes()));
                    }
                    addHoldersOf(parent);
                }
            }
        }
    }

    /** Examines a tree in its current state. */
    void addHoldersInTree(INode node) {
        if (node.isReference()) {
            addHoldersOf(node);
        }
        if (node.isDirectory()) {
            for (INode child : node.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                addHoldersInTree(child);
            }
        }
    }

    /** Examines a tree, its inodes in snapshots, and the inodes to which these refer. */
    void addHoldersInSnapshots(INode node) {
        if (node.isReference()) {
            addHoldersOf(node);
            if (!walked.add(referred(node))) {
                return;
            }
        }
        if (node.isDirectory()) {
            addDeletedChildren(node.asDirectory());
            for (INode child : node.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                addHoldersInSnapshots(child);
            }
        }
    }

    private void addDeletedChildren(INodeDirectory directory) {
        DirectoryWithSnapshotFeature snapshots = directory.getDirectoryWithSnapshotFeature();
        if (snapshots == null) {
            return;
        }
        for (DirectoryDiff diff : snapshots.getDiffs()) {
            for (INode deleted : DeletedEntry.deleted(diff)) {
                if (deleted.isReference() && isInNamespace(referred(deleted))) {
                    renamed.add(referred(deleted));
                }
                addHoldersInSnapshots(deleted);
            }
        }
    }

    /** Whether an inode has a path: it is below the root, and not in a snapshot alone. */
    static boolean isInNamespace(INode node) {
        INode each = referred(node);
        while (!each.isRoot()) {
            INode listed = each.getParentReference() == null
                    ? each
                    : each.getParentReference().getParentReference();
            INodeDirectory parent = listed == null ? null : listed.getParent();
            if (parent == null || !isChild(listed, parent)) {
                return false;
            }
            each = parent;
        }
        return true;
    }

    /** Whether an inode of the current tree is one of {@code tops} or below one. */
    static boolean isAtOrBelowAny(INode node, Set<INode> tops) {
        for (INode each = referred(node); each != null; each = each.getParent()) {
            if (tops.contains(each)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the inode's own reference, or one above it, has another name in a snapshot. */
    static boolean isReferencedBySnapshot(INode node) {
        for (INode each = referred(node); each != null; each = each.getParent()) {
            if (each.getParentReference() != null) {
                return true;
            }
        }
        return false;
    }

    static INode referred(INode node) {
        INode each = node;
        while (each.isReference()) {
            each = each.asReference().getReferredINode();
        }
        return each;
    }

    /** The names under which an inode is in directories or their snapshots. */
    private static List<INode> listings(INode realInode) {
        List<INode> listings = new ArrayList<>();
        INodeReference reference = realInode.getParentReference();
        if (reference instanceof WithCount) {
            WithCount names = (WithCount) reference;
            if (names.getParentReference() != null) {
                listings.add(names.getParentReference());
            }
            for (WithName name = names.getLastWithName(); name != null; name = names.getPriorWithName(name)) {
                listings.add(name);
            }
        } else {
            listings.add(realInode);
        }
        return listings;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isChild(INode listed, INodeDirectory parent) {
        return parent.getChild(listed.getLocalNameBytes(), Snapshot.CURRENT_STATE_ID) == listed;
    }
}
