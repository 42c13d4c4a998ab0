/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.contracts;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.client.hdfs.SubtreeFs;
import io.trefoil.tools.hdfs.TableCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;

/**
 * Two nameservices of two NameNodes each, and one of our file systems on them, by the property {@code trefoil.contracts}: {@code smart} is
 * one nameservice with the smart client, {@code table} a table with the tests' directories at the other nameservice, {@code hashed} one in which
 * these are hashed over both. One for all classes of a process.
 */
public final class ContractCluster {

    private static final String DIRECTORIES = "/test /user /tmp";
    private static final int NODES = 4;
    private static final int BLOCK_SIZE = 1024;

    private static ContractCluster only;

    private final MiniDFSCluster cluster;
    private final Configuration client;
    private final String name;

    private ContractCluster(String kind) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
        conf.setInt("dfs.blocksize", BLOCK_SIZE);
        conf.set("fs.permissions.umask-mode", "022");
        cluster = new Cluster(new MiniDFSCluster.Builder(conf)
                .nnTopology(MiniDFSNNTopology.simpleHAFederatedTopology(2))
                .numDataNodes(2));
        cluster.waitActive();
        cluster.transitionToActive(0);
        cluster.transitionToActive(2);
        client = new Configuration(conf);
        client.set("dfs.nameservices", "ns1,ns2");
        for (int node = 0; node < NODES; node++) {
            String nameservice = "ns" + (1 + node / 2);
            client.set("dfs.ha.namenodes." + nameservice, "nn0,nn1");
            client.set(
                    "dfs.namenode.rpc-address." + nameservice + ".nn" + node % 2,
                    "localhost:"
                            + cluster.getNameNode(node).getNameNodeAddress().getPort());
            client.set("dfs.client.failover.proxy.provider." + nameservice, SmartFailoverProxyProvider.class.getName());
        }
        name = kind.equals("smart") ? "hdfs://ns1" : "hdfs://cluster";
        client.set("fs.defaultFS", name);
        if (!kind.equals("smart")) {
            client.set("fs.viewfs.mounttable.path", "hdfs://ns1/.trefoil/table");
            client.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
            client.set("fs.AbstractFileSystem.hdfs.impl", SubtreeFs.class.getName());
            TableCommand.run(client, "table", "create", "cluster");
            for (String directory : DIRECTORIES.split(" ")) {
                for (String nameservice : client.getStrings("dfs.nameservices")) {
                    try (DistributedFileSystem owner = new DistributedFileSystem()) {
                        owner.initialize(URI.create("hdfs://" + nameservice), client);
                        owner.mkdirs(new Path(directory));
                    }
                }
                if (kind.equals("hashed")) {
                    TableCommand.run(client, "table", "hash", directory, "ns1,ns2");
                } else {
                    TableCommand.run(client, "table", "add", directory, "ns2");
                }
            }
        }
    }

    /** Hadoop's, whose clients are the ones that the tests are for. */
    private static final class Cluster extends MiniDFSCluster {
        Cluster(Builder builder) throws IOException {
            super(builder);
        }

        @Override
        public DistributedFileSystem getFileSystem() throws IOException {
            return (DistributedFileSystem) get().fileSystem();
        }
    }

    /** Started when a test first asks. */
    public static synchronized ContractCluster get() {
        if (only == null) {
            try {
                only = new ContractCluster(System.getProperty("trefoil.contracts"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return only;
    }

    /** The other NameNode of each nameservice becomes active. */
    public void failOver() throws IOException {
        for (int node = 0; node < NODES; node += 2) {
            int active = cluster.getNameNode(node).isActiveState() ? node : node + 1;
            cluster.transitionToStandby(active);
            cluster.transitionToActive(active == node ? node + 1 : node);
        }
    }

    public MiniDFSCluster cluster() {
        return cluster;
    }

    /** Returns what clients have. */
    public Configuration client() {
        return client;
    }

    /** The file system that the tests are for. */
    public FileSystem fileSystem() throws IOException {
        return FileSystem.get(URI.create(name), client);
    }

    /** Returns its name. */
    public URI uri() {
        return URI.create(name);
    }
}
