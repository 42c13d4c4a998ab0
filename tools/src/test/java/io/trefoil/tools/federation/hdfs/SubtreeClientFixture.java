/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.client.hdfs.SubtreeStatistics;
import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Our client on stock NameNodes, with a table and a folder at both nameservices for each test. */
abstract class SubtreeClientFixture {
    static final URI CLUSTER = URI.create("hdfs://cluster");

    static StockFederation federation;
    static int tables;

    Configuration conf;
    DistributedFileSystem first;
    DistributedFileSystem second;
    FileSystem files;
    FileContext context;

    /** Each test has a folder of its own, at both nameservices. */
    String folder;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.shared();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        folder = "/work" + tables + "/logs";
        conf = federation.clientOfTable("hdfs://ns1/.trefoil/clients" + tables);
        // However long a command stands still between a seal and the version, its writers wait for that.
        conf.set("trefoil.client.failover.timeout.cluster", "1m");
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(folder));
        second.mkdirs(new Path(folder));
        assertThat(table("create", "cluster")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
        context = FileContext.getFileContext(CLUSTER, conf);
        // Nothing is noticed by a client that does not know the table yet.
        assertThat(files.exists(new Path(folder))).isTrue();
        assertThat(context.util().exists(new Path(folder))).isTrue();
    }

    @AfterEach
    void close() throws IOException {
        files.close();
        first.close();
        second.close();
    }

    int table(String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(Arrays.asList(arguments));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, nowhere, all.toArray(new String[0]));
    }

    void give() {
        assertThat(table("add", folder, "ns2")).isZero();
    }

    Path in(String name) {
        return new Path(folder, name);
    }

    static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    static long repeated() {
        return GlobalStorageStatistics.INSTANCE.get(SubtreeStatistics.NAME).getLong("repeated");
    }

    List<String> names(FileSystem fileSystem) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus one : fileSystem.listStatus(new Path(folder))) {
            names.add(one.getPath().getName());
        }
        return names;
    }

    /** What a client does that has read the first version only. */
    interface Deed {
        void by(FileSystem stale) throws IOException;
    }

    DistributedFileSystem withTheEntry() throws IOException {
        give();
        return (DistributedFileSystem) FileSystem.newInstance(CLUSTER, conf);
    }
}
