/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.PastFile;
import io.trefoil.checkpoint.hdfs.config.IsolatedConfiguration;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.OfflineNamespace;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * What a path of a namespace was, loaded by stock code in this process. Takes as much memory and time as the start of a NameNode.
 *
 * <p>Uses {@code FSDirectory.getRoot}, {@code INode}, {@code INodeDirectory.getChild}, {@code getChildrenList}, {@code
 * DFSUtil.string2Bytes}, {@code DefaultMetricsSystem.setMiniClusterMode}.
 */
public final class PastListing {

    private PastListing() {}

    /**
     * Loads a namespace, and lists a path as {@code hdfs dfs -ls} does.
     *
     * @param nameDirectory that only this process uses
     * @throws FileNotFoundException if there is no such path
     */
    public static List<PastFile> of(Configuration conf, Path nameDirectory, String path) throws IOException {
        // A process may list more than one.
        DefaultMetricsSystem.setMiniClusterMode(true);
        try (OfflineNamespace namespace = OfflineNamespace.load(IsolatedConfiguration.of(conf, nameDirectory))) {
            INode one = find(namespace.namesystem().getFSDirectory().getRoot(), path);
            List<PastFile> files = new ArrayList<>();
            if (one.isDirectory()) {
                String prefix = path.endsWith("/") ? path : path + "/";
                for (INode child : one.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                    files.add(file(prefix + child.getLocalName(), child));
                }
            } else {
                files.add(file(path, one));
            }
            return files;
        }
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

    private static PastFile file(String path, INode one) {
        PastFile.Kind kind =
                one.isDirectory() ? PastFile.Kind.DIRECTORY : one.isFile() ? PastFile.Kind.FILE : PastFile.Kind.SYMLINK;
        return PastFile.builder()
                .path(path)
                .kind(kind)
                .permission(one.getFsPermission().toString())
                .owner(one.getUserName())
                .group(one.getGroupName())
                .bytes(one.isFile() ? one.asFile().computeFileSize() : 0)
                .modifiedMillis(one.getModificationTime())
                .build();
    }
}
