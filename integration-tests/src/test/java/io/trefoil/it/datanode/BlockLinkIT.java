/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.datanode.BlockLink;
import io.trefoil.datanode.BlockName;
import io.trefoil.datanode.LinkOrder;
import io.trefoil.datanode.LinkOrder.Check;
import io.trefoil.datanode.LinkOutcome;
import io.trefoil.datanode.LinkOutcome.Verdict;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.Together;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Two nameservices of stock HDFS with the same DataNodes; blocks of one are linked into the other. What either does with its own
 * replicas never changes what the other reads.
 */
class BlockLinkIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int DATA_NODES = 3;
    private static final int BLOCK = 1 << 20;
    private static final int LENGTH = 2 * BLOCK + 300_001;
    private static final short REPLICATION = 2;
    private static final int RACES = 25;
    private static final int LINKED_RACES = 5;
    private static final int MOST_RACES = 500;

    private static HaCluster sales;
    private static HaCluster stock;
    private static java.nio.file.Path excluded;
    private static boolean failed;

    private DistributedFileSystem salesFiles;
    private DistributedFileSystem stockFiles;
    private RawReplicas raw;
    private LinkedCopy copy;
    private String file;
    private boolean passed;

    @BeforeAll
    static void startFederation() throws IOException {
        excluded = Files.createTempFile("excluded", ".hosts");
        sales = nameservice("sales").dataNodes(DATA_NODES).create();
        stock = nameservice("stock").create();
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put("dfs.nameservices", "sales,stock");
        for (HaCluster cluster : List.of(sales, stock)) {
            String name = cluster.layout().nameservice();
            addresses.put("dfs.ha.namenodes." + name, "nn1");
            for (String service : List.of("rpc", "http")) {
                addresses.put(
                        "dfs.namenode." + service + "-address." + name + ".nn1",
                        cluster.nameNode(1).address(service));
            }
            addresses.put(
                    "dfs.client.failover.proxy.provider." + name,
                    "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        }
        for (HaCluster cluster : List.of(sales, stock)) {
            addresses.forEach(cluster::setProperty);
        }
        Together.forEach(List.of(sales, stock), cluster -> {
            cluster.nameNode(1).format("one-cluster");
            cluster.nameNode(1).start();
        });
        sales.dataNodes().forEach(Server::start);
        awaitDataNodes();
    }

    private static HaClusterBuilder nameservice(String name) {
        return HaCluster.builder("links-" + name)
                .nameservice(name)
                .journal(JournalKind.local())
                .nameNodes(1)
                .unsupervised()
                .property("dfs.datanode.plugins", "io.trefoil.datanode.hdfs.BlockLinkPlugin")
                .property("fs.getspaceused.classname", "io.trefoil.datanode.hdfs.SharedSpaceUsed")
                .property("fs.du.interval", "500")
                .property("fs.getspaceused.jitterMillis", "0")
                .property("dfs.datanode.directoryscan.interval", "1s")
                .property("dfs.namenode.redundancy.considerLoad", "false")
                .property("dfs.namenode.redundancy.interval.seconds", "1s")
                .property("dfs.namenode.decommission.interval", "1s")
                .property("dfs.namenode.replication.max-streams", "50")
                .property("dfs.hosts.exclude", excluded.toString())
                .property("dfs.client.block.write.replace-datanode-on-failure.enable", "false");
    }

    private static void awaitDataNodes() {
        for (HaCluster cluster : List.of(sales, stock)) {
            cluster.nameNode(1)
                    .await(
                            "sees all DataNodes, out of safe mode",
                            LIMIT,
                            () -> cluster.nameNode(1)
                                                    .jmx()
                                                    .number(
                                                            "Hadoop:service=NameNode,name=FSNamesystemState",
                                                            "NumLiveDataNodes")
                                            == DATA_NODES
                                    && cluster.nameNode(1)
                                            .jmx()
                                            .text("Hadoop:service=NameNode,name=NameNodeInfo", "Safemode")
                                            .isEmpty());
        }
    }

    @AfterAll
    static void stopFederation() throws IOException {
        for (HaCluster cluster : List.of(stock, sales)) {
            if (!failed) {
                cluster.succeeded();
            }
            cluster.close();
        }
        Files.deleteIfExists(excluded);
    }

    @BeforeEach
    void connect(TestInfo test) {
        salesFiles = sales.newFileSystem();
        stockFiles = stock.newFileSystem();
        raw = new RawReplicas(sales.dataNodes());
        copy = new LinkedCopy(salesFiles, stockFiles, sales.clientConfiguration());
        file = "/" + test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void remember() {
        failed |= !passed;
    }

    @Test
    void aLinkedFileReadsByteForByteAndOutlivesItsSource() throws IOException {
        byte[] bytes = write(salesFiles, file, LENGTH);

        copy.copy(file);

        assertThat(read(stockFiles, file)).isEqualTo(bytes);
        assertThat(stockFiles.getFileChecksum(new Path(file))).isEqualTo(salesFiles.getFileChecksum(new Path(file)));
        List<LocatedBlock> linked = LinkedCopy.blocks(stockFiles, file);
        assertThat(linked).hasSize(3).allSatisfy(block -> {
            assertThat(block.getLocations()).hasSize(REPLICATION);
            assertThat(raw.of(block.getBlock())).hasSize(REPLICATION).allSatisfy(replica -> assertThat(
                            RawReplicas.names(replica))
                    .isEqualTo(2));
        });
        salesFiles.delete(new Path(file), false);
        Await.until(
                "the source's names are gone",
                LIMIT,
                () -> linked.stream().allMatch(block -> raw.of(block.getBlock()).stream()
                        .allMatch(replica -> RawReplicas.names(replica) == 1)),
                sales::describe);
        assertReplicas(stockFiles, bytes);
        assertThat(read(stockFiles, file)).isEqualTo(bytes);
        passed = true;
    }

    @Test
    void anAppendThroughEitherPoolChangesNothingInTheOther() throws IOException {
        for (boolean source : new boolean[] {true, false}) {
            file = file + source;
            byte[] bytes = write(salesFiles, file, LENGTH);
            copy.copy(file);
            DistributedFileSystem changed = source ? salesFiles : stockFiles;
            DistributedFileSystem other = source ? stockFiles : salesFiles;

            byte[] more = random(70_003);
            try (OutputStream out = changed.append(new Path(file))) {
                out.write(more);
            }

            byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
            System.arraycopy(more, 0, all, bytes.length, more.length);
            assertReplicas(changed, all);
            assertReplicas(other, bytes);
            assertThat(read(changed, file)).isEqualTo(all);
            assertThat(read(other, file)).isEqualTo(bytes);
            LocatedBlock last = last(other);
            assertThat(raw.of(last.getBlock())).allSatisfy(replica -> assertThat(RawReplicas.names(replica))
                    .isEqualTo(1));
        }
        passed = true;
    }

    @Test
    void aTruncationThroughEitherPoolChangesNothingInTheOther() throws IOException {
        for (boolean source : new boolean[] {true, false}) {
            file = file + source;
            byte[] bytes = write(salesFiles, file, LENGTH);
            copy.copy(file);
            DistributedFileSystem changed = source ? salesFiles : stockFiles;
            DistributedFileSystem other = source ? stockFiles : salesFiles;

            int kept = 2 * BLOCK + 1_001;
            changed.truncate(new Path(file), kept);
            Await.until("the truncation is over", LIMIT, () -> changed.isFileClosed(new Path(file)), sales::describe);

            assertReplicas(changed, Arrays.copyOf(bytes, kept));
            assertReplicas(other, bytes);
            assertThat(read(changed, file)).isEqualTo(Arrays.copyOf(bytes, kept));
            assertThat(read(other, file)).isEqualTo(bytes);
        }
        passed = true;
    }

    /** Orders come anywhere between the opening for an append and its close: what is linked has the bytes of its stamp, for ever. */
    @Test
    void linksThatRaceWithAppendsHaveTheBytesOfTheirStamp() throws Exception {
        write(salesFiles, file, 5_003);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> appends = CompletableFuture.runAsync(() -> appendUntil(over));
        Map<String, Integer> linked = new LinkedHashMap<>();
        try {
            for (int asked = 0; asked < RACES || linked.size() < LINKED_RACES; asked++) {
                assertThat(asked).as("orders for %s links", linked.size()).isLessThan(MOST_RACES);
                LinkedCopy.Draft draft = copy.create(file, file + "-" + asked);
                LocatedBlock block = last(salesFiles);
                if (isLinkedEverywhere(block, draft, draft.add(block))) {
                    draft.complete();
                    linked.put(file + "-" + asked, (int) block.getBlockSize());
                } else {
                    stockFiles.delete(new Path(file + "-" + asked), false);
                }
            }
        } finally {
            over.set(true);
        }
        appends.join();
        byte[] all = read(salesFiles, file);
        assertReplicas(salesFiles, all);
        for (Map.Entry<String, Integer> one : linked.entrySet()) {
            file = one.getKey();
            assertReplicas(stockFiles, Arrays.copyOf(all, one.getValue()));
            assertThat(read(stockFiles, file)).isEqualTo(Arrays.copyOf(all, one.getValue()));
        }
        passed = true;
    }

    private void appendUntil(AtomicBoolean over) {
        String path = file;
        while (!over.get()) {
            try (OutputStream out = salesFiles.append(new Path(path))) {
                out.write(random(701));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private boolean isLinkedEverywhere(LocatedBlock block, LinkedCopy.Draft draft, BlockLink link) throws IOException {
        boolean everywhere = true;
        for (DatanodeInfo dataNode : block.getLocations()) {
            LinkOutcome outcome = copy.link(dataNode, block, draft, link);
            assertThat(outcome.verdict()).as(outcome.toString()).isNotEqualTo(Verdict.FAILED);
            everywhere &= outcome.verdict() == Verdict.LINKED;
        }
        return everywhere;
    }

    @Test
    void whatDiffersFromTheOrderIsRefused() throws IOException {
        write(salesFiles, file, BLOCK);
        LocatedBlock block = last(salesFiles);
        LinkedCopy.Draft draft = copy.create(file);
        BlockLink link = draft.add(block);
        DatanodeInfo dataNode = block.getLocations()[0];
        BlockName from = link.from();
        BlockName later = BlockName.parse("blk_" + from.id() + "_" + (from.stamp() + 1));
        BlockName unknown = BlockName.parse("blk_" + (from.id() + 100_000) + "_" + from.stamp());

        assertThat(copy.link(dataNode, block, draft, BlockLink.of(later, link.length(), link.to())))
                .satisfies(outcome -> assertRefused(outcome, "wanted " + later));
        assertThat(copy.link(dataNode, block, draft, BlockLink.of(from, link.length() - 1, link.to())))
                .satisfies(outcome -> assertRefused(outcome, "found stamp " + from.stamp()));
        assertThat(copy.link(dataNode, block, draft, BlockLink.of(unknown, link.length(), link.to())))
                .satisfies(outcome -> assertRefused(outcome, "no replica of " + unknown));
        assertThat(copy.client()
                        .link(
                                LinkedCopy.ipc(dataNode),
                                LinkOrder.of(
                                        block.getBlock().getBlockPoolId(), "BP-none", Check.CHECKSUMS, List.of(link)))
                        .get(0))
                .satisfies(outcome -> assertRefused(outcome, "does not serve BP-none"));
        passed = true;
    }

    @Test
    void aBlockThatIsBeingWrittenIsRefused() throws IOException {
        try (FSDataOutputStream out = salesFiles.create(new Path(file), REPLICATION)) {
            out.write(random(1_000));
            out.hflush();
            write(salesFiles, file + "-other", 1_000);
            LocatedBlock block = last(salesFiles);
            LinkedCopy.Draft draft = copy.create(file + "-other");
            BlockLink link = draft.add(block);

            LinkOutcome outcome =
                    copy.link(block.getLocations()[0], block, draft, BlockLink.of(link.from(), 1_000, link.to()));

            assertRefused(outcome, "RBW");
        }
        passed = true;
    }

    @Test
    void anOrderThatIsGivenTwiceIsCarriedOutOnce() throws IOException {
        byte[] bytes = write(salesFiles, file, BLOCK);
        LocatedBlock block = last(salesFiles);
        LinkedCopy.Draft draft = copy.create(file);
        BlockLink link = draft.add(block);
        for (int time = 0; time < 3; time++) {
            for (DatanodeInfo dataNode : block.getLocations()) {
                assertThat(copy.link(dataNode, block, draft, link).verdict()).isEqualTo(Verdict.LINKED);
            }
        }
        draft.complete();

        assertReplicas(stockFiles, bytes);
        assertThat(raw.of(last(stockFiles).getBlock()))
                .allSatisfy(replica -> assertThat(RawReplicas.names(replica)).isEqualTo(2));
        // With files of its own, it is something else.
        write(stockFiles, file + "-own", BLOCK);
        LocatedBlock own = LinkedCopy.blocks(stockFiles, file + "-own").get(0);
        DatanodeInfo both = Arrays.stream(own.getLocations())
                .filter(dataNode -> Arrays.asList(block.getLocations()).contains(dataNode))
                .findFirst()
                .orElseThrow();
        assertRefused(
                copy.link(
                        both, block, draft, BlockLink.of(link.from(), link.length(), LinkedCopy.name(own.getBlock()))),
                "already");
        passed = true;
    }

    @Test
    void linksOutliveTheDataNodeAndItsScans() throws IOException {
        byte[] bytes = write(salesFiles, file, LENGTH);
        copy.copy(file);
        for (Server dataNode : sales.dataNodes()) {
            // Where a link was interrupted: names that HDFS has not been given yet.
            java.nio.file.Path pool =
                    RawReplicas.pool(dataNode, last(stockFiles).getBlock().getBlockPoolId());
            Files.write(pool.resolve("tmp/link-1-blk_77"), random(10));
            dataNode.kill9ForGood();
        }
        for (Server dataNode : sales.dataNodes()) {
            long end = dataNode.log().end();
            dataNode.start();
            dataNode.await(
                    "has reported to both",
                    LIMIT,
                    () -> dataNode.log().since(end).split("Successfully sent block report", -1).length > 2);
        }
        assertThat(LinkedCopy.blocks(stockFiles, file))
                .allSatisfy(block -> assertThat(block.getLocations()).hasSize(REPLICATION));
        for (Server dataNode : sales.dataNodes()) {
            java.nio.file.Path pool =
                    RawReplicas.pool(dataNode, last(stockFiles).getBlock().getBlockPoolId());
            assertThat(pool.resolve("tmp/link-1-blk_77")).doesNotExist();
            long end = dataNode.log().end();
            dataNode.await("has scanned its folders", LIMIT, () -> dataNode.log()
                    .since(end)
                    .contains("BlockPool " + pool.getFileName() + " Total blocks"));
            assertThat(dataNode.log().since(end)).doesNotContain("Updating generation stamp", "Removed block");
        }
        assertReplicas(stockFiles, bytes);
        assertReplicas(salesFiles, bytes);
        passed = true;
    }

    /** The bytes that both pools name are damaged on one host. Each nameservice makes good its own replica from another host. */
    @Test
    void damageIsFoundAndMendedInBothPools() throws IOException {
        byte[] bytes = write(salesFiles, file, BLOCK);
        copy.copy(file);
        java.nio.file.Path damaged = raw.of(last(stockFiles).getBlock()).get(0);
        try (RandomAccessFile replica = new RandomAccessFile(damaged.toFile(), "rw")) {
            replica.seek(12_345);
            replica.write(random(100));
        }
        Await.until(
                "both have whole replicas only",
                LIMIT,
                () -> {
                    assertThat(read(stockFiles, file)).isEqualTo(bytes);
                    assertThat(read(salesFiles, file)).isEqualTo(bytes);
                    return isWhole(stockFiles, bytes) && isWhole(salesFiles, bytes);
                },
                sales::describe);
        passed = true;
    }

    @Test
    void aHostIsDecommissionedInOneNameserviceAlone() throws IOException {
        byte[] bytes = write(salesFiles, file, BLOCK);
        copy.copy(file);
        DatanodeInfo leaving = last(stockFiles).getLocations()[0];
        try {
            Files.writeString(excluded, leaving.getXferAddr() + "\n");
            stock.dfsadmin("-fs", stock.nameNode(1).uri().toString(), "-refreshNodes")
                    .expectSuccess();
            Await.until(
                    "the host is decommissioned",
                    LIMIT,
                    () -> Arrays.stream(stockFiles.getDataNodeStats())
                            .anyMatch(dataNode -> dataNode.getXferAddr().equals(leaving.getXferAddr())
                                    && dataNode.getAdminState() == AdminStates.DECOMMISSIONED),
                    sales::describe);
            assertReplicas(stockFiles, bytes);
            assertReplicas(salesFiles, bytes);
            assertThat(last(salesFiles).getLocations()).hasSize(REPLICATION);
        } finally {
            Files.writeString(excluded, "");
            stock.dfsadmin("-fs", stock.nameNode(1).uri().toString(), "-refreshNodes")
                    .expectSuccess();
        }
        passed = true;
    }

    @Test
    void whatTwoPoolsNameIsMeasuredOnce() throws IOException {
        write(salesFiles, file, 8 * BLOCK);
        awaitMeasured(8L * BLOCK);
        long before = used();

        copy.copy(file);

        awaitMeasured(8L * BLOCK);
        assertThat(used() - before).isLessThan(BLOCK);
        passed = true;
    }

    /** Twice, since what is asked for first may have been measured while the file was written. */
    private void awaitMeasured(long atLeast) {
        for (int round = 0; round < 2; round++) {
            long now = System.nanoTime();
            Await.until(
                    "it is measured",
                    LIMIT,
                    () -> System.nanoTime() - now > Duration.ofSeconds(3).toNanos() && used() >= atLeast,
                    sales::describe);
        }
    }

    private long used() throws IOException {
        return Arrays.stream(stockFiles.getDataNodeStats())
                .mapToLong(DatanodeInfo::getDfsUsed)
                .sum();
    }

    @Test
    void onlyAdministratorsGiveOrders() throws Exception {
        write(salesFiles, file, 1_000);
        LocatedBlock block = last(salesFiles);
        LinkedCopy.Draft draft = copy.create(file);
        BlockLink link = draft.add(block);
        UserGroupInformation somebody = UserGroupInformation.createRemoteUser("somebody");

        assertThatThrownBy(() -> somebody.doAs((PrivilegedExceptionAction<LinkOutcome>)
                        () -> copy.link(block.getLocations()[0], block, draft, link)))
                .hasMessageContaining("Disallowed RPC access from somebody");

        assertThat(raw.of(last(salesFiles).getBlock()))
                .allSatisfy(replica -> assertThat(RawReplicas.names(replica)).isEqualTo(1));
        passed = true;
    }

    private static void assertRefused(LinkOutcome outcome, String reason) {
        assertThat(outcome.verdict()).isEqualTo(Verdict.REFUSED);
        assertThat(outcome.text()).contains(reason);
    }

    private LocatedBlock last(DistributedFileSystem fileSystem) throws IOException {
        List<LocatedBlock> blocks = LinkedCopy.blocks(fileSystem, file);
        return blocks.get(blocks.size() - 1);
    }

    /** All replicas on all disks, not only those that a client happens to read. */
    private void assertReplicas(DistributedFileSystem fileSystem, byte[] bytes) {
        Await.until(
                "all replicas in " + fileSystem.getUri() + " have what was written",
                LIMIT,
                () -> isWhole(fileSystem, bytes),
                sales::describe);
    }

    private boolean isWhole(DistributedFileSystem fileSystem, byte[] bytes) throws IOException {
        for (LocatedBlock block : LinkedCopy.blocks(fileSystem, file)) {
            int start = (int) block.getStartOffset();
            byte[] wanted = Arrays.copyOfRange(bytes, start, start + (int) block.getBlockSize());
            List<java.nio.file.Path> replicas = raw.of(block.getBlock());
            if (replicas.size() < REPLICATION || block.isCorrupt()) {
                return false;
            }
            for (java.nio.file.Path replica : replicas) {
                if (!Arrays.equals(Files.readAllBytes(replica), wanted)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static byte[] write(DistributedFileSystem fileSystem, String path, int length) throws IOException {
        byte[] bytes = random(length);
        try (OutputStream out = fileSystem.create(new Path(path), true, 4096, REPLICATION, BLOCK)) {
            out.write(bytes);
        }
        return bytes;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(DistributedFileSystem fileSystem, String path) throws IOException {
        try (FSDataInputStream in = fileSystem.open(new Path(path))) {
            return in.readAllBytes();
        }
    }
}
