/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveLimits.ServerQuery;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.table.TableRefusedException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.datanode.HeldReports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subtree on three DataNodes, of which some are away for a while: a move must not throw their replicas away. */
final class UnavailableReplicasTest extends SubtreeMoveFixture {

    private static final int DATA_NODES = 3;
    private static final int TWO_BLOCKS = (1 << 20) + 1;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(50);

    @TempDir
    private static java.nio.file.Path three;

    @BeforeAll
    public static void startFederation() throws IOException {
        federation = StockFederation.start(
                three,
                DATA_NODES,
                Map.of(
                        // Of the table as well.
                        "dfs.replication", "3",
                        // A DataNode that is silent for ten seconds is down, the least that HDFS takes.
                        "dfs.namenode.heartbeat.recheck-interval", "200",
                        "dfs.heartbeat.interval", "1",
                        "dfs.namenode.decommission.interval", "1",
                        // A copy that failed is made again soon. HDFS waits for five minutes, and no DataNode enters
                        // maintenance while it has the only replicas of a block.
                        "dfs.namenode.reconstruction.pending.timeout-sec", "5",
                        "dfs.namenode.redundancy.interval.seconds", "1"));
    }

    @AfterEach
    void restartAllDataNodes() throws IOException {
        IntStream.range(0, DATA_NODES).forEach(number -> {
            if (federation.isUp(number)) {
                federation.administer(number, DatanodeAdminManager::stopMaintenance);
                federation.administer(number, DatanodeAdminManager::stopDecommission);
            }
        });
        for (int number = 0; number < DATA_NODES; number++) {
            if (!federation.isUp(number)) {
                federation.startDataNode(number);
            }
        }
    }

    private void makeFile(int replication, int bytes) throws IOException {
        try (OutputStream out = first.create(pathOf("/file"), true, 4096, (short) replication, 1 << 20)) {
            out.write(new byte[bytes]);
        }
        awaitReplicas(first, Math.min(replication, DATA_NODES));
    }

    private void awaitReplicas(DistributedFileSystem end, int expected) {
        awaitReplicas(end, "/file", expected);
    }

    private void awaitReplicas(DistributedFileSystem end, String relativePath, int expected) {
        await().atMost(SOON).pollInterval(POLL).untilAsserted(() -> assertThat(
                        end.getFileBlockLocations(pathOf(relativePath), 0, Long.MAX_VALUE))
                .as(() -> "DataNodes are " + dataNodeStates(end))
                .allSatisfy(block -> assertThat(block.getHosts()).hasSize(expected)));
    }

    private static List<String> dataNodeStates(DistributedFileSystem end) {
        try {
            return Arrays.stream(end.getDataNodeStats())
                    .map(node -> node.getXferAddr() + " " + node.getAdminState())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitTrue(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(POLL).until(condition);
    }

    private BlockLocation[] blockLocations(DistributedFileSystem end) throws IOException {
        return end.getFileBlockLocations(pathOf("/file"), 0, Long.MAX_VALUE);
    }

    private List<String> blockers(SourceCleanup cleanup) throws IOException {
        SubtreeMover move = moves.connect(newRecord(), new LimitsAwaitingReports(), 2, progress::add);
        return move.blockers(move.size(), cleanup).stream()
                .map(MoveBlocker::text)
                .toList();
    }

    private void move(SourceCleanup cleanup) throws IOException {
        moves.connect(record(), new LimitsAwaitingReports(), 2, progress::add).run(cleanup);
    }

    private void assertRefused(String found) throws IOException {
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("/file has " + found))
                .anySatisfy(one -> assertThat(one).contains("--keep-source"));
        assertThatThrownBy(() -> move(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining(found);
        assertThat(moves.store().current()).isEmpty();
        assertThat(first.exists(pathOf("/file"))).isTrue();
        assertThat(second.exists(pathOf(""))).isFalse();
    }

    @Test
    void refusesMoveWhenDataNodesAreDown() throws IOException {
        makeFile(3, TWO_BLOCKS);
        federation.stopDataNode(1);
        federation.stopDataNode(2);
        awaitReplicas(first, 1);
        assertRefused("1 of 3 replicas");
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("(down)"));

        // The way on keeps the source until the target has what the source has.
        move(SourceCleanup.KEEP_SOURCE);
        assertThat(second.exists(pathOf("/file"))).isTrue();
        assertThatThrownBy(() -> move(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("is kept")
                .hasMessageContaining("1 of 3 replicas");
        assertThat(first.exists(pathOf("/file"))).isTrue();

        restartAllDataNodes();
        awaitReplicas(second, 3);
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(pathOf("/file"))).isFalse();
        assertThat(moves.store().current()).isEmpty();
        awaitReplicas(second, 3);
    }

    @Test
    void refusesMoveWhenDataNodesAreInMaintenance() throws IOException {
        makeFile(3, TWO_BLOCKS);
        for (int number = 1; number < DATA_NODES; number++) {
            federation.administer(number, (admin, node) -> admin.startMaintenance(node, Long.MAX_VALUE));
        }
        awaitReplicas(first, 1);
        assertRefused("1 of 3 replicas");
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("(In Maintenance)"));

        move(SourceCleanup.KEEP_SOURCE);
        assertThatThrownBy(() -> move(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is kept");
        restartAllDataNodes();
        awaitReplicas(second, 3);
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(pathOf("/file"))).isFalse();
    }

    @Test
    void refusesMoveWhenDataNodeIsBeingDecommissioned() throws IOException {
        makeFile(2, 1);
        List<Integer> holders = replicaHolders("/file");
        int free = IntStream.range(0, DATA_NODES)
                .filter(one -> !holders.contains(one))
                .findFirst()
                .orElseThrow();
        // So that HDFS cannot copy yet.
        federation.stopDataNode(free);
        federation.administer(holders.get(0), DatanodeAdminManager::startDecommission);
        assertRefused("1 of 2 replicas");
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("(Decommission In Progress)"));

        federation.startDataNode(free);
        awaitTrue(() -> blockers(SourceCleanup.DELETE_SOURCE).isEmpty());
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(pathOf("/file"))).isFalse();
        assertThat(second.getFileStatus(pathOf("/file")).getLen()).isEqualTo(1);
    }

    private List<Integer> replicaHolders(String relativePath) throws IOException {
        List<Integer> holders = new ArrayList<>();
        for (String address : first.getFileBlockLocations(pathOf(relativePath), 0, 1)[0].getNames()) {
            holders.add(federation.dataNodeAt(address));
        }
        return holders;
    }

    @Test
    void keepsSourceWhenDataNodeFailsBeforeSwitch() throws IOException {
        makeFile(3, TWO_BLOCKS);
        SubtreeMover move = moves.connect(record(), new LimitsAwaitingReports(), 2, line -> {
            if (line.startsWith("Round 1")) {
                federation.stopDataNode(2);
                awaitReplicas(second, 2);
            }
        });
        assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("2 of 3 replicas")
                .hasMessageContaining("Clients work at hdfs://ns1");
        write(first, "/another", "clients work here");
        restartAllDataNodes();
        awaitReplicas(second, 3);
        moves.connect(record(), new LimitsAwaitingReports(), 2, progress::add).abort();
    }

    @Test
    void movesFileWhenReplicationExceedsDataNodeCount() throws IOException {
        makeFile(5, TWO_BLOCKS);
        assertThat(blockers(SourceCleanup.DELETE_SOURCE)).isEmpty();
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(pathOf("/file"))).isFalse();
        awaitReplicas(second, 3);
    }

    @Test
    void waitsForReplicasWhenDataNodeReportsSlowly() throws IOException {
        makeFile(3, TWO_BLOCKS);
        List<Integer> lacked = new ArrayList<>();
        try (HeldReports reports = federation.holdReports(2)) {
            moveRunning(question -> {
                List<String> answer = question.query();
                lacked.add(answer.size());
                reports.close();
                while (!answer.isEmpty()) {
                    answer = question.query();
                }
            });
        }
        assertThat(lacked).as("the first time, and when they had been reported").containsExactly(1, 0);
        assertThat(first.exists(pathOf("/file"))).isFalse();
        assertThat(blockLocations(second))
                .allSatisfy(one -> assertThat(one.getHosts()).hasSize(3));
    }

    private void moveRunning(ReplicaQueryAction eachTime) throws IOException {
        SingleQueryLimits limits = new SingleQueryLimits() {
            @Override
            public List<String> awaitReplicas(ServerQuery query) throws IOException {
                eachTime.run(query);
                return query.query();
            }
        };
        moves.connect(record(), limits, 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
    }

    /** Has clients work before replicas are asked for after the version. */
    private void moveWithConcurrentWork(ReplicaQueryAction concurrentAction) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        moveRunning(question -> {
            if (asked.incrementAndGet() > 1) {
                concurrentAction.run(question);
            } else {
                awaitReplicas(second, 3);
            }
        });
        assertThat(first.listStatus(pathOf(""))).isEmpty();
    }

    /** What happens when replicas are asked for. */
    private interface ReplicaQueryAction {
        void run(ServerQuery query) throws IOException;
    }

    private void corruptReplica(String relativePath) throws IOException {
        List<LocatedBlock> blocks =
                second.getClient().getLocatedBlocks(path + relativePath, 0).getLocatedBlocks();
        second.getClient().getNamenode().reportBadBlocks(blocks.toArray(new LocatedBlock[0]));
    }

    @Test
    void deletesSourceWhenOnlyNewerFilesLackReplicas() throws IOException {
        makeFile(3, TWO_BLOCKS);
        moveWithConcurrentWork(question -> {
            try (OutputStream out = second.create(pathOf("/younger"), true, 4096, (short) 1, 1 << 20)) {
                out.write(1);
            }
            corruptReplica("/younger");
        });
        assertThat(second.exists(pathOf("/younger"))).isTrue();
    }

    @Test
    void deletesSourceWhenClientsDeleteFilesAtNewOwner() throws IOException {
        makeFile(3, TWO_BLOCKS);
        moveWithConcurrentWork(question -> {
            federation.stopDataNode(2);
            awaitReplicas(second, 2);
            assertThat(question.query()).singleElement().asString().contains("/file has 2 of 3");
            second.rename(pathOf("/file"), pathOf("/renamed"));
            assertThat(question.query()).singleElement().asString().contains("/file has 2 of 3");
            second.delete(pathOf("/renamed"), false);
            assertThat(question.query()).isEmpty();
            second.delete(pathOf(""), true);
        });
    }

    @Test
    void requeriesOnlyFilesThatLackedReplicas() throws IOException {
        makeFile(3, TWO_BLOCKS);
        try (OutputStream out = first.create(pathOf("/other"), true, 4096, (short) 1, 1 << 20)) {
            out.write(1);
        }
        // With its only replica away the other file would lack it as well, and be asked for again.
        int away = (replicaHolders("/other").get(0) + 1) % DATA_NODES;
        moveWithConcurrentWork(question -> {
            federation.stopDataNode(away);
            awaitReplicas(second, 2);
            assertThat(question.query()).singleElement().asString().contains("/file has 2 of 3");
            restartAllDataNodes();
            awaitReplicas(second, 3);
            corruptReplica("/other");
        });
    }

    /** In a busy subtree there is always one that was deleted. */
    @Test
    void requeriesOnlyRemainingFilesAfterDeletion() throws IOException {
        makeFile(3, TWO_BLOCKS);
        for (String relativePath : List.of("/deleted", "/other")) {
            try (OutputStream out = first.create(pathOf(relativePath), true, 4096, (short) 3, 1 << 20)) {
                out.write(1);
            }
            awaitReplicas(first, relativePath, 3);
        }
        moveWithConcurrentWork(question -> {
            federation.stopDataNode(0);
            awaitReplicas(second, 2);
            second.setReplication(pathOf("/other"), (short) 2);
            assertThat(question.query()).hasSize(2);
            second.delete(pathOf("/deleted"), false);
            // Only a look at the whole tree finds it.
            second.setReplication(pathOf("/other"), (short) 3);
            assertThat(question.query()).singleElement().asString().contains("/file has 2 of 3");
            second.setReplication(pathOf("/file"), (short) 2);
            assertThat(question.query())
                    .as("all of them")
                    .singleElement()
                    .asString()
                    .contains("/other has 2 of 3");
            restartAllDataNodes();
            awaitReplicas(second, 3);
        });
    }

    /** Waits for reports, which DataNodes send a moment after they have linked. */
    private static final class LimitsAwaitingReports extends SingleQueryLimits {
        @Override
        public List<String> awaitReplicas(ServerQuery query) throws IOException {
            long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            List<String> answer = query.query();
            while (!answer.isEmpty() && System.nanoTime() - end < 0) {
                answer = query.query();
            }
            return answer;
        }
    }
}
