/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeStatistics;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Our client on stock NameNodes, while the command changes the table that it follows. */
class SubtreeClientTest extends SubtreeClientFixture {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** The files in {@code conf/examples/subtrees}, with the addresses of this federation. */
    @Test
    void clientsWithSampleConfigurationSeeOneNamespace() throws IOException {
        Configuration sample = federation.clientConfiguration();
        for (String file : List.of("clients/core-site.xml", "hdfs-site.xml")) {
            sample.addResource(new Path(java.nio.file.Path.of("../conf/examples/subtrees", file)
                    .toAbsolutePath()
                    .toUri()));
        }
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        second.mkdirs(new Path("/sample"));
        for (List<String> words : List.of(List.of("create", "cluster"), List.of("add", "/sample", "ns2"))) {
            List<String> command = new ArrayList<>(List.of("table"));
            command.addAll(words);
            assertThat(TrefoilMain.run(sample, nowhere, nowhere, command.toArray(new String[0])))
                    .isZero();
        }

        try (FileSystem ofSample = FileSystem.newInstance(sample)) {
            write(ofSample, new Path("/sample/file"));
            write(ofSample, new Path("/other"));
        }
        FileContext.getFileContext(sample).mkdir(new Path("/sample/folder"), FsPermission.getDirDefault(), false);

        assertThat(second.exists(new Path("/sample/file"))).isTrue();
        assertThat(second.exists(new Path("/sample/folder"))).isTrue();
        assertThat(first.exists(new Path("/other"))).isTrue();
    }

    private void writeByContext(Path path) throws IOException {
        try (FSDataOutputStream out = context.create(path, EnumSet.of(CreateFlag.CREATE))) {
            out.writeUTF(path.getName());
        }
    }

    @Test
    void createRefusedBySealIsRetriedAtNewOwner() throws IOException {
        handOverSubtree();
        long before = repeatedCalls();

        write(files, pathOf("by-system"));
        writeByContext(pathOf("by-context"));

        assertThat(listNames(second)).containsExactlyInAnyOrder("by-system", "by-context");
        assertThat(listNames(first)).isEmpty();
        assertThat(repeatedCalls()).isEqualTo(before + 2);
        files.mkdirs(pathOf("folder"));
        assertThat(repeatedCalls()).isEqualTo(before + 2);
    }

    private void performAsStaleClients(List<ClientAction> actions) throws IOException {
        List<FileSystem> stale = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            FileSystem one = FileSystem.newInstance(CLUSTER, conf);
            assertThat(one.exists(new Path(directory))).isTrue();
            stale.add(one);
        }
        handOverSubtree();
        write(second, pathOf("file"));
        for (int i = 0; i < actions.size(); i++) {
            try (FileSystem one = stale.get(i)) {
                actions.get(i).perform(one);
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("deed " + i, e);
            }
        }
        assertThat(listNames(first)).isEmpty();
    }

    @Test
    void allCreationsFollowTable() throws IOException {
        FsPermission mode = FsPermission.getFileDefault();
        first.mkdirs(new Path("/elsewhere" + tables));
        performAsStaleClients(List.of(
                stale -> assertThat(stale.mkdirs(pathOf("0"))).isTrue(),
                stale -> assertThat(stale.mkdirs(pathOf("1"), mode)).isTrue(),
                stale -> assertThat(((DistributedFileSystem) stale).mkdir(pathOf("2"), mode))
                        .isTrue(),
                stale -> stale.create(pathOf("3"), true).close(),
                stale -> stale.create(pathOf("4"), (short) 1).close(),
                stale -> stale.createNonRecursive(pathOf("5"), mode, true, 4096, (short) 1, 1 << 20, null)
                        .close(),
                stale -> stale.createFile(pathOf("6")).build().close(),
                stale -> assertThat(stale.createNewFile(pathOf("7"))).isTrue(),
                // Within the old owner by the old version, between two by the new one.
                stale -> assertThatThrownBy(() -> stale.rename(new Path("/elsewhere" + tables), pathOf("8")))
                        .hasMessageContaining("Renames across Mount points not supported")));

        assertThat(listNames(second)).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "file");
        assertThat(second.getFileStatus(pathOf("5")).getBlockSize()).isEqualTo(1 << 20);
        assertThat(first.exists(new Path("/elsewhere" + tables))).isTrue();
    }

    @Test
    void missingFileIsLookedUpAtNewOwner() throws IOException {
        performAsStaleClients(List.of(
                stale ->
                        assertThat(stale.getFileStatus(pathOf("file")).isFile()).isTrue(),
                stale -> assertThat(stale.exists(pathOf("file"))).isTrue(),
                stale -> assertThat(stale.listStatus(new Path(directory))).hasSize(1),
                stale -> assertThat(stale.listFiles(new Path(directory), true).hasNext())
                        .isTrue(),
                stale -> assertThat(stale.listStatusIterator(new Path(directory))
                                .next()
                                .getPath())
                        .isEqualTo(pathOf("file").makeQualified(CLUSTER, null)),
                stale -> assertThat(collectPaths(((DistributedFileSystem) stale)
                                .batchedListStatusIterator(List.of(new Path(directory)))))
                        .containsExactly("file"),
                stale -> assertThat(collectPaths(((DistributedFileSystem) stale)
                                .batchedListLocatedStatusIterator(List.of(pathOf("file"), new Path(directory)))))
                        .containsExactly("file", "file"),
                stale -> assertThat(stale.getFileBlockLocations(
                                new FileStatus(
                                        6, false, 1, 1 << 20, 0, pathOf("file").makeQualified(CLUSTER, null)),
                                0,
                                6))
                        .hasSize(1),
                stale -> assertThat(stale.globStatus(new Path(directory, "f*"))).hasSize(1),
                stale -> assertThat(stale.getContentSummary(new Path(directory)).getFileCount())
                        .isEqualTo(1),
                // The old owner has a sealed, empty directory there.
                stale -> assertThat(stale.getContentSummary(new Path(directory).getParent())
                                .getFileCount())
                        .isEqualTo(1),
                stale -> {
                    try (FSDataInputStream in = stale.open(pathOf("file"))) {
                        assertThat(in.readUTF()).isEqualTo("file");
                    }
                },
                stale -> stale.append(pathOf("file")).close(),
                stale -> stale.setPermission(pathOf("file"), new FsPermission((short) 0600)),
                stale -> assertThat(stale.setReplication(pathOf("file"), (short) 1))
                        .isTrue(),
                stale -> assertThat(stale.truncate(pathOf("file"), 0)).isTrue(),
                stale -> assertThat(stale.rename(pathOf("file"), pathOf("renamed")))
                        .isTrue(),
                stale -> assertThat(stale.delete(pathOf("renamed"), false)).isTrue()));

        assertThat(listNames(second)).isEmpty();
    }

    private static List<String> collectPaths(RemoteIterator<? extends PartialListing<? extends FileStatus>> listings)
            throws IOException {
        List<String> names = new ArrayList<>();
        while (listings.hasNext()) {
            listings.next().get().forEach(one -> names.add(one.getPath().getName()));
        }
        return names;
    }

    /** Hadoop's client for mount tables asks the owner of the root for all of them. */
    @Test
    void batchListingQueriesOwnerOfEachPath() throws IOException {
        handOverSubtree();
        write(second, pathOf("file"));
        Path elsewhere = new Path("/elsewhere" + tables);
        write(first, new Path(elsewhere, "mine"));
        DistributedFileSystem client = (DistributedFileSystem) files;

        RemoteIterator<PartialListing<FileStatus>> listings =
                client.batchedListStatusIterator(List.of(elsewhere, pathOf("missing"), new Path(directory)));

        assertThat(listings.next().get())
                .extracting(one -> one.getPath().toString())
                .containsExactly(CLUSTER + elsewhere.toString() + "/mine");
        PartialListing<FileStatus> missing = listings.next();
        assertThat(missing.getListedPath()).isEqualTo(pathOf("missing"));
        assertThatThrownBy(missing::get).isInstanceOf(FileNotFoundException.class);
        assertThat(listings.next().get())
                .extracting(one -> one.getPath().toString())
                .containsExactly(CLUSTER + directory + "/file");
        assertThat(listings.hasNext()).isFalse();
    }

    /** The clock of the NameNode that was active before was ahead: HDFS lets the time of a directory only grow. */
    @Test
    void noticesNewVersionDespiteUnchangedDirectoryTime() throws IOException {
        Path table = new Path("/.trefoil/clients" + tables);
        long ahead = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        first.setTimes(table, ahead, ahead);
        // A look that takes the time with the old version.
        assertThat(files.exists(pathOf("missing"))).isFalse();
        handOverSubtree();
        assertThat(first.getFileStatus(table).getModificationTime()).isEqualTo(ahead);

        write(second, pathOf("file"));
        assertThat(files.exists(pathOf("file"))).isTrue();
        assertThat(listNames(second)).containsExactly("file");
    }

    @Test
    void adminOperationsReachNewOwnerNotSeal() throws IOException {
        performAsStaleClients(List.of(
                stale -> ((DistributedFileSystem) stale).setQuota(new Path(directory), 7, HdfsConstants.QUOTA_DONT_SET),
                stale -> ((DistributedFileSystem) stale).allowSnapshot(new Path(directory)),
                stale -> stale.createSnapshot(new Path(directory), "theirs")));

        assertThat(second.getQuotaUsage(new Path(directory)).getQuota()).isEqualTo(7);
        assertThat(second.exists(pathOf(".snapshot/theirs"))).isTrue();
        assertThatThrownBy(() -> first.mkdirs(pathOf("stale"))).isInstanceOf(NSQuotaExceededException.class);
    }

    @Test
    void fileContextFollowsTable() throws IOException {
        writeByContext(new Path("/mine" + tables));
        handOverSubtree();
        write(second, pathOf("file"));
        write(second, pathOf("other"));

        assertThat(context.util().exists(pathOf("file"))).isTrue();
        context.rename(pathOf("file"), pathOf("other"), Options.Rename.OVERWRITE);
        assertThat(listNames(second)).containsExactly("other");
        assertThat(context.getFileStatus(pathOf("other")).getPath()).hasToString("hdfs://cluster" + pathOf("other"));
        context.mkdir(pathOf("a/b"), FsPermission.getDirDefault(), true);
        assertThatThrownBy(() -> context.mkdir(pathOf("no/b"), FsPermission.getDirDefault(), false))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> context.create(pathOf("no/c"), EnumSet.of(CreateFlag.CREATE)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> context.rename(new Path("/mine" + tables), pathOf("mine"), Options.Rename.OVERWRITE))
                .hasMessageContaining("Renames across Mount points not supported");
        assertThat(listNames(first)).isEmpty();
    }

    @Test
    void openFilesStayWithOpeningFileSystem() throws IOException {
        Path kept = new Path("/kept" + tables);
        FSDataOutputStream out = files.create(kept);
        out.writeUTF("before");
        out.hflush();
        FSDataInputStream in = files.open(kept);
        handOverSubtree();
        write(files, pathOf("file"));
        assertThat(listNames(second)).containsExactly("file");

        out.writeUTF("after");
        out.hflush();
        assertThat(in.readUTF()).isEqualTo("before");
        files.close();

        // Closed with the file system that opened it, like any file of HDFS.
        assertThat(first.isFileClosed(kept)).isTrue();
        try (FSDataInputStream again = first.open(kept)) {
            assertThat(again.readUTF()).isEqualTo("before");
            assertThat(again.readUTF()).isEqualTo("after");
        }
    }

    /** So its reads see what its streams were told, where they go to observers. */
    @Test
    void clientsOfAllVersionsShareTableVersion() throws IOException {
        List<String> before = sharedState(files);
        assertThat(runTableCommand("add", directory, "ns2")).isZero();
        assertThat(files.getFileStatus(new Path(directory)).isDirectory()).isTrue();
        files.create(new Path(directory, "new")).close();

        assertThat(sharedState(files)).containsOnly(before.get(0)).isNotEmpty();
        try (FileSystem otherFs = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(sharedState(otherFs)).isNotEmpty().doesNotContain(before.get(0));
        }
    }

    private static List<String> sharedState(FileSystem files) {
        return Arrays.stream(files.getChildFileSystems())
                .map(one -> one.getConf().get("io.trefoil.client.shared-state"))
                .distinct()
                .toList();
    }

    @Test
    void idleClientNoticesNewVersionAfterTtl() throws IOException {
        conf.set("dfs.federation.router.cache.ttl", "1s");
        second.setOwner(new Path(directory), "the-second", "owner");
        try (FileSystem idle = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(idle.getFileStatus(new Path(directory)).getOwner()).isNotEqualTo("the-second");
            handOverSubtree();

            await().atMost(LIMIT)
                    .until(() ->
                            idle.getFileStatus(new Path(directory)).getOwner().equals("the-second"));
        }
    }

    private static long tableChecks() {
        return GlobalStorageStatistics.INSTANCE.get(SubtreeStatistics.NAME).getLong("checks");
    }

    /** As a task does that is started just then. The last version does not concern the directory, which a move is about to open. */
    @Test
    void newClientWaitsForDirectoryHandedOverInEarlierVersion() throws Exception {
        Path other = new Path("/other" + tables);
        second.mkdirs(other);
        second.setPermission(new Path(directory), new FsPermission((short) 0));
        handOverSubtree();
        assertThat(runTableCommand("add", other.toString(), "ns2")).isZero();
        write(second, pathOf("file"));
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try (FileSystem alices = UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf))) {
            long before = tableChecks();
            Future<FileStatus[]> listed = threads.submit(() -> alices.listStatus(new Path(directory)));
            // Its access was denied.
            await().atMost(LIMIT).until(() -> tableChecks() > before || listed.isDone());
            second.setPermission(new Path(directory), new FsPermission((short) 0755));

            assertThat(listed.get()).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Creates a file and deletes it, again and again: a change of the table is refused while it is there, and then meets its creation. */
    private static final class Writer {
        private final AtomicInteger written = new AtomicInteger();
        private final Future<?> end;

        Writer(
                ExecutorService threads,
                AtomicBoolean isOver,
                FileSystem otherFs,
                ClientAction create,
                ClientAction delete) {
            end = threads.submit(() -> {
                while (!isOver.get()) {
                    create.perform(otherFs);
                    delete.perform(otherFs);
                    written.incrementAndGet();
                    // For so long the directory is empty.
                    for (int call = 0; call < 100; call++) {
                        otherFs.getFileStatus(new Path("/"));
                    }
                }
                return null;
            });
        }

        void awaitMore() {
            int before = written.get();
            await().atMost(LIMIT).until(() -> written.get() > before + 1 || end.isDone());
        }
    }

    @Test
    void writersContinueWhileSubtreeMovesThereAndBack() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Writer> writers = List.of(
                    new Writer(
                            threads,
                            isOver,
                            files,
                            by -> by.create(pathOf("by-system"), false).close(),
                            by -> assertThat(by.delete(pathOf("by-system"), false))
                                    .isTrue()),
                    new Writer(
                            threads,
                            isOver,
                            files,
                            by -> context.create(pathOf("by-context"), EnumSet.of(CreateFlag.CREATE))
                                    .close(),
                            by -> assertThat(context.delete(pathOf("by-context"), false))
                                    .isTrue()));
            for (int change = 0; change < 6; change++) {
                String[] command =
                        change % 2 == 0 ? new String[] {"add", directory, "ns2"} : new String[] {"remove", directory};
                await().atMost(LIMIT).until(() -> runTableCommand(command) == 0);
                writers.forEach(Writer::awaitMore);
            }
            isOver.set(true);
            for (Writer one : writers) {
                one.end.get();
            }
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
        assertThat(listNames(first)).isEmpty();
        assertThat(listNames(second)).isEmpty();
    }

    @Test
    void reportsPermanentSealAndFailsImmediatelyOnUserQuota() throws IOException {
        conf.set("trefoil.client.failover.timeout.cluster", "2s");
        try (FileSystem patient = FileSystem.newInstance(CLUSTER, conf);
                HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            store.seal("ns1", SubtreePath.parse(directory));
            long beganAt = System.nanoTime();
            assertThatThrownBy(() -> write(patient, pathOf("file"))).isInstanceOf(NSQuotaExceededException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - beganAt)).isGreaterThan(Duration.ofSeconds(1));
        }
        first.mkdirs(new Path("/limited" + tables));
        first.setQuota(new Path("/limited" + tables), 2, HdfsConstants.QUOTA_DONT_SET);
        write(files, new Path("/limited" + tables + "/one"));
        long before = repeatedCalls();
        assertThatThrownBy(() -> write(files, new Path("/limited" + tables + "/file")))
                .isInstanceOf(NSQuotaExceededException.class);
        assertThat(repeatedCalls()).isEqualTo(before);
    }
}
