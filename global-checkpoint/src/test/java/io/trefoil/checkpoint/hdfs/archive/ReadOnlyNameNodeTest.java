/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyNameNodeTest {

    @TempDir
    Path directory;

    /** Of a cluster with everything that a NameNode for reading must leave alone. */
    private static Configuration clusterConfiguration() {
        Configuration conf = new HdfsConfiguration();
        conf.set("fs.defaultFS", "hdfs://ns1");
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "192.0.2.7:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "192.0.2.8:8020");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://192.0.2.7;192.0.2.8/ns1");
        conf.set("dfs.namenode.plugins", "no.such.Plugin");
        conf.set("dfs.namenode.servicerpc-address", "192.0.2.7:8021");
        conf.set("dfs.namenode.rpc-bind-host", "192.0.2.7");
        conf.set("dfs.namenode.name.dir", "/no/such/directory");
        conf.set("fs.trash.interval", "1");
        return conf;
    }

    @Test
    void nameNodeServesNamespaceAndAdmitsNoDataNode() throws Exception {
        // One JVM has several NameNodes here.
        DefaultMetricsSystem.setMiniClusterMode(true);
        Configuration alone = new HdfsConfiguration();
        alone.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        alone.set("dfs.namenode.http-address", "127.0.0.1:0");
        alone.set("dfs.namenode.name.dir", directory.toUri().toString());
        alone.set("dfs.namenode.gc.time.monitor.enable", "false");
        NameNode.format(alone);
        NameNode before = NameNode.createNameNode(new String[0], alone);
        before.getRpcServer().mkdirs("/was/here", FsPermission.getDirDefault(), true);
        before.stop();
        before.join();

        InetSocketAddress anyPort = new InetSocketAddress("127.0.0.1", 0);
        try (ReadOnlyNameNode served = ReadOnlyNameNode.start(clusterConfiguration(), directory, anyPort, anyPort);
                FileSystem fs = FileSystem.newInstance(URI.create(served.uri()), new Configuration())) {
            assertThat(Arrays.stream(fs.listStatus(new org.apache.hadoop.fs.Path("/was")))
                            .map(one -> one.getPath().getName()))
                    .containsExactly("here");
            assertThat(served.webAddress()).startsWith("http://localhost:");
            assertThatThrownBy(() -> fs.mkdirs(new org.apache.hadoop.fs.Path("/new")))
                    .hasMessageContaining("Name node is in safe mode");
            DatanodeProtocolClientSideTranslatorPB dataNode = new DatanodeProtocolClientSideTranslatorPB(
                    NetUtils.createSocketAddr(URI.create(served.uri()).getAuthority()), new Configuration());
            assertThatThrownBy(() -> dataNode.registerDatanode(registration()))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("the host is not in the include-list");
            dataNode.close();
        }
    }

    private static DatanodeRegistration registration() {
        return new DatanodeRegistration(
                new DatanodeID("127.0.0.1", "localhost", "uuid", 9866, 9864, 9865, 9867),
                new StorageInfo(NodeType.DATA_NODE),
                new ExportedBlockKeys(),
                VersionInfo.getVersion());
    }
}
