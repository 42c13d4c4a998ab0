/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing.DiffReportListingEntry;

/**
 * The nodes that differ between two snapshots, by their numbers: paths would be partly of the one and partly of the other if a folder was
 * renamed. Shows quotas and storage policies, of which edits tell nothing, but neither times nor other bytes of the same length. Immutable.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class SnapshotDifference {

    private final Set<Long> modified = new HashSet<>();
    private final Set<Long> placed = new HashSet<>();
    private final Set<Long> gone = new HashSet<>();

    private SnapshotDifference() {}

    /** The difference between two snapshots of a folder, the earlier first. */
    public static SnapshotDifference between(DistributedFileSystem fileSystem, String folder, String from, String to)
            throws IOException {
        ClientProtocol nameNode = fileSystem.getClient().getNamenode();
        SnapshotDifference difference = new SnapshotDifference();
        byte[] start = DFSUtilClient.EMPTY_BYTES;
        int index = -1;
        do {
            SnapshotDiffReportListing some = nameNode.getSnapshotDiffReportListing(folder, from, to, start, index);
            difference.add(some);
            start = some.getLastPath();
            index = some.getLastIndex();
        } while (!Arrays.equals(start, DFSUtilClient.EMPTY_BYTES) || index != -1);
        return difference;
    }

    /** The union of two differences. */
    SnapshotDifference and(SnapshotDifference other) {
        SnapshotDifference both = new SnapshotDifference();
        for (SnapshotDifference one : Arrays.asList(this, other)) {
            both.modified.addAll(one.modified);
            both.placed.addAll(one.placed);
            both.gone.addAll(one.gone);
        }
        return both;
    }

    /**
     * The difference as seen from one folder of a tree: a node that was renamed out of the folder is gone according to
     * HDFS, and may be elsewhere in the tree.
     */
    SnapshotDifference in(String folder, ChangedPaths paths) {
        SnapshotDifference seen = new SnapshotDifference();
        seen.modified.addAll(modified);
        seen.placed.addAll(placed);
        for (long id : gone) {
            boolean isElsewhere = paths.place(id)
                    .filter(place -> !place.startsWith(folder + "/"))
                    .isPresent();
            (isElsewhere ? seen.placed : seen.gone).add(id);
        }
        return seen;
    }

    /** The empty difference. */
    static SnapshotDifference none() {
        return new SnapshotDifference();
    }

    private void add(SnapshotDiffReportListing some) {
        for (DiffReportListingEntry one : some.getModifyList()) {
            modified.add(one.getFileId());
        }
        for (DiffReportListingEntry one : some.getCreateList()) {
            placed.add(one.getFileId());
        }
        for (DiffReportListingEntry one : some.getDeleteList()) {
            (one.isReference() ? placed : gone).add(one.getFileId());
        }
    }

    /** Nodes with other traits or another length, and folders in which something was made, deleted or renamed. */
    Set<Long> modified() {
        return Collections.unmodifiableSet(modified);
    }

    /** Nodes that were made in a folder that was there before, or have another name. */
    Set<Long> placedIds() {
        return Collections.unmodifiableSet(placed);
    }

    /** Nodes that were deleted from a folder that was there before, or are outside now. */
    Set<Long> removedIds() {
        return Collections.unmodifiableSet(gone);
    }
}
