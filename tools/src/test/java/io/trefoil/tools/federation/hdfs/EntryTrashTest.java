/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users with a trash, and what is listed where an entry has no directory, or its owner does not answer. */
class EntryTrashTest {

    private static final URI CLUSTER = URI.create("hdfs://cluster");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int tables;

    private Configuration conf;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private FileSystem files;
    private Path around;
    private Path entry;

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
        around = new Path("/warehouse" + tables);
        entry = new Path(around, "e");
        conf = federation.tableClientConfiguration("hdfs://ns1/.trefoil/trash" + tables);
        conf.set("fs.trash.interval", "60");
        conf.set("fs.defaultFS", CLUSTER.toString());
        // The shell would get the client of an earlier test.
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(around, "of-first"));
        second.mkdirs(entry);
        assertThat(runTableCommand("create", "cluster")).isZero();
        assertThat(runTableCommand("add", entry.toString(), "ns2")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
        write(new Path(entry, "file"));
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

    private void write(Path path) throws IOException {
        try (FSDataOutputStream out = files.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    private static List<String> listedNames(FileStatus... listed) {
        List<String> names = new ArrayList<>();
        for (FileStatus one : listed) {
            assertThat(one.getPath().toUri().getAuthority()).isEqualTo("cluster");
            names.add(one.getPath().getName());
        }
        return names;
    }

    /** What the shell says; empty if all is well. */
    private String runShell(String... arguments) throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        FsShell shell = new FsShell(conf);
        try {
            int exit = shell.run(arguments);
            assertThat(exit == 0).as(said::toString).isEqualTo(said.size() == 0);
        } finally {
            shell.close();
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    private void assertNotMovedToTrash(Path path, String reason) throws Exception {
        String said = runShell("-rm", "-r", path.toString());

        assertThat(said)
                .contains(reason)
                .contains("-skipTrash")
                .doesNotContain("Usage")
                .doesNotContain("Wrong FS");
        assertThat(files.exists(path)).isTrue();
    }

    @Test
    void refusesToMoveEntryToTrash() throws Exception {
        assertNotMovedToTrash(entry, "is not renamed, nor moved to a trash");
        assertNotMovedToTrash(around, "is not renamed, nor moved to a trash");
        assertThatThrownBy(() -> Trash.moveToAppropriateTrash(files, entry, conf))
                .isInstanceOf(IOException.class);

        assertThat(second.exists(new Path(entry, "file"))).isTrue();
        assertThat(listedNames(files.listStatus(around))).containsExactly("e", "of-first");
        // What is in it has a trash, as ever.
        assertThat(runShell("-rm", "-r", entry + "/file")).isEmpty();
        assertThat(files.exists(new Path(entry, "file"))).isFalse();
    }

    /** A hashed directory in which every user may write. */
    private Path createHashedDirectory() throws IOException {
        Path hashed = new Path(around, "h");
        first.mkdirs(hashed);
        first.setPermission(around, new FsPermission((short) 0755));
        first.setPermission(hashed, new FsPermission((short) 0777));
        assertThat(runTableCommand("hash", hashed.toString(), "ns1,ns2")).isZero();
        files.close();
        files = FileSystem.newInstance(CLUSTER, conf);
        return hashed;
    }

    private static void runAs(String user, Callable<?> action) throws Exception {
        UserGroupInformation.createUserForTesting(user, new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<Object>) action::call);
    }

    private static Path trashOf(Path hashed, String user) {
        return new Path(hashed, ".Trash/" + user + "/Current" + hashed);
    }

    @Test
    void deletedFilesOfHashedDirectoryGoToItsTrash() throws Exception {
        Path hashed = createHashedDirectory();
        for (String user : List.of("alice", "bob")) {
            runAs(user, () -> {
                try (FileSystem own = FileSystem.newInstance(CLUSTER, conf)) {
                    for (int i = 0; i < 5; i++) {
                        own.create(new Path(hashed, user + i)).close();
                        own.create(new Path(hashed, user + "/part" + i)).close();
                    }
                    assertThat(runShell("-rm", hashed + "/" + user + "*[0-9]")).isEmpty();
                    assertThat(runShell("-rm", "-r", hashed + "/" + user)).isEmpty();

                    Path trash = trashOf(hashed, user);
                    assertThat(own.listStatus(trash)).hasSize(6);
                    assertThat(own.listStatus(new Path(trash, user))).hasSize(5);
                    assertThat(runShell("-mv", trash + "/" + user, hashed + "/back-" + user))
                            .isEmpty();
                    assertThat(own.listStatus(new Path(hashed, "back-" + user))).hasSize(5);
                }
                return null;
            });
        }
        assertThat(listedNames(files.listStatus(hashed))).containsExactly(".Trash", "back-alice", "back-bob");
        assertThat(files.getFileStatus(new Path(hashed, ".Trash")).getPermission())
                .hasToString("rwxrwxrwt");
    }

    @Test
    void trashOfHashedDirectoryIsExpunged() throws Exception {
        Path hashed = createHashedDirectory();
        write(new Path(hashed, "file"));
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        assertThat(Trash.moveToAppropriateTrash(files, new Path(hashed, "file"), conf))
                .isTrue();
        assertThat(files.exists(new Path(trashOf(hashed, user), "file"))).isTrue();

        assertThat(runShell("-expunge", "-immediate")).isEmpty();

        assertThat(listedNames(files.listStatus(new Path(hashed, ".Trash/" + user))))
                .isEmpty();
        write(new Path(hashed, "file"));
        assertThat(runShell("-rm", hashed + "/file")).isEmpty();
        assertThat(runShell("-rm", "-r", hashed + "/.Trash/" + user + "/Current"))
                .isEmpty();
        assertThat(listedNames(files.listStatus(new Path(hashed, ".Trash/" + user))))
                .isEmpty();
    }

    @Test
    void hashedDirectoryItselfIsNotMovedToTrash() throws Exception {
        Path hashed = createHashedDirectory();
        write(new Path(hashed, "file"));
        assertNotMovedToTrash(hashed, "is not renamed, nor moved to a trash");
        assertThat(files.resolvePath(new Path(hashed, "file")).toUri().getAuthority())
                .isEqualTo("cluster");
        assertThat(runShell("-rm", "-skipTrash", hashed + "/file")).isEmpty();
        assertThat(files.exists(new Path(hashed, "file"))).isFalse();
    }

    @Test
    void parentListsEntryAfterOwnerLostDirectory() throws IOException {
        second.delete(entry, true);

        assertThat(listedNames(files.listStatus(around))).containsExactly("e", "of-first");
        assertThat(listedNames(files.globStatus(new Path(around, "*")))).containsExactly("e", "of-first");
        assertThatThrownBy(() -> files.listStatus(entry))
                .isNotInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("its owner, ns2, has no such directory");
        assertThatThrownBy(() -> files.globStatus(new Path(around, "*/*")))
                .hasMessageContaining("its owner, ns2, has no such directory");
    }

    @Test
    void parentListsEntryWhileOwnerIsDown() throws IOException {
        Configuration alone = new Configuration(conf);
        alone.set("dfs.namenode.rpc-address.ns2.nn1", "localhost:1");
        alone.setInt("dfs.client.failover.max.attempts", 1);
        alone.setInt("dfs.client.retry.max.attempts", 1);
        alone.setInt("ipc.client.connect.max.retries", 0);
        try (FileSystem cut = FileSystem.newInstance(CLUSTER, alone)) {
            assertThat(listedNames(cut.listStatus(around))).containsExactly("e", "of-first");
            assertThat(listedNames(cut.globStatus(new Path(around, "of-*")))).containsExactly("of-first");
            assertThat(cut.listFiles(new Path(around, "of-first"), true).hasNext())
                    .isFalse();
            // A pattern that leads into it says so.
            assertThatThrownBy(() -> cut.globStatus(new Path(around, "*/*"))).isInstanceOf(IOException.class);
        }
    }
}
