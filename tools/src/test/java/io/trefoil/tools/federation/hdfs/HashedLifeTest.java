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
class HashedLifeTest extends HashedDirectoryFixture {
    @Test
    void hashCreatesPartsInEachNameservice() throws IOException {
        hash();

        for (DistributedFileSystem one : List.of(first, second)) {
            FileStatus part = one.getFileStatus(new Path(HashedLayout.rootOf(folder)));
            assertThat(part.getPermission().toShort()).isEqualTo((short) 0750);
        }
        assertThat(SubtreePath.parse(folder).part()).hasToString(HashedLayout.rootOf(folder));
        assertThat(SubtreePath.parse(folder).renames()).hasToString(HashedLayout.renamesOf(folder));
        assertThat(files.getFileStatus(new Path(folder)).getPermission().toShort())
                .isEqualTo((short) 0750);
        assertThat(table("hash", folder + "/in", "ns1,ns2")).isEqualTo(1);
        assertThat(table("add", "/hashed" + tables, "ns2")).isEqualTo(1);
        assertThat(table("remove", folder)).isEqualTo(1);
    }

    /** Who only lists must not be made to give it to another one. */
    @Test
    void foreignDirectoryInPlaceOfPartStaysUnchanged() throws IOException {
        hash();
        files.setPermission(new Path(folder), everything());
        String dir = nameOf(0, "dir");
        files.mkdirs(in(dir));
        files.setPermission(in(dir), everything());
        Path place = new Path(layout.place(1, "/" + dir));
        assertThat(second.rename(place, new Path(place.getParent(), ".trefoil-new-aside")))
                .isTrue();
        second.mkdirs(place, new FsPermission((short) 0700));
        first.mkdirs(new Path(layout.contents(0, "/" + dir), ".trefoil-change-mine"));

        assertThat(names(files, in(dir))).isEmpty();

        assertThat(mode(second, place)).isEqualTo((short) 0700);
        second.mkdirs(new Path(place, ".trefoil-change-mine"));
        assertThat(names(files, in(dir))).isEmpty();
        assertThat(mode(second, place)).isEqualTo((short) 0777);
    }

    @Test
    void staleClientsFollowHashingAndStockClientsAreRefused() throws IOException {
        try (FileSystem stale = FileSystem.newInstance(CLUSTER, conf);
                ViewDistributedFileSystem stock = new ViewDistributedFileSystem()) {
            assertThat(stale.exists(new Path(folder))).isTrue();
            hash();

            write(stale, in("by-stale"));
            stock.initialize(CLUSTER, new Configuration(conf));
            assertThatThrownBy(() -> write(stock, in("by-stock"))).isInstanceOf(NSQuotaExceededException.class);
            write(stock, new Path("/stock" + tables));
            assertThat(names(files, new Path(folder))).containsExactly("by-stale");
            assertThat(files.exists(new Path("/stock" + tables))).isTrue();
        }
    }

    /** As when the directory is given up or hashed again, or when the command that does it has ended in the middle. */
    @Test
    void writerWaitsWhilePartIsSealed() throws Exception {
        hash();
        SubtreePath part = SubtreePath.parse(folder).part();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            for (int group = 0; group < 2; group++) {
                String nameservice = "ns" + (group + 1);
                Path file = in(nameOf(group, "file"));
                store.seal(nameservice, part);

                long looks = looks();
                Future<Void> written = other.submit(() -> {
                    write(files, file);
                    return null;
                });
                await().until(() -> looks() > looks + 1 || written.isDone());
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
    private static long looks() {
        StorageStatistics statistics = GlobalStorageStatistics.INSTANCE.get("TrefoilSubtrees");
        return statistics == null ? 0 : statistics.getLong("checks");
    }

    @Test
    void writerFailsWhenPartStaysSealed() throws IOException {
        conf.set("trefoil.client.failover.timeout.cluster", "1s");
        hash();
        SubtreePath part = SubtreePath.parse(folder).part();
        try (HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            for (int group = 0; group < 2; group++) {
                store.seal("ns" + (group + 1), part);
                Path name = in(nameOf(group, "name"));
                assertThatThrownBy(() -> write(files, name)).isInstanceOf(NSQuotaExceededException.class);
                assertThatThrownBy(() -> files.mkdirs(name)).isInstanceOf(NSQuotaExceededException.class);
                assertThatThrownBy(() -> write(files, new Path(name, "file")))
                        .isInstanceOf(NSQuotaExceededException.class);
                store.unseal("ns" + (group + 1), part);
            }
        }
        assertNothingIsLeft();
    }

    /** Also where parts have snapshots: those of a seal, or of an operator. */
    @Test
    void rejectsReservedSnapshotName() throws IOException {
        hash();
        Path part = new Path(HashedLayout.rootOf(folder));
        for (int group = 0; group < 2; group++) {
            assertHasNoSnapshots();
            one(group).allowSnapshot(part);
            one(group).createSnapshot(part, "trefoil-sealed");
            assertHasNoSnapshots();
        }
        for (int group = 0; group < 2; group++) {
            one(group).deleteSnapshot(part, "trefoil-sealed");
            one(group).disallowSnapshot(part);
        }
        assertNothingIsLeft();
    }

    private void assertHasNoSnapshots() throws IOException {
        write(files, in("file"));
        for (String one : List.of(".snapshot", ".snapshot/trefoil-sealed", ".snapshot/trefoil-sealed/file")) {
            assertThat(files.exists(in(one))).isFalse();
            assertThatThrownBy(() -> files.listStatus(in(one))).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.open(in(one))).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.mkdirs(in(one))).hasMessageContaining("has no snapshots");
            assertThatThrownBy(() -> files.create(in(one))).hasMessageContaining("has no snapshots");
            assertThat(files.delete(in(one), true)).isFalse();
            assertThat(files.rename(in(one), in("new"))).isFalse();
            assertThat(files.rename(in("file"), in(one))).isFalse();
        }
        assertThat(files.delete(in("file"), false)).isTrue();
    }

    @Test
    void unhashReturnsEmptyDirectoryToOwnerAndClientsFollow() throws IOException {
        hash();
        write(files, in("file"));
        assertThat(table("unhash", folder)).isEqualTo(1);
        assertReads(files, in("file"), "file");
        files.delete(in("file"), false);

        assertThat(table("unhash", folder, "--dry-run")).isZero();
        try (FileSystem stale = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(table("unhash", folder)).isZero();
            stale.setPermission(new Path(folder), new FsPermission((short) 0751));
            assertThat(mode(first, new Path(folder))).isEqualTo((short) 0751);
        }
        first.setPermission(new Path(folder), new FsPermission((short) 0750));
        write(files, in("by-stale"));
        assertThat(first.exists(in("by-stale"))).isTrue();
        assertThat(first.getFileStatus(new Path(folder)).getPermission().toShort())
                .isEqualTo((short) 0750);
        assertNothingIsLeft();

        first.delete(in("by-stale"), false);
        assertThat(table("hash", folder, "ns2,ns1")).isEqualTo(1);
        assertThat(table("hash", folder, "ns1,ns2")).isZero();
        write(files, in("hashed-again"));
        assertThat(first.exists(in("hashed-again"))).isFalse();
        assertThat(names(files, new Path(folder))).containsExactly("hashed-again");
    }

    /** All but the copying itself, which needs MapReduce. */
    @Test
    void copyCommandsForHashedDirectoryReturnItToOwner() throws Exception {
        hash();
        files.mkdirs(in("day"));
        for (int group = 0; group < 2; group++) {
            write(files, in("day/" + nameOf(group, "file")));
            write(files, in(nameOf(group, "old")));
            assertThat(files.rename(in(nameOf(group, "old")), in("day/" + nameOf(1 - group, "new"))))
                    .isTrue();
        }
        FSDataOutputStream open = files.create(in("open"));
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(table(output, "unhash", folder)).isEqualTo(1);

        // Who may write above it would make another folder as soon as there is none.
        first.setPermission(new Path(folder).getParent(), new FsPermission((short) 0777));
        boolean isClosed = false;
        for (String line : output.toString(StandardCharsets.UTF_8).lines().toList()) {
            if (line.startsWith("When you have looked at it")) {
                isClosed = false;
            }
            if (isClosed) {
                assertClosed();
            }
            if (line.contains("-update")) {
                open.writeUTF("open");
                open.close();
            }
            if (line.startsWith("  ")) {
                type(line.trim().split(" "));
            }
            isClosed |= line.contains("-chmod 000 hdfs://ns2");
        }
        assertThat(names(first, new Path(folder))).containsExactly("day", "open");
        assertThat(names(first, in("day")))
                .containsExactlyInAnyOrder(nameOf(0, "file"), nameOf(1, "file"), nameOf(0, "new"), nameOf(1, "new"));
        assertReads(files, in("open"), "open");
        assertReads(files, in("day/" + nameOf(0, "new")), nameOf(1, "old"));
        write(files, in("later"));
        assertThat(first.exists(in("later"))).isTrue();
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(names(one, new Path(HashedLayout.rootOf(folder)).getParent()))
                    .containsExactly("events");
            assertThat(names(one, new Path(HashedLayout.rootOf(folder)))).isEmpty();
        }
    }

    private void assertClosed() throws Exception {
        UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<Void>) () -> {
                    try (FileSystem others = FileSystem.newInstance(CLUSTER, conf)) {
                        assertThatThrownBy(() -> others.create(in("more"), false))
                                .isInstanceOf(IOException.class);
                        assertThatThrownBy(() -> others.mkdirs(in("more"))).isInstanceOf(IOException.class);
                    }
                    return null;
                });
    }

    private void type(String... words) throws Exception {
        String[] arguments = Arrays.copyOfRange(words, 2, words.length);
        String command = words[0] + " " + words[1];
        if (command.equals("hadoop distcp")) {
            Path copy = new Path(words[words.length - 1]);
            first.delete(copy, true);
            assertThat(FileUtil.copy(files, new Path(words[words.length - 2]), first, copy, false, conf))
                    .isTrue();
            return;
        }
        PrintStream standardError = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = command.equals("hdfs trefoil")
                    ? table(Arrays.copyOfRange(arguments, 1, arguments.length))
                    : ToolRunner.run(command.equals("hdfs dfs") ? new FsShell(conf) : new DFSAdmin(conf), arguments);
        } finally {
            System.setErr(standardError);
        }
        assertThat(exitCode)
                .as("%s: %s", String.join(" ", words), said.toString(StandardCharsets.UTF_8))
                .isZero();
    }
}
