/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * A name in a folder, and the quotas of that folder and those above it: what is there, or is not yet, counts in all of them. Finds the
 * root only as a folder above. The caller holds HDFS's locks.
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
        this.quotas = quotas;
    }

    /** @throws UncountableException if there is no such folder, or it is in a snapshot */
    static QuotaPath of(FSDirectory directory, String path) throws UncountableException {
        byte[][] names = INode.getPathComponents(path);
        if (names.length < 2) {
            throw new UncountableException(path + " is in no folder");
        }
        List<DirectoryWithQuotaFeature> quotas = new ArrayList<>();
        INodeDirectory folder = directory.getRoot();
        enter(folder, quotas);
        for (int i = 1; i < names.length - 1; i++) {
            INode next = folder.getChild(names[i], Snapshot.CURRENT_STATE_ID);
            if (next == null || !next.isDirectory()) {
                throw new UncountableException("a folder above " + path + " is missing");
            }
            // A reference would be cast to the folder that it refers to, and is seen only here.
            SubtreeUsage.requireNoSnapshots(next);
            folder = next.asDirectory();
            enter(folder, quotas);
        }
        return new QuotaPath(directory, folder, names[names.length - 1], Collections.unmodifiableList(quotas));
    }

    private static void enter(INodeDirectory folder, List<DirectoryWithQuotaFeature> quotas)
            throws UncountableException {
        SubtreeUsage.requireNoSnapshots(folder);
        DirectoryWithQuotaFeature quota = folder.getDirectoryWithQuotaFeature();
        if (quota != null) {
            quotas.add(quota);
        }
    }

    /** The place of the same name in the folder that is here. */
    QuotaPath resolveBelow(QuotaPath other) throws UncountableException {
        INodeDirectory folder = node().orElseThrow(() -> new UncountableException("no folder to rename into"))
                .asDirectory();
        List<DirectoryWithQuotaFeature> all = new ArrayList<>(quotas);
        enter(folder, all);
        return new QuotaPath(directory, folder, other.name, Collections.unmodifiableList(all));
    }

    /** The quotas above this place, from the root down. */
    List<DirectoryWithQuotaFeature> quotas() {
        return quotas;
    }

    /** The storage policy that what is here has, unless it has one of its own. */
    byte policy() {
        return parent.getStoragePolicyID();
    }

    Optional<INode> node() {
        return Optional.ofNullable(parent.getChild(name, Snapshot.CURRENT_STATE_ID));
    }

    /** Compares the objects: others with the same id would be names in snapshots. */
    @SuppressWarnings("ReferenceEquality")
    boolean contains(INode node) {
        return parent.getChild(name, Snapshot.CURRENT_STATE_ID) == node;
    }

    /** The usage of what is at this place now; nothing, if nothing is there. */
    QuotaCounts usage() throws UncountableException {
        Optional<INode> node = node();
        return node.isPresent()
                ? SubtreeUsage.of(directory.getBlockStoragePolicySuite(), node.get(), policy())
                : new QuotaCounts.Builder().build();
    }

    /** Counts the usage of what is at this place now, and sets what the quotas below have counted. */
    QuotaCounts recount() throws UncountableException {
        Optional<INode> node = node();
        return node.isPresent()
                ? SubtreeUsage.set(directory.getBlockStoragePolicySuite(), node.get(), policy())
                : new QuotaCounts.Builder().build();
    }
}
