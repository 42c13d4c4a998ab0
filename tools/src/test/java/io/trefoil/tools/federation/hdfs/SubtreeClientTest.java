/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.client.hdfs.SubtreeStatistics;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
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
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our client on stock NameNodes, while the command changes the table that it follows. */
class SubtreeClientTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final URI CLUSTER = URI.create("hdfs://cluster");
    private static final Path ROOT = new Path("/");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int tables;

    private Configuration conf;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private FileSystem files;
    private FileContext context;

    /** Of each test its own, at both nameservices. */
    private String folder;

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
        folder = "/work" + tables + "/logs";
        conf = federation.clientOfTable("hdfs://ns1/.trefoil/clients" + tables);
        // However long a command stands still between a seal and the version, its writers wait for that.
        conf.set("trefoil.client.failover.timeout.cluster", "1m");
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(folder));
        second.mkdirs(new Path(folder));
        assertThat(table("create", "cluster")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
        context = FileContext.getFileContext(CLUSTER, conf);
        // Nothing is noticed by a client that does not know the table yet.
        assertThat(files.exists(new Path(folder))).isTrue();
        assertThat(context.util().exists(new Path(folder))).isTrue();
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

    /** The files in {@code conf/examples/subtrees}, with the addresses of this federation. */
    @Test
    void clientsWithSampleConfigurationSeeOneNamespace() throws IOException {
        Configuration sample = federation.client();
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

    private void give() {
        assertThat(table("add", folder, "ns2")).isZero();
    }

    private Path in(String name) {
        return new Path(folder, name);
    }

    private static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    private void writeByContext(Path path) throws IOException {
        try (FSDataOutputStream out = context.create(path, EnumSet.of(CreateFlag.CREATE))) {
            out.writeUTF(path.getName());
        }
    }

    private static long repeated() {
        return GlobalStorageStatistics.INSTANCE.get(SubtreeStatistics.NAME).getLong("repeated");
    }

    private List<String> names(FileSystem fileSystem) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus one : fileSystem.listStatus(new Path(folder))) {
            names.add(one.getPath().getName());
        }
        return names;
    }

    @Test
    void createRefusedBySealIsRetriedAtNewOwner() throws IOException {
        give();
        long before = repeated();

        write(files, in("by-system"));
        writeByContext(in("by-context"));

        assertThat(names(second)).containsExactlyInAnyOrder("by-system", "by-context");
        assertThat(names(first)).isEmpty();
        assertThat(repeated()).isEqualTo(before + 2);
        files.mkdirs(in("folder"));
        assertThat(repeated()).isEqualTo(before + 2);
    }

    /** What a client does that has read the first version only. */
    private interface Deed {
        void by(FileSystem stale) throws IOException;
    }

    private void byStaleClients(List<Deed> deeds) throws IOException {
        List<FileSystem> stale = new ArrayList<>();
        for (int i = 0; i < deeds.size(); i++) {
            FileSystem one = FileSystem.newInstance(CLUSTER, conf);
            assertThat(one.exists(new Path(folder))).isTrue();
            stale.add(one);
        }
        give();
        write(second, in("file"));
        for (int i = 0; i < deeds.size(); i++) {
            try (FileSystem one = stale.get(i)) {
                deeds.get(i).by(one);
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("deed " + i, e);
            }
        }
        assertThat(names(first)).isEmpty();
    }

    @Test
    void allThatCreatesFollows() throws IOException {
        FsPermission mode = FsPermission.getFileDefault();
        first.mkdirs(new Path("/elsewhere" + tables));
        byStaleClients(List.of(
                stale -> assertThat(stale.mkdirs(in("0"))).isTrue(),
                stale -> assertThat(stale.mkdirs(in("1"), mode)).isTrue(),
                stale -> assertThat(((DistributedFileSystem) stale).mkdir(in("2"), mode))
                        .isTrue(),
                stale -> stale.create(in("3"), true).close(),
                stale -> stale.create(in("4"), (short) 1).close(),
                stale -> stale.createNonRecursive(in("5"), mode, true, 4096, (short) 1, 1 << 20, null)
                        .close(),
                stale -> stale.createFile(in("6")).build().close(),
                stale -> assertThat(stale.createNewFile(in("7"))).isTrue(),
                // Within the old owner by the old version, between two by the new one.
                stale -> assertThatThrownBy(() -> stale.rename(new Path("/elsewhere" + tables), in("8")))
                        .hasMessageContaining("Renames across Mount points not supported")));

        assertThat(names(second)).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "file");
        assertThat(second.getFileStatus(in("5")).getBlockSize()).isEqualTo(1 << 20);
        assertThat(first.exists(new Path("/elsewhere" + tables))).isTrue();
    }

    @Test
    void missingFileIsLookedUpAtNewOwner() throws IOException {
        byStaleClients(List.of(
                stale -> assertThat(stale.getFileStatus(in("file")).isFile()).isTrue(),
                stale -> assertThat(stale.exists(in("file"))).isTrue(),
                stale -> assertThat(stale.listStatus(new Path(folder))).hasSize(1),
                stale -> assertThat(stale.listFiles(new Path(folder), true).hasNext())
                        .isTrue(),
                stale -> assertThat(stale.listStatusIterator(new Path(folder))
                                .next()
                                .getPath())
                        .isEqualTo(in("file").makeQualified(CLUSTER, null)),
                stale -> assertThat(listed(
                                ((DistributedFileSystem) stale).batchedListStatusIterator(List.of(new Path(folder)))))
                        .containsExactly("file"),
                stale -> assertThat(listed(((DistributedFileSystem) stale)
                                .batchedListLocatedStatusIterator(List.of(in("file"), new Path(folder)))))
                        .containsExactly("file", "file"),
                stale -> assertThat(stale.getFileBlockLocations(
                                new FileStatus(
                                        6, false, 1, 1 << 20, 0, in("file").makeQualified(CLUSTER, null)),
                                0,
                                6))
                        .hasSize(1),
                stale -> assertThat(stale.globStatus(new Path(folder, "f*"))).hasSize(1),
                stale -> assertThat(stale.getContentSummary(new Path(folder)).getFileCount())
                        .isEqualTo(1),
                // The old owner has a sealed, empty folder there.
                stale -> assertThat(stale.getContentSummary(new Path(folder).getParent())
                                .getFileCount())
                        .isEqualTo(1),
                stale -> {
                    try (FSDataInputStream in = stale.open(in("file"))) {
                        assertThat(in.readUTF()).isEqualTo("file");
                    }
                },
                stale -> stale.append(in("file")).close(),
                stale -> stale.setPermission(in("file"), new FsPermission((short) 0600)),
                stale -> assertThat(stale.setReplication(in("file"), (short) 1)).isTrue(),
                stale -> assertThat(stale.truncate(in("file"), 0)).isTrue(),
                stale -> assertThat(stale.rename(in("file"), in("renamed"))).isTrue(),
                stale -> assertThat(stale.delete(in("renamed"), false)).isTrue()));

        assertThat(names(second)).isEmpty();
    }

    private static List<String> listed(RemoteIterator<? extends PartialListing<? extends FileStatus>> listings)
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
        give();
        write(second, in("file"));
        Path elsewhere = new Path("/elsewhere" + tables);
        write(first, new Path(elsewhere, "mine"));
        DistributedFileSystem client = (DistributedFileSystem) files;

        RemoteIterator<PartialListing<FileStatus>> listings =
                client.batchedListStatusIterator(List.of(elsewhere, in("missing"), new Path(folder)));

        assertThat(listings.next().get())
                .extracting(one -> one.getPath().toString())
                .containsExactly(CLUSTER + elsewhere.toString() + "/mine");
        PartialListing<FileStatus> missing = listings.next();
        assertThat(missing.getListedPath()).isEqualTo(in("missing"));
        assertThatThrownBy(missing::get).isInstanceOf(FileNotFoundException.class);
        assertThat(listings.next().get())
                .extracting(one -> one.getPath().toString())
                .containsExactly(CLUSTER + folder + "/file");
        assertThat(listings.hasNext()).isFalse();
    }

    /** The clock of the NameNode that was active before was ahead: HDFS lets the time of a folder only grow. */
    @Test
    void noticesNewVersionDespiteUnchangedFolderTime() throws IOException {
        Path table = new Path("/.trefoil/clients" + tables);
        long ahead = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        first.setTimes(table, ahead, ahead);
        // A look that takes the time with the old version.
        assertThat(files.exists(in("missing"))).isFalse();
        give();
        assertThat(first.getFileStatus(table).getModificationTime()).isEqualTo(ahead);

        write(second, in("file"));
        assertThat(files.exists(in("file"))).isTrue();
        assertThat(names(second)).containsExactly("file");
    }

    @Test
    void adminOperationsReachNewOwnerNotSeal() throws IOException {
        byStaleClients(List.of(
                stale -> ((DistributedFileSystem) stale).setQuota(new Path(folder), 7, HdfsConstants.QUOTA_DONT_SET),
                stale -> ((DistributedFileSystem) stale).allowSnapshot(new Path(folder)),
                stale -> stale.createSnapshot(new Path(folder), "theirs")));

        assertThat(second.getQuotaUsage(new Path(folder)).getQuota()).isEqualTo(7);
        assertThat(second.exists(in(".snapshot/theirs"))).isTrue();
        assertThatThrownBy(() -> first.mkdirs(in("stale"))).isInstanceOf(NSQuotaExceededException.class);
    }

    @Test
    void usersOfFileContextFollowToo() throws IOException {
        writeByContext(new Path("/mine" + tables));
        give();
        write(second, in("file"));
        write(second, in("other"));

        assertThat(context.util().exists(in("file"))).isTrue();
        context.rename(in("file"), in("other"), Options.Rename.OVERWRITE);
        assertThat(names(second)).containsExactly("other");
        assertThat(context.getFileStatus(in("other")).getPath()).hasToString("hdfs://cluster" + in("other"));
        context.mkdir(in("a/b"), FsPermission.getDirDefault(), true);
        assertThatThrownBy(() -> context.mkdir(in("no/b"), FsPermission.getDirDefault(), false))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> context.create(in("no/c"), EnumSet.of(CreateFlag.CREATE)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> context.rename(new Path("/mine" + tables), in("mine"), Options.Rename.OVERWRITE))
                .hasMessageContaining("Renames across Mount points not supported");
        assertThat(names(first)).isEmpty();
    }

    @Test
    void plainNameserviceUriBehavesLikeStockClient() throws IOException {
        URI alone = URI.create("hdfs://ns2");
        try (FileSystem plain = FileSystem.newInstance(alone, conf)) {
            write(plain, in("file"));
            assertThat(plain.getFileStatus(in("file")).getPath()).hasToString("hdfs://ns2" + in("file"));
            assertThat(plain.exists(in("missing"))).isFalse();
        }
        FileContext plain = FileContext.getFileContext(alone, conf);
        plain.rename(in("file"), in("renamed"));
        assertThat(plain.util().exists(new Path("hdfs://ns2:8020" + in("renamed"))))
                .isTrue();
        assertThat(names(second)).containsExactly("renamed");
    }

    @Test
    void trashBelongsToOwner() throws IOException {
        conf.set("fs.trash.interval", "60");
        give();
        write(files, in("file"));

        assertThat(Trash.moveToAppropriateTrash(files, in("file"), conf)).isTrue();

        Path trash = new Path(second.getHomeDirectory(), ".Trash/Current");
        assertThat(second.exists(Path.mergePaths(trash, in("file")))).isTrue();
        assertThat(names(second)).isEmpty();
    }

    @Test
    void openFilesStayWithOpeningFileSystem() throws IOException {
        Path kept = new Path("/kept" + tables);
        FSDataOutputStream out = files.create(kept);
        out.writeUTF("before");
        out.hflush();
        FSDataInputStream in = files.open(kept);
        give();
        write(files, in("file"));
        assertThat(names(second)).containsExactly("file");

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
    void clientsOfAllVersionsShareWhatTheyHaveSeen() throws IOException {
        List<String> before = shared(files);
        assertThat(table("add", folder, "ns2")).isZero();
        assertThat(files.getFileStatus(new Path(folder)).isDirectory()).isTrue();
        files.create(new Path(folder, "new")).close();

        assertThat(shared(files)).containsOnly(before.get(0)).isNotEmpty();
        try (FileSystem other = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(shared(other)).isNotEmpty().doesNotContain(before.get(0));
        }
    }

    private static List<String> shared(FileSystem files) {
        return Arrays.stream(files.getChildFileSystems())
                .map(one -> one.getConf().get("io.trefoil.client.shared-state"))
                .distinct()
                .toList();
    }

    @Test
    void idleClientNoticesNewVersionAfterTtl() throws IOException {
        conf.set("dfs.federation.router.cache.ttl", "1s");
        second.setOwner(new Path(folder), "the-second", "owner");
        try (FileSystem idle = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(idle.getFileStatus(new Path(folder)).getOwner()).isNotEqualTo("the-second");
            give();

            await().atMost(LIMIT)
                    .until(() -> idle.getFileStatus(new Path(folder)).getOwner().equals("the-second"));
        }
    }

    private static long checks() {
        return GlobalStorageStatistics.INSTANCE.get(SubtreeStatistics.NAME).getLong("checks");
    }

    /** As a task does that is started just then. The last version does not concern the folder, which a move is about to open. */
    @Test
    void newClientWaitsForFolderHandedOverByEarlierVersion() throws Exception {
        Path other = new Path("/other" + tables);
        second.mkdirs(other);
        second.setPermission(new Path(folder), new FsPermission((short) 0));
        give();
        assertThat(table("add", other.toString(), "ns2")).isZero();
        write(second, in("file"));
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try (FileSystem alices = UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf))) {
            long before = checks();
            Future<FileStatus[]> listed = threads.submit(() -> alices.listStatus(new Path(folder)));
            // Its access was denied.
            await().atMost(LIMIT).until(() -> checks() > before || listed.isDone());
            second.setPermission(new Path(folder), new FsPermission((short) 0755));

            assertThat(listed.get()).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Creates a file and deletes it, again and again: a change of the table is refused while it is there, and then meets its creation. */
    private static final class Writer {
        private final AtomicInteger written = new AtomicInteger();
        private final Future<?> end;

        Writer(ExecutorService threads, AtomicBoolean isOver, FileSystem other, Deed create, Deed delete) {
            end = threads.submit(() -> {
                while (!isOver.get()) {
                    create.by(other);
                    delete.by(other);
                    written.incrementAndGet();
                    // For so long the folder is empty.
                    for (int call = 0; call < 100; call++) {
                        other.getFileStatus(new Path("/"));
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
    void writersNoticeNothingWhileTheirFolderGoesToAndFro() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Writer> writers = List.of(
                    new Writer(
                            threads,
                            isOver,
                            files,
                            by -> by.create(in("by-system"), false).close(),
                            by -> assertThat(by.delete(in("by-system"), false)).isTrue()),
                    new Writer(
                            threads,
                            isOver,
                            files,
                            by -> context.create(in("by-context"), EnumSet.of(CreateFlag.CREATE))
                                    .close(),
                            by -> assertThat(context.delete(in("by-context"), false))
                                    .isTrue()));
            for (int change = 0; change < 6; change++) {
                String[] command =
                        change % 2 == 0 ? new String[] {"add", folder, "ns2"} : new String[] {"remove", folder};
                await().atMost(LIMIT).until(() -> table(command) == 0);
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
        assertThat(names(first)).isEmpty();
        assertThat(names(second)).isEmpty();
    }

    @Test
    void lastingSealIsErrorAndUserQuotaFailsImmediately() throws IOException {
        conf.set("trefoil.client.failover.timeout.cluster", "2s");
        try (FileSystem patient = FileSystem.newInstance(CLUSTER, conf);
                HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            store.seal("ns1", SubtreePath.parse(folder));
            long beganAt = System.nanoTime();
            assertThatThrownBy(() -> write(patient, in("file"))).isInstanceOf(NSQuotaExceededException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - beganAt)).isGreaterThan(Duration.ofSeconds(1));
        }
        first.mkdirs(new Path("/limited" + tables));
        first.setQuota(new Path("/limited" + tables), 2, HdfsConstants.QUOTA_DONT_SET);
        write(files, new Path("/limited" + tables + "/one"));
        long before = repeated();
        assertThatThrownBy(() -> write(files, new Path("/limited" + tables + "/file")))
                .isInstanceOf(NSQuotaExceededException.class);
        assertThat(repeated()).isEqualTo(before);
    }

    /** What calls that go astray would change. */
    private static String traits(DistributedFileSystem nameservice, Path path) throws IOException {
        FileStatus status = nameservice.getFileStatus(path);
        return status.getPermission() + " " + status.getOwner() + " " + status.getModificationTime() + " "
                + nameservice.getAclStatus(path) + " "
                + nameservice.getQuotaUsage(path).getQuota() + " "
                + nameservice.getQuotaUsage(path).getTypeQuota(StorageType.DISK) + " "
                + nameservice.listXAttrs(path) + " " + nameservice.getErasureCodingPolicy(path) + " "
                + nameservice.getStoragePolicy(path).getName();
    }

    private DistributedFileSystem withTheEntry() throws IOException {
        give();
        return (DistributedFileSystem) FileSystem.newInstance(CLUSTER, conf);
    }

    /** Hadoop's client for mount tables does all of this to the root. */
    @Test
    void operationsOnParentOfEntryApplyAtOwner() throws IOException {
        Path above = new Path(folder).getParent();
        try (DistributedFileSystem client = withTheEntry()) {
            String root = traits(first, ROOT);

            client.setQuota(above, 1000, HdfsConstants.QUOTA_DONT_SET);
            client.setQuotaByStorageType(above, StorageType.DISK, 1L << 40);
            assertThat(first.getQuotaUsage(above).getQuota()).isEqualTo(1000);
            assertThat(first.getQuotaUsage(above).getTypeQuota(StorageType.DISK))
                    .isEqualTo(1L << 40);
            assertThat(client.getQuotaUsage(above).getQuota()).isEqualTo(1000);
            client.setXAttr(above, "user.one", new byte[] {1}, EnumSet.of(XAttrSetFlag.CREATE));
            client.setXAttr(above, "user.two", new byte[] {2}, EnumSet.of(XAttrSetFlag.CREATE));
            client.removeXAttr(above, "user.two");
            assertThat(first.listXAttrs(above)).containsExactly("user.one");
            assertThat(client.listXAttrs(above)).containsExactly("user.one");
            assertThat(client.getXAttr(above, "user.one")).containsExactly(1);
            assertThat(client.getXAttrs(above)).containsOnlyKeys("user.one");
            assertThat(client.getXAttrs(above, List.of("user.one"))).containsOnlyKeys("user.one");
            client.setErasureCodingPolicy(above, "RS-6-3-1024k");
            assertThat(first.getErasureCodingPolicy(above).getName()).isEqualTo("RS-6-3-1024k");
            assertThat(client.getErasureCodingPolicy(above).getName()).isEqualTo("RS-6-3-1024k");
            client.unsetErasureCodingPolicy(above);
            assertThat(first.getErasureCodingPolicy(above)).isNull();
            client.setStoragePolicy(above, "COLD");
            assertThat(client.getStoragePolicy(above).getName()).isEqualTo("COLD");
            client.setPermission(above, new FsPermission((short) 0710));
            client.setOwner(above, "somebody", "else");
            client.modifyAclEntries(above, AclEntry.parseAclSpec("user:alice:r-x", true));
            assertThat(client.getFileStatus(above).getOwner()).isEqualTo("somebody");
            assertThat(client.getFileStatus(above).getPermission())
                    .isEqualTo(first.getFileStatus(above).getPermission());
            assertThat(client.getFileStatus(above).getPath()).hasToString(CLUSTER + above.toString());
            assertThat(client.getFileLinkStatus(above).getPath()).hasToString(CLUSTER + above.toString());
            assertThat(client.getAclStatus(above)).isEqualTo(first.getAclStatus(above));
            assertThat(client.mkdir(above, FsPermission.getDirDefault())).isTrue();
            assertThat(client.getTrashRoot(above))
                    .isEqualTo(files.makeQualified(
                            new Path(first.getHomeDirectory().toUri().getPath(), ".Trash")));
            assertThat(client.getDefaultBlockSize(above)).isEqualTo(first.getDefaultBlockSize(above));

            assertThat(traits(first, ROOT)).isEqualTo(root);
        }
    }

    /** The text of each refusal names the folder for which the NameNode refused. */
    @Test
    void operationsRefusedOnParentOfEntryNameIt() throws IOException {
        Path above = new Path(folder).getParent();
        try (DistributedFileSystem client = withTheEntry()) {
            List<Deed> deeds = List.of(
                    one -> client.allowSnapshot(above),
                    one -> client.createSnapshot(above, "theirs"),
                    one -> client.getSnapshotDiffReport(above, "a", "b"),
                    one -> client.provisionSnapshotTrash(above, FsPermission.getDirDefault()),
                    one -> client.recoverLease(above),
                    one -> client.isFileClosed(above),
                    one -> client.createFile(above).overwrite(true).build(),
                    one -> client.appendFile(above).build(),
                    one -> client.append(above, EnumSet.of(CreateFlag.APPEND), 4096, null));
            for (int i = 0; i < deeds.size(); i++) {
                Deed deed = deeds.get(i);
                assertThatThrownBy(() -> deed.by(client)).as("deed %s", i).hasMessageContaining(above.toString());
            }
        }
    }

    @Test
    void listingOfParentIncludesContentsAndEntry() throws IOException {
        Path above = new Path(folder).getParent();
        Path elsewhere = new Path("/elsewhere" + tables);
        try (DistributedFileSystem client = withTheEntry();
                FSDataOutputStream open = first.create(new Path(above, "open"));
                FSDataOutputStream outside = first.create(new Path(elsewhere, "open"))) {
            write(first, new Path(above, "mine"));
            write(second, in("file"));
            write(first, new Path(elsewhere, "other"));
            open.hflush();
            outside.hflush();
            assertThat(paths(client.listStatusIterator(above)))
                    .containsExactlyInAnyOrder(
                            CLUSTER + folder,
                            CLUSTER + above.toString() + "/mine",
                            CLUSTER + above.toString() + "/open");
            assertThat(paths(client.listStatusIterator(ROOT))).contains(CLUSTER + above.toString());
            assertThat(paths(FileContext.getFileContext(CLUSTER, conf).listStatus(above)))
                    .contains(CLUSTER + folder);
            RemoteIterator<OpenFileEntry> found =
                    client.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), above.toString());
            assertThat(found.next().getFilePath()).isEqualTo(above + "/open");
            assertThat(found.hasNext()).isFalse();
            open.close();

            Path copy = new Path("/copy" + tables);
            assertThat(FileUtil.copy(client, above, client, copy, false, conf)).isTrue();
            assertThatThrownBy(() -> client.delete(above, true)).isInstanceOf(AccessControlException.class);

            assertThat(first.exists(new Path(copy, "logs/file"))).isTrue();
            assertThat(first.exists(new Path(copy, "mine"))).isTrue();
            assertThat(first.exists(new Path(elsewhere, "other"))).isTrue();
            assertThat(first.exists(new Path(copy, elsewhere.getName()))).isFalse();
        }
    }

    /** The owner of the entry around it has a sealed, empty folder there. */
    @Test
    void listingsAndSummariesIncludeNestedEntries() throws IOException {
        Path inner = in("deep");
        try (DistributedFileSystem client = withTheEntry();
                HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            // Two nameservices are enough for three levels if the first one's folder takes names again.
            store.unseal("ns1", SubtreePath.parse(folder));
            first.mkdirs(inner);
            assertThat(table("add", inner.toString(), "ns1")).isZero();
            first.setOwner(inner, "somebody", "else");
            write(client, new Path(inner, "file"));
            write(client, in("beside"));
            assertThat(first.exists(new Path(inner, "file"))).isTrue();
            assertThat(second.exists(in("beside"))).isTrue();
            second.setQuota(new Path(folder), 100, HdfsConstants.QUOTA_DONT_SET);

            ContentSummary sum = client.getContentSummary(new Path(folder));
            assertThat(sum.getFileCount()).isEqualTo(2);
            assertThat(sum.getDirectoryCount()).isEqualTo(2);
            assertThat(sum.getLength())
                    .isEqualTo(first.getContentSummary(inner).getLength()
                            + second.getContentSummary(new Path(folder)).getLength());
            assertThat(sum.getSpaceConsumed()).isEqualTo(sum.getLength());
            assertThat(sum.getQuota()).isEqualTo(-1);
            ContentSummary above = client.getContentSummary(new Path(folder).getParent());
            assertThat(above.getFileCount()).isEqualTo(2);
            assertThat(above.getDirectoryCount()).isEqualTo(3);
            assertThat(client.getContentSummary(inner).getFileCount()).isEqualTo(1);
            assertThat(client.getQuotaUsage(new Path(folder)).getQuota()).isEqualTo(100);

            List<FileStatus> listed = new ArrayList<>(Arrays.asList(client.listStatus(new Path(folder))));
            RemoteIterator<FileStatus> one = client.listStatusIterator(new Path(folder));
            while (one.hasNext()) {
                listed.add(one.next());
            }
            RemoteIterator<LocatedFileStatus> located = client.listLocatedStatus(new Path(folder));
            while (located.hasNext()) {
                listed.add(located.next());
            }
            assertThat(listed)
                    .hasSize(6)
                    .filteredOn(FileStatus::isDirectory)
                    .hasSize(3)
                    .allSatisfy(entry -> {
                        assertThat(entry.getOwner()).isEqualTo("somebody");
                        assertThat(entry.getPath()).hasToString(CLUSTER + inner.toString());
                    });
        }
    }

    /** Others delete what jobs have listed. */
    @Test
    void locatedListingOfParentUsesOneTableVersion() throws IOException {
        Path above = new Path(folder).getParent();
        try (DistributedFileSystem client = withTheEntry()) {
            write(first, new Path(above, "mine"));
            write(first, new Path(above, "other"));
            RemoteIterator<LocatedFileStatus> all = client.listLocatedStatus(above);
            RemoteIterator<LocatedFileStatus> others = ((SubtreeFileSystem) client)
                    .listLocatedStatus(above, path -> path.getName().equals("other"));
            RemoteIterator<LocatedFileStatus> allFiles = client.listFiles(above, true);
            assertThat(first.delete(new Path(above, "mine"), false)).isTrue();

            List<String> found = new ArrayList<>();
            while (all.hasNext()) {
                LocatedFileStatus one = all.next();
                found.add(one.getPath().toString());
                assertThat(one.isFile() ? one.getBlockLocations().length : 1).isEqualTo(1);
            }
            assertThat(found)
                    .containsExactlyInAnyOrder(
                            CLUSTER + folder,
                            CLUSTER + above.toString() + "/mine",
                            CLUSTER + above.toString() + "/other");
            assertThat(others.next().getPath()).hasToString(CLUSTER + above.toString() + "/other");
            assertThat(others.hasNext()).isFalse();
            assertThat(allFiles.next().getPath().getName()).isEqualTo("mine");
            assertThat(allFiles.next().getPath().getName()).isEqualTo("other");
            assertThat(allFiles.hasNext()).isFalse();
            write(second, in("one"));
            write(second, in("two"));
            others = ((SubtreeFileSystem) client)
                    .listLocatedStatus(new Path(folder), path -> path.equals(new Path(CLUSTER + folder + "/two")));
            assertThat(others.next().getPath()).hasToString(CLUSTER + folder + "/two");
            assertThat(others.hasNext()).isFalse();
        }
    }

    private static List<String> paths(RemoteIterator<FileStatus> listing) throws IOException {
        List<String> paths = new ArrayList<>();
        while (listing.hasNext()) {
            paths.add(listing.next().getPath().toString());
        }
        return paths;
    }

    @Test
    void refusesRenameOfPathsNamedByTable() throws IOException {
        Path above = new Path(folder).getParent();
        Path elsewhere = new Path("/elsewhere" + tables);
        first.mkdirs(elsewhere);
        second.mkdirs(new Path("/other" + tables));
        assertThat(table("add", "/other" + tables, "ns2")).isZero();
        try (DistributedFileSystem client = withTheEntry()) {
            assertThatThrownBy(() -> client.rename(above, new Path("/new" + tables), Options.Rename.NONE))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("is not renamed");
            assertThatThrownBy(() ->
                            client.rename(new Path(folder), new Path("/other" + tables + "/a"), Options.Rename.NONE))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("is not renamed");
            assertThatThrownBy(() -> client.rename(elsewhere, above, Options.Rename.OVERWRITE))
                    .hasMessageContaining(above.toString());

            assertThat(second.exists(new Path(folder))).isTrue();
            assertThat(first.exists(above)).isTrue();
            assertThat(first.exists(elsewhere)).isTrue();
        }
    }

    /** As after a restore: the owner of the root has no folder of that name, and the seal in it is gone. */
    @Test
    void parentImpliedByEntryIsListedAndCreatable() throws IOException {
        Path above = new Path(folder).getParent();
        try (DistributedFileSystem client = withTheEntry();
                HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            store.unseal("ns1", SubtreePath.parse(folder));
            assertThat(first.delete(above, true)).isTrue();
            String root = traits(first, ROOT);

            assertThat(client.getFileStatus(above).isDirectory()).isTrue();
            assertThat(client.getAclStatus(above).getEntries()).isNotNull();
            client.access(above, FsAction.READ);
            assertThat(paths(client.listStatusIterator(above))).containsExactly(CLUSTER + folder);
            assertThatThrownBy(() -> client.setQuota(above, 1000, HdfsConstants.QUOTA_DONT_SET))
                    .isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> client.setXAttr(above, "user.one", new byte[0]))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(traits(first, ROOT)).isEqualTo(root);
            assertThat(client.mkdir(above, FsPermission.getDirDefault())).isTrue();
            assertThat(first.exists(above)).isTrue();
        }
    }

    @Test
    void concatWorksWithinOneOwner() throws IOException {
        give();
        Path decoy = new Path(second.getHomeDirectory(), "b" + tables);
        Path mine = new Path("/mine" + tables);
        for (Path one : List.of(in("target"), in("a"), in("b" + tables), decoy, mine)) {
            write(second, one);
        }
        write(first, mine);
        files.setWorkingDirectory(new Path(folder));

        files.concat(in("target"), new Path[] {in("a").makeQualified(CLUSTER, null), new Path("b" + tables)});

        assertThat(names(second)).containsExactly("target");
        assertThat(second.exists(decoy)).isTrue();
        try (FSDataInputStream in = second.open(in("target"))) {
            assertThat(List.of(in.readUTF(), in.readUTF(), in.readUTF())).containsExactly("target", "a", "b" + tables);
        }
        assertThatThrownBy(() -> files.concat(in("target"), new Path[] {mine}))
                .hasMessageContaining("Concat across Mount points not supported");
        assertThat(first.exists(mine)).isTrue();
        assertThat(second.exists(mine)).isTrue();
    }

    /** Hadoop's client for mount tables asks the owner of the root for all of it. */
    @Test
    void refusesAmbiguousReservedPaths() throws IOException {
        Path mine = new Path("/mine" + tables);
        write(first, mine);
        write(second, in("file"));
        String raw = "/.reserved/raw";
        Path number = new Path("/.reserved/.inodes/"
                + second.getClient().getFileInfo(in("file").toString()).getFileId());
        try (DistributedFileSystem client = withTheEntry();
                FileSystem alone = FileSystem.newInstance(URI.create("hdfs://ns2"), conf)) {
            FileContext newest = FileContext.getFileContext(CLUSTER, conf);
            for (Path path : List.of(
                    number,
                    new Path(raw + in("file")),
                    new Path(raw + folder),
                    new Path(raw + new Path(folder).getParent()),
                    new Path(raw),
                    new Path(raw + in("file")).makeQualified(CLUSTER, null))) {
                List<Deed> deeds = List.of(
                        one -> client.getFileStatus(path),
                        one -> client.open(path),
                        one -> client.listStatus(path),
                        one -> client.listStatusIterator(path),
                        one -> client.getContentSummary(path),
                        one -> client.create(path, true),
                        one -> client.createFile(path).overwrite(true).build(),
                        one -> client.mkdirs(path),
                        one -> client.append(path),
                        one -> client.truncate(path, 0),
                        one -> client.delete(path, true),
                        one -> client.rename(path, mine),
                        one -> client.rename(mine, path, Options.Rename.OVERWRITE),
                        one -> client.setPermission(path, FsPermission.getFileDefault()),
                        one -> client.setQuota(path, 1, HdfsConstants.QUOTA_DONT_SET),
                        one -> client.getXAttrs(path),
                        one -> client.concat(mine, new Path[] {path}),
                        one -> newest.getFileStatus(path));
                for (int i = 0; i < deeds.size(); i++) {
                    Deed deed = deeds.get(i);
                    assertThatThrownBy(() -> deed.by(client))
                            .as("%s, deed %s", path, i)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("Wrong FS: /")
                            .hasMessageContaining("name");
                }
            }

            assertThat(client.getFileStatus(new Path(raw + mine)).isFile()).isTrue();
            assertThat(alone.getFileStatus(number).isFile()).isTrue();
            assertThat(alone.getFileStatus(new Path(raw + in("file"))).isFile()).isTrue();
        }
        assertThat(names(second)).containsExactly("file");
    }

    private CacheDirectiveInfo.Builder directive(Path path) {
        return new CacheDirectiveInfo.Builder().setPath(path).setPool("pool");
    }

    private static CacheDirectiveInfo numbered(long id) {
        return new CacheDirectiveInfo.Builder().setId(id).build();
    }

    private static List<String> cached(DistributedFileSystem nameservice) throws IOException {
        return cached(nameservice.listCacheDirectives(null));
    }

    private static List<String> cached(RemoteIterator<CacheDirectiveEntry> directives) throws IOException {
        List<String> paths = new ArrayList<>();
        while (directives.hasNext()) {
            CacheDirectiveInfo one = directives.next().getInfo();
            paths.add(one.getPath() + " " + one.getReplication());
        }
        return paths;
    }

    /** Ids begin at 1 in each nameservice. */
    @Test
    void cacheDirectivesAreThoseOfOneNameservice() throws IOException {
        Path above = new Path(folder).getParent();
        first.addCachePool(new CachePoolInfo("pool"));
        second.addCachePool(new CachePoolInfo("pool"));
        give();
        // It knows the old version.
        DistributedFileSystem client = (DistributedFileSystem) files;

        long shared = client.addCacheDirective(directive(in("a")).build());
        assertThat(client.addCacheDirective(directive(above).build())).isEqualTo(shared);
        long alone = client.addCacheDirective(directive(new Path("/alone")).build());

        assertThat(cached(first)).containsExactly("hdfs://ns1" + above + " 1", "hdfs://ns1/alone 1");
        assertThat(cached(second)).containsExactly("hdfs://ns2" + in("a") + " 1");
        assertThat(client.listCacheDirectives(directive(above).build())
                        .next()
                        .getInfo()
                        .getId())
                .isEqualTo(shared);
        assertThat(cached(client.listCacheDirectives(numbered(shared))))
                .containsExactly("hdfs://ns1" + above + " 1", "hdfs://ns2" + in("a") + " 1");
        assertThat(cached(client.listCacheDirectives(numbered(alone)))).containsExactly("hdfs://ns1/alone 1");
        assertThatThrownBy(() -> client.listCacheDirectives(numbered(77)))
                .hasMessageContaining("has a cache directive 77");
        for (Deed deed : List.<Deed>of(
                any -> client.removeCacheDirective(shared),
                any -> client.modifyCacheDirective(new CacheDirectiveInfo.Builder()
                        .setId(shared)
                        .setReplication((short) 3)
                        .build()))) {
            assertThatThrownBy(() -> deed.by(client)).hasMessageContaining("as hdfs://ns1/");
        }
        assertThatThrownBy(() -> client.modifyCacheDirective(
                        directive(in("b")).setId(alone).build()))
                .hasMessageContaining("which does not own " + in("b"));
        assertThatThrownBy(() -> client.removeCacheDirective(77)).hasMessageContaining("has a cache directive 77");
        client.modifyCacheDirective(new CacheDirectiveInfo.Builder()
                .setId(alone)
                .setReplication((short) 3)
                .build());
        assertThat(cached(first)).containsExactly("hdfs://ns1" + above + " 1", "hdfs://ns1/alone 3");
        client.removeCacheDirective(alone);
        assertThat(cached(first)).containsExactly("hdfs://ns1" + above + " 1");
        assertThat(cached(second)).containsExactly("hdfs://ns2" + in("a") + " 1");
    }

    /** A stock NameNode answers so for a path that it does not have. */
    @Test
    void noZoneAndNothingCorruptIsDoubted() throws IOException {
        give();
        long before = repeated();

        assertThat(((DistributedFileSystem) files).getEZForPath(in("file"))).isNull();
        assertThat(repeated()).isEqualTo(before + 1);
        assertThat(context.listCorruptFileBlocks(new Path(folder)).hasNext()).isFalse();
        assertThat(repeated()).isEqualTo(before + 2);
    }

    /** A provider of keys with tokens, as a KMS has them. */
    private static final class TokenKeys extends KeyProvider implements DelegationTokenIssuer {
        TokenKeys(Configuration conf) {
            super(conf);
        }

        @Override
        public String getCanonicalServiceName() {
            return "keys";
        }

        @Override
        public Token<?> getDelegationToken(String renewer) {
            return new Token<>(new byte[0], new byte[0], new Text("kms-dt"), new Text(getCanonicalServiceName()));
        }

        @Override
        public KeyVersion getKeyVersion(String versionName) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> getKeys() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<KeyVersion> getKeyVersions(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Metadata getMetadata(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyVersion createKey(String name, byte[] material, Options options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void deleteKey(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyVersion rollNewVersion(String name, byte[] material) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void flush() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void plainNameserviceGetsKeyProviderTokensLikeStockClient() throws IOException {
        conf.set("hadoop.security.key.provider.path", "keys-of-test://keys");
        URI alone = URI.create("hdfs://ns1");
        try (DistributedFileSystem stock = new DistributedFileSystem();
                FileSystem ours = FileSystem.newInstance(alone, conf)) {
            stock.initialize(alone, conf);
            stock.getClient().setKeyProvider(new TokenKeys(conf));
            Credentials wanted = new Credentials();
            stock.addDelegationTokens("renewer", wanted);
            Credentials found = new Credentials();
            ours.addDelegationTokens("renewer", found);

            assertThat(found.getToken(new Text("keys"))).isNotNull();
            assertThat(found.getAllTokens()).hasSameSizeAs(wanted.getAllTokens());
        }
    }
}
