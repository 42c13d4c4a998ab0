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

/** Our client on stock NameNodes, with a table and a directory at both nameservices for each test. */
abstract class SubtreeClientFixture {
    static final URI CLUSTER = URI.create("hdfs://cluster");

    static StockFederation federation;
    static int tables;

    Configuration conf;
    DistributedFileSystem first;
    DistributedFileSystem second;
    FileSystem files;
    FileContext context;

    /** Each test has a directory of its own, at both nameservices. */
    String directory;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.shared();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        directory = "/work" + tables + "/logs";
        conf = federation.tableClientConfiguration("hdfs://ns1/.trefoil/clients" + tables);
        // However long a command stands still between a seal and the version, its writers wait for that.
        conf.set("trefoil.client.failover.timeout.cluster", "1m");
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(directory));
        second.mkdirs(new Path(directory));
        assertThat(runTableCommand("create", "cluster")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
        context = FileContext.getFileContext(CLUSTER, conf);
        // Nothing is noticed by a client that does not know the table yet.
        assertThat(files.exists(new Path(directory))).isTrue();
        assertThat(context.util().exists(new Path(directory))).isTrue();
    }

    @AfterEach
    void close() throws IOException {
        files.close();
        first.close();
        second.close();
    }

    int runTableCommand(String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(Arrays.asList(arguments));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, nowhere, all.toArray(new String[0]));
    }

    void handOverSubtree() {
        assertThat(runTableCommand("add", directory, "ns2")).isZero();
    }

    Path pathOf(String name) {
        return new Path(directory, name);
    }

    static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    static long repeatedCalls() {
        return GlobalStorageStatistics.INSTANCE.get(SubtreeStatistics.NAME).getLong("repeated");
    }

    List<String> listNames(FileSystem fileSystem) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus one : fileSystem.listStatus(new Path(directory))) {
            names.add(one.getPath().getName());
        }
        return names;
    }

    /** What a client does that has read the first version only. */
    interface ClientAction {
        void perform(FileSystem stale) throws IOException;
    }

    DistributedFileSystem clientAfterHandover() throws IOException {
        handOverSubtree();
        return (DistributedFileSystem) FileSystem.newInstance(CLUSTER, conf);
    }
}
