/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.table.SubtreePath;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;

/** A hashed directory from its first day to its last: hashed, sealed, and given back. */
class HashedLifecycleTest extends HashedDirectoryFixture {
    @Test
    void hashCreatesPartsInEachNameservice() throws IOException {
        hashDirectory();

        for (DistributedFileSystem one : List.of(first, second)) {
            FileStatus part = one.getFileStatus(new Path(HashedLayout.rootOf(directory)));
            assertThat(part.getPermission().toShort()).isEqualTo((short) 0750);
        }
        assertThat(SubtreePath.parse(directory).partPath()).hasToString(HashedLayout.rootOf(directory));
        assertThat(SubtreePath.parse(directory).renamesPath()).hasToString(HashedLayout.renamesOf(directory));
        assertThat(files.getFileStatus(new Path(directory)).getPermission().toShort())
                .isEqualTo((short) 0750);
        assertThat(runTableCommand("hash", directory + "/in", "ns1,ns2")).isEqualTo(1);
        assertThat(runTableCommand("add", "/hashed" + tables, "ns2")).isEqualTo(1);
        assertThat(runTableCommand("remove", directory)).isEqualTo(1);
    }

    /** Who only lists must not be made to give it to another one. */
    @Test
    void foreignDirectoryInPlaceOfPartStaysUnchanged() throws IOException {
        hashDirectory();
        files.setPermission(new Path(directory), allPermissions());
        String dir = nameInGroup(0, "dir");
        files.mkdirs(pathOf(dir));
        files.setPermission(pathOf(dir), allPermissions());
        Path place = new Path(layout.placePath(1, "/" + dir));
        assertThat(second.rename(place, new Path(place.getParent(), ".trefoil-new-aside")))
                .isTrue();
        second.mkdirs(place, new FsPermission((short) 0700));
        first.mkdirs(new Path(layout.contentsPath(0, "/" + dir), ".trefoil-change-mine"));

        assertThat(listNames(files, pathOf(dir))).isEmpty();

        assertThat(mode(second, place)).isEqualTo((short) 0700);
        second.mkdirs(new Path(place, ".trefoil-change-mine"));
        assertThat(listNames(files, pathOf(dir))).isEmpty();
        assertThat(mode(second, place)).isEqualTo((short) 0777);
    }

    @Test
    void staleClientsFollowHashingAndStockClientsAreRefused() throws IOException {
        try (FileSystem stale = FileSystem.newInstance(CLUSTER, conf);
                ViewDistributedFileSystem stock = new ViewDistributedFileSystem()) {
            assertThat(stale.exists(new Path(directory))).isTrue();
            hashDirectory();

            write(stale, pathOf("by-stale"));
            stock.initialize(CLUSTER, new Configuration(conf));
            assertThatThrownBy(() -> write(stock, pathOf("by-stock"))).isInstanceOf(NSQuotaExceededException.class);
            write(stock, new Path("/stock" + tables));
            assertThat(listNames(files, new Path(directory))).containsExactly("by-stale");
            assertThat(files.exists(new Path("/stock" + tables))).isTrue();
        }
    }

    /** As when the directory is given up or hashed again, or when the command that does it has ended in the middle. */
    @Test
    void writerWaitsWhilePartIsSealed() throws Exception {
        hashDirectory();
        SubtreePath part = SubtreePath.parse(directory).partPath();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            for (int group = 0; group < 2; group++) {
                String nameservice = "ns" + (group + 1);
                Path file = pathOf(nameInGroup(group, "file"));
                store.seal(nameservice, part);

                long looks = tableChecks();
                Future<Void> written = other.submit(() -> {
                    write(files, file);
                    return null;
                });
                await().until(() -> tableChecks() > looks + 1 || written.isDone());
                assertThat(written).isNotDone();
                store.unseal(nameservice, part);
                written.get();
                assertThat(files.delete(file, false)).isTrue();
            }
        } finally {
            other.shutdown();
        }
    }

    /** How often this process has looked for a newer table. */
    private static long tableChecks() {
        StorageStatistics statistics = GlobalStorageStatistics.INSTANCE.get("TrefoilSubtrees");
        return statistics == null ? 0 : statistics.getLong("checks");
    }

    @Test
    void writerFailsWhenPartStaysSealed() throws IOException {
        conf.set("trefoil.client.failover.timeout.cluster", "1s");
        hashDirectory();
        SubtreePath part = SubtreePath.parse(directory).partPath();
        try (HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            for (int group = 0; group < 2; group++) {
                store.seal("ns" + (group + 1), part);
                Path name = pathOf(nameInGroup(group, "name"));
                assertThatThrownBy(() -> write(files, name)).isInstanceOf(NSQuotaExceededException.class);
                assertThatThrownBy(() -> files.mkdirs(name)).isInstanceOf(NSQuotaExceededException.class);
                assertThatThrownBy(() -> write(files, new Path(name, "file")))
                        .isInstanceOf(NSQuotaExceededException.class);
                store.unseal("ns" + (group + 1), part);
            }
        }
        assertNoLeftovers();
    }

    /** Also where parts have snapshots: those of a seal, or of an operator. */
    @Test
    void rejectsReservedSnapshotName() throws IOException {
        hashDirectory();
        Path part = new Path(HashedLayout.rootOf(directory));
        for (int group = 0; group < 2; group++) {
            assertHasNoSnapshots();
            clientOfGroup(group).allowSnapshot(part);
            clientOfGroup(group).createSnapshot(part, "trefoil-sealed");
            assertHasNoSnapshots();
        }
        for (int group = 0; group < 2; group++) {
            clientOfGroup(group).deleteSnapshot(part, "trefoil-sealed");
            clientOfGroup(group).disallowSnapshot(part);
        }
        assertNoLeftovers();
    }

    private void assertHasNoSnapshots() throws IOException {
        write(files, pathOf("file"));
        for (String one : List.of(".snapshot", ".snapshot/trefoil-sealed", ".snapshot/trefoil-sealed/file")) {
            assertThat(files.exists(pathOf(one))).isFalse();
            assertThatThrownBy(() -> files.listStatus(pathOf(one))).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.open(pathOf(one))).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.mkdirs(pathOf(one))).hasMessageContaining("has no snapshots");
            assertThatThrownBy(() -> files.create(pathOf(one))).hasMessageContaining("has no snapshots");
            assertThat(files.delete(pathOf(one), true)).isFalse();
            assertThat(files.rename(pathOf(one), pathOf("new"))).isFalse();
            assertThat(files.rename(pathOf("file"), pathOf(one))).isFalse();
        }
        assertThat(files.delete(pathOf("file"), false)).isTrue();
    }

    @Test
    void unhashReturnsEmptyDirectoryToOwnerAndClientsFollow() throws IOException {
        hashDirectory();
        write(files, pathOf("file"));
        assertThat(runTableCommand("unhash", directory)).isEqualTo(1);
        assertReads(files, pathOf("file"), "file");
        files.delete(pathOf("file"), false);

        assertThat(runTableCommand("unhash", directory, "--dry-run")).isZero();
        try (FileSystem stale = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(runTableCommand("unhash", directory)).isZero();
            stale.setPermission(new Path(directory), new FsPermission((short) 0751));
            assertThat(mode(first, new Path(directory))).isEqualTo((short) 0751);
        }
        first.setPermission(new Path(directory), new FsPermission((short) 0750));
        write(files, pathOf("by-stale"));
        assertThat(first.exists(pathOf("by-stale"))).isTrue();
        assertThat(first.getFileStatus(new Path(directory)).getPermission().toShort())
                .isEqualTo((short) 0750);
        assertNoLeftovers();

        first.delete(pathOf("by-stale"), false);
        assertThat(runTableCommand("hash", directory, "ns2,ns1")).isEqualTo(1);
        assertThat(runTableCommand("hash", directory, "ns1,ns2")).isZero();
        write(files, pathOf("hashed-again"));
        assertThat(first.exists(pathOf("hashed-again"))).isFalse();
        assertThat(listNames(files, new Path(directory))).containsExactly("hashed-again");
    }

    /** All but the copying itself, which needs MapReduce. */
    @Test
    void copyCommandsForHashedDirectoryReturnItToOwner() throws Exception {
        hashDirectory();
        files.mkdirs(pathOf("day"));
        for (int group = 0; group < 2; group++) {
            write(files, pathOf("day/" + nameInGroup(group, "file")));
            write(files, pathOf(nameInGroup(group, "old")));
            assertThat(files.rename(pathOf(nameInGroup(group, "old")), pathOf("day/" + nameInGroup(1 - group, "new"))))
                    .isTrue();
        }
        FSDataOutputStream open = files.create(pathOf("open"));
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(runTableCommand(output, "unhash", directory)).isEqualTo(1);

        // Who may write above it would make another directory as soon as there is none.
        first.setPermission(new Path(directory).getParent(), new FsPermission((short) 0777));
        boolean isClosed = false;
        for (String line : output.toString(StandardCharsets.UTF_8).lines().toList()) {
            if (line.startsWith("When you have looked at it")) {
                isClosed = false;
            }
            if (isClosed) {
                assertRefusesNewEntries();
            }
            if (line.contains("-update")) {
                open.writeUTF("open");
                open.close();
            }
            if (line.startsWith("  ")) {
                runCommand(line.trim().split(" "));
            }
            isClosed |= line.contains("-chmod 000 hdfs://ns2");
        }
        assertThat(listNames(first, new Path(directory))).containsExactly("day", "open");
        assertThat(listNames(first, pathOf("day")))
                .containsExactlyInAnyOrder(
                        nameInGroup(0, "file"), nameInGroup(1, "file"), nameInGroup(0, "new"), nameInGroup(1, "new"));
        assertReads(files, pathOf("open"), "open");
        assertReads(files, pathOf("day/" + nameInGroup(0, "new")), nameInGroup(1, "old"));
        write(files, pathOf("later"));
        assertThat(first.exists(pathOf("later"))).isTrue();
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(listNames(one, new Path(HashedLayout.rootOf(directory)).getParent()))
                    .containsExactly("events");
            assertThat(listNames(one, new Path(HashedLayout.rootOf(directory)))).isEmpty();
        }
    }

    private void assertRefusesNewEntries() throws Exception {
        UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<Void>) () -> {
                    try (FileSystem others = FileSystem.newInstance(CLUSTER, conf)) {
                        assertThatThrownBy(() -> others.create(pathOf("more"), false))
                                .isInstanceOf(IOException.class);
                        assertThatThrownBy(() -> others.mkdirs(pathOf("more"))).isInstanceOf(IOException.class);
                    }
                    return null;
                });
    }

    private void runCommand(String... orderArguments) throws Exception {
        String[] arguments = Arrays.copyOfRange(orderArguments, 2, orderArguments.length);
        String command = orderArguments[0] + " " + orderArguments[1];
        if (command.equals("hadoop distcp")) {
            Path copy = new Path(orderArguments[orderArguments.length - 1]);
            first.delete(copy, true);
            assertThat(FileUtil.copy(
                            files, new Path(orderArguments[orderArguments.length - 2]), first, copy, false, conf))
                    .isTrue();
            return;
        }
        PrintStream standardError = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = command.equals("hdfs trefoil")
                    ? runTableCommand(Arrays.copyOfRange(arguments, 1, arguments.length))
                    : ToolRunner.run(command.equals("hdfs dfs") ? new FsShell(conf) : new DFSAdmin(conf), arguments);
        } finally {
            System.setErr(standardError);
        }
        assertThat(exitCode)
                .as("%s: %s", String.join(" ", orderArguments), said.toString(StandardCharsets.UTF_8))
                .isZero();
    }
}
