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
 * The nodes that differ between two snapshots, by id: if a directory was renamed, paths would belong partly to one snapshot and partly to
 * the other. Shows quotas and storage policies, of which edits tell nothing, but neither times nor other bytes of the same length.
 * Immutable.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class SnapshotDifference {

    private final Set<Long> modified = new HashSet<>();
    private final Set<Long> placed = new HashSet<>();
    private final Set<Long> gone = new HashSet<>();

    private SnapshotDifference() {}

    /** Returns the difference between two snapshots of a directory, the earlier first. */
    public static SnapshotDifference between(DistributedFileSystem fileSystem, String directory, String from, String to)
            throws IOException {
        ClientProtocol nameNode = fileSystem.getClient().getNamenode();
        SnapshotDifference difference = new SnapshotDifference();
        byte[] start = DFSUtilClient.EMPTY_BYTES;
        int index = -1;
        do {
            SnapshotDiffReportListing listing =
                    nameNode.getSnapshotDiffReportListing(directory, from, to, start, index);
            difference.add(listing);
            start = listing.getLastPath();
            index = listing.getLastIndex();
        } while (!Arrays.equals(start, DFSUtilClient.EMPTY_BYTES) || index != -1);
        return difference;
    }

    /** The union of two differences. */
    SnapshotDifference union(SnapshotDifference other) {
        SnapshotDifference both = new SnapshotDifference();
        for (SnapshotDifference difference : Arrays.asList(this, other)) {
            both.modified.addAll(difference.modified);
            both.placed.addAll(difference.placed);
            both.gone.addAll(difference.gone);
        }
        return both;
    }

    /**
     * The difference as seen from one directory of a tree: a node that was renamed out of the directory is deleted according to HDFS, but
     * may be elsewhere in the tree.
     */
    SnapshotDifference relativeTo(String directory, ChangedPaths paths) {
        SnapshotDifference seen = new SnapshotDifference();
        seen.modified.addAll(modified);
        seen.placed.addAll(placed);
        for (long id : gone) {
            boolean isElsewhere = paths.pathOf(id)
                    .filter(place -> !place.startsWith(directory + "/"))
                    .isPresent();
            (isElsewhere ? seen.placed : seen.gone).add(id);
        }
        return seen;
    }

    /** Returns the empty difference. */
    static SnapshotDifference none() {
        return new SnapshotDifference();
    }

    private void add(SnapshotDiffReportListing listing) {
        for (DiffReportListingEntry entry : listing.getModifyList()) {
            modified.add(entry.getFileId());
        }
        for (DiffReportListingEntry entry : listing.getCreateList()) {
            placed.add(entry.getFileId());
        }
        for (DiffReportListingEntry entry : listing.getDeleteList()) {
            (entry.isReference() ? placed : gone).add(entry.getFileId());
        }
    }

    /** The nodes whose traits or length changed, and the directories in which something was created, deleted or renamed. */
    Set<Long> modifiedIds() {
        return Collections.unmodifiableSet(modified);
    }

    /** The nodes that were created in an existing directory, or renamed. */
    Set<Long> placedIds() {
        return Collections.unmodifiableSet(placed);
    }

    /** The nodes that were deleted from an existing directory, or moved out of the tree. */
    Set<Long> removedIds() {
        return Collections.unmodifiableSet(gone);
    }
}
