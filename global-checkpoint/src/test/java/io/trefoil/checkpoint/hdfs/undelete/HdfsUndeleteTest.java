/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.undelete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.hdfs.archive.ReadOnlyNameNode;
import io.trefoil.checkpoint.undelete.UndeleteAction;
import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.foundation.Progress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a NameNode that runs and one that serves what it had; without DataNodes, so all files are empty and differ by their times. */
class HdfsUndeleteTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    private static final UndeleteOptions CAREFUL = UndeleteOptions.of(false);

    @TempDir
    java.nio.file.Path directory;

    private final Configuration conf = new HdfsConfiguration();
    private NameNode running;
    private URI uri;
    /** Of the namespace of the past, while it is served. */
    private URI pastUri;

    private DistributedFileSystem fs;

    @BeforeEach
    void startNameNode() throws IOException {
        // One JVM has several NameNodes here.
        DefaultMetricsSystem.setMiniClusterMode(true);
        conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        conf.set("dfs.namenode.http-address", "127.0.0.1:0");
        conf.set("dfs.namenode.name.dir", directory.resolve("name").toUri().toString());
        conf.set("dfs.namenode.gc.time.monitor.enable", "false");
        NameNode.format(conf);
        running = NameNode.createNameNode(new String[0], conf);
        uri = URI.create("hdfs://" + NetUtils.getHostPortString(running.getNameNodeAddress()));
        fs = (DistributedFileSystem) FileSystem.newInstance(uri, new Configuration());
    }

    @AfterEach
    void stopNameNode() throws IOException {
        fs.close();
        running.stop();
        running.join();
    }

    /** What is done with a namespace of the past. */
    private interface Inspection {
        void inspect(HdfsUndelete undelete) throws Exception;
    }

    /** Serves what there is now, while something happens. */
    private void changeThenInspect(Inspection change, Inspection inspection) throws Exception {
        running.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
        running.getRpcServer().saveNamespace(0, 0);
        running.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
        java.nio.file.Path then = Files.createDirectories(directory.resolve("then/current"));
        try (Stream<java.nio.file.Path> files = Files.list(directory.resolve("name/current"))) {
            for (java.nio.file.Path file : (Iterable<java.nio.file.Path>) files::iterator) {
                if (file.getFileName().toString().matches("fsimage.*|VERSION")) {
                    Files.copy(file, then.resolve(file.getFileName()));
                }
            }
        }
        // No edits are wanted behind the image.
        Files.writeString(then.resolve("seen_txid"), "0\n");
        try (ReadOnlyNameNode served =
                        ReadOnlyNameNode.start(new HdfsConfiguration(), directory.resolve("then"), ANY_PORT, ANY_PORT);
                HdfsUndelete undelete = HdfsUndelete.open(new Configuration(), URI.create(served.uri()), uri)) {
            pastUri = URI.create(served.uri());
            change.inspect(undelete);
            inspection.inspect(undelete);
        }
    }

    private void createFile(String path) throws IOException {
        fs.create(new Path(path)).close();
    }

    private FileStatus status(String path) throws IOException {
        return fs.getFileStatus(new Path(path));
    }

    private static Map<String, UndeleteAction> actions(List<UndeleteStep> steps) {
        Map<String, UndeleteAction> actions = new LinkedHashMap<>();
        steps.forEach(step -> actions.put(step.past().path(), step.action()));
        return actions;
    }

    private static Map<String, String> sources(List<UndeleteStep> steps) {
        Map<String, String> sources = new LinkedHashMap<>();
        steps.forEach(step ->
                step.source().ifPresent(source -> sources.put(step.past().path(), source)));
        return sources;
    }

    private static List<UndeleteStep> execute(HdfsUndelete undelete, List<UndeleteStep> steps) {
        return undelete.execute(steps, Progress.SILENT.begin("undelete", "paths"));
    }

    /** Ends what it watches when something was done. */
    private static final class EndingTask implements Progress.Task {
        @Override
        public void reportTotal(long total) {}

        @Override
        public void reportDone(long completed) {
            throw new IllegalStateException("killed");
        }

        @Override
        public void close() {}
    }

    private void trash(String path) throws IOException {
        Path trashed = new Path("/user/alice/.Trash/Current" + path);
        fs.mkdirs(trashed.getParent());
        fs.rename(new Path(path), trashed);
    }

    @Test
    void filesComeBackFromTrashAndSnapshots() throws Exception {
        fs.mkdirs(new Path("/kept"));
        fs.allowSnapshot(new Path("/kept"));
        for (String path : List.of("/kept/in/a", "/gone/in/b", "/gone/lost", "/gone/renamed")) {
            createFile(path);
        }
        fs.setOwner(new Path("/kept/in/a"), "bob", "staff");
        fs.setXAttr(new Path("/kept/in/a"), "user.kind", new byte[] {1});
        fs.setPermission(new Path("/gone/in/b"), new FsPermission((short) 0600));
        fs.createSnapshot(new Path("/kept"), "s1");

        changeThenInspect(
                undelete -> {
                    fs.setPermission(new Path("/gone/in/b"), new FsPermission((short) 0444));
                    fs.rename(new Path("/gone/renamed"), new Path("/elsewhere"));
                    fs.delete(new Path("/gone/lost"), false);
                    fs.delete(new Path("/kept/in"), true);
                    trash("/gone");
                },
                undelete -> {
                    assertThatThrownBy(() -> undelete.plan("/never", CAREFUL))
                            .isInstanceOf(FileNotFoundException.class)
                            .hasMessage("/never was not there");
                    List<UndeleteStep> steps = undelete.plan("/gone", CAREFUL);
                    assertThat(actions(steps))
                            .containsExactly(
                                    entry("/gone", UndeleteAction.CREATE),
                                    entry("/gone/in", UndeleteAction.CREATE),
                                    entry("/gone/in/b", UndeleteAction.RENAME),
                                    entry("/gone/lost", UndeleteAction.LOSE),
                                    entry("/gone/renamed", UndeleteAction.LOSE));
                    assertThat(steps.get(3).reason())
                            .isEqualTo("it is deleted, and neither the trash nor a snapshot has it at this path");
                    assertThat(steps.get(4).reason()).contains("it was renamed, and is /.reserved/.inodes/");
                    assertThat(actions(undelete.plan("/", CAREFUL)))
                            .containsEntry("/gone/in/b", UndeleteAction.RENAME)
                            .containsEntry("/kept/in/a", UndeleteAction.COPY);
                    assertThat(fs.exists(new Path("/gone")))
                            .as("nothing was changed")
                            .isFalse();
                    execute(undelete, steps);
                    assertThat(status("/gone/in/b").getPermission()).isEqualTo(new FsPermission((short) 0600));
                    assertThat(fs.exists(new Path("/gone/lost"))).isFalse();
                    assertThat(actions(undelete.plan("/gone", UndeleteOptions.of(true))))
                            .containsEntry("/gone/in/b", UndeleteAction.SKIP)
                            .containsEntry("/gone", UndeleteAction.SKIP)
                            .containsEntry("/gone/renamed", UndeleteAction.COPY);

                    List<UndeleteStep> kept = undelete.plan("/kept/in/a", CAREFUL);
                    assertThat(actions(kept))
                            .containsExactly(
                                    entry("/kept", UndeleteAction.SKIP),
                                    entry("/kept/in", UndeleteAction.CREATE),
                                    entry("/kept/in/a", UndeleteAction.COPY));
                    assertThat(kept.get(2).source()).contains("/kept/.snapshot/s1/in/a");
                    long modified = status("/kept/.snapshot/s1/in/a").getModificationTime();
                    execute(undelete, kept);
                    assertThat(status("/kept/in/a").getModificationTime()).isEqualTo(modified);
                    assertThat(status("/kept/in/a").getOwner()).isEqualTo("bob");
                    assertThat(fs.getXAttrs(new Path("/kept/in/a"))).containsOnlyKeys("user.kind");
                    assertThat(fs.listStatus(new Path("/kept/in")))
                            .as("no draft is left")
                            .hasSize(1);
                });
    }

    /** The snapshot is older than the path of then. */
    @Test
    void renamedFilesComeBackFromSnapshotUnderFormerPath() throws Exception {
        fs.mkdirs(new Path("/kept/old"));
        fs.allowSnapshot(new Path("/kept"));
        createFile("/kept/a");
        createFile("/kept/old/b");
        createFile("/kept/old/swapped");
        createFile("/kept/other");
        fs.createSnapshot(new Path("/kept"), "s1");
        fs.rename(new Path("/kept/a"), new Path("/kept/old/a-renamed"));
        fs.rename(new Path("/kept/old"), new Path("/kept/new"));
        fs.delete(new Path("/kept/new/swapped"), false);
        fs.rename(new Path("/kept/other"), new Path("/kept/new/swapped"));

        changeThenInspect(
                undelete -> {
                    fs.delete(new Path("/kept/new"), true);
                    fs.createSnapshot(new Path("/kept"), "later");
                },
                undelete -> {
                    List<UndeleteStep> steps = undelete.plan("/kept/new", CAREFUL);
                    assertThat(sources(steps))
                            .containsExactly(
                                    entry("/kept/new/a-renamed", "/kept/.snapshot/s1/a"),
                                    entry("/kept/new/b", "/kept/.snapshot/s1/old/b"),
                                    entry("/kept/new/swapped", "/kept/.snapshot/s1/other"));
                    assertThat(actions(execute(undelete, steps))).doesNotContainValue(UndeleteAction.FAIL);
                    assertThat(fs.listStatus(new Path("/kept/new"))).hasSize(3);
                });
    }

    @Test
    void lossNamesUnreadableSnapshots() throws Exception {
        fs.mkdirs(new Path("/kept"));
        fs.allowSnapshot(new Path("/kept"));
        createFile("/kept/a");
        fs.createSnapshot(new Path("/kept"), "s1");
        fs.rename(new Path("/kept/a"), new Path("/kept/renamed"));

        changeThenInspect(undelete -> fs.delete(new Path("/kept/renamed"), false), undelete -> {
            try (DistributedFileSystem past = new WithoutDiffs();
                    HdfsUndelete hindered = new HdfsUndelete(past, fs)) {
                past.initialize(pastUri, new Configuration());
                assertThat(hindered.plan("/kept/renamed", CAREFUL))
                        .filteredOn(step -> step.action() == UndeleteAction.LOSE)
                        .singleElement()
                        .satisfies(step -> assertThat(step.reason())
                                .contains("/kept/.snapshot/s1")
                                .contains("no diff today"));
            }
        });
    }

    /** A NameNode that cannot compare snapshots, as one with too little memory for a large report. */
    private static final class WithoutDiffs extends DistributedFileSystem {
        @Override
        public SnapshotDiffReport getSnapshotDiffReport(Path directory, String from, String to) throws IOException {
            throw new IOException("no diff today");
        }
    }

    @Test
    void attributesComeBackAlsoAfterInterruption() throws Exception {
        Path top = new Path("/data");
        Path file = new Path("/data/file");
        fs.mkdirs(top);
        fs.setQuota(top, 100, HdfsConstants.QUOTA_DONT_SET);
        fs.setQuotaByStorageType(top, StorageType.SSD, 1L << 30);
        fs.setStoragePolicy(top, "COLD");
        fs.setXAttr(top, "user.kind", "logs".getBytes(StandardCharsets.UTF_8));
        fs.setXAttr(top, "trusted.trefoil.mark", new byte[1]);
        createFile("/data/file");
        fs.setPermission(file, new FsPermission((short) 0640));
        fs.modifyAclEntries(file, AclEntry.parseAclSpec("user:bob:r--", true));
        fs.setOwner(file, "alice", "staff");
        fs.modifyAclEntries(top, AclEntry.parseAclSpec("default:group:audit:r-x", true));
        fs.setOwner(top, "etl", "staff");
        fs.setPermission(top, new FsPermission((short) 01750));
        fs.setTimes(file, 1_000_000, 2_000_000);
        fs.setTimes(top, 3_000_000, -1);
        List<AclEntry> acl = fs.getAclStatus(file).getEntries();
        List<AclEntry> defaults = fs.getAclStatus(top).getEntries();

        changeThenInspect(
                undelete -> {
                    trash("/data/file");
                    fs.delete(top, true);
                },
                undelete -> {
                    List<UndeleteStep> steps = undelete.plan("/data", CAREFUL);
                    // It ends when the directory is there, and nothing of what it had.
                    assertThatThrownBy(() -> undelete.execute(steps, new EndingTask()))
                            .hasMessage("killed");
                    assertThat(status("/data").getPermission()).isEqualTo(new FsPermission((short) 0700));
                    List<UndeleteStep> again = undelete.plan("/data", CAREFUL);
                    assertThat(actions(again)).containsEntry("/data", UndeleteAction.CREATE);
                    execute(undelete, again);

                    FileStatus found = status("/data");
                    assertThat(found.getPermission()).isEqualTo(new FsPermission((short) 01750));
                    assertThat(found.getOwner() + ":" + found.getGroup()).isEqualTo("etl:staff");
                    assertThat(found.getModificationTime()).isEqualTo(3_000_000);
                    assertThat(fs.getXAttrs(top)).containsOnlyKeys("user.kind");
                    assertThat(fs.getAclStatus(top).getEntries()).isEqualTo(defaults);
                    assertThat(fs.getStoragePolicy(top).getName()).isEqualTo("COLD");
                    QuotaUsage quotas = fs.getQuotaUsage(top);
                    assertThat(List.of(quotas.getQuota(), quotas.getSpaceQuota(), quotas.getTypeQuota(StorageType.SSD)))
                            .containsExactly(100L, -1L, 1L << 30);
                    FileStatus inside = status("/data/file");
                    assertThat(inside.getOwner()).isEqualTo("alice");
                    assertThat(inside.getModificationTime()).isEqualTo(1_000_000);
                    assertThat(fs.getAclStatus(file).getEntries()).isEqualTo(acl);
                    assertThat(actions(undelete.plan("/data", CAREFUL)).values())
                            .containsOnly(UndeleteAction.SKIP);
                });
    }

    @Test
    void copiedFileHasItsBytes() throws Exception {
        Configuration ofDataNode = new HdfsConfiguration();
        ofDataNode.set("fs.defaultFS", uri.toString());
        ofDataNode.set(
                "dfs.datanode.data.dir", directory.resolve("blocks").toUri().toString());
        for (String service : List.of("address", "http.address", "ipc.address")) {
            ofDataNode.set("dfs.datanode." + service, "localhost:0");
        }
        DataNode dataNode = DataNode.createDataNode(new String[0], ofDataNode);
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> running.getNamesystem().getNumLiveDataNodes() == 1);
            fs.mkdirs(new Path("/kept"));
            fs.allowSnapshot(new Path("/kept"));
            Path file = new Path("/kept/file");
            write(file, "of then");
            fs.createSnapshot(new Path("/kept"), "s1");

            changeThenInspect(undelete -> fs.delete(file, false), undelete -> {
                execute(undelete, undelete.plan("/kept/file", CAREFUL));
                try (FSDataInputStream in = fs.open(file)) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                            .isEqualTo("of then");
                }
                assertThat(fs.getFileStatus(file).getReplication()).isEqualTo((short) 1);
            });
        } finally {
            dataNode.shutdown();
        }
    }

    private void write(Path path, String text) throws IOException {
        try (FSDataOutputStream out = fs.create(path, (short) 1)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Map<String, String> reasons(List<UndeleteStep> steps) {
        Map<String, String> reasons = new LinkedHashMap<>();
        steps.forEach(step -> reasons.put(step.past().path(), step.reason()));
        return reasons;
    }

    @Test
    void nothingIsEverOverwritten() throws Exception {
        fs.mkdirs(new Path("/kept"));
        fs.allowSnapshot(new Path("/kept"));
        createFile("/kept/file");
        createFile("/kept/late");
        createFile("/kept/new/inside");
        createFile("/kept/other");
        createFile("/kept/directory/file");
        fs.setTimes(new Path("/kept/file"), 1_000_000, 1_000_000);
        fs.setTimes(new Path("/kept/late"), 1_000_000, 1_000_000);
        fs.createSnapshot(new Path("/kept"), "s1");

        changeThenInspect(
                undelete -> {
                    fs.delete(new Path("/kept/directory"), true);
                    createFile("/kept/directory");
                    for (String path : List.of("/kept/file", "/kept/late", "/kept/new", "/kept/other")) {
                        fs.delete(new Path(path), true);
                    }
                    createFile("/kept/file");
                },
                undelete -> {
                    List<UndeleteStep> steps = undelete.plan("/kept", CAREFUL);
                    assertThat(actions(steps))
                            .containsExactly(
                                    entry("/kept", UndeleteAction.SKIP),
                                    entry("/kept/directory", UndeleteAction.KEEP),
                                    entry("/kept/directory/file", UndeleteAction.LOSE),
                                    entry("/kept/file", UndeleteAction.KEEP),
                                    entry("/kept/late", UndeleteAction.COPY),
                                    entry("/kept/new", UndeleteAction.CREATE),
                                    entry("/kept/new/inside", UndeleteAction.COPY),
                                    entry("/kept/other", UndeleteAction.COPY));
                    assertThat(reasons(steps).get("/kept/file")).contains("another file is in the way");
                    assertThat(reasons(steps).get("/kept/directory")).contains("a file is in the way");
                    // Clients come between the plan and its execution.
                    createFile("/kept/late");
                    fs.mkdirs(new Path("/kept/new"));

                    List<UndeleteStep> outcomes = execute(undelete, steps);

                    assertThat(actions(outcomes))
                            .containsEntry("/kept/file", UndeleteAction.KEEP)
                            .containsEntry("/kept/late", UndeleteAction.FAIL)
                            .containsEntry("/kept/new", UndeleteAction.FAIL)
                            .containsEntry("/kept/new/inside", UndeleteAction.FAIL)
                            .containsEntry("/kept/other", UndeleteAction.COPY);
                    assertThat(status("/kept/file").getModificationTime()).isGreaterThan(1_000_000);
                    assertThat(status("/kept/late").getModificationTime()).isGreaterThan(1_000_000);
                    assertThat(fs.listStatus(new Path("/kept/new"))).isEmpty();
                    assertThat(fs.listStatus(new Path("/kept")))
                            .as("no draft is left")
                            .hasSize(5);
                });
    }

    @Test
    void encryptedFilesAreNeverCopied() throws Exception {
        fs.close();
        running.stop();
        running.join();
        String keys = "jceks://file" + directory.resolve("keys.jceks").toUri().getPath();
        conf.set("hadoop.security.key.provider.path", keys);
        KeyProvider provider = KeyProviderFactory.getProviders(conf).get(0);
        KeyProvider.Options key = KeyProvider.options(conf);
        key.setBitLength(128);
        provider.createKey("key", key);
        provider.flush();
        running = NameNode.createNameNode(new String[0], conf);
        uri = URI.create("hdfs://" + NetUtils.getHostPortString(running.getNameNodeAddress()));
        fs = (DistributedFileSystem) FileSystem.newInstance(uri, conf);
        fs.mkdirs(new Path("/all/zone"));
        fs.allowSnapshot(new Path("/all"));
        fs.createEncryptionZone(new Path("/all/zone"), "key");
        createFile("/all/zone/trashed");
        createFile("/all/zone/deleted");
        fs.mkdirs(new Path("/all/zone/inner"));
        fs.createEncryptionZone(new Path("/all/zone/inner"), "key");
        fs.mkdirs(new Path("/all/zone/plain"));
        fs.createSnapshot(new Path("/all"), "s1");

        changeThenInspect(
                undelete -> {
                    for (String gone : List.of("deleted", "inner", "plain")) {
                        fs.delete(new Path("/all/zone/" + gone), true);
                    }
                    Path trash = new Path("/all/zone/.Trash/alice/Current/all/zone");
                    fs.mkdirs(trash);
                    fs.rename(new Path("/all/zone/trashed"), new Path(trash, "trashed"));
                },
                undelete -> {
                    List<UndeleteStep> steps = undelete.plan("/all/zone", CAREFUL);
                    assertThat(actions(steps))
                            .containsEntry("/all/zone/deleted", UndeleteAction.LOSE)
                            .containsEntry("/all/zone/inner", UndeleteAction.LOSE)
                            .containsEntry("/all/zone/plain", UndeleteAction.CREATE)
                            .containsEntry("/all/zone/trashed", UndeleteAction.RENAME);
                    assertThat(reasons(steps).get("/all/zone/inner"))
                            .as("as a plain directory, files in it would be under the key of the outer zone")
                            .contains("it was an encryption zone");
                    assertThat(reasons(steps).get("/all/zone/deleted"))
                            .contains(
                                    "was encrypted",
                                    "hdfs dfs -cp -p '/all/.snapshot/s1/zone/deleted' '/all/zone/deleted'");
                    assertThat(actions(execute(undelete, steps)))
                            .containsEntry("/all/zone/trashed", UndeleteAction.RENAME);

                    FileStatus zone = status("/all/zone");
                    fs.delete(new Path("/all/zone"), true);
                    assertThat(actions(undelete.plan("/all/zone", CAREFUL)))
                            .containsEntry("/all/zone", UndeleteAction.LOSE)
                            .containsEntry("/all/zone/deleted", UndeleteAction.LOSE);
                    fs.mkdirs(new Path("/all/zone"));
                    fs.setOwner(new Path("/all/zone"), zone.getOwner(), zone.getGroup());
                    assertThat(actions(undelete.plan("/all/zone", CAREFUL)))
                            .as("a plain directory has the zone's name")
                            .containsEntry("/all/zone", UndeleteAction.SKIP)
                            .containsEntry("/all/zone/deleted", UndeleteAction.LOSE)
                            .containsEntry("/all/zone/trashed", UndeleteAction.LOSE);
                });
    }

    @Test
    void nothingIsPutIntoDirectoriesOfOthers() throws Exception {
        fs.mkdirs(new Path("/all"));
        fs.allowSnapshot(new Path("/all"));
        createFile("/all/owner/in/file");
        createFile("/all/mode/file");
        createFile("/all/acl/file");
        createFile("/all/same/file");
        createFile("/all/same/changed");
        fs.setOwner(new Path("/all/owner"), "alice", "staff");
        fs.modifyAclEntries(new Path("/all/acl"), AclEntry.parseAclSpec("user:bob:r-x", true));
        fs.createSnapshot(new Path("/all"), "s1");

        changeThenInspect(
                undelete -> {
                    for (String path : List.of("owner/in", "mode/file", "acl/file", "same/file")) {
                        fs.delete(new Path("/all", path), true);
                    }
                    fs.setOwner(new Path("/all/owner"), "bob", "users");
                    fs.setPermission(new Path("/all/mode"), new FsPermission((short) 0777));
                    fs.modifyAclEntries(new Path("/all/acl"), AclEntry.parseAclSpec("user:bob:--x", true));
                    fs.setOwner(new Path("/all/same/changed"), "bob", "users");
                    fs.setPermission(new Path("/all"), new FsPermission((short) 0711));
                },
                undelete -> {
                    for (String path : List.of("owner", "mode", "acl")) {
                        List<UndeleteStep> steps = undelete.plan("/all/" + path, CAREFUL);
                        Map<String, UndeleteAction> found = actions(steps);
                        assertThat(found.remove("/all")).as("it is above").isEqualTo(UndeleteAction.SKIP);
                        assertThat(found.values()).as(path).containsOnly(UndeleteAction.DIFFER);
                        execute(undelete, steps);
                        assertThat(fs.listStatus(new Path("/all", path))).isEmpty();
                    }
                    assertThat(reasons(undelete.plan("/all/owner", CAREFUL)).get("/all/owner"))
                            .isEqualTo("it was alice:staff rwxr-xr-x, and is bob:users rwxr-xr-x now");
                    assertThat(reasons(undelete.plan("/all/acl", CAREFUL)).get("/all/acl"))
                            .endsWith(", with another ACL");
                    assertThat(actions(undelete.plan("/all/same", CAREFUL)))
                            .containsExactly(
                                    entry("/all", UndeleteAction.SKIP),
                                    entry("/all/same", UndeleteAction.SKIP),
                                    entry("/all/same/changed", UndeleteAction.DIFFER),
                                    entry("/all/same/file", UndeleteAction.COPY));
                    assertThat(actions(undelete.plan("/all", CAREFUL)).values())
                            .as("the asked path itself is another")
                            .containsOnly(UndeleteAction.DIFFER);
                });
    }

    @Test
    void otherStepsAreDoneWhenOneFails() throws Exception {
        fs.mkdirs(new Path("/kept"));
        fs.allowSnapshot(new Path("/kept"));
        createFile("/kept/was/in");
        fs.createSnapshot(new Path("/kept"), "old");
        fs.delete(new Path("/kept/was"), true);
        createFile("/kept/was");
        fs.createSnapshot(new Path("/kept"), "older-than-the-directory");
        fs.delete(new Path("/kept/was"), false);
        createFile("/kept/was/a");
        createFile("/kept/was/b");
        createFile("/kept/was/c");
        fs.setPermission(new Path("/kept/was"), new FsPermission((short) 0750));
        fs.createSnapshot(new Path("/kept"), "s1");

        changeThenInspect(
                undelete -> {
                    trash("/kept/was/b");
                    fs.delete(new Path("/kept/was"), true);
                    // Directories of the way to it are files in the trash.
                    createFile("/user/bob/.Trash/Current/kept");
                    createFile("/user/carol/.Trash/Current");
                },
                undelete -> {
                    fs.createSnapshot(new Path("/kept"), "now");
                    List<UndeleteStep> steps = undelete.plan("/kept/was", CAREFUL);
                    assertThat(actions(steps))
                            .containsEntry("/kept/was/a", UndeleteAction.COPY)
                            .containsEntry("/kept/was/b", UndeleteAction.RENAME)
                            .containsEntry("/kept/was/c", UndeleteAction.COPY);
                    fs.delete(new Path("/user/alice/.Trash"), true);

                    List<UndeleteStep> outcomes = execute(undelete, steps);

                    assertThat(actions(outcomes))
                            .containsExactly(
                                    entry("/kept", UndeleteAction.SKIP),
                                    entry("/kept/was", UndeleteAction.CREATE),
                                    entry("/kept/was/a", UndeleteAction.COPY),
                                    entry("/kept/was/b", UndeleteAction.FAIL),
                                    entry("/kept/was/c", UndeleteAction.COPY));
                    assertThat(reasons(outcomes).get("/kept/was/b"))
                            .startsWith("it is in the trash: /user/alice/.Trash/Current/kept/was/b; failed: ");
                    assertThat(status("/kept/was").getPermission())
                            .as("the directory is finished")
                            .isEqualTo(new FsPermission((short) 0750));
                    assertThat(actions(undelete.plan("/kept/was", CAREFUL)))
                            .containsEntry("/kept/was", UndeleteAction.SKIP)
                            .containsEntry("/kept/was/b", UndeleteAction.COPY);
                });
    }
}
