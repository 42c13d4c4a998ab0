/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.move.TreeNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffReportEntry;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffType;

/**
 * The changes in a directory since a snapshot, found by calls that each visit a bounded number of files and directories, because a NameNode
 * answers no change while it compares: HDFS compares small directories, while large ones are listed by name. A rename between two parts is
 * a deletion and a creation. A changed quota of a large directory below is not noticed.
 */
public final class SlicedDifference {

    private final DistributedFileSystem fileSystem;
    private final HdfsTree reader;
    private final String root;
    private final String snapshot;
    private final long slice;
    private final List<DiffReportEntry> differences = new ArrayList<>();

    /** @param slice how many nodes a call visits at most, unless a directory has more */
    public SlicedDifference(
            DistributedFileSystem fileSystem, HdfsTree reader, String root, String snapshot, long slice) {
        this.fileSystem = fileSystem;
        this.reader = reader;
        this.root = root;
        this.snapshot = snapshot;
        this.slice = slice;
    }

    /**
     * The differences, by path, as HDFS reports them.
     *
     * @param directory the directory in the snapshot
     */
    public List<DiffReportEntry> sinceSnapshot(String directory) throws IOException {
        differences.clear();
        compare("", directory);
        return new ArrayList<>(differences);
    }

    private void compare(String directory, String at) throws IOException {
        if (isPart(directory)) {
            queryDifference(directory);
            return;
        }
        SortedMap<String, TreeNode> before = reader.readDirectory(at, directory);
        SortedMap<String, TreeNode> now = reader.readDirectory(root, directory);
        TreeSet<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(now.keySet());
        for (String path : paths) {
            compare(path, before.get(path), now.get(path));
        }
        for (String path : paths) {
            TreeNode was = before.get(path);
            TreeNode is = now.get(path);
            if (was != null && is != null && is.isDirectory() && was.id() == is.id()) {
                compare(path, at);
            }
        }
    }

    private boolean isPart(String directory) throws IOException {
        if (slice == Long.MAX_VALUE) {
            return true;
        }
        Path path = new Path(root + directory);
        ContentSummary size = fileSystem.getContentSummary(path);
        int names = ((HdfsFileStatus) fileSystem.getFileStatus(path)).getChildrenNum();
        return TreeParts.isPart(size.getFileCount() + size.getDirectoryCount(), names, slice);
    }

    private void queryDifference(String directory) throws IOException {
        for (DiffReportEntry entry : fileSystem
                .getSnapshotDiffReport(new Path(root + directory), snapshot, "")
                .getDiffList()) {
            byte[] to = entry.getTargetPath();
            differences.add(new DiffReportEntry(
                    entry.getType(),
                    joinPath(directory, entry.getSourcePath()),
                    to == null ? null : joinPath(directory, to)));
        }
    }

    private static byte[] joinPath(String directory, byte[] relativePath) {
        String below = DFSUtilClient.bytes2String(relativePath);
        return toRelativePath(below.isEmpty() ? directory : directory + "/" + below);
    }

    private static byte[] toRelativePath(String path) {
        return path.isEmpty() ? new byte[0] : path.substring(1).getBytes(StandardCharsets.UTF_8);
    }

    private void compare(String path, TreeNode before, TreeNode currentNode) {
        if (before == null) {
            add(DiffType.CREATE, path);
        } else if (currentNode == null) {
            add(DiffType.DELETE, path);
        } else if (before.id() != currentNode.id()) {
            add(DiffType.DELETE, path);
            add(DiffType.CREATE, path);
        } else if (!withoutTime(before).equals(withoutTime(currentNode))) {
            add(DiffType.MODIFY, path);
        }
    }

    /** A copy of a directory's node without its time, which changes with each deletion in it, and without its quotas, which are not compared. */
    private static TreeNode withoutTime(TreeNode node) {
        return node.isDirectory()
                ? TreeNode.newDirectory(
                        node.id(),
                        node.traits().toBuilder()
                                .modificationTime(0)
                                .quotas(Collections.emptySortedMap())
                                .build())
                : node;
    }

    private void add(DiffType type, String path) {
        differences.add(new DiffReportEntry(type, toRelativePath(path)));
    }
}
