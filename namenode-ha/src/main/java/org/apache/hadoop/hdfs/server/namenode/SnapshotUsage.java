/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;

/**
 * The usage of inodes that only snapshots still have, as counted by quotas, where edits may change it unseen, through references. An edit
 * of an inode that was renamed after a snapshot, itself or with a directory above it, can change the counts under the former name.
 *
 * <p>Such an entry is counted before the first such edit, and <em>stale</em> from then on. It is counted again, and the difference added
 * to the quotas above it, when the stream ends if it is small, otherwise in a takeover, or before its directory is moved.
 */
final class SnapshotUsage {
    private final FSDirectory directory;
    private final long small;
    private final Map<DeletedEntry, QuotaCounts> stale = new LinkedHashMap<>();

    /** @param small how many files and directories may be counted after each stream */
    SnapshotUsage(FSDirectory directory, long small) {
        this.directory = directory;
        this.small = small;
    }

    boolean hasSnapshots() {
        return directory.getFSNamesystem().getSnapshotManager().getNumSnapshots() > 0;
    }

    /** Drops everything, so that all is counted again. */
    void clear() {
        stale.clear();
    }

    /**
     * Counts the entries that the edit may change unseen, unless they are stale already.
     *
     * @param counted what is counted as a whole before and after the edit, with the snapshots in it
     * @return the entries that the edit may change
     */
    List<DeletedEntry> markStale(SnapshotReferences references, Collection<INode> counted) {
        Set<INode> covered = identitySet(counted);
        List<DeletedEntry> marked = references.holders().stream()
                .filter(entry -> SnapshotReferences.isInNamespace(entry.directory())
                        && !SnapshotReferences.isAtOrBelowAny(entry.directory(), covered))
                .collect(Collectors.toList());
        marked.forEach(entry -> stale.computeIfAbsent(entry, absent -> absent.usage(policies())));
        return marked;
    }

    boolean isStale(DeletedEntry entry) {
        return stale.containsKey(entry);
    }

    /** Settles stale counts in these directories, as they are moved, removed, counted as a whole, or get a quota. */
    void settleWithin(Collection<INode> movedInodes) throws UncountableException {
        if (!stale.isEmpty()) {
            Set<INode> tops = identitySet(movedInodes);
            for (DeletedEntry entry : new ArrayList<>(stale.keySet())) {
                if (SnapshotReferences.isAtOrBelowAny(entry.directory(), tops)) {
                    settle(entry, stale.remove(entry));
                }
            }
        }
    }

    /** Settles the counts that take hardly any time. */
    void settleSmallCounts() throws UncountableException {
        long left = small;
        Iterator<Map.Entry<DeletedEntry, QuotaCounts>> entries =
                stale.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<DeletedEntry, QuotaCounts> next = entries.next();
            long size = next.getValue().getNameSpace();
            if (size <= left) {
                left -= size;
                entries.remove();
                settle(next.getKey(), next.getValue());
            }
        }
    }

    /** Approximately how many files and directories {@link #settleAll} counts. */
    long staleSize() {
        return stale.values().stream().mapToLong(QuotaCounts::getNameSpace).sum();
    }

    void settleAll() throws UncountableException {
        for (Map.Entry<DeletedEntry, QuotaCounts> next : stale.entrySet()) {
            settle(next.getKey(), next.getValue());
        }
        stale.clear();
    }

    private void settle(DeletedEntry entry, QuotaCounts earlierCounts) throws UncountableException {
        if (!SnapshotReferences.isInNamespace(entry.directory())) {
            throw new UncountableException("the directory of " + entry + " is gone");
        }
        QuotaCounts difference = entry.usage(policies()).subtract(earlierCounts);
        for (DirectoryWithQuotaFeature quota : entry.quotas()) {
            quota.setSpaceConsumed(quota.getSpaceConsumed().add(difference));
        }
    }

    BlockStoragePolicySuite policies() {
        return directory.getBlockStoragePolicySuite();
    }

    static Set<INode> identitySet(Collection<INode> nodes) {
        Set<INode> set = Collections.newSetFromMap(new IdentityHashMap<>());
        nodes.forEach(node -> set.add(SnapshotReferences.referred(node)));
        return set;
    }
}
