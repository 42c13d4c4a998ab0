/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.hdfs.RbfRouters;
import io.trefoil.federation.mirror.Consent;
import io.trefoil.federation.mirror.MirrorMark;
import io.trefoil.federation.mirror.MirrorOutcome;
import io.trefoil.federation.mirror.MountChange;
import io.trefoil.federation.mirror.MountEntry;
import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.mirror.TableMirror;
import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.Tables;
import io.trefoil.foundation.TestPorts;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableManager;
import org.apache.hadoop.hdfs.server.federation.resolver.order.DestinationOrder;
import org.apache.hadoop.hdfs.server.federation.router.RouterQuotaUsage;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.GetMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RefreshMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.UpdateMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** The table in the mount table of two stock Routers. */
class RbfRoutersTest extends RouterFixture {

    @Test
    void clientsOfAllRoutersFollowEachVersion() throws Exception {
        addMountEntry(administration, "/foreign", "ns2", "/other");
        first.mkdirs(new Path("/mirrored"));
        second.mkdirs(new Path("/mirrored/logs"));
        runSuccessfully("table", "create", "cluster");
        runSuccessfully("table", "add", "/mirrored/logs", "ns2");

        assertThat(runMirror()).as(output + errors).isZero();

        assertThat(output).contains("127.0.0.2:" + adminPort + " routes by it.", "/foreign leads to hdfs://ns2/other");
        for (String host : HOSTS) {
            try (FileSystem throughIt = clientThrough(host)) {
                write(throughIt, "/mirrored/here-" + host);
                write(throughIt, "/mirrored/logs/there-" + host);
            }
            assertThat(first.exists(new Path("/mirrored/here-" + host))).isTrue();
            assertThat(second.exists(new Path("/mirrored/logs/there-" + host))).isTrue();
        }

        assertThat(runMirror()).as(output + errors).isZero();
        assertThat(output).contains("Nothing is to be changed.");

        second.rename(new Path("/mirrored/logs"), new Path("/copied"));
        first.mkdirs(new Path("/mirrored/logs"));
        second.mkdirs(new Path("/mirrored/logs"));
        runSuccessfully("table", "remove", "/mirrored/logs");
        assertThat(runMirror()).as(output + errors).isZero();

        try (FileSystem throughIt = clientThrough("127.0.0.2")) {
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

    @Test
    void refusesRouterNameserviceAsOwner() throws Exception {
        configureRouters(conf);
        first.mkdirs(new Path("/circle"));
        second.mkdirs(new Path("/circle"));
        runSuccessfully("table", "create", "cluster");
        String reason = "Wanted a nameservice of NameNodes, found hdfs://fed, which stands for Routers";
        for (String[] change : new String[][] {
            {"table", "add", "/circle", "fed"},
            {"table", "add", "/circle", "fed", "--dry-run"},
            {"table", "hash", "/circle", "ns1,fed"},
            {"subtree", "move", "/circle", "--to", "fed"},
            {"subtree", "move", "/circle", "--to", "fed", "--dry-run"},
            {"table", "create", "other", "--table", "hdfs://fed/ns1/tables"}
        }) {
            assertThat(run(change)).as(String.join(" ", change)).isEqualTo(1);
            assertThat(errors).as(String.join(" ", change)).contains(reason);
        }
        runSuccessfully("table", "history");
        assertThat(output).contains("create cluster").doesNotContain("/circle");
        assertThat(first.getFileStatus(new Path("/circle")).isSnapshotEnabled()).isFalse();
        runSuccessfully("table", "add", "/circle", "ns2");
    }

    /** RBF's own way to spread a directory, and ours, when one of two nameservices takes no more names. */
    @Test
    void mkdirIsAtomicUnlikeHashAllWhenOneNameserviceRefuses() throws Exception {
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
        runSuccessfully("table", "create", "cluster");
        runSuccessfully("table", "hash", "/events", "ns1,ns2");
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        HashedLayout layout = new HashedLayout("/events", 2);
        try (FileSystem throughIt = clientThrough("127.0.0.1");
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
    private static final class InterruptedRouters implements Routers {
        private final Routers delegate;
        private int left;

        InterruptedRouters(Routers delegate, int changes) {
            this.delegate = delegate;
            this.left = changes;
        }

        @Override
        public List<String> addresses() {
            return delegate.addresses();
        }

        @Override
        public List<MountEntry> entries() throws IOException {
            return delegate.entries();
        }

        @Override
        public void applyChange(MountChange change, MirrorMark mark) throws IOException {
            if (left == 0) {
                throw new IllegalStateException("killed");
            }
            left--;
            delegate.applyChange(change, mark);
        }

        @Override
        public void refresh(String router) throws IOException {
            delegate.refresh(router);
        }

        @Override
        public List<MountEntry> entries(String router) throws IOException {
            return delegate.entries(router);
        }

        @Override
        public String resolveNameservice(String router, SubtreePath path) throws IOException {
            return delegate.resolveNameservice(router, path);
        }

        @Override
        public void close() {
            // The test has others that use it.
        }
    }

    @Test
    void killedMirrorRunLeavesValidOwnersAndIsResumable() throws Exception {
        Map<String, String> old = Map.of("/", "ns1", "/half", "ns2", "/half/kept", "ns1", "/turned", "ns2");
        Map<String, String> next = Map.of("/", "ns1", "/new", "ns2", "/new/inside", "ns1", "/half/kept", "ns2");
        for (DistributedFileSystem one : List.of(first, second)) {
            for (String path : List.of("/half/x", "/half/kept/x", "/turned/x", "/new/x", "/new/inside/x")) {
                one.mkdirs(new Path(path));
            }
        }
        FakeTableStore store = new FakeTableStore();
        String router = ROUTERS.get(1).adminAddress();
        List<String> all = ROUTERS.stream().map(StockRouter::adminAddress).collect(Collectors.toList());
        int changes = 1;
        try (RbfRouters real = new RbfRouters(conf, all)) {
            for (int made = 0; made < changes; made++) {
                SubtreeTable before = Tables.tableWith(2 * made + 1, old);
                SubtreeTable after = Tables.tableWith(2 * made + 2, next);
                append(store, before);
                assertThat(mirror(store, real).staleRouters()).isEmpty();
                append(store, after);
                changes = new TableMirror(store, real, EnumSet.noneOf(Consent.class))
                        .dryRun()
                        .changes()
                        .size();

                InterruptedRouters killed = new InterruptedRouters(real, made);
                assertThatThrownBy(() -> mirror(store, killed)).hasMessage("killed");

                real.refresh(router);
                for (String path :
                        List.of("/half", "/half/x", "/half/kept/x", "/turned/x", "/new", "/new/x", "/new/inside/x")) {
                    SubtreePath parsed = SubtreePath.parse(path);
                    assertThat(real.resolveNameservice(router, parsed))
                            .as(path + " after " + made + " of " + changes)
                            .isIn(before.ownerOf(parsed), after.ownerOf(parsed));
                }
                assertThat(mirror(store, real).staleRouters()).isEmpty();
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
    void mirrorClosesSealOpenedByRouters() throws Exception {
        first.mkdirs(new Path("/quoted"));
        second.mkdirs(new Path("/quoted"));
        runSuccessfully("table", "create", "cluster");
        runSuccessfully("table", "add", "/quoted", "ns2");
        assertThat(runMirror()).as(output + errors).isZero();
        runSuccessfully("table", "remove", "/quoted");
        assertThatThrownBy(() -> write(second, "/quoted/late")).isInstanceOf(NSQuotaExceededException.class);

        setQuota("/quoted", 1_000);

        assertThat(second.getQuotaUsage(new Path("/quoted")).getQuota())
                .as("so whoever has an older table could create files there")
                .isEqualTo(1_000);
        assertThat(runMirror()).as(output + errors).isZero();
        assertThat(output).contains("Others opened the seal of hdfs://ns2/quoted; it is closed again.");
        assertThatThrownBy(() -> write(second, "/quoted/late")).isInstanceOf(NSQuotaExceededException.class);
        write(first, "/quoted/here");
        assertThat(runMirror()).as(output + errors).isZero();
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
    void onlyRouterSuperuserMayChangeEntries() throws Exception {
        second.mkdirs(new Path("/guarded"));
        runSuccessfully("table", "create", "cluster");
        assertThat(runMirror()).as(output + errors).isZero();
        runSuccessfully("table", "add", "/guarded", "ns2");

        int code = UserGroupInformation.createRemoteUser("alice")
                .doAs((PrivilegedExceptionAction<Integer>) this::runMirror);

        assertThat(code).isEqualTo(1);
        assertThat(mountTable(administration)).as("before anything is done").doesNotContainKey("/guarded");
        assertThat(errors).contains("did not mark /, to be with ns1: Permission denied", "user alice");
    }

    @Test
    void reportsNameserviceUnknownToRouters() throws IOException {
        FakeTableStore store = new FakeTableStore();
        store.records.add(TableRecord.of(
                Tables.tableWith(1, Map.of("/", "ns1", "/lost", "ns9")), "of the test", "alice", Instant.EPOCH));
        try (RbfRouters routers = new RbfRouters(conf, List.of(ROUTERS.get(0).adminAddress()))) {
            assertThat(new TableMirror(store, routers, EnumSet.noneOf(Consent.class))
                            .run()
                            .staleRouters())
                    .hasSize(1)
                    .hasEntrySatisfying(ROUTERS.get(0).adminAddress(), reason -> assertThat(reason)
                            .contains(
                                    "its clients are refused /lost in ns9",
                                    "Cannot locate a registered namenode for ns9"));
        }
    }

    @Test
    void reportsUnresponsiveRouters() {
        runSuccessfully("table", "create", "cluster");
        String nobody = "127.0.0.1:" + TestPorts.free();

        assertThat(run("table", "mirror", "--router", nobody)).isEqualTo(3);
        assertThat(errors).contains("No Router gives its mount table. " + nobody);
        assertThat(runMirror("--router", nobody)).isEqualTo(1);
        assertThat(output)
                .contains(nobody + " does not follow: ", "Repair or stop " + nobody + ", and run this again.");
        assertThatThrownBy(() -> new RbfRouters(conf, List.of("host:port")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void otherCommandsWorkWithoutRouterJar() throws Exception {
        String classPath = Arrays.stream(StockRouter.classPath().split(File.pathSeparator))
                .filter(one -> !one.contains("hadoop-hdfs-rbf"))
                .collect(Collectors.joining(File.pathSeparator));
        String main = TrefoilMain.class.getName();

        assertThat(runExpecting(StockRouter.javaProcess(classPath, main, "table", "mirror"), 2))
                .contains("The jar hadoop-hdfs-rbf of this Hadoop, which talks to Routers, is not on the class path");
        assertThat(runExpecting(StockRouter.javaProcess(classPath, main, "table", "show"), 2))
                .contains("Nothing says where the table is kept");
    }

    private static String runExpecting(ProcessBuilder builder, int code) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(code);
        return output;
    }
}
