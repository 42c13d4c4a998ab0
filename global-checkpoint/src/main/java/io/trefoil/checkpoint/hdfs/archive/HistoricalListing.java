/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.hdfs.config.IsolatedConfiguration;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.OfflineNamespace;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Describes a path in a past namespace, loaded by stock code in this process. Takes as much memory and time as the start of a NameNode.
 *
 * <p>Uses {@code FSDirectory.getRoot}, {@code INode}, {@code INodeDirectory.getChild}, {@code getChildrenList}, {@code
 * DFSUtil.string2Bytes}, {@code DefaultMetricsSystem.setMiniClusterMode}.
 */
public final class HistoricalListing {

    private HistoricalListing() {}

    /**
     * Loads a namespace, and lists a path as {@code hdfs dfs -ls} does.
     *
     * @param nameDirectory that only this process uses
     * @throws FileNotFoundException if there is no such path
     */
    public static List<HistoricalFile> list(Configuration conf, Path nameDirectory, String path) throws IOException {
        return load(conf, nameDirectory, root -> {
            INode one = find(root, path);
            List<HistoricalFile> files = new ArrayList<>();
            if (one.isDirectory()) {
                for (INode child : one.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                    files.add(toFile(child(path, child), child));
                }
            } else {
                files.add(toFile(path, one));
            }
            return files;
        });
    }

    /**
     * Loads a namespace, and lists a path and everything below it, in any order.
     *
     * @param nameDirectory that only this process uses
     * @throws FileNotFoundException if there is no such path
     */
    public static List<HistoricalFile> listRecursively(Configuration conf, Path nameDirectory, String path)
            throws IOException {
        return load(conf, nameDirectory, root -> {
            List<HistoricalFile> files = new ArrayList<>();
            Deque<Map.Entry<String, INode>> left = new ArrayDeque<>();
            left.push(new SimpleImmutableEntry<>(path, find(root, path)));
            while (!left.isEmpty()) {
                Map.Entry<String, INode> one = left.pop();
                files.add(toFile(one.getKey(), one.getValue()));
                if (one.getValue().isDirectory()) {
                    for (INode child : one.getValue().asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                        left.push(new SimpleImmutableEntry<>(child(one.getKey(), child), child));
                    }
                }
            }
            return files;
        });
    }

    /** A query of a namespace. */
    private interface NamespaceQuery {
        List<HistoricalFile> list(INode root) throws IOException;
    }

    private static List<HistoricalFile> load(Configuration conf, Path nameDirectory, NamespaceQuery question)
            throws IOException {
        // A process may list more than one.
        DefaultMetricsSystem.setMiniClusterMode(true);
        try (OfflineNamespace namespace = OfflineNamespace.load(IsolatedConfiguration.of(conf, nameDirectory))) {
            return question.list(namespace.namesystem().getFSDirectory().getRoot());
        }
    }

    private static String child(String parent, INode child) {
        return (parent.endsWith("/") ? parent : parent + "/") + child.getLocalName();
    }

    private static INode find(INode root, String path) throws IOException {
        INode at = root;
        for (String name : path.split("/", -1)) {
            if (!name.isEmpty()) {
                INode child = at.isDirectory()
                        ? at.asDirectory().getChild(DFSUtil.string2Bytes(name), Snapshot.CURRENT_STATE_ID)
                        : null;
                if (child == null) {
                    throw new FileNotFoundException(
                            path + " was not there: " + at.getFullPathName() + " had no '" + name + "'");
                }
                at = child;
            }
        }
        return at;
    }

    private static HistoricalFile toFile(String path, INode one) {
        HistoricalFile.Kind kind = one.isDirectory()
                ? HistoricalFile.Kind.DIRECTORY
                : one.isFile() ? HistoricalFile.Kind.FILE : HistoricalFile.Kind.SYMLINK;
        return HistoricalFile.builder()
                .path(path)
                .kind(kind)
                .permission(one.getFsPermission().toString())
                .owner(one.getUserName())
                .group(one.getGroupName())
                .bytes(one.isFile() ? one.asFile().computeFileSize() : 0)
                .modifiedMillis(one.getModificationTime())
                .inode(one.getId())
                .build();
    }
}
