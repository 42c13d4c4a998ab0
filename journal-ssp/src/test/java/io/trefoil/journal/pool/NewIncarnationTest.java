/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestPorts;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A journal that is initialized again while nodes are away, or writers and readers are at work (rule R11). */
class NewIncarnationTest extends ThreePoolNodes {
    /** Its old log is longer, and of higher epochs, than all that was written since. */
    @Test
    void aNodeThatWasDownWhileTheJournalWasInitializedAgainMisleadsNobody() throws Exception {
        formatAll();
        for (int term = 0; term < 3; term++) {
            JournalWriter writer = journals[0].openWriter(3);
            startSegment(writer, 100 * term + 1);
            write(writer, 100 * term + 1, 100);
            writer.close();
        }
        stop(2);
        journals[0].format(NAMESPACE, VERSION, true);
        JournalWriter writer = beginWriting(2);
        write(writer, 1, 5);
        writer.close();
        start(2);

        JournalWriter next = openedBy(journals[1], 2);
        write(next, startedAt(next, 6), 5);

        for (PoolJournal journal : journals) {
            awaitSegments(journal, TxRange.of(1, 5), TxRange.of(6, 10));
            assertThat(journal.surveyLease(Duration.ofSeconds(5)).lastTxId()).isEqualTo(10);
        }
        assertThat(nodes[2].replica(JOURNAL).incarnation())
                .isNotEqualTo(nodes[0].replica(JOURNAL).incarnation());
    }

    /** Whoever wants it whole again has its data moved aside; it joins as an empty one does. */
    @Test
    void aNodeOfAnOlderIncarnationThatStartsOverJoinsTheNewOne() throws Exception {
        formatAll();
        stop(2);
        journals[0].format(NAMESPACE, VERSION, true);
        start(2);
        JournalWriter writer = beginWriting(2);
        write(writer, 1, 5);
        NodeId old = nodes[2].replica(JOURNAL).node();
        Incarnation inForce = nodes[0].replica(JOURNAL).incarnation();

        leavesItsIncarnation(old, inForce);
    }

    /** It was formatted while the clock of who did that ran ahead; an operator says which one is in force. */
    @Test
    void aNodeWhoseIncarnationOnlyLooksNewerStartsOverAndJoinsTheOneInForce() throws Exception {
        JournalWriter writer = beginWritingAtAll(2);
        NodeId old = NodeId.of("from-the-future");
        LogSummary newer = LogSummary.ORIGIN.with(Incarnation.of(Long.MAX_VALUE - 1, 1));
        nodes[2].replica(JOURNAL).perform(FormatRequest.of(NAMESPACE, old, newer, List.of(), true));
        write(writer, 1, 5);

        leavesItsIncarnation(old, nodes[0].replica(JOURNAL).incarnation());
    }

    /** The third node does, and votes in the journal that is in force. */
    private void leavesItsIncarnation(NodeId old, Incarnation inForce) {
        PoolReply reply = nodes[2].replica(JOURNAL)
                .perform(StartOverRequest.of(old, inForce))
                .get();

        assertThat(reply).isInstanceOf(StartedOverReply.class);
        await().atMost(LONG_ENOUGH).untilAsserted(() -> {
            assertThat(nodes[2].replica(JOURNAL).incarnation()).isEqualTo(inForce);
            assertThat(nodes[2].replica(JOURNAL)
                            .members()
                            .isVoter(nodes[2].replica(JOURNAL).node()))
                    .isTrue();
        });
        assertThat(nodes[2].replica(JOURNAL).node()).isNotEqualTo(old);
    }

    private static JournalWriter openedBy(PoolJournal journal, int replicas) throws Exception {
        CompletableFuture<JournalWriter> opened = CompletableFuture.supplyAsync(() -> {
            try {
                return journal.openWriter(replicas);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return opened.get(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS);
    }

    private static long startedAt(JournalWriter writer, long txId) throws IOException {
        startSegment(writer, txId);
        return txId;
    }

    @Test
    void aWriterEndsWhenItsJournalIsInitializedAgainAndNotWhenOneNodeIs() throws Exception {
        formatAll();
        try (PoolJournal operator = outside(addresses)) {
            JournalWriter writer = journals[0].openWriter(3);
            startSegment(writer, 1);
            write(writer, 1, 10);

            LogSummary newer = LogSummary.ORIGIN.with(Incarnation.of(Long.MAX_VALUE - 1, 1));
            nodes[2].replica(JOURNAL).perform(FormatRequest.of(NAMESPACE, NodeId.of("again"), newer, List.of(), true));
            write(writer, 11, 10);
            await().until(() -> ((PoolWriter) writer).describe().contains("INCARNATION_"));
            assertThat(writer.isFenced()).isFalse();
            operator.format(NAMESPACE, VERSION, true);

            await().untilAsserted(() -> assertThat(writer.isFenced()).isTrue());
            assertThatThrownBy(() -> write(writer, 21, 1))
                    .isInstanceOf(FencedException.class)
                    .hasMessageContaining("initialized again")
                    .hasMessageContaining("-bootstrapStandby");
        }
    }

    /** Its entries have the same serial numbers and transactions: a reader would splice two journals (rule R11). */
    @Test
    void whoListedSegmentsReadsNoEntryOfAJournalThatWasInitializedMeanwhile() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 10);
        await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> !journals[0].segments(1).isEmpty());
        writer.close();

        try (PoolJournal operator = outside(addresses)) {
            operator.format(NAMESPACE, VERSION, true);
        }

        assertThatThrownBy(() -> journals[0].read(1, 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds incarnation");
    }

    /** Over a connection from before they would answer its appends; a new one they refuse. */
    @Test
    void aWriterEndsWhenItsJournalIsFormattedForAnotherClusterWhileItsNodesAreAway() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 10);
        LogSummary newer = LogSummary.ORIGIN.with(
                Incarnation.of(nodes[0].replica(JOURNAL).incarnation().number() + 1, 1));
        stop(1);
        stop(2);

        for (int i : new int[] {1, 2}) {
            formatElsewhere(i, newer);
            start(i);
        }

        await().atMost(LONG_ENOUGH).until(writer::isFenced);
        assertThatThrownBy(() -> write(writer, 11, 1))
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("initialized again");
    }

    /** The disk of a node that is away, at another place. */
    private void formatElsewhere(int i, LogSummary base) throws IOException {
        NodeAddress elsewhere = NodeAddress.of("127.0.0.1", TestPorts.free());
        NodeSettings settings = NodeSettings.builder()
                .address(elsewhere)
                .bindHost("127.0.0.1")
                .directory(directory.resolve("elsewhere" + i))
                .build();
        try (PoolNode node = PoolNode.start(settings, journal -> disks.get(i).device(), PoolObserver.NONE)) {
            PoolReply reply = node.replica(JOURNAL)
                    .perform(FormatRequest.of(
                            NamespaceId.of("CID-2", 43), NodeId.of("again-" + i), base, List.of(), true))
                    .get();
            assertThat(reply).isInstanceOf(DoneReply.class);
        }
    }

    /** A process without a pool node. */
    private static PoolJournal outside(List<NodeAddress> named) throws IOException {
        return new PoolJournal(naming(named).build(), Optional.empty(), PoolObserver.NONE);
    }
}
