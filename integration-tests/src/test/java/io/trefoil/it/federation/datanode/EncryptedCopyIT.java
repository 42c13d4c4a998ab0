/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An encryption zone, with keys of Hadoop's own Key Management Server, is refused before a move begins. It gets its new owner by the commands
 * that the refusal prints, and nothing of it is on a disk as it is.
 */
@Tag("long")
class EncryptedCopyIT {
    private static final String KMS = "kms";
    private static final String KEY = "sales-key";
    private static final String ZONE = "/zone";
    private static final String FILE = ZONE + "/folder/secret";
    private static final String TABLE = "hdfs://sales/.trefoil/subtrees";
    private static final String LINE = "nobody reads this on a disk\n";
    private static final int LINES = 10_000;

    private HaCluster sales;
    private HaCluster stock;

    @BeforeEach
    void start() throws IOException {
        sales = nameservice("sales").dataNodes(1).create();
        stock = nameservice("stock").create();
        String address = sales.layout().address(KMS, "http");
        for (HaCluster one : List.of(sales, stock)) {
            one.setProperty("hadoop.security.key.provider.path", "kms://http@" + address + "/kms");
        }
        startKms(address.split(":"));
        FederatedClusters.startOnSharedDataNodes(List.of(sales, stock));
    }

    private static HaClusterBuilder nameservice(String name) {
        return FederatedClusters.singleNameNode("encrypted", name)
                .property("dfs.datanode.plugins", "io.trefoil.federation.hdfs.datanode.BlockLinkPlugin")
                .property("dfs.replication", "1");
    }

    private void startKms(String[] address) throws IOException {
        java.nio.file.Path home = Files.createDirectories(sales.layout().dataDirectory(KMS));
        Configuration site = new Configuration(false);
        site.set("hadoop.tmp.dir", home.resolve("tmp").toString());
        site.set("hadoop.kms.http.host", address[0]);
        site.set("hadoop.kms.http.port", address[1]);
        site.set("hadoop.kms.key.provider.uri", "jceks://file@" + home.resolve("kms.keystore"));
        write(home.resolve("kms-site.xml"), site);
        write(home.resolve("core-site.xml"), new Configuration(false));
        Configuration acls = new Configuration(false);
        for (String operation : List.of("MANAGEMENT", "GENERATE_EEK", "DECRYPT_EEK", "READ")) {
            acls.set("default.key.acl." + operation, "*");
        }
        write(home.resolve("kms-acls.xml"), acls);
        List<java.nio.file.Path> libraries =
                new ArrayList<>(ClientProject.of(KMS).classPath());
        libraries.add(home);
        Server kms = sales.startProgram(new ClientProgram(
                KMS,
                Jdk.ofThisJvm(),
                List.of("-Dkms.config.dir=" + home),
                libraries,
                SmartClientJar.MISSING,
                Map.of(),
                "org.apache.hadoop.crypto.key.kms.server.KMSWebServer",
                List.of()));
        kms.awaitListening("http");
    }

    private static void write(java.nio.file.Path file, Configuration conf) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            conf.writeXml(out);
        }
    }

    @AfterEach
    void stop() {
        stock.close();
        sales.close();
    }

    @Test
    void copiesEncryptionZoneIntoZone() throws Exception {
        PrintedCommands commands = new PrintedCommands(sales);
        DistributedFileSystem salesFiles = sales.newFileSystem();
        DistributedFileSystem stockFiles = stock.newFileSystem();
        salesFiles.mkdirs(new Path(ZONE));
        commands.runAll(List.of(
                "hadoop key create " + KEY,
                "hdfs crypto -fs hdfs://sales -createZone -keyName " + KEY + " -path " + ZONE));
        String text = LINE.repeat(LINES);
        try (OutputStream out = salesFiles.create(new Path(FILE))) {
            out.write(text.getBytes(ISO_8859_1));
        }
        assertIsEncrypted(salesFiles, FILE);
        trefoil("table", "create", "cluster").expectSuccess();

        ToolResult refused = trefoil("subtree", "move", ZONE, "--to", "stock");

        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output()).contains(ZONE + " is an encryption zone");
        assertThat(trefoil("subtree", "status").output()).contains("No subtree is being moved");
        assertThat(salesFiles.getFileStatus(new Path(ZONE)).isSnapshotEnabled()).isFalse();
        assertThat(stockFiles.exists(new Path(ZONE))).isFalse();

        commands.runAll(PrintedCommands.commandsAfter(
                "Links are not possible",
                trefoil("subtree", "move", ZONE, "--to", "stock", "--dry-run").output()));

        assertThat(trefoil("table", "show", ZONE).output()).isEqualTo("stock\n");
        assertThat(read(stockFiles, FILE)).isEqualTo(text);
        assertThat(stockFiles.getEZForPath(new Path(ZONE)).getKeyName()).isEqualTo(KEY);
        assertIsEncrypted(stockFiles, FILE);
        assertThat(read(salesFiles, ZONE + ".old/folder/secret")).isEqualTo(text);
        assertThat(salesFiles.listStatus(new Path(ZONE))).isEmpty();
        for (HaCluster one : List.of(sales, stock)) {
            one.markSucceeded();
        }
    }

    private ToolResult trefoil(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--table", TABLE));
        return sales.trefoil(all.toArray(String[]::new));
    }

    private static String read(DistributedFileSystem files, String path) throws IOException {
        try (var in = files.open(new Path(path))) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
    }

    private void assertIsEncrypted(DistributedFileSystem files, String path) throws IOException {
        RawReplicas raw = new RawReplicas(sales.dataNodes());
        for (LocatedBlock block : LinkedCopy.blocks(files, path)) {
            assertThat(raw.blockFiles(block.getBlock())).isNotEmpty();
            for (java.nio.file.Path replica : raw.blockFiles(block.getBlock())) {
                assertThat(Files.readString(replica, ISO_8859_1)).doesNotContain(LINE);
            }
        }
    }
}
