/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.client.hdfs.subtrees.SubtreeFs;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One namespace over two nameservices: clients follow the table, and those with an older one create nothing that others cannot see. */
class SubtreesIT {

    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";
    private static final URI FEDERATION = URI.create("hdfs://cluster");

    private HaCluster one;
    private HaCluster two;

    @AfterEach
    void close() {
        if (one != null) {
            one.close();
        }
        if (two != null) {
            two.close();
        }
    }

    @Test
    void aSubtreeGoesToAnotherNameservice() throws Exception {
        one = HaCluster.builder("subtrees-1")
                .nameservice("ns1")
                .nameNodes(2)
                .dataNodes(1)
                .create();
        two = HaCluster.builder("subtrees-2")
                .nameservice("ns2")
                .nameNodes(2)
                .dataNodes(1)
                .create();
        FederatedClusters.join(one, two);
        new FederationOperations(List.of(one, two)).setUp();
        DistributedFileSystem first = one.newFileSystem();
        DistributedFileSystem second = two.newFileSystem();
        one.setProperty("fs.viewfs.mounttable.path", TABLE);
        first.mkdirs(new Path("/data"));
        second.mkdirs(new Path("/data/logs"));
        one.trefoil("table", "create", "cluster").expectSuccess();
        try (FileSystem stale = FileSystem.newInstance(FEDERATION, client())) {
            write(stale, "/data/before");

            ToolResult added = one.trefoil("table", "add", "/data/logs", "ns2").expectSuccess();

            assertThat(added.output()).contains("/data/logs went from ns1 to ns2.");
            theTableIsFollowed(first, second);
            jobsFollowItToo(second);
            staleClientsAreRefused(stale);
            // The seal and the table are in the journal: whoever becomes active has them.
            one.failOverTo(one.nameNodesBut(one.awaitActive()).get(0));
            staleClientsAreRefused(stale);
        }
        JsonNode table =
                FederationOperations.json(one.trefoil("table", "show", "--json").expectSuccess());
        assertThat(table.path("version").asInt()).isEqualTo(2);
        assertThat(one.trefoil("table", "remove", "/data/logs").exitCode())
                .as("files would be hidden")
                .isEqualTo(1);
        one.succeeded();
        two.succeeded();
    }

    private Configuration client() {
        Configuration conf = one.clientConfiguration();
        conf.set("fs.viewfs.mounttable.path", TABLE);
        conf.set("fs.hdfs.impl", ViewDistributedFileSystem.class.getName());
        conf.set("fs.AbstractFileSystem.hdfs.impl", SubtreeFs.class.getName());
        return conf;
    }

    private void theTableIsFollowed(FileSystem first, FileSystem second) throws IOException {
        try (FileSystem view = FileSystem.newInstance(FEDERATION, client())) {
            write(view, "/data/here");
            write(view, "hdfs://cluster/data/logs/there");
            assertThat(names(view, "/data")).containsExactlyInAnyOrder("before", "here", "logs");
            assertThat(names(view, "/data/logs")).containsExactly("there");
            assertThat(read(view, "/data/logs/there")).isEqualTo("hdfs://cluster/data/logs/there");
        }
        assertThat(names(first, "/data/logs")).isEmpty();
        assertThat(names(second, "/data/logs")).containsExactly("there");
    }

    /** They use {@code FileContext}. */
    private void jobsFollowItToo(FileSystem second) throws IOException {
        FileContext context = FileContext.getFileContext(FEDERATION, client());
        for (String name : List.of("/data/logs/old", "hdfs://cluster/data/logs/new")) {
            try (FSDataOutputStream out =
                    context.create(new Path(name), EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
                out.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }

        context.rename(new Path("/data/logs/new"), new Path("/data/logs/old"), Options.Rename.OVERWRITE);

        assertThat(names(second, "/data/logs")).containsExactlyInAnyOrder("there", "old");
        assertThat(read(second, "/data/logs/old")).isEqualTo("hdfs://cluster/data/logs/new");
        assertThat(context.util().exists(new Path("/data/here"))).isTrue();
        assertThat(context.makeQualified(new Path("/data/here"))).isEqualTo(new Path("hdfs://cluster/data/here"));
        assertThat(context.util().exists(new Path("hdfs://ns2/data/logs/there")))
                .isTrue();
    }

    private static void staleClientsAreRefused(FileSystem stale) {
        assertThatThrownBy(() -> write(stale, "/data/logs/stale")).isInstanceOf(NSQuotaExceededException.class);
        assertThatThrownBy(() -> stale.rename(new Path("/data/before"), new Path("/data/logs/stale")))
                .isInstanceOf(NSQuotaExceededException.class);
        assertThatThrownBy(() -> stale.delete(new Path("/data"), true)).hasMessageContaining("has snapshots");
    }

    private static void write(FileSystem fileSystem, String name) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(new Path(name))) {
            out.write(name.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String read(FileSystem fileSystem, String name) throws IOException {
        try (FSDataInputStream in = fileSystem.open(new Path(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> names(FileSystem fileSystem, String folder) throws IOException {
        return List.of(fileSystem.listStatus(new Path(folder))).stream()
                .map(status -> status.getPath().getName())
                .toList();
    }
}
