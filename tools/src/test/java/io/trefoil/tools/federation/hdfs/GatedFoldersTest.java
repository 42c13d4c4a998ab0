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
class GatedFoldersTest {

    private static final URI CLUSTER = URI.create("hdfs://cluster");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int tables;

    private Configuration conf;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private FileSystem files;
    private String folder;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.start(directory);
        federation.gate("ns1");
        federation.gate("ns2");
    }

    @AfterAll
    static void stop() {
        federation.close();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        folder = "/gated" + tables + "/events";
        conf = federation.clientOfTable("hdfs://ns1/.trefoil/gated" + tables);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(new Path(folder));
            one.setOwner(new Path(folder).getParent(), "bob", "users");
            one.setOwner(new Path(folder), "bob", "users");
        }
        assertThat(table("create", "cluster")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
    }

    @AfterEach
    void close() throws IOException {
        files.close();
        first.close();
        second.close();
    }

    private int table(String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(Arrays.asList(arguments));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, nowhere, all.toArray(new String[0]));
    }

    private Path in(String name) {
        return new Path(folder, name);
    }

    private static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    private static DistributedFileSystem as(String user, String nameservice) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> federation.fileSystem(nameservice));
    }

    private FileSystem as(String user) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf));
    }

    private static List<String> names(FileStatus[] listed) {
        List<String> names = new ArrayList<>();
        for (FileStatus one : listed) {
            names.add(one.getPath().getName());
        }
        return names;
    }

    /** As Routers, mappers of paths, and everybody else do who does not know the table. */
    @Test
    void refusesDirectCallsToNameserviceWhileDirectoryIsHashed() throws Exception {
        assertThat(table("hash", folder, "ns1,ns2")).isZero();
        write(files, in("file"));
        try (DistributedFileSystem stranger = as("mallory", "ns1")) {
            assertThatThrownBy(() -> stranger.listStatus(new Path(folder)))
                    .hasMessageContaining("it is hdfs://cluster" + folder + " now");
            assertThatThrownBy(() -> stranger.getFileStatus(in("file"))).hasMessageContaining("hdfs://cluster");
            assertThatThrownBy(() -> stranger.mkdirs(in("sub"))).hasMessageContaining("hdfs://cluster");
        }
        try (FileSystem bob = as("bob")) {
            assertThat(names(bob.listStatus(new Path(folder)))).containsExactly("file");
        }

        files.delete(in("file"), false);
        assertThat(table("unhash", folder)).isZero();
        try (DistributedFileSystem stranger = as("mallory", "ns1")) {
            assertThat(stranger.listStatus(new Path(folder))).isEmpty();
        }
    }

    private int shell(String... words) throws Exception {
        Configuration stock = new Configuration(second.getConf());
        stock.set("fs.trash.interval", "60");
        stock.setBoolean("fs.hdfs.impl.disable.cache", true);
        FsShell shell = new FsShell(stock);
        try {
            return shell.run(words);
        } finally {
            shell.close();
        }
    }

    private void assertKept() throws Exception {
        for (Path path : List.of(new Path(folder), new Path(folder).getParent())) {
            String there = "hdfs://ns2" + path;
            assertThat(shell("-rm", "-r", there)).as(there).isNotZero();
            assertThat(shell("-rm", "-r", "-skipTrash", there)).as(there).isNotZero();
            assertThatThrownBy(() -> second.delete(path, true)).hasMessageContaining(folder + " is an entry");
        }
        assertThatThrownBy(() -> second.rename(new Path(folder), new Path("/elsewhere")))
                .hasMessageContaining("'hdfs trefoil table remove'");
        assertThat(second.exists(in("file"))).isTrue();
    }

    private boolean isListed(DistributedFileSystem owner) throws IOException {
        Map<String, byte[]> attributes = owner.getXAttrs(new Path("/"));
        return attributes.entrySet().stream()
                .anyMatch(one -> EntryMark.hasFolders(one.getKey())
                        && MovedMark.folders(one.getValue()).contains(folder));
    }

    private int move(String to) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, nowhere, "subtree", "move", folder, "--to", to);
    }

    @Test
    void stockClientsCannotRemoveDirectoryOfEntry() throws Exception {
        assertThat(table("add", folder, "ns2")).isZero();
        write(second, in("file"));
        assertKept();
        assertThat(names(files.listStatus(new Path(folder).getParent()))).containsExactly("events");

        assertThat(move("ns1")).isZero();
        assertThat(isListed(second)).isFalse();
        assertThat(isListed(first)).as("it is no entry there").isFalse();
        assertThat(move("ns2")).isZero();
        assertThat(isListed(first)).isFalse();
        assertKept();

        // What is in it goes, and so does the folder when it is no entry any more.
        assertThat(shell("-rm", "-r", "-skipTrash", "hdfs://ns2" + in("file"))).isZero();
        assertThat(table("remove", folder)).isZero();
        assertThat(isListed(second)).isFalse();
        assertThat(first.delete(new Path(folder), true)).isTrue();
    }
}
