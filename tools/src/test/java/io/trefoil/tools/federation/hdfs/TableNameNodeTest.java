/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.EnumSetWritable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that find HDFS's own client in a table's file system, and use it with bare paths: the calls of Hive's {@code
 * Hadoop23Shims.listLocatedHdfsStatus} and {@code getFileId}, and of HBase's {@code FanOutOneBlockAsyncDFSOutputHelper}, typed once more.
 */
class TableNameNodeTest {

    private static final URI CLUSTER = URI.create("hdfs://cluster");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int tables;

    private Configuration conf;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private DistributedFileSystem files;
    private String subtree;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.start(directory);
    }

    @AfterAll
    static void stop() {
        federation.close();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        subtree = "/below" + tables + "/t";
        conf = federation.tableClientConfiguration("hdfs://ns1/.trefoil/below" + tables);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(subtree));
        second.mkdirs(new Path(subtree));
        assertThat(runTableCommand("create", "cluster")).isZero();
        files = (DistributedFileSystem) FileSystem.newInstance(CLUSTER, conf);
    }

    @AfterEach
    void close() throws IOException {
        files.close();
        first.close();
        second.close();
    }

    private int runTableCommand(String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(Arrays.asList(arguments));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, nowhere, all.toArray(new String[0]));
    }

    private void write(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            try (FSDataOutputStream out = files.create(new Path(subtree, "part-" + i))) {
                out.writeUTF("row");
            }
        }
    }

    private int countListedByHive() throws IOException {
        return files.getClient()
                .listPaths(subtree, HdfsFileStatus.EMPTY_NAME, true)
                .getPartialListing()
                .length;
    }

    private void assertHiveIsRefused() throws IOException {
        // Upon this, and nothing else, it asks no more, and uses the file system itself.
        assertThatThrownBy(this::countListedByHive)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("call the FileSystem itself");
        assertThatThrownBy(() -> files.getClient().getFileInfo(subtree + "/part-0"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(files.listStatus(new Path(subtree))).hasSize(3);
    }

    @Test
    void hiveListsFilesWhenOneNameserviceHasAll() throws IOException {
        write(3);

        assertThat(countListedByHive()).isEqualTo(3);
    }

    /** As Hive's encryption shim asks. */
    @Test
    void reportsNoKeyProviderWhenNamespaceHasNone() throws IOException {
        assertThat(files.getClient().getKeyProviderUri()).isNull();
        assertThat(files.getClient().getKeyProvider()).isNull();
    }

    @Test
    void refusesHiveListingWhenTableDirectoryIsEntry() throws IOException {
        assertThat(files.getClient().getFileInfo(subtree)).isNotNull();
        assertThat(runTableCommand("add", subtree, "ns2")).isZero();
        write(3);

        assertHiveIsRefused();
    }

    @Test
    void refusesHiveListingWhenTableDirectoryIsHashed() throws IOException {
        assertThat(runTableCommand("hash", subtree, "ns1,ns2")).isZero();
        write(3);

        assertHiveIsRefused();
        assertThatThrownBy(() -> files.getClient().getBlockLocations(subtree + "/part-0", 0, 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("hashed directory");
    }

    @Test
    void hbaseWritesLogAtDirectoryOwner() throws IOException {
        DFSClient client = files.getClient();
        // By the table that the client knows, it is still ns1's.
        assertThat(runTableCommand("add", subtree, "ns2")).isZero();
        String log = subtree + "/wal";
        ClientProtocol nameNode = client.getNamenode();
        HdfsFileStatus made = nameNode.create(
                log,
                FsPermission.getFileDefault(),
                client.getClientName(),
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                false,
                (short) 1,
                1 << 20,
                CryptoProtocolVersion.supported(),
                null,
                null);
        nameNode.addBlock(log, client.getClientName(), null, null, made.getFileId(), null, null);
        nameNode.renewLease(client.getClientName(), null);

        assertThat(second.exists(new Path(log))).isTrue();
        assertThat(second.isFileClosed(new Path(log))).isFalse();
        assertThat(first.exists(new Path(log))).isFalse();
        nameNode.recoverLease(log, client.getClientName());
    }

    @Test
    void administratorsReachNewOwnerWhenTheirTableIsOld() throws IOException {
        Path moved = new Path(subtree);
        DFSClient client = files.getClient();
        assertThat(runTableCommand("add", subtree, "ns2")).isZero();
        long sealed = first.getQuotaUsage(moved).getQuota();

        client.getNamenode().setQuota(subtree, 7, HdfsConstants.QUOTA_DONT_SET, null);
        client.setStoragePolicy(subtree, "COLD");
        client.allowSnapshot(subtree);
        client.createSnapshot(subtree, "ours");

        assertThat(second.getQuotaUsage(moved).getQuota()).isEqualTo(7);
        assertThat(second.getStoragePolicy(moved).getName()).isEqualTo("COLD");
        assertThat(second.exists(new Path(moved, ".snapshot/ours"))).isTrue();
        assertThat(first.getQuotaUsage(moved).getQuota()).isEqualTo(sealed);
        assertThat(first.getStoragePolicy(moved).getName()).isNotEqualTo("COLD");
        client.deleteSnapshot(subtree, "ours");
        client.disallowSnapshot(subtree);
    }

    @Test
    void dfsClientWritesAndReadsAtOwner() throws IOException {
        assertThat(runTableCommand("add", subtree, "ns2")).isZero();
        DFSClient client = files.getClient();
        try (OutputStream out = client.create(subtree + "/file", false)) {
            out.write(7);
        }

        assertThat(second.getFileStatus(new Path(subtree, "file")).getLen()).isEqualTo(1);
        try (java.io.InputStream in = client.open(subtree + "/file")) {
            assertThat(in.read()).isEqualTo(7);
        }
        assertThatThrownBy(() -> client.delete(subtree, true)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(client).isSameAs(files.getClient());
    }
}
