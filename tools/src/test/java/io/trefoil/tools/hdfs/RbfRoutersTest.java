/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hashed.HashedLayout;
import io.trefoil.client.hdfs.subtrees.SubtreeFileSystem;
import io.trefoil.journal.TestPorts;
import io.trefoil.tools.table.mirror.Consent;
import io.trefoil.tools.table.mirror.MirrorMark;
import io.trefoil.tools.table.mirror.MirrorOutcome;
import io.trefoil.tools.table.mirror.MountChange;
import io.trefoil.tools.table.mirror.MountEntry;
import io.trefoil.tools.table.mirror.Routers;
import io.trefoil.tools.table.mirror.TableMirror;
import io.trefoil.tools.table.model.FakeTableStore;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableRecord;
import io.trefoil.tools.table.model.Tables;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableManager;
import org.apache.hadoop.hdfs.server.federation.resolver.order.DestinationOrder;
import org.apache.hadoop.hdfs.server.federation.router.RouterClient;
import org.apache.hadoop.hdfs.server.federation.router.RouterQuotaUsage;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.GetMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RefreshMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RemoveMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.UpdateMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table in the mount table of two stock Routers, each a process, before stock NameNodes. */
class RbfRoutersTest {

    /** Two Routers start beside other tests. */
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.2");

    @TempDir
    private static java.nio.file.Path directory;

    private static final List<StockRouter> ROUTERS = new ArrayList<>();
    private static StockFederation federation;
    private static int clientPort;
    private static int adminPort;
    private static int tables;

    private Configuration conf;
    private RouterClient administration;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private String output;
    private String errors;

    @BeforeAll
    static void start() throws Exception {
        federation = StockFederation.start(directory);
        clientPort = TestPorts.free();
        adminPort = TestPorts.free();
        for (String host : HOSTS) {
            ROUTERS.add(StockRouter.start(federation.client(), directory, host, clientPort, adminPort));
        }
        awaitRouters();
    }

    /** A Router answers before it knows the NameNodes. */
    private static void awaitRouters() throws Exception {
        try (RouterClient client = administrationOf("127.0.0.1")) {
            await().atMost(LIMIT)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> ROUTERS.stream().allMatch(StockRouter::isAlive)
                            && add(client, "/ns1", "ns1", "/")
                            && add(client, "/ns2", "ns2", "/"));
            for (String host : HOSTS) {
                try (FileSystem throughIt = through(host)) {
                    await().atMost(LIMIT)
                            .ignoreExceptionsInstanceOf(IOException.class)
                            .until(() -> ROUTERS.stream().allMatch(StockRouter::isAlive)
                                    && throughIt.listStatus(new Path("/ns1")) != null
                                    && throughIt.listStatus(new Path("/ns2")) != null);
                }
            }
        }
    }

    private static RouterClient administrationOf(String host) throws IOException {
        return new RouterClient(new InetSocketAddress(host, adminPort), new Configuration(federation.client()));
    }

    private static FileSystem through(String host) throws IOException {
        return FileSystem.newInstance(URI.create("hdfs://" + host + ":" + clientPort), federation.client());
    }

    /** By whoever runs the test, not by the table. */
    private static boolean add(RouterClient client, String path, String nameservice, String target) throws IOException {
        MountTable entry = MountTable.newInstance(path, Map.of(nameservice, target));
        MountTableManager manager = client.getMountTableManager();
        manager.refreshMountTableEntries(RefreshMountTableEntriesRequest.newInstance());
        return mountTable(client).containsKey(path)
                || manager.addMountTableEntry(AddMountTableEntryRequest.newInstance(entry))
                        .getStatus();
    }

    private static Map<String, String> mountTable(RouterClient client) throws IOException {
        return client
                .getMountTableManager()
                .getMountTableEntries(GetMountTableEntriesRequest.newInstance("/"))
                .getEntries()
                .stream()
                .collect(Collectors.toMap(
                        MountTable::getSourcePath,
                        entry -> entry.getDefaultLocation().toString() + " " + entry.getOwnerName() + " "
                                + entry.getGroupName()));
    }

    @AfterAll
    static void stop() throws Exception {
        for (StockRouter router : ROUTERS) {
            router.close();
        }
        federation.close();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        conf = federation.client();
        conf.set("fs.viewfs.mounttable.path", "hdfs://ns1/.trefoil/mirrored" + tables);
        conf.set("dfs.federation.router.rpc-address", "0.0.0.0:" + clientPort);
        administration = administrationOf("127.0.0.1");
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
    }

    @AfterEach
    void removeAllEntries() throws IOException {
        MountTableManager manager = administration.getMountTableManager();
        for (String path : mountTable(administration).keySet()) {
            manager.removeMountTableEntry(RemoveMountTableEntryRequest.newInstance(path));
        }
        administration.close();
        first.close();
        second.close();
    }

    private int run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = TrefoilMain.run(
                conf,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
        output = out.toString(StandardCharsets.UTF_8);
        errors = err.toString(StandardCharsets.UTF_8);
        return code;
    }

    private void done(String... arguments) {
        assertThat(run(arguments)).as(output + errors).isZero();
    }

    private int mirror(String... more) {
        List<String> arguments = new ArrayList<>(List.of("table", "mirror"));
        ROUTERS.forEach(router -> arguments.addAll(List.of("--router", router.administration())));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private static void write(FileSystem fileSystem, String path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(new Path(path))) {
            out.writeUTF(path);
        }
    }

    @Test
    void clientsOfAllRoutersFollowEachVersion() throws Exception {
        add(administration, "/foreign", "ns2", "/other");
        first.mkdirs(new Path("/mirrored"));
        second.mkdirs(new Path("/mirrored/logs"));
        done("table", "create", "cluster");
        done("table", "add", "/mirrored/logs", "ns2");

        assertThat(mirror()).as(output + errors).isZero();

        assertThat(output).contains("127.0.0.2:" + adminPort + " routes by it.", "/foreign leads to hdfs://ns2/other");
        for (String host : HOSTS) {
            try (FileSystem throughIt = through(host)) {
                write(throughIt, "/mirrored/here-" + host);
                write(throughIt, "/mirrored/logs/there-" + host);
            }
            assertThat(first.exists(new Path("/mirrored/here-" + host))).isTrue();
            assertThat(second.exists(new Path("/mirrored/logs/there-" + host))).isTrue();
        }

        assertThat(mirror()).as(output + errors).isZero();
        assertThat(output).contains("Nothing is to be changed.");

        second.rename(new Path("/mirrored/logs"), new Path("/copied"));
        first.mkdirs(new Path("/mirrored/logs"));
        second.mkdirs(new Path("/mirrored/logs"));
        done("table", "remove", "/mirrored/logs");
        assertThat(mirror()).as(output + errors).isZero();

        try (FileSystem throughIt = through("127.0.0.2")) {
            write(throughIt, "/mirrored/logs/back");
        }
        assertThat(first.exists(new Path("/mirrored/logs/back"))).isTrue();
        assertThatThrownBy(() -> write(second, "/mirrored/logs/late"))
                .as("the seal holds, though Routers clear quotas")
                .isInstanceOf(NSQuotaExceededException.class);
        administration.getMountTableManager().refreshMountTableEntries(RefreshMountTableEntriesRequest.newInstance());
        assertThat(mountTable(administration))
                .containsEntry("/", "ns1->/ trefoil cluster:3")
                .containsKey("/foreign")
                .doesNotContainKey("/mirrored/logs");
    }

    /** A client's configuration may name Routers as a nameservice. */
    private static void nameRouters(Configuration conf) {
        conf.set("dfs.nameservices", "ns1,ns2,fed");
        conf.set("dfs.ha.namenodes.fed", "r1,r2");
        conf.set("dfs.namenode.rpc-address.fed.r1", "127.0.0.1:" + clientPort);
        conf.set("dfs.namenode.rpc-address.fed.r2", "127.0.0.2:" + clientPort);
        conf.set("dfs.client.failover.proxy.provider.fed", ConfiguredFailoverProxyProvider.class.getName());
    }

    /** A user's programs on a stock client of both Routers, each of which writes, renames and reads until it fails or is to stop. */
    private static final class Programs implements AutoCloseable {
        private static final int PROGRAMS = 3;
        private final ExecutorService threads = Executors.newFixedThreadPool(PROGRAMS);
        private final AtomicBoolean isToStop = new AtomicBoolean();
        private final List<AtomicInteger> rounds = new ArrayList<>();
        private final List<Future<?>> running = new ArrayList<>();

        Programs(String folder) {
            for (int i = 0; i < PROGRAMS; i++) {
                AtomicInteger round = new AtomicInteger();
                String file = folder + "/of" + i + "-";
                rounds.add(round);
                PrivilegedExceptionAction<Void> program = () -> work(file, round);
                UserGroupInformation alice = UserGroupInformation.createUserForTesting("alice", new String[] {"staff"});
                running.add(threads.submit(() -> alice.doAs(program)));
            }
        }

        private Void work(String file, AtomicInteger round) throws IOException {
            Configuration conf = federation.client();
            nameRouters(conf);
            try (FileSystem files = FileSystem.newInstance(URI.create("hdfs://fed"), conf)) {
                while (!isToStop.get()) {
                    Path made = new Path(file + round.get());
                    Path draft = made.suffix(".draft");
                    write(files, draft.toString());
                    assertThat(files.rename(draft, made))
                            .as("rename to " + made)
                            .isTrue();
                    try (FSDataInputStream in = files.open(made)) {
                        assertThat(in.readUTF()).isEqualTo(draft.toString());
                    }
                    round.incrementAndGet();
                }
            }
            return null;
        }

        /** Returns when each has done as many rounds more, or one has failed. */
        void awaitRounds(int more) {
            List<Integer> wanted =
                    rounds.stream().map(round -> round.get() + more).collect(Collectors.toList());
            for (int i = 0; i < PROGRAMS; i++) {
                int program = i;
                await().atMost(LIMIT)
                        .until(() -> rounds.get(program).get() >= wanted.get(program)
                                || running.stream().anyMatch(Future::isDone));
            }
        }

        /** Stops them; fails with what one failed with. Returns the names of all files that they made. */
        Set<String> made() throws Exception {
            isToStop.set(true);
            Set<String> made = new TreeSet<>();
            for (int i = 0; i < PROGRAMS; i++) {
                running.get(i).get();
                for (int round = 0; round < rounds.get(i).get(); round++) {
                    made.add("of" + i + "-" + round);
                }
            }
            return made;
        }

        @Override
        public void close() {
            isToStop.set(true);
            threads.shutdownNow();
        }
    }

    private void makeFoldersOfAlice(String folder) throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(new Path(folder).getParent());
        }
        first.mkdirs(new Path(folder));
        first.setOwner(new Path(folder), "alice", "staff");
    }

    private static Set<String> namesIn(FileSystem files, String folder) throws IOException {
        return Arrays.stream(files.listStatus(new Path(folder)))
                .map(one -> one.getPath().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void programsOfRoutersGoOnThroughAMoveAndNothingFails() throws Exception {
        federation.gate("ns1");
        makeFoldersOfAlice("/alive/sales");
        done("table", "create", "cluster");
        assertThat(mirror()).as(output + errors).isZero();
        List<String> move = new ArrayList<>(List.of("subtree", "move", "/alive/sales", "--to", "ns2"));
        ROUTERS.forEach(router -> move.addAll(List.of("--router", router.administration())));
        // Who reads a file when it is deleted at the source fails, whichever client it has.
        move.add("--keep-source");
        try (Programs programs = new Programs("/alive/sales")) {
            programs.awaitRounds(2);
            done(move.toArray(String[]::new));
            programs.awaitRounds(2);
            Set<String> made = programs.made();

            assertThat(namesIn(second, "/alive/sales")).isEqualTo(made);
            assertThat(made).hasSizeGreaterThan(namesIn(first, "/alive/sales").size());
            done("subtree", "status");
            assertThat(output).contains("Routers that follow it: 127.0.0.1:" + adminPort + ", 127.0.0.2:" + adminPort);
            done("subtree", "move", "/alive/sales", "--to", "ns2");
            assertThat(mirror("--dry-run")).as(output + errors).isZero();
            assertThat(output).contains("Nothing is to be changed.");
        } finally {
            federation.ungate();
        }
    }

    /** Their clients wait until somebody mirrors the table. */
    @Test
    void programsOfRoutersGoOnWhenTheTableIsMirroredAfterAMove() throws Exception {
        federation.gate("ns1");
        makeFoldersOfAlice("/late/sales");
        done("table", "create", "cluster");
        assertThat(mirror()).as(output + errors).isZero();
        try (Programs programs = new Programs("/late/sales")) {
            programs.awaitRounds(2);
            done("subtree", "move", "/late/sales", "--to", "ns2", "--keep-source");
            assertThat(mirror()).as(output + errors).isZero();
            programs.awaitRounds(2);
            Set<String> made = programs.made();
            assertThat(namesIn(second, "/late/sales")).isEqualTo(made);
            done("subtree", "move", "/late/sales", "--to", "ns2");
        } finally {
            federation.ungate();
        }
    }

    @Test
    void aMoveWithARouterThatIsDownIsNotUndoneAndEndsWhenTheOthersAreNamed() throws Exception {
        makeFoldersOfAlice("/down/sales");
        write(first, "/down/sales/file");
        done("table", "create", "cluster");
        String nobody = "127.0.0.1:" + TestPorts.free();
        String router = ROUTERS.get(0).administration();
        String[] move = {"subtree", "move", "/down/sales", "--to", "ns2", "--router", nobody};

        assertThat(run(move)).isEqualTo(3);
        assertThat(errors).contains("No Router gives its mount table. " + nobody);
        done("subtree", "status");
        assertThat(output).contains("No subtree is being moved.");

        List<String> both = new ArrayList<>(List.of(move));
        both.addAll(List.of("--router", router));
        assertThat(run(both.toArray(String[]::new))).isEqualTo(1);
        assertThat(errors)
                .contains("Routers do not follow yet: " + nobody + ": ")
                .contains("/down/sales belongs to ns2 and is open there, but not all Routers follow: " + nobody + ": ");
        try (FileSystem throughIt = through(HOSTS.get(0))) {
            write(throughIt, "/down/sales/new");
        }
        assertThat(namesIn(second, "/down/sales")).containsExactly("file", "new");
        // As long as it is not known to follow, the command goes on asking, and so does whoever repeats it.
        done("subtree", "status");
        assertThat(output).contains("or Routers do not follow", nobody);
        assertThat(run("subtree", "move", "/down/sales", "--to", "ns2")).isEqualTo(1);
        assertThat(errors).contains("not all Routers follow: " + nobody);

        done("subtree", "move", "/down/sales", "--to", "ns2", "--router", router);
        done("subtree", "status");
        assertThat(output).contains("No subtree is being moved.");
    }

    @Test
    void aNameOfRoutersOwnsNothing() throws Exception {
        nameRouters(conf);
        first.mkdirs(new Path("/circle"));
        second.mkdirs(new Path("/circle"));
        done("table", "create", "cluster");
        String why = "Wanted a nameservice of NameNodes, found hdfs://fed, which stands for Routers";
        for (String[] change : new String[][] {
            {"table", "add", "/circle", "fed"},
            {"table", "add", "/circle", "fed", "--dry-run"},
            {"table", "hash", "/circle", "ns1,fed"},
            {"subtree", "move", "/circle", "--to", "fed"},
            {"subtree", "move", "/circle", "--to", "fed", "--dry-run"},
            {"table", "create", "other", "--table", "hdfs://fed/ns1/tables"}
        }) {
            assertThat(run(change)).as(String.join(" ", change)).isEqualTo(1);
            assertThat(errors).as(String.join(" ", change)).contains(why);
        }
        done("table", "history");
        assertThat(output).contains("create cluster").doesNotContain("/circle");
        assertThat(first.getFileStatus(new Path("/circle")).isSnapshotEnabled()).isFalse();
        done("table", "add", "/circle", "ns2");
    }

    /** RBF's own way to spread a directory, and ours, when one of two nameservices takes no more names. */
    @Test
    void aDirectoryThatOneNameserviceRefusesIsHalfThereByHashAllAndNotAtAllByTheTable() throws Exception {
        MountTable spread = MountTable.newInstance("/hash-all", Map.of("ns1", "/hash-all", "ns2", "/hash-all"));
        spread.setDestOrder(DestinationOrder.HASH_ALL);
        MountTableManager manager = administration.getMountTableManager();
        first.mkdirs(new Path("/hash-all"));
        second.mkdirs(new Path("/hash-all"));
        assertThat(manager.addMountTableEntry(AddMountTableEntryRequest.newInstance(spread))
                        .getStatus())
                .isTrue();
        manager.refreshMountTableEntries(RefreshMountTableEntriesRequest.newInstance());
        first.mkdirs(new Path("/events"));
        done("table", "create", "cluster");
        done("table", "hash", "/events", "ns1,ns2");
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        HashedLayout layout = new HashedLayout("/events", 2);
        try (FileSystem throughIt = through("127.0.0.1");
                FileSystem files = FileSystem.newInstance(URI.create("hdfs://cluster"), conf)) {
            int number = 0;
            while (layout.homeOf("/file" + number) != 1) {
                number++;
            }
            write(files, "/events/file" + number);
            second.setQuota(new Path("/hash-all"), 1, HdfsConstants.QUOTA_DONT_SET);
            second.setQuota(new Path(HashedLayout.rootOf("/events")), 2, HdfsConstants.QUOTA_DONT_SET);

            assertThat(throughIt.mkdirs(new Path("/hash-all/half"))).isTrue();
            assertThat(first.exists(new Path("/hash-all/half"))).isTrue();
            assertThat(second.exists(new Path("/hash-all/half"))).isFalse();
            for (String name : List.of("a", "b", "c", "d")) {
                assertThatThrownBy(() -> files.mkdirs(new Path("/events/" + name)))
                        .isInstanceOf(NSQuotaExceededException.class);
                assertThat(files.exists(new Path("/events/" + name))).isFalse();
            }
            assertThat(files.listStatus(new Path("/events"))).hasSize(1);
            assertThat(first.listStatus(new Path(HashedLayout.rootOf("/events"))))
                    .isEmpty();
        }
    }

    /** The Routers behind a run that ends after so many changes, as if it was killed: it keeps nothing of its own. */
    private static final class KilledAfter implements Routers {
        private final Routers real;
        private int left;

        KilledAfter(Routers real, int changes) {
            this.real = real;
            this.left = changes;
        }

        @Override
        public List<String> addresses() {
            return real.addresses();
        }

        @Override
        public List<MountEntry> entries() throws IOException {
            return real.entries();
        }

        @Override
        public void make(MountChange change, MirrorMark mark) throws IOException {
            if (left == 0) {
                throw new IllegalStateException("killed");
            }
            left--;
            real.make(change, mark);
        }

        @Override
        public void refresh(String router) throws IOException {
            real.refresh(router);
        }

        @Override
        public List<MountEntry> entries(String router) throws IOException {
            return real.entries(router);
        }

        @Override
        public String find(String router, SubtreePath path) throws IOException {
            return real.find(router, path);
        }

        @Override
        public void close() {
            // The test has others that use it.
        }
    }

    @Test
    void aRunThatIsKilledAnywhereLeavesEachPathWithItsOldOwnerOrItsNewOneAndTheNextRunEndsIt() throws Exception {
        Map<String, String> old = Map.of("/", "ns1", "/half", "ns2", "/half/kept", "ns1", "/turned", "ns2");
        Map<String, String> next = Map.of("/", "ns1", "/new", "ns2", "/new/inside", "ns1", "/half/kept", "ns2");
        for (DistributedFileSystem one : List.of(first, second)) {
            for (String path : List.of("/half/x", "/half/kept/x", "/turned/x", "/new/x", "/new/inside/x")) {
                one.mkdirs(new Path(path));
            }
        }
        FakeTableStore store = new FakeTableStore();
        String router = ROUTERS.get(1).administration();
        List<String> all = ROUTERS.stream().map(StockRouter::administration).collect(Collectors.toList());
        int changes = 1;
        try (RbfRouters real = new RbfRouters(conf, all)) {
            for (int made = 0; made < changes; made++) {
                SubtreeTable before = Tables.of(2 * made + 1, old);
                SubtreeTable after = Tables.of(2 * made + 2, next);
                append(store, before);
                assertThat(mirror(store, real).behind()).isEmpty();
                append(store, after);
                changes = new TableMirror(store, real, EnumSet.noneOf(Consent.class))
                        .look()
                        .changes()
                        .size();

                KilledAfter killed = new KilledAfter(real, made);
                assertThatThrownBy(() -> mirror(store, killed)).hasMessage("killed");

                real.refresh(router);
                for (String path :
                        List.of("/half", "/half/x", "/half/kept/x", "/turned/x", "/new", "/new/x", "/new/inside/x")) {
                    SubtreePath parsed = SubtreePath.parse(path);
                    assertThat(real.find(router, parsed))
                            .as(path + " after " + made + " of " + changes)
                            .isIn(before.ownerOf(parsed), after.ownerOf(parsed));
                }
                assertThat(mirror(store, real).behind()).isEmpty();
                assertThat(mirror(store, real).changes()).isEmpty();
            }
        }
        assertThat(changes).as("so the runs ended at many places").isGreaterThan(5);
    }

    private static void append(FakeTableStore store, SubtreeTable table) {
        assertThat(store.append(TableRecord.of(table, "of the test", "alice", Instant.EPOCH)))
                .isTrue();
    }

    private static MirrorOutcome mirror(FakeTableStore store, Routers routers) throws IOException {
        return new TableMirror(store, routers, EnumSet.noneOf(Consent.class)).run();
    }

    /** They lead to the old owner until the table is mirrored, and it is there that they set what an operator wants of the subtree. */
    @Test
    void aSealThatRoutersOpenIsClosedAgain() throws Exception {
        first.mkdirs(new Path("/quoted"));
        second.mkdirs(new Path("/quoted"));
        done("table", "create", "cluster");
        done("table", "add", "/quoted", "ns2");
        assertThat(mirror()).as(output + errors).isZero();
        done("table", "remove", "/quoted");
        assertThatThrownBy(() -> write(second, "/quoted/late")).isInstanceOf(NSQuotaExceededException.class);

        setQuota("/quoted", 1_000);

        assertThat(second.getQuotaUsage(new Path("/quoted")).getQuota())
                .as("so whoever has an older table could create files there")
                .isEqualTo(1_000);
        assertThat(mirror()).as(output + errors).isZero();
        assertThat(output).contains("Others opened the seal of hdfs://ns2/quoted; it is closed again.");
        assertThatThrownBy(() -> write(second, "/quoted/late")).isInstanceOf(NSQuotaExceededException.class);
        write(first, "/quoted/here");
        assertThat(mirror()).as(output + errors).isZero();
        assertThat(output).doesNotContain("seal");
    }

    /** As {@code hdfs dfsrouteradmin -setQuota} does. */
    private void setQuota(String path, long names) throws IOException {
        MountTableManager manager = administration.getMountTableManager();
        manager.refreshMountTableEntries(RefreshMountTableEntriesRequest.newInstance());
        MountTable entry =
                manager.getMountTableEntries(GetMountTableEntriesRequest.newInstance(path)).getEntries().stream()
                        .filter(one -> one.getSourcePath().equals(path))
                        .findFirst()
                        .orElseThrow();
        entry.setQuota(new RouterQuotaUsage.Builder()
                .quota(names)
                .spaceQuota(HdfsConstants.QUOTA_RESET)
                .build());
        assertThat(manager.updateMountTableEntry(UpdateMountTableEntryRequest.newInstance(entry))
                        .getStatus())
                .isTrue();
    }

    @Test
    void onlyTheSuperuserOfTheRoutersChangesEntries() throws Exception {
        second.mkdirs(new Path("/guarded"));
        done("table", "create", "cluster");
        assertThat(mirror()).as(output + errors).isZero();
        done("table", "add", "/guarded", "ns2");

        int code =
                UserGroupInformation.createRemoteUser("alice").doAs((PrivilegedExceptionAction<Integer>) this::mirror);

        assertThat(code).isEqualTo(1);
        assertThat(mountTable(administration)).as("before anything is done").doesNotContainKey("/guarded");
        assertThat(errors).contains("did not mark /, to be with ns1: Permission denied", "user alice");
    }

    @Test
    void aNameserviceThatTheRoutersDoNotKnowIsNamed() throws IOException {
        FakeTableStore store = new FakeTableStore();
        store.records.add(TableRecord.of(
                Tables.of(1, Map.of("/", "ns1", "/lost", "ns9")), "of the test", "alice", Instant.EPOCH));
        try (RbfRouters routers = new RbfRouters(conf, List.of(ROUTERS.get(0).administration()))) {
            assertThat(new TableMirror(store, routers, EnumSet.noneOf(Consent.class))
                            .run()
                            .behind())
                    .hasSize(1)
                    .hasEntrySatisfying(ROUTERS.get(0).administration(), why -> assertThat(why)
                            .contains(
                                    "its clients are refused /lost in ns9",
                                    "Cannot locate a registered namenode for ns9"));
        }
    }

    @Test
    void whereNobodyAnswersNothingIsKnown() {
        done("table", "create", "cluster");
        String nobody = "127.0.0.1:" + TestPorts.free();

        assertThat(run("table", "mirror", "--router", nobody)).isEqualTo(3);
        assertThat(errors).contains("No Router gives its mount table. " + nobody);
        assertThat(mirror("--router", nobody)).isEqualTo(1);
        assertThat(output)
                .contains(nobody + " does not follow: ", "Repair or stop " + nobody + ", and run this again.");
        assertThatThrownBy(() -> new RbfRouters(conf, List.of("host:port")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whereHadoopHasNoRouterTheOtherCommandsWork() throws Exception {
        String classPath = Arrays.stream(StockRouter.classPath().split(File.pathSeparator))
                .filter(one -> !one.contains("hadoop-hdfs-rbf"))
                .collect(Collectors.joining(File.pathSeparator));
        String main = TrefoilMain.class.getName();

        assertThat(outputOf(StockRouter.java(classPath, main, "table", "mirror"), 2))
                .contains("The jar hadoop-hdfs-rbf of this Hadoop, which talks to Routers, is not on the class path");
        assertThat(outputOf(StockRouter.java(classPath, main, "table", "show"), 2))
                .contains("Nothing says where the table is kept");
    }

    private static String outputOf(ProcessBuilder builder, int code) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(code);
        return output;
    }
}
