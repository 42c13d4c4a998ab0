/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What NameNodes with {@code trefoil.federation.gate} say to users who do not know the table. */
class GatedDirectoriesTest {

    private static final URI CLUSTER = URI.create("hdfs://cluster");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int tables;

    private Configuration conf;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private FileSystem files;
    private String subtree;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.start(directory);
        federation.enableGate("ns1");
        federation.enableGate("ns2");
    }

    @AfterAll
    static void stop() {
        federation.close();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        subtree = "/gated" + tables + "/events";
        conf = federation.tableClientConfiguration("hdfs://ns1/.trefoil/gated" + tables);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(new Path(subtree));
            one.setOwner(new Path(subtree).getParent(), "bob", "users");
            one.setOwner(new Path(subtree), "bob", "users");
        }
        assertThat(runTableCommand("create", "cluster")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
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

    private Path pathOf(String name) {
        return new Path(subtree, name);
    }

    private static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    private static DistributedFileSystem clientAs(String user, String nameservice) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> federation.fileSystem(nameservice));
    }

    private FileSystem clientAs(String user) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf));
    }

    private static List<String> listedNames(FileStatus[] listed) {
        List<String> names = new ArrayList<>();
        for (FileStatus one : listed) {
            names.add(one.getPath().getName());
        }
        return names;
    }

    /** As Routers, mappers of paths, and all other clients do that do not know the table. */
    @Test
    void refusesDirectNameserviceCallsWhileDirectoryIsHashed() throws Exception {
        assertThat(runTableCommand("hash", subtree, "ns1,ns2")).isZero();
        write(files, pathOf("file"));
        try (DistributedFileSystem stranger = clientAs("mallory", "ns1")) {
            assertThatThrownBy(() -> stranger.listStatus(new Path(subtree)))
                    .hasMessageContaining("it is hdfs://cluster" + subtree + " now");
            assertThatThrownBy(() -> stranger.getFileStatus(pathOf("file"))).hasMessageContaining("hdfs://cluster");
            assertThatThrownBy(() -> stranger.mkdirs(pathOf("sub"))).hasMessageContaining("hdfs://cluster");
        }
        try (FileSystem bob = clientAs("bob")) {
            assertThat(listedNames(bob.listStatus(new Path(subtree)))).containsExactly("file");
        }

        files.delete(pathOf("file"), false);
        assertThat(runTableCommand("unhash", subtree)).isZero();
        try (DistributedFileSystem stranger = clientAs("mallory", "ns1")) {
            assertThat(stranger.listStatus(new Path(subtree))).isEmpty();
        }
    }

    private int runShell(String... arguments) throws Exception {
        Configuration stock = new Configuration(second.getConf());
        stock.set("fs.trash.interval", "60");
        stock.setBoolean("fs.hdfs.impl.disable.cache", true);
        FsShell shell = new FsShell(stock);
        try {
            return shell.run(arguments);
        } finally {
            shell.close();
        }
    }

    private void assertDirectoryKept() throws Exception {
        for (Path path : List.of(new Path(subtree), new Path(subtree).getParent())) {
            String there = "hdfs://ns2" + path;
            assertThat(runShell("-rm", "-r", there)).as(there).isNotZero();
            assertThat(runShell("-rm", "-r", "-skipTrash", there)).as(there).isNotZero();
            assertThatThrownBy(() -> second.delete(path, true)).hasMessageContaining(subtree + " is an entry");
        }
        assertThatThrownBy(() -> second.rename(new Path(subtree), new Path("/elsewhere")))
                .hasMessageContaining("'hdfs trefoil table remove'");
        assertThat(second.exists(pathOf("file"))).isTrue();
    }

    private boolean isListed(DistributedFileSystem owner) throws IOException {
        Map<String, byte[]> attributes = owner.getXAttrs(new Path("/"));
        return attributes.entrySet().stream()
                .anyMatch(one -> EntryMark.isDirectoriesAttribute(one.getKey())
                        && MovedMark.decodeDirectories(one.getValue()).contains(subtree));
    }

    private int runMove(String to) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, nowhere, "subtree", "move", subtree, "--to", to);
    }

    @Test
    void stockClientsCannotRemoveDirectoryOfEntry() throws Exception {
        assertThat(runTableCommand("add", subtree, "ns2")).isZero();
        write(second, pathOf("file"));
        assertDirectoryKept();
        assertThat(listedNames(files.listStatus(new Path(subtree).getParent()))).containsExactly("events");

        assertThat(runMove("ns1")).isZero();
        assertThat(isListed(second)).isFalse();
        assertThat(isListed(first)).as("it is no entry there").isFalse();
        assertThat(runMove("ns2")).isZero();
        assertThat(isListed(first)).isFalse();
        assertDirectoryKept();

        // What is in it goes, and so does the directory when it is no entry any more.
        assertThat(runShell("-rm", "-r", "-skipTrash", "hdfs://ns2" + pathOf("file")))
                .isZero();
        assertThat(runTableCommand("remove", subtree)).isZero();
        assertThat(isListed(second)).isFalse();
        assertThat(first.delete(new Path(subtree), true)).isTrue();
    }
}
