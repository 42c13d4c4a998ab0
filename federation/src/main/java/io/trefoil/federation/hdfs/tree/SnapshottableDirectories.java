/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.marks.NormalizedPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/** The directories of a nameservice in which snapshots are allowed, whether there are any or not. Asked by a superuser, who sees all. */
public final class SnapshottableDirectories {

    private static final String ROOT = "/";

    private SnapshottableDirectories() {}

    /** The snapshottable directories that contain a path, are equal to it, or are below it. */
    public static List<String> overlapping(DistributedFileSystem fileSystem, String path) throws IOException {
        List<String> directories = new ArrayList<>();
        SnapshottableDirectoryStatus[] all = fileSystem.getSnapshottableDirListing();
        if (all != null) {
            for (SnapshottableDirectoryStatus status : all) {
                String other = status.getFullPath().toUri().getPath();
                if (NormalizedPath.contains(path, other) || NormalizedPath.contains(other, path)) {
                    directories.add(other);
                }
            }
        }
        return directories;
    }

    /** All snapshottable directories of a nameservice, with the number of snapshots of each. */
    public static Map<String, Integer> snapshotCounts(DistributedFileSystem fileSystem) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        SnapshottableDirectoryStatus[] all = fileSystem.getSnapshottableDirListing();
        if (all != null) {
            for (SnapshottableDirectoryStatus status : all) {
                counts.put(status.getFullPath().toUri().getPath(), status.getSnapshotNumber());
            }
        }
        return counts;
    }

    /**
     * Whether the root is snapshottable, so that no other directory can be. HDFS says of every root that it may have snapshots, if only
     * none.
     */
    public static boolean isRootSnapshottable(DistributedFileSystem fileSystem) throws IOException {
        return overlapping(fileSystem, ROOT).contains(ROOT);
    }

    /** The names of the snapshots of a snapshottable directory. */
    public static List<String> snapshotNames(DistributedFileSystem fileSystem, String directory) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus status : fileSystem.listStatus(new Path(directory, HdfsConstants.DOT_SNAPSHOT_DIR))) {
            names.add(status.getPath().getName());
        }
        return names;
    }
}
