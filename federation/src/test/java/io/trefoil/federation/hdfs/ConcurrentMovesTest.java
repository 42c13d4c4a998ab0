/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** There is one move at a time: another one is refused and changes nothing, whichever subtree it is for. */
class ConcurrentMovesTest extends SubtreeMoveFixture {

    private static final String LOCKED = "Another process moves a subtree, or has ended within the last minute";

    private MoveRecord move(SubtreePath subtree, String from, String to) {
        return MoveRecord.newMove("move" + NAMES.incrementAndGet(), subtree, from, to, "test", NOW);
    }

    private SubtreePath siblingSubtree() throws IOException {
        SubtreePath beside = SubtreePath.parse(path.parent() + "/beside");
        try (OutputStream out = first.create(new Path(beside + "/small"))) {
            out.write(bytes("beside"));
        }
        return beside;
    }

    /** A process of its own, with its own connections. */
    private void runMove(MoveRecord record, Consumer<String> listener) throws IOException {
        try (TableStore own = new HdfsTableStore(federation.clientConfiguration(), describeLocations());
                HdfsSubtreeMoves others = new HdfsSubtreeMoves(
                        federation.clientConfiguration(),
                        own,
                        HdfsTableStore.SEAL,
                        tuning().lockValidity(Duration.ZERO).build())) {
            others.connect(record, new SingleQueryLimits(), 2, listener).run(SourceCleanup.DELETE_SOURCE);
        }
    }

    @Test
    void refusesSecondMoveWhileMoveIsInProgress() throws Exception {
        makeTree();
        SubtreePath beside = siblingSubtree();
        SubtreePath below = SubtreePath.parse(path + "/deep");
        AtomicInteger refused = new AtomicInteger();
        // In a round, when it is about to pause, and when the owner has changed.
        runMove(record(), line -> {
            if (line.startsWith("Round 1") || line.startsWith("Last round") || line.startsWith("Version")) {
                for (SubtreePath other : List.of(path, beside, below, path.parent())) {
                    assertThatThrownBy(() -> runMove(move(other, "ns1", "ns2"), more -> {}))
                            .isInstanceOf(TableRefusedException.class)
                            .hasMessageContaining(LOCKED);
                    refused.incrementAndGet();
                }
            }
        });

        assertThat(refused).hasValue(12);
        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(read(second, "/deep/large")).hasSize(2 * (1 << 20) + 100_001);
        assertThat(read(first, new Path(beside + "/small"))).isEqualTo("beside");
        assertThat(table.history()).hasSize(2);

        runMove(move(beside, "ns1", "ns2"), line -> {});
        assertThat(read(second, new Path(beside + "/small"))).isEqualTo("beside");
        assertThat(table.requireNewest().table().ownerOf(beside)).isEqualTo("ns2");
    }

    @Test
    void interruptedMoveBlocksOthersUntilEnded() throws Exception {
        makeTree();
        SubtreePath beside = siblingSubtree();
        SubtreePath below = SubtreePath.parse(path + "/deep");
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> runMove(record(), line -> {})).hasMessageContaining("still writing");
            for (SubtreePath other : List.of(beside, below, path.parent())) {
                assertThatThrownBy(() -> runMove(move(other, "ns1", "ns2"), line -> {}))
                        .hasMessageContaining("The move of " + path + " to ns2 has begun and not ended");
            }
        }
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();

        runMove(move(beside, "ns1", "ns2"), line -> {});
        assertThat(read(second, new Path(beside + "/small"))).isEqualTo("beside");
        assertThat(read(first, "/small")).isEqualTo("small");
    }

    private void interruptMove() throws IOException {
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> runMove(record(), line -> {})).hasMessageContaining("still writing");
        }
    }

    private SubtreeMover newConnectedMove(MoveRecord record) throws IOException {
        return moves.connect(record, new SingleQueryLimits(), 2, progress::add);
    }

    /** By its connections, to a source that may be another one, it would be complete with nothing at the new owner. */
    @Test
    void plannedMoveDoesNotResumeMoveBegunByOthers() throws Exception {
        makeTree();
        SubtreeMover planned = newConnectedMove(newRecord());
        interruptMove();
        MoveRecord begun = record();

        assertThatThrownBy(() -> planned.run(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("A move of " + path + " from ns1 to ns2 has begun meanwhile; repeat the command");

        assertThat(moves.store().current()).contains(begun);
        assertThat(table.history()).hasSize(1);
        runMove(record(), line -> {});
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void staleAbortDoesNotUndoMoveBegunByOthers() throws Exception {
        makeTree();
        interruptMove();
        SubtreeMover undone = newConnectedMove(record());
        newConnectedMove(record()).abort();
        interruptMove();
        MoveRecord begun = record();

        assertThatThrownBy(undone::abort)
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("has begun meanwhile; repeat the command");

        assertThat(moves.store().current()).contains(begun);
    }

    @Test
    void staleResumeDoesNotRestartMoveEndedByOthers() throws Exception {
        makeTree();
        interruptMove();
        SubtreeMover resumed = newConnectedMove(record());
        newConnectedMove(record()).abort();

        assertThatThrownBy(() -> resumed.run(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("The move of " + path + " to ns2 has ended meanwhile");

        assertThat(moves.store().current()).isEmpty();
        assertThat(read(first, "/small")).isEqualTo("small");
        assertThat(second.exists(pathOf("/small"))).isFalse();
    }

    /** What is around the inner one keeps a seal at the old owner, and HDFS allows no snapshot in a directory with one. */
    @Test
    void partOfMovedSubtreeCannotReturnAlone() throws Exception {
        makeTree();
        runMove(record(), line -> {});
        SubtreePath below = SubtreePath.parse(path + "/deep");
        int versions = table.history().size();

        assertThatThrownBy(() -> runMove(move(below, "ns2", "ns1"), line -> {}))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("Snapshots are allowed in hdfs://ns1" + path);

        assertThat(moves.store().current()).isEmpty();
        assertThat(table.history()).hasSize(versions);
        assertThat(first.exists(pathOf("/deep"))).isFalse();
        runMove(move(path, "ns2", "ns1"), line -> {});
        assertThat(read(first, "/small")).isEqualTo("small");
    }

    /** Of two that begin at once one is refused, or comes after the other; both subtrees are moved once in the end. */
    @Test
    void concurrentMovesDoNotInterfere() throws Exception {
        makeTree();
        List<SubtreePath> both = List.of(path, siblingSubtree());
        CountDownLatch ready = new CountDownLatch(2);
        ExecutorService processes = Executors.newFixedThreadPool(2);
        List<Future<?>> running = new ArrayList<>();
        for (SubtreePath one : both) {
            running.add(processes.submit(() -> {
                ready.countDown();
                ready.await();
                moveRetrying(one);
                return null;
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
        processes.shutdown();

        assertThat(table.history()).hasSize(3);
        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(read(second, new Path(both.get(1) + "/small"))).isEqualTo("beside");
        assertThat(moves.store().current()).isEmpty();
    }

    /** Asks again as long as the other one is under way. */
    private void moveRetrying(SubtreePath subtree) {
        await().atMost(LIMIT).until(() -> {
            try {
                runMove(move(subtree, "ns1", "ns2"), line -> {});
                return true;
            } catch (TableRefusedException e) {
                assertThat(e.getMessage()).containsAnyOf(LOCKED, "has begun and not ended");
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
