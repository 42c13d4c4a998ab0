/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How members, writers and readers find each other, and what is said if they do not. */
class PoolReachTest extends ThreePoolNodes {
    @Test
    void nodeUnknownToOthersAnnouncesItselfAndVotes() throws Exception {
        startWith(0, addresses.subList(0, 1));
        journals[0].format(NAMESPACE, VERSION, false);
        JournalWriter writer = beginWriting(1);
        write(writer, 1, 10);

        startWith(2, List.of(addresses.get(0), addresses.get(2)));

        await().atMost(LONG_ENOUGH)
                .untilAsserted(() -> assertThat(writer.end().members().findByAddress(addresses.get(2)))
                        .get()
                        .matches(Member::isVoter));
        write(writer, 11, 10);
        awaitSegments(journals[2], TxRange.of(1, 20));
    }

    @Test
    void unconfiguredNodeWaitsForAddition() throws Exception {
        startWith(0, addresses.subList(0, 1));
        journals[0].format(NAMESPACE, VERSION, false);
        JournalWriter writer = journals[0].openWriter(1);
        NodeSettings silent = NodeSettings.builder()
                .address(addresses.get(2))
                .bindHost("127.0.0.1")
                .directory(directory.resolve("node2"))
                .build();
        try (PoolNode added = PoolNode.start(silent, journal -> disks.get(2).device(), PoolObserver.NONE)) {
            startSegment(writer, 1);
            write(writer, 1, 10);
            assertThat(added.replica(JOURNAL).isFormatted()).isFalse();

            MemberChange change = MemberChange.add("ticket", addresses.get(2));
            await().untilAsserted(() -> assertThat(nodes[0].replica(JOURNAL).perform(ChangeMembersRequest.of(change)))
                    .get()
                    .isInstanceOfSatisfying(
                            ChangeReply.class,
                            reply -> assertThat(reply.progress().stage()).isEqualTo(ChangeProgress.Stage.DONE)));
            assertThat(writer.end().members().isVoter(added.replica(JOURNAL).node()))
                    .isTrue();
        }
    }

    @Test
    void writerAndReaderFindMembersMissingFromUri() throws Exception {
        List<NodeAddress> first = addresses.subList(0, 1);
        formatAll();
        JournalWriter old = journals[0].openWriter(3);
        startSegment(old, 1);
        write(old, 1, 10);
        stop(1);
        startWith(1, addresses.subList(1, 2));
        old.close();

        JournalWriter next = journals[1].openWriter(3);

        startSegment(next, 11);
        write(next, 11, 10);
        try (PoolJournal reader = new PoolJournal(settingsNaming(first).build(), Optional.empty(), PoolObserver.NONE)) {
            awaitSegments(reader, TxRange.of(1, 10), TxRange.of(11, 20));
            stop(2);
            // One node alone is named; a majority is found nevertheless.
            await().ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> assertThat(reader.segments(1)).hasSize(2));
        }
    }

    @Test
    void readerWaitsLongerForFirstConnectionThanForAnswer() throws Exception {
        start(0);
        try (ServerSocket slow = new ServerSocket(0);
                PoolJournal reader = readerAt(slow.getLocalPort())) {
            // A connection is made, and nothing comes over it for longer than an answer may take.
            CompletableFuture<Void> relayed = CompletableFuture.runAsync(
                    () -> relayOne(slow, addresses.get(0).port()),
                    CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS, task -> new Thread(task).start()));
            assertThat(reader.hasSomeData()).isFalse();
            reader.close();
            relayed.get(30, TimeUnit.SECONDS);
        }
    }

    private static PoolJournal readerAt(int port) throws IOException {
        return new PoolJournal(
                settingsNaming(List.of(NodeAddress.of("127.0.0.1", port))).build(),
                Optional.empty(),
                PoolObserver.NONE);
    }

    /** Until the caller hangs up. */
    private static void relayOne(ServerSocket from, int port) {
        try (Socket caller = from.accept();
                Socket node = new Socket("127.0.0.1", port)) {
            CompletableFuture<Void> back = CompletableFuture.runAsync(() -> copy(node, caller));
            copy(caller, node);
            node.close();
            back.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of them hung up; what else may be wrong shows at the reader.
        }
    }

    @Test
    void unreachablePoolErrorNamesNodesAndTimeouts() throws Exception {
        int port = TestPorts.free();
        try (PoolJournal reader = readerAt(port)) {
            assertThatThrownBy(reader::hasSomeData)
                    .hasMessageContaining("no pool node can be reached")
                    .hasMessageContaining("an answer may take 2000 ms, a first connection 10000 ms")
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    /** The first {@code namenode -format} of a cluster asks while no other node is up. */
    @Test
    void formatWaitsOnceForDownNodes() throws Exception {
        start(0);
        assertThat(journals[0].hasSomeData()).isFalse();

        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            assertThat(journals[0].hasSomeData()).isFalse();
        }
        journals[0].format(NAMESPACE, VERSION, false);
        // So does HDFS when the image is saved.
        assertThat(journals[0].segments(1)).isEmpty();
        assertLessThanFiveWaits(start);
    }

    @Test
    void queriesSkippedNodeOnceItIsUp() throws Exception {
        startWith(1, addresses.subList(1, 2));
        journals[1].format(NAMESPACE, VERSION, false);
        stop(1);
        start(0);
        assertThat(journals[0].hasSomeData()).isFalse();

        startWith(1, addresses.subList(1, 2));

        await().atMost(LONG_ENOUGH).until(() -> journals[0].hasSomeData());
        assertThatThrownBy(() -> journals[0].format(NAMESPACE, VERSION, false))
                .hasMessageContaining("it holds data of the journal up to transaction 0")
                .hasMessageNotContaining("{");
    }

    @Test
    void readerWithMajorityNeverWaitsForDownNode() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);
        writer.close();
        stop(2);
        try (PoolJournal reader =
                new PoolJournal(settingsNaming(addresses).build(), Optional.empty(), PoolObserver.NONE)) {
            awaitSegments(reader, TxRange.of(1, 10));
            long start = System.nanoTime();
            for (int i = 0; i < 5; i++) {
                assertThat(reader.segments(1)).extracting(SegmentInfo::txIds).containsExactly(TxRange.of(1, 10));
                assertThat(reader.committedPosition().sn()).isGreaterThan(10);
            }
            assertLessThanFiveWaits(start);
        }
    }

    private static void assertLessThanFiveWaits(long start) {
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PoolQueryClient.TIMEOUT.multipliedBy(5));
    }
}
