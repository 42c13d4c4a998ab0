/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.hdfs.StockFederation;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A hashed directory over the stock NameNodes of two nameservices, for each test a new one. */
abstract class HashedDirectoryFixture {
    static final URI CLUSTER = URI.create("hdfs://cluster");
    static final String SHARED =
            "user::rwx,user:bob:rwx,group::r-x,mask::rwx,other::---,default:user::rwx,default:user:bob:rwx,"
                    + "default:group::r-x,default:mask::rwx,default:other::---";

    static StockFederation federation;
    static int tables;

    Configuration conf;
    DistributedFileSystem first;
    DistributedFileSystem second;
    FileSystem files;
    HashedLayout layout;

    /** Each test has a directory of its own. */
    String directory;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.shared();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        directory = "/hashed" + tables + "/events";
        layout = new HashedLayout(directory, 2);
        conf = federation.tableClientConfiguration("hdfs://ns1/.trefoil/hashing" + tables);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(directory));
        first.setPermission(new Path(directory), new FsPermission((short) 0750));
        assertThat(runTableCommand("create", "cluster")).isZero();
    }

    @AfterEach
    void close() throws IOException {
        if (files != null) {
            files.close();
        }
        first.close();
        second.close();
    }

    int runTableCommand(String... arguments) {
        return runTableCommand(new ByteArrayOutputStream(), arguments);
    }

    int runTableCommand(ByteArrayOutputStream output, String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(Arrays.asList(arguments));
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, out, out, all.toArray(new String[0]));
    }

    void hashDirectory() throws IOException {
        assertThat(runTableCommand("hash", directory, "ns1,ns2")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
    }

    Path pathOf(String name) {
        return new Path(directory, name);
    }

    static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    static void assertReads(FileSystem fileSystem, Path path, String text) throws IOException {
        try (FSDataInputStream in = fileSystem.open(path)) {
            assertThat(in.readUTF()).isEqualTo(text);
        }
    }

    List<String> listNames(FileSystem fileSystem, Path path) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus one : fileSystem.listStatus(path)) {
            assertThat(one.getPath().getParent()).isEqualTo(fileSystem.makeQualified(path));
            names.add(one.getPath().getName());
        }
        RemoteIterator<FileStatus> each = fileSystem.listStatusIterator(path);
        for (String one : names) {
            assertThat(each.next().getPath()).isEqualTo(new Path(fileSystem.makeQualified(path), one));
        }
        return names;
    }

    /** A name that goes to a group. */
    String nameInGroup(int group, String prefix) {
        int number = 0;
        while (layout.homeOf("/" + prefix + number) != group) {
            number++;
        }
        return prefix + number;
    }

    void assertNoLeftovers() throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(one.listStatus(new Path(HashedLayout.rootOf(directory)))).isEmpty();
            assertThat(one.listStatus(new Path(HashedLayout.renamesOf(directory))))
                    .isEmpty();
        }
    }

    List<FileStatus> stations() throws IOException {
        List<FileStatus> stations = new ArrayList<>();
        for (DistributedFileSystem one : List.of(first, second)) {
            stations.addAll(Arrays.asList(one.listStatus(new Path(HashedLayout.renamesOf(directory)))));
        }
        return stations;
    }

    static FsPermission allPermissions() {
        return new FsPermission((short) 0777);
    }

    DistributedFileSystem clientOfGroup(int group) {
        return group == 0 ? first : second;
    }

    static DistributedFileSystem clientAs(String user, String nameservice) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> federation.fileSystem(nameservice));
    }

    void assertFilledDirectory(String path) throws IOException {
        List<String> wanted = List.of(nameInGroup(0, "file"), nameInGroup(1, "file"));
        for (String name : wanted) {
            assertReads(files, pathOf(path + "/" + name), name);
        }
        assertThat(listNames(files, pathOf(path)))
                .containsAll(wanted)
                .contains("sub")
                .hasSize(3);
        assertThat(listNames(files, pathOf(path + "/sub"))).isEmpty();
    }

    FileSystem clientAs(String user) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf));
    }

    /** What decides in each nameservice who gets at the files. */
    void assertSameAccess(String dir) throws IOException {
        FileStatus seen = files.getFileStatus(dir.isEmpty() ? new Path(directory) : pathOf(dir));
        AclStatus acl = files.getAclStatus(seen.getPath());
        String path = dir.isEmpty() ? "" : "/" + dir;
        for (int group = 0; group < 2; group++) {
            for (String place : List.of(layout.placePath(group, path), layout.contentsPath(group, path))) {
                FileStatus part = clientOfGroup(group).getFileStatus(new Path(place));
                assertThat(part.getOwner()).as(place).isEqualTo(seen.getOwner());
                assertThat(part.getGroup()).as(place).isEqualTo(seen.getGroup());
                assertThat(part.getPermission()).as(place).isEqualTo(seen.getPermission());
                assertThat(clientOfGroup(group).getAclStatus(new Path(place)).getEntries())
                        .as(place)
                        .isEqualTo(acl.getEntries());
            }
        }
    }

    void assertNoMarks(String path) throws IOException {
        for (int group = 0; group < 2; group++) {
            for (FileStatus one : clientOfGroup(group).listStatus(new Path(layout.contentsPath(group, path)))) {
                assertThat(HashedLayout.isReserved(one.getPath().getName())).isFalse();
            }
        }
    }

    static short mode(FileSystem fileSystem, Path path) throws IOException {
        return fileSystem.getFileStatus(path).getPermission().toShort();
    }
}
