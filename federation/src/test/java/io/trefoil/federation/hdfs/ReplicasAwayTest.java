/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveLimits.Question;
import io.trefoil.federation.move.SubtreeMove;
import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
import io.trefoil.federation.table.TableRefusedException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
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
final class ReplicasAwayTest extends SubtreeMoveFixture {

    private static final int DATA_NODES = 3;
    private static final int TWO_BLOCKS = (1 << 20) + 1;
    private static final Duration SOON = Duration.ofMinutes(2);

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
                        "dfs.namenode.decommission.interval", "1"));
    }

    @AfterEach
    void bringAllBack() throws IOException {
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
        try (OutputStream out = first.create(in("/file"), true, 4096, (short) replication, 1 << 20)) {
            out.write(new byte[bytes]);
        }
        awaitReplicas(first, Math.min(replication, DATA_NODES));
    }

    private void awaitReplicas(DistributedFileSystem end, int wanted) {
        awaitReplicas(end, "/file", wanted);
    }

    private void awaitReplicas(DistributedFileSystem end, String inside, int wanted) {
        eventually(() -> {
            for (BlockLocation one : end.getFileBlockLocations(in(inside), 0, Long.MAX_VALUE)) {
                if (one.getHosts().length != wanted) {
                    return false;
                }
            }
            return true;
        });
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    private BlockLocation[] blocks(DistributedFileSystem end) throws IOException {
        return end.getFileBlockLocations(in("/file"), 0, Long.MAX_VALUE);
    }

    private List<String> blockers(SourceCleanup afterwards) throws IOException {
        SubtreeMove move = moves.connect(newRecord(), new Reported(), 2, progress::add);
        return move.blockers(move.size(), afterwards).stream()
                .map(MoveBlocker::text)
                .toList();
    }

    private void move(SourceCleanup afterwards) throws IOException {
        moves.connect(record(), new Reported(), 2, progress::add).run(afterwards);
    }

    private void requireRefused(String found) throws IOException {
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("/file has " + found))
                .anySatisfy(one -> assertThat(one).contains("--keep-source"));
        assertThatThrownBy(() -> move(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining(found);
        assertThat(moves.store().current()).isEmpty();
        assertThat(first.exists(in("/file"))).isTrue();
        assertThat(second.exists(in(""))).isFalse();
    }

    @Test
    void refusesMoveWhenDataNodesAreDown() throws IOException {
        makeFile(3, TWO_BLOCKS);
        federation.stopDataNode(1);
        federation.stopDataNode(2);
        awaitReplicas(first, 1);
        requireRefused("1 of 3 replicas");
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("(down)"));

        // The way on keeps the source until the target has what the source has.
        move(SourceCleanup.KEEP_SOURCE);
        assertThat(second.exists(in("/file"))).isTrue();
        assertThatThrownBy(() -> move(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("is kept")
                .hasMessageContaining("1 of 3 replicas");
        assertThat(first.exists(in("/file"))).isTrue();

        bringAllBack();
        awaitReplicas(second, 3);
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(in("/file"))).isFalse();
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
        requireRefused("1 of 3 replicas");
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("(In Maintenance)"));

        move(SourceCleanup.KEEP_SOURCE);
        assertThatThrownBy(() -> move(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is kept");
        bringAllBack();
        awaitReplicas(second, 3);
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(in("/file"))).isFalse();
    }

    @Test
    void refusesMoveWhenDataNodeIsBeingDecommissioned() throws IOException {
        makeFile(2, 1);
        List<Integer> holders = holders("/file");
        int free = IntStream.range(0, DATA_NODES)
                .filter(one -> !holders.contains(one))
                .findFirst()
                .orElseThrow();
        // So that HDFS cannot copy yet.
        federation.stopDataNode(free);
        federation.administer(holders.get(0), DatanodeAdminManager::startDecommission);
        requireRefused("1 of 2 replicas");
        assertThat(blockers(SourceCleanup.DELETE_SOURCE))
                .anySatisfy(one -> assertThat(one).contains("(Decommission In Progress)"));

        federation.startDataNode(free);
        eventually(() -> blockers(SourceCleanup.DELETE_SOURCE).isEmpty());
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(in("/file"))).isFalse();
        assertThat(second.getFileStatus(in("/file")).getLen()).isEqualTo(1);
    }

    private List<Integer> holders(String inside) throws IOException {
        List<Integer> holders = new ArrayList<>();
        for (String address : first.getFileBlockLocations(in(inside), 0, 1)[0].getNames()) {
            holders.add(federation.holderOf(address));
        }
        return holders;
    }

    @Test
    void keepsSourceWhenDataNodeGoesBeforeSwitch() throws IOException {
        makeFile(3, TWO_BLOCKS);
        SubtreeMove move = moves.connect(record(), new Reported(), 2, line -> {
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
        bringAllBack();
        awaitReplicas(second, 3);
        moves.connect(record(), new Reported(), 2, progress::add).abort();
    }

    @Test
    void movesFileWantingMoreReplicasThanDataNodes() throws IOException {
        makeFile(5, TWO_BLOCKS);
        assertThat(blockers(SourceCleanup.DELETE_SOURCE)).isEmpty();
        move(SourceCleanup.DELETE_SOURCE);
        assertThat(first.exists(in("/file"))).isFalse();
        awaitReplicas(second, 3);
    }

    @Test
    void waitsForReplicasWhenDataNodeReportsSlowly() throws IOException {
        makeFile(3, TWO_BLOCKS);
        List<Integer> lacked = new ArrayList<>();
        try (HeldReports reports = federation.holdReports(2)) {
            moveWith(question -> {
                List<String> answer = question.ask();
                lacked.add(answer.size());
                reports.close();
                while (!answer.isEmpty()) {
                    answer = question.ask();
                }
            });
        }
        assertThat(lacked).as("the first time, and when they had been reported").containsExactly(1, 0);
        assertThat(first.exists(in("/file"))).isFalse();
        assertThat(blocks(second)).allSatisfy(one -> assertThat(one.getHosts()).hasSize(3));
    }

    private void moveWith(Meanwhile eachTime) throws IOException {
        Limits limits = new Limits() {
            @Override
            public List<String> awaitReplicas(Question question) throws IOException {
                eachTime.clientsWork(question);
                return question.ask();
            }
        };
        moves.connect(record(), limits, 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
    }

    /** Has clients work before replicas are asked for after the version. */
    private void moveWhile(Meanwhile meanwhile) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        moveWith(question -> {
            if (asked.incrementAndGet() > 1) {
                meanwhile.clientsWork(question);
            } else {
                awaitReplicas(second, 3);
            }
        });
        assertThat(first.listStatus(in(""))).isEmpty();
    }

    /** What happens when replicas are asked for. */
    private interface Meanwhile {
        void clientsWork(Question question) throws IOException;
    }

    private void makeCorrupt(String inside) throws IOException {
        List<LocatedBlock> blocks =
                second.getClient().getLocatedBlocks(path + inside, 0).getLocatedBlocks();
        second.getClient().getNamenode().reportBadBlocks(blocks.toArray(new LocatedBlock[0]));
    }

    @Test
    void deletesSourceWhenOnlyYoungerFilesLackReplicas() throws IOException {
        makeFile(3, TWO_BLOCKS);
        moveWhile(question -> {
            try (OutputStream out = second.create(in("/younger"), true, 4096, (short) 1, 1 << 20)) {
                out.write(1);
            }
            makeCorrupt("/younger");
        });
        assertThat(second.exists(in("/younger"))).isTrue();
    }

    @Test
    void deletesSourceWhenClientsDeleteFilesAtNewOwner() throws IOException {
        makeFile(3, TWO_BLOCKS);
        moveWhile(question -> {
            federation.stopDataNode(2);
            awaitReplicas(second, 2);
            assertThat(question.ask()).singleElement().asString().contains("/file has 2 of 3");
            second.rename(in("/file"), in("/renamed"));
            assertThat(question.ask()).singleElement().asString().contains("/file has 2 of 3");
            second.delete(in("/renamed"), false);
            assertThat(question.ask()).isEmpty();
            second.delete(in(""), true);
        });
    }

    @Test
    void asksAgainOnlyForFilesThatLackedReplicas() throws IOException {
        makeFile(3, TWO_BLOCKS);
        try (OutputStream out = first.create(in("/other"), true, 4096, (short) 1, 1 << 20)) {
            out.write(1);
        }
        // With its only replica away the other file would lack it as well, and be asked for again.
        int away = (holders("/other").get(0) + 1) % DATA_NODES;
        moveWhile(question -> {
            federation.stopDataNode(away);
            awaitReplicas(second, 2);
            assertThat(question.ask()).singleElement().asString().contains("/file has 2 of 3");
            bringAllBack();
            awaitReplicas(second, 3);
            makeCorrupt("/other");
        });
    }

    /** In a busy subtree there is always one that was deleted. */
    @Test
    void asksAgainOnlyForRemainingFilesAfterDeletion() throws IOException {
        makeFile(3, TWO_BLOCKS);
        for (String inside : List.of("/deleted", "/other")) {
            try (OutputStream out = first.create(in(inside), true, 4096, (short) 3, 1 << 20)) {
                out.write(1);
            }
            awaitReplicas(first, inside, 3);
        }
        moveWhile(question -> {
            federation.stopDataNode(0);
            awaitReplicas(second, 2);
            second.setReplication(in("/other"), (short) 2);
            assertThat(question.ask()).hasSize(2);
            second.delete(in("/deleted"), false);
            // Only a look at the whole tree finds it.
            second.setReplication(in("/other"), (short) 3);
            assertThat(question.ask()).singleElement().asString().contains("/file has 2 of 3");
            second.setReplication(in("/file"), (short) 2);
            assertThat(question.ask())
                    .as("all of them")
                    .singleElement()
                    .asString()
                    .contains("/other has 2 of 3");
            bringAllBack();
            awaitReplicas(second, 3);
        });
    }

    /** Waits for reports, which DataNodes send a moment after they have linked. */
    private static final class Reported extends Limits {
        @Override
        public List<String> awaitReplicas(Question question) throws IOException {
            long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            List<String> answer = question.ask();
            while (!answer.isEmpty() && System.nanoTime() - end < 0) {
                answer = question.ask();
            }
            return answer;
        }
    }
}
