/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.FaultInjectingProxyProvider;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore.DirectoryState;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table and its seals on stock NameNodes, and stock clients that follow it. */
class HdfsTableStoreTest {

    private static final Instant NOW = Instant.parse("2026-11-24T08:00:00Z");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int directories;

    private String tableDirectory;
    private HdfsTableStore store;
    private DistributedFileSystem first;
    private DistributedFileSystem second;

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
        directories++;
        tableDirectory = "hdfs://ns1/.trefoil/subtrees" + directories;
        store = new HdfsTableStore(federation.clientConfiguration(), tableDirectory);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        first.close();
        second.close();
    }

    private static TableRecord record(SubtreeTable table, String user) {
        return TableRecord.of(table, "of the test", user, NOW);
    }

    private static int run(Configuration conf, String... arguments) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, nowhere, System.err, arguments);
    }

    private static void write(FileSystem fileSystem, String path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(new Path(path))) {
            out.writeUTF(path);
        }
    }

    @Test
    void appendsEachVersionOnceAndReadsItBack() throws IOException {
        assertThat(store.newest()).isEmpty();
        TableRecord one = record(SubtreeTable.first("cluster", "ns1"), "alice");

        assertThat(store.append(one)).isTrue();
        assertThat(store.append(record(SubtreeTable.first("other", "ns1"), "bob")))
                .isFalse();

        assertThat(store.newest()).contains(one);
        assertThat(store.history()).containsExactly(one);
        assertThat(first.listStatus(new Path(tableDirectory)))
                .extracting(FileStatus::getPath)
                .extracting(Path::getName)
                .containsExactly("mount-table.1.xml");
    }

    @Test
    void tableIsReadableRegardlessOfUmask() throws Exception {
        Configuration conf = federation.clientConfiguration();
        conf.set("fs.permissions.umask-mode", "077");
        String own = "hdfs://ns1/.tables" + directories + "/own";
        try (HdfsTableStore maker = new HdfsTableStore(conf, own)) {
            assertThat(maker.append(record(SubtreeTable.first("cluster", "ns1"), "alice")))
                    .isTrue();
        }
        TableRecord read = runAs("bob", () -> {
            try (HdfsTableStore reader = new HdfsTableStore(federation.clientConfiguration(), own)) {
                return reader.newest().orElseThrow();
            }
        });
        assertThat(read.requester()).isEqualTo("alice");
    }

    @Test
    void tableDirectoryIsReadableWhenCreatorDiesAtAnyCall() throws Exception {
        Path above = new Path("/.ended" + directories);
        // The second maker finds what the first has made.
        for (Path made : new Path[] {above, new Path(above, "own")}) {
            Configuration conf = federation.clientConfiguration();
            conf.set("fs.permissions.umask-mode", "077");
            FaultInjectingProxyProvider.startProcess(conf, "maker-of-" + made, 1);
            // On a thread of its own, since a call that does not arrive leaves its number in Hadoop's thread-locals.
            CompletableFuture<Boolean> process = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try (HdfsTableStore maker = new HdfsTableStore(conf, "hdfs://ns1" + above + "/own")) {
                    process.complete(maker.append(record(SubtreeTable.first("cluster", "ns1"), "alice")));
                } catch (IOException | RuntimeException e) {
                    process.completeExceptionally(e);
                }
            });
            thread.start();
            thread.join();
            assertThatThrownBy(process::get)
                    .hasCauseInstanceOf(FaultInjectingProxyProvider.ProcessDeathException.class);
            assertThat(first.getFileStatus(made).getPermission()).isEqualTo(new FsPermission((short) 0755));
        }
    }

    @Test
    void hashedPartsKeepAccessRestrictionsOfDirectory() throws Exception {
        Path home = new Path("/closed" + directories);
        SubtreePath path = SubtreePath.parse(home + "/open/hashed");
        first.mkdirs(new Path(path.text()));
        first.setOwner(home, "bob", "staff");
        first.setPermission(home, new FsPermission((short) 0700));
        first.setOwner(new Path(home, "open"), "bob", "staff");
        first.setAcl(
                new Path(home, "open"),
                AclEntry.parseAclSpec(
                        "user::rwx,user:carol:r-x,group::---,mask::r-x,other::---,default:user:dave:rwx", true));
        first.setPermission(new Path(path.text()), new FsPermission((short) 0755));

        store.createPart("ns2", "ns1", path);
        store.createPart("ns2", "ns1", path);
        write(second, path.partPath() + "/file");

        for (SubtreePath made : new SubtreePath[] {path.partPath(), path.renamesPath()}) {
            assertThat(second.getAclStatus(new Path(made.text())).getEntries()).isEmpty();
        }
        for (String user : new String[] {"bob", "eve"}) {
            boolean mayRead = runAs(user, () -> {
                try (DistributedFileSystem own = federation.fileSystem("ns2");
                        InputStream in = own.open(new Path(path.partPath() + "/file"))) {
                    return in.read() >= -1;
                } catch (AccessControlException e) {
                    return false;
                }
            });
            assertThat(mayRead).as(user).isEqualTo(user.equals("bob"));
        }
        assertThat(second.getAclStatus(new Path(path.parent().partPath().text()))
                        .getEntries())
                .containsExactlyElementsOf(AclEntry.parseAclSpec("user:bob:r-x,user:carol:r-x,group::---", true));
        assertThat(second.getFileStatus(new Path("/.trefoil/hashed")).getPermission())
                .isEqualTo(new FsPermission((short) 0755));
    }

    /** The owner of the directory above may rename and delete the directory, but not one part of it. */
    @Test
    void usersCannotRenameOrDeleteHashedParts() throws Exception {
        Path home = new Path("/owned" + directories);
        SubtreePath path = SubtreePath.parse(home + "/hashed");
        first.mkdirs(new Path(path.text()));
        first.setOwner(home, "bob", "staff");
        first.setOwner(new Path(path.text()), "bob", "staff");

        store.createPart("ns2", "ns1", path);

        for (SubtreePath made : new SubtreePath[] {path.partPath(), path.renamesPath()}) {
            Path part = new Path(made.text());
            List<Boolean> done = runAs("bob", () -> {
                try (DistributedFileSystem own = federation.fileSystem("ns2")) {
                    return List.of(
                            isPermitted(() -> own.rename(part, part.suffix("-other"), Options.Rename.NONE)),
                            isPermitted(() -> own.delete(part, true)),
                            isPermitted(() -> own.mkdirs(part.suffix("-new"))),
                            isPermitted(() -> own.setPermission(part.getParent(), new FsPermission((short) 0777))),
                            isPermitted(() -> own.mkdirs(new Path(part, "inside"))));
                }
            });
            assertThat(done).as(made.text()).containsExactly(false, false, false, false, true);
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }

    private static boolean isPermitted(Attempt attempt) throws IOException {
        try {
            attempt.run();
            return true;
        } catch (AccessControlException e) {
            return false;
        }
    }

    @Test
    void onlySuperusersMayChangeTable() throws Exception {
        store.append(record(SubtreeTable.first("cluster", "ns1"), "alice"));
        Path home = new Path("/home" + directories);
        first.mkdirs(home);
        first.setOwner(home, "bob", null);
        second.mkdirs(new Path(home, "his"));

        assertThat(store.isSuperuser("ns1")).isTrue();
        assertThat(runAs("bob", () -> {
                    try (HdfsTableStore his = new HdfsTableStore(federation.clientConfiguration(), tableDirectory)) {
                        return his.isSuperuser("ns1") || his.isSuperuser("ns2");
                    }
                }))
                .isFalse();
        int code = runAs(
                "bob",
                () -> run(
                        federation.clientConfiguration(),
                        "table",
                        "add",
                        home + "/his",
                        "ns2",
                        "--table",
                        tableDirectory));

        assertThat(code).isEqualTo(1);
        int created = runAs(
                "bob",
                () -> run(
                        federation.clientConfiguration(),
                        "table",
                        "create",
                        "his",
                        "--table",
                        "hdfs://ns1" + home + "/table"));
        assertThat(created).isEqualTo(1);
        assertThat(first.listStatus(home))
                .as("what his rights would have let him make")
                .isEmpty();
        assertThat(store.history()).hasSize(1);
    }

    private static <T> T runAs(String user, PrivilegedExceptionAction<T> action) throws Exception {
        return UserGroupInformation.createRemoteUser(user).doAs(action);
    }

    @Test
    void sealedDirectoryRejectsWritesAndStays() throws IOException {
        SubtreePath path = SubtreePath.parse("/sealed/here");
        first.mkdirs(new Path("/sealed/here"));
        assertThat(store.inspect("ns1", path)).isEqualTo(DirectoryState.EMPTY);

        store.seal("ns1", path);
        store.seal("ns1", path);

        assertThat(store.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
        assertThatThrownBy(() -> write(first, "/sealed/here/file")).isInstanceOf(NSQuotaExceededException.class);
        assertThatThrownBy(() -> first.mkdirs(new Path("/sealed/here/directory")))
                .isInstanceOf(NSQuotaExceededException.class);
        write(first, "/elsewhere");
        assertThatThrownBy(() -> first.rename(new Path("/elsewhere"), new Path("/sealed/here/file")))
                .isInstanceOf(NSQuotaExceededException.class);
        for (String one : new String[] {"/sealed/here", "/sealed"}) {
            assertThatThrownBy(() -> first.delete(new Path(one), true)).hasMessageContaining("has snapshots");
            assertThatThrownBy(() -> first.rename(new Path(one), new Path("/away")))
                    .hasMessageContaining("has snapshots");
        }

        store.unseal("ns1", path);
        store.unseal("ns1", path);

        assertThat(store.inspect("ns1", path)).isEqualTo(DirectoryState.EMPTY);
        write(first, "/sealed/here/file");
        assertThat(store.inspect("ns1", path)).isEqualTo(DirectoryState.IN_USE);
        assertThat(first.delete(new Path("/sealed"), true)).isTrue();
    }

    @Test
    void unsealCompletesHalfRemovedSeal() throws IOException {
        SubtreePath path = SubtreePath.parse("/halfway");
        Path there = new Path(path.text());
        store.seal("ns1", path);
        first.deleteSnapshot(there, HdfsTableStore.SEAL);

        store.unseal("ns1", path);

        assertThat(first.getFileStatus(there).isSnapshotEnabled()).isFalse();
        write(first, "/halfway/file");
    }

    /** A quota alone in a directory that clients use may be any user's, so it would stay. */
    @Test
    void unsealCanBeRepeatedAfterRaceWithSeal() throws IOException {
        SubtreePath path = SubtreePath.parse("/late");
        store.seal("ns1", path);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        store.seal("ns1", path, () -> {
            if (isFirst.getAndSet(false)) {
                store.unseal("ns1", path);
                write(first, "/late/file");
            }
        });
        assertThatThrownBy(() -> write(first, "/late/other")).isInstanceOf(NSQuotaExceededException.class);

        store.unseal("ns1", path);

        write(first, "/late/other");
        assertThat(store.sealRemovalCommands("ns1", path)).isEmpty();
    }

    @Test
    void sealRemovalCommandsMatchRemainingSealParts() throws IOException {
        SubtreePath path = SubtreePath.parse("/shut");
        Path there = new Path(path.text());
        assertThat(store.sealRemovalCommands("ns1", path)).isEmpty();
        assertThat(store.hasRedirect("ns1", path)).isFalse();
        store.seal("ns1", path);
        first.setXAttr(there, MovedMark.NAME, MovedMark.of("ns2", 2).value());

        assertThat(store.hasRedirect("ns1", path)).isTrue();
        assertThat(store.sealRemovalCommands("ns1", path))
                .containsExactly(
                        "hdfs dfs -setfattr -x trusted.trefoil.moved hdfs://ns1/shut",
                        "hdfs dfsadmin -fs hdfs://ns1 -clrQuota /shut",
                        "hdfs dfs -deleteSnapshot hdfs://ns1/shut trefoil-sealed",
                        "hdfs dfsadmin -fs hdfs://ns1 -disallowSnapshot /shut");

        store.unseal("ns1", path);
        assertThat(store.hasRedirect("ns1", path)).isFalse();
        assertThat(store.sealRemovalCommands("ns1", path)).isEmpty();
        // As by a process that comes late, when clients work here again.
        write(first, "/shut/file");
        first.setQuota(there, 1, HdfsConstants.QUOTA_DONT_SET);
        assertThat(store.sealRemovalCommands("ns1", path))
                .containsExactly("hdfs dfsadmin -fs hdfs://ns1 -clrQuota /shut");
    }

    @Test
    void refusesToSealDirectoryWithUserQuota() throws IOException {
        first.mkdirs(new Path("/limited"));
        first.setQuota(new Path("/limited"), 100, Long.MAX_VALUE);

        assertNotSealed("/limited", "has a quota of 100 names");
        assertThat(first.getQuotaUsage(new Path("/limited")).getQuota()).isEqualTo(100);
    }

    /** The obstacles are those for which sealing is refused. */
    private void assertNotSealed(String path, String reason) throws IOException {
        assertThat(store.sealObstacles("ns1", SubtreePath.parse(path))).hasSize(1);
        assertThat(store.sealObstacles("ns1", SubtreePath.parse(path)).get(0)).contains(reason);
        assertThatThrownBy(() -> store.seal("ns1", SubtreePath.parse(path)))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void refusesToSealDirectoryWhenHdfsForbidsSnapshots() throws IOException {
        Path around = new Path("/around" + directories);
        first.mkdirs(new Path(around, "there"));
        first.allowSnapshot(around);
        assertNotSealed(around + "/there", "Snapshots are allowed in hdfs://ns1" + around);
        assertNotSealed(around + "/absent", "-disallowSnapshot " + around);
        assertThat(first.exists(new Path(around, "absent"))).isFalse();

        first.disallowSnapshot(around);
        SubtreePath there = SubtreePath.parse(around + "/there");
        first.allowSnapshot(new Path(there.text()));
        assertThat(store.sealObstacles("ns1", there)).isEmpty();
        store.seal("ns1", there);
        assertThat(store.sealObstacles("ns1", there)).isEmpty();
    }

    @Test
    void refusesPartOfDirectoryWithAcl() throws IOException {
        SubtreePath path = SubtreePath.parse("/listed" + directories);
        first.mkdirs(new Path(path.text()));
        assertThat(store.partObstacles("ns1", path)).isEmpty();
        first.setAcl(
                new Path(path.text()),
                AclEntry.parseAclSpec("user::rwx,user:bob:r-x,group::---,mask::r-x,other::---", true));

        assertThat(store.partObstacles("ns1", path)).hasSize(1);
        assertThatThrownBy(() -> store.createPart("ns2", "ns1", path))
                .isInstanceOf(TableRefusedException.class)
                .hasMessage(store.partObstacles("ns1", path).get(0))
                .hasMessageContaining("hdfs dfs -setfacl -b hdfs://ns1" + path);
        assertThat(second.exists(new Path(path.partPath().text()))).isFalse();
    }

    /** Files of parts would silently be without it. */
    @Test
    void refusesPartOfDirectoryWithStorageOrErasureCodingPolicy() throws IOException {
        SubtreePath path = SubtreePath.parse("/policies" + directories + "/below");
        Path above = new Path(path.text()).getParent();
        first.mkdirs(new Path(path.text()));
        first.setStoragePolicy(above, "COLD");
        assertNoPart(path, "has a storage policy, or is in a directory that has one");
        first.unsetStoragePolicy(above);
        first.setErasureCodingPolicy(above, "RS-6-3-1024k");
        assertNoPart(path, "has an erasure coding policy, or is in a directory that has one");
        first.unsetErasureCodingPolicy(above);
        assertThat(store.partObstacles("ns1", path)).isEmpty();
    }

    private void assertNoPart(SubtreePath path, String reason) throws IOException {
        assertThat(store.partObstacles("ns1", path)).hasSize(1);
        assertThatThrownBy(() -> store.createPart("ns2", "ns1", path))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining(reason);
        assertThat(second.exists(new Path(path.partPath().text()))).isFalse();
    }

    @Test
    void treatsNoNameNodeAsRouter() throws IOException {
        assertThat(store.isRouterNameservice("ns1")).isFalse();
    }

    @Test
    void stockClientsFollowTable() throws IOException {
        Configuration conf = federation.tableClientConfiguration(tableDirectory);
        first.mkdirs(new Path("/view"));
        second.mkdirs(new Path("/view/logs/old"));
        assertThat(run(conf, "table", "create", "cluster")).isZero();
        assertThat(run(conf, "table", "add", "/view/logs", "ns2")).isZero();
        assertThat(run(conf, "table", "add", "/view/logs/old", "ns1")).isEqualTo(1);
        first.mkdirs(new Path("/view/logs"));
        conf.set("fs.hdfs.impl", ViewDistributedFileSystem.class.getName());

        try (FileSystem view = FileSystem.newInstance(URI.create("hdfs://cluster"), conf)) {
            write(view, "/view/here");
            write(view, "/view/logs/there");
            write(view, "hdfs://cluster/view/logs/old/deep");

            assertThat(first.exists(new Path("/view/here"))).isTrue();
            assertThat(second.exists(new Path("/view/logs/there"))).isTrue();
            assertThat(second.exists(new Path("/view/logs/old/deep"))).isTrue();
            assertThat(view.listStatus(new Path("/view")))
                    .extracting(status -> status.getPath().toString())
                    .containsExactlyInAnyOrder("hdfs://cluster/view/here", "hdfs://cluster/view/logs");
        }
        assertThatThrownBy(() -> write(first, "/view/logs/stale")).isInstanceOf(NSQuotaExceededException.class);
    }

    @Test
    void refusesTableDirectoryOutsideNameservice() {
        assertThatThrownBy(() -> new HdfsTableStore(federation.clientConfiguration(), "hdfs://ns3/t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no nameservice ns3");
        assertThatThrownBy(() -> new HdfsTableStore(federation.clientConfiguration(), "/t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hdfs://nameservice/directory");
    }
}
