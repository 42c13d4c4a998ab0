/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * A name in a directory, and the quotas of that directory and of those above it: an inode with that name counts in all of them. Finds
 * the root only as a directory above. The caller holds HDFS's locks.
 */
final class QuotaPath {
    private final FSDirectory directory;
    private final INodeDirectory parent;
    private final byte[] name;
    private final List<DirectoryWithQuotaFeature> quotas;

    private QuotaPath(
            FSDirectory directory, INodeDirectory parent, byte[] name, List<DirectoryWithQuotaFeature> quotas) {
        this.directory = directory;
        this.parent = parent;
        this.name = name;
        this.quotas = Collections.unmodifiableList(quotas);
    }

    /** @throws UncountableException if there is no such directory */
    static QuotaPath of(FSDirectory directory, String path) throws UncountableException {
        byte[][] names = INode.getPathComponents(path);
        if (names.length < 2) {
            throw new UncountableException(path + " is in no directory");
        }
        List<DirectoryWithQuotaFeature> quotas = new ArrayList<>();
        INodeDirectory inode = directory.getRoot();
        enter(inode, quotas);
        for (int i = 1; i < names.length - 1; i++) {
            INode next = inode.getChild(names[i], Snapshot.CURRENT_STATE_ID);
            if (next == null || !next.isDirectory()) {
                throw new UncountableException("a directory above " + path + " is missing");
            }
            // What is behind a reference, if it was renamed after a snapshot.
            inode = next.asDirectory();
            enter(inode, quotas);
        }
        return new QuotaPath(directory, inode, names[names.length - 1], quotas);
    }

    private static void enter(INodeDirectory inode, List<DirectoryWithQuotaFeature> quotas) {
        DirectoryWithQuotaFeature quota = inode.getDirectoryWithQuotaFeature();
        if (quota != null) {
            quotas.add(quota);
        }
    }

    /** The place of a name in the directory at this place. */
    QuotaPath resolveBelow(QuotaPath other) throws UncountableException {
        INodeDirectory inode = node().orElseThrow(() -> new UncountableException("no directory to rename into"))
                .asDirectory();
        List<DirectoryWithQuotaFeature> all = new ArrayList<>(quotas);
        enter(inode, all);
        return new QuotaPath(directory, inode, other.name, all);
    }

    INodeDirectory parent() {
        return parent;
    }

    /** The inodes that snapshots still have under this name. */
    DeletedEntry deletedEntry() {
        return new DeletedEntry(parent, name);
    }

    /** The quotas above this place, from the root down. */
    List<DirectoryWithQuotaFeature> quotas() {
        return quotas;
    }

    /** The storage policy of the inode at this place, unless it has its own. */
    byte policy() {
        return parent.getStoragePolicyID();
    }

    Optional<INode> node() {
        return Optional.ofNullable(parent.getChild(name, Snapshot.CURRENT_STATE_ID));
    }

    /** Compares the objects behind references, which a rename may replace. */
    @SuppressWarnings("ReferenceEquality")
    boolean contains(INode node) {
        INode child = parent.getChild(name, Snapshot.CURRENT_STATE_ID);
        return child != null && SnapshotReferences.referred(child) == SnapshotReferences.referred(node);
    }

    /** The usage of the inode at this place now, without the inodes that snapshots have under its name; zero if there is no inode. */
    QuotaCounts usage() {
        Optional<INode> node = node();
        return node.isPresent()
                ? SubtreeUsage.of(directory.getBlockStoragePolicySuite(), node.get(), policy())
                : new QuotaCounts.Builder().build();
    }

    /** Counts the usage of the inode at this place now, and sets the counts of the quotas below it. */
    QuotaCounts recount() {
        Optional<INode> node = node();
        return node.isPresent()
                ? SubtreeUsage.set(directory.getBlockStoragePolicySuite(), node.get(), policy())
                : new QuotaCounts.Builder().build();
    }
}
