/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Two stock NameNodes, each with a nameservice of its own, and one DataNode of both; a directory is hashed over them. */
final class HashedFederation implements AutoCloseable {
    /** What is hashed. */
    static final String DIRECTORY = "/warehouse/events";

    static final URI CLUSTER = URI.create("hdfs://cluster");
    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";

    private final HaCluster first;
    private final HaCluster second;
    /** What clients of the table have. */
    private final Configuration conf;

    /** @param permission of the hashed directory */
    HashedFederation(String test, FsPermission permission) throws IOException {
        first = nameservice(test, "ns1", 1);
        try {
            second = nameservice(test, "ns2", 0);
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
        try {
            FederatedClusters.startOnSharedDataNodes(List.of(first, second));
            // For all commands, as on a host of clients; the servers have read theirs.
            first.setProperty("fs.viewfs.mounttable.path", TABLE);
            first.setProperty("fs.hdfs.impl", SubtreeFileSystem.class.getName());
            conf = first.clientConfiguration();
            try (DistributedFileSystem owner = first.newFileSystem()) {
                owner.mkdirs(new Path(DIRECTORY));
                owner.setPermission(new Path(DIRECTORY), permission);
            }
            runTableCommand("create", "cluster").expectSuccess();
            runTableCommand("hash", DIRECTORY, "ns1,ns2").expectSuccess();
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static HaCluster nameservice(String test, String name, int dataNodes) {
        return FederatedClusters.singleNameNode(test, name)
                .dataNodes(dataNodes)
                .property("dfs.replication", "1")
                .create();
    }

    /** Whose owner the directory was, and is when it is not hashed any more. */
    HaCluster first() {
        return first;
    }

    HaCluster second() {
        return second;
    }

    List<HaCluster> both() {
        return List.of(first, second);
    }

    /** Runs {@code hdfs trefoil table} with this table. */
    ToolResult runTableCommand(String... arguments) {
        return first.trefoil(Stream.of(Stream.of("table"), Stream.of(arguments), Stream.of("--table", TABLE))
                .flatMap(one -> one)
                .toArray(String[]::new));
    }

    /** The whole file system, for a superuser; the caller closes it. */
    FileSystem client() throws IOException {
        return FileSystem.newInstance(CLUSTER, conf);
    }

    /** The same for another user. */
    FileSystem clientOf(String user) throws IOException, InterruptedException {
        return clientOf(user, conf);
    }

    /** The same for one that waits for no NameNode that is down. */
    FileSystem impatientClientOf(String user) throws IOException, InterruptedException {
        Configuration impatient = new Configuration(conf);
        impatient.setInt("dfs.client.failover.max.attempts", 1);
        impatient.setInt("dfs.client.retry.max.attempts", 1);
        return clientOf(user, impatient);
    }

    private static FileSystem clientOf(String user, Configuration conf) throws IOException, InterruptedException {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf));
    }

    void markSucceeded() {
        both().forEach(HaCluster::markSucceeded);
    }

    @Override
    public void close() {
        second.close();
        first.close();
    }
}
