/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.format.FormatOrder;
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
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A journal that is initialized again while nodes are away, or writers and readers are at work (rule R11). */
class NewIncarnationTest extends ThreePoolNodes {
    /** Its old log is longer, and of higher epochs, than all that was written since. */
    @Test
    void nodeDownDuringReinitializationDoesNotMisleadReaders() throws Exception {
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

        JournalWriter next = openWriter(journals[1], 2);
        write(next, startSegmentAt(next, 6), 5);

        for (PoolJournal journal : journals) {
            awaitSegments(journal, TxRange.of(1, 5), TxRange.of(6, 10));
            assertThat(journal.queryLease(Duration.ofSeconds(5)).lastTxId()).isEqualTo(10);
        }
        assertThat(nodes[2].replica(JOURNAL).incarnation())
                .isNotEqualTo(nodes[0].replica(JOURNAL).incarnation());
    }

    /** An operator who wants it whole again has its data moved aside; it joins as an empty one does. */
    @Test
    void nodeOfOlderIncarnationJoinsNewOneAfterStartOver() throws Exception {
        formatAll();
        stop(2);
        journals[0].format(NAMESPACE, VERSION, true);
        start(2);
        JournalWriter writer = beginWriting(2);
        write(writer, 1, 5);
        NodeId old = nodes[2].replica(JOURNAL).node();
        Incarnation inForce = nodes[0].replica(JOURNAL).incarnation();

        leaveIncarnation(old, inForce);
    }

    /** It was formatted while the clock of who did that ran ahead; an operator says which one is in force. */
    @Test
    void nodeFromNewerIncarnationJoinsCurrentOneWhenStartedOver() throws Exception {
        JournalWriter writer = beginWritingNewGroup(2);
        NodeId old = NodeId.of("from-the-future");
        LogSummary newer = LogSummary.ORIGIN.with(Incarnation.of(Long.MAX_VALUE - 1, 1));
        nodes[2].replica(JOURNAL).perform(FormatRequest.of(NAMESPACE, old, newer, List.of(), true));
        write(writer, 1, 5);

        leaveIncarnation(old, nodes[0].replica(JOURNAL).incarnation());
    }

    /** The third node does, and votes in the journal that is in force. */
    private void leaveIncarnation(NodeId old, Incarnation inForce) {
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

    private static JournalWriter openWriter(PoolJournal journal, int replicas) throws Exception {
        CompletableFuture<JournalWriter> opened = CompletableFuture.supplyAsync(() -> {
            try {
                return journal.openWriter(replicas);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return opened.get(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS);
    }

    private static long startSegmentAt(JournalWriter writer, long txId) throws IOException {
        startSegment(writer, txId);
        return txId;
    }

    @Test
    void writerEndsWhenJournalIsReinitializedButNotSingleNode() throws Exception {
        formatAll();
        try (PoolJournal operator = newOutsideJournal(addresses)) {
            JournalWriter writer = journals[0].openWriter(3);
            startSegment(writer, 1);
            write(writer, 1, 10);

            LogSummary newer = LogSummary.ORIGIN.with(Incarnation.of(Long.MAX_VALUE - 1, 1));
            nodes[2].replica(JOURNAL).perform(FormatRequest.of(NAMESPACE, NodeId.of("again"), newer, List.of(), true));
            write(writer, 11, 10);
            await().until(() -> ((PoolWriter) writer).describe().contains("INCARNATION_"));
            assertThat(writer.isFenced()).isFalse();
            assertThat(journals[0].writerStatus().get().nodes())
                    .filteredOn(node -> node.progress().newerIncarnation())
                    .extracting(node -> node.progress().address())
                    .containsExactly(addresses.get(2));
            assertThatThrownBy(() -> operator.format(NAMESPACE, VERSION, true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a NameNode is active");
            write(writer, 21, 10);
            operator.format(FormatOrder.of(NAMESPACE, VERSION)
                    .withForce()
                    .withVoidedIncarnations(List.of(nodes[0].replica(JOURNAL).incarnation())));

            await().untilAsserted(() -> assertThat(writer.isFenced()).isTrue());
            assertThatThrownBy(() -> write(writer, 31, 1))
                    .isInstanceOf(FencedException.class)
                    .hasMessageContaining("initialized again")
                    .hasMessageContaining("-bootstrapStandby");
        }
    }

    /** Its entries have the same serial numbers and transactions: a reader would splice two journals (rule R11). */
    @Test
    void readerRejectsEntriesOfJournalReinitializedAfterListing() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);
        await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> !journals[0].segments(1).isEmpty());
        writer.close();

        try (PoolJournal operator = newOutsideJournal(addresses)) {
            operator.format(NAMESPACE, VERSION, true);
        }

        assertThatThrownBy(() -> journals[0].read(1, 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds incarnation");
    }

    /** Over a connection from before they would answer its appends; a new one they refuse. */
    @Test
    void writerEndsWhenAbsentNodesAreFormattedForForeignCluster() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
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

    /** It is a majority of itself, and its number is higher; the host that formatted it did not know the other. */
    @Test
    void loneFormatOutranksNoNodeWhileMajorityHasData() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 100);
        writer.close();
        Incarnation inForce = nodes[0].replica(JOURNAL).incarnation();
        formatAlone(2);

        for (PoolJournal journal : journals) {
            awaitSegments(journal, TxRange.of(1, 100));
            PoolLeaseStatus lease = journal.queryLease(Duration.ofSeconds(5));
            assertThat(lease.incarnation()).isEqualTo(inForce);
            assertThat(lease.ownReplicaForeign()).as("seen from the lone one").isEqualTo(journal == journals[2]);
            assertThat(journal.storageRecord()).isPresent();
        }
        JournalWriter next = openWriter(journals[2], 2);
        write(next, startSegmentAt(next, 101), 5);
        assertThat(next.end().incarnation()).isEqualTo(inForce);
        awaitSegments(journals[0], TxRange.of(1, 100), TxRange.of(101, 105));
    }

    /** The other half of the majority may be on its way. */
    @Test
    void loneFormatIsBlockedWhileNodeShowsDifferentJournal() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 100);
        writer.close();
        stop(1);
        formatAlone(2);

        assertThatThrownBy(() -> journals[2].segments(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 of its voters answer, now there are 1");
        CompletableFuture<JournalWriter> opening = CompletableFuture.supplyAsync(() -> {
            try {
                return journals[2].openWriter(1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThatThrownBy(() -> opening.get(3, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        start(1);

        JournalWriter next = opening.get(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS);
        assertThat(next.end().lastTxId()).isEqualTo(100);
    }

    /** It served meanwhile, and no process that starts would read what it acknowledged. */
    @Test
    void loneWriterEndsWhenMajorityWithDataReturns() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 100);
        writer.close();
        Incarnation inForce = nodes[0].replica(JOURNAL).incarnation();
        stop(0);
        stop(1);
        formatAlone(2);
        JournalWriter lone = openWriter(journals[2], 1);
        write(lone, startSegmentAt(lone, 1), 5);

        start(0);
        start(1);

        await().atMost(LONG_ENOUGH).untilAsserted(() -> assertThat(lone.isFenced())
                .as(((PoolWriter) lone)::describe)
                .isTrue());
        assertThatThrownBy(() -> write(lone, 6, 1))
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("did not know of incarnation " + inForce)
                .hasMessageContaining("is not in the journal");
        JournalWriter next = openWriter(journals[0], 2);
        write(next, startSegmentAt(next, 101), 5);
        awaitSegments(journals[2], TxRange.of(1, 100), TxRange.of(101, 105));
    }

    @Test
    void rejectsFormatWhenKnownMajorityIsAwayAndUnnamed() throws Exception {
        JournalWriter writer = beginWritingNewGroup(3);
        write(writer, 1, 10);
        writer.close();
        Incarnation before = nodes[2].replica(JOURNAL).incarnation();
        stop(0);
        stop(1);

        assertThatThrownBy(() -> journals[2].format(NAMESPACE, VERSION, true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not answer")
                .hasMessageContaining(addresses.get(0).toString())
                .hasMessageContaining("-D trefoil.journal.format.void=" + before);
        assertThat(nodes[2].replica(JOURNAL).incarnation()).isEqualTo(before);

        journals[2].format(FormatOrder.of(NAMESPACE, VERSION).withForce().withVoidedIncarnations(List.of(before)));
        Incarnation after = nodes[2].replica(JOURNAL).incarnation();
        JournalWriter next = openWriter(journals[2], 1);
        write(next, startSegmentAt(next, 1), 5);
        start(0);
        start(1);

        await().atMost(LONG_ENOUGH).untilAsserted(() -> {
            for (PoolJournal journal : journals) {
                assertThat(journal.queryLease(Duration.ofSeconds(5)).incarnation())
                        .isEqualTo(after);
            }
        });
    }

    /** The host's pool node lost its disk, and its namespace did not. */
    @Test
    void formatsJournalWhenMajorityLacksKnownIncarnation() throws Exception {
        Incarnation known = Incarnation.of(7, 7);
        FormatOrder order = FormatOrder.of(NAMESPACE, VERSION).withKnownIncarnations(List.of(known));
        start(2);

        assertThatThrownBy(() -> journals[2].requireFormattable(order))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was made from incarnation " + known);
        start(1);

        await().atMost(LONG_ENOUGH)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> journals[2].requireFormattable(order));
        journals[2].format(order);
        assertThat(nodes[2].replica(JOURNAL).members().replacedIncarnations()).containsExactly(known);
    }

    /** As by a host that has lost its disk and is cut off, or has only itself in its configuration. */
    private void formatAlone(int i) {
        LogSummary newer = LogSummary.ORIGIN.with(
                Incarnation.of(nodes[i].replica(JOURNAL).incarnation().number() + 1_000, 2));
        NodeId id = NodeId.of("alone-" + i);
        Members alone = Members.of(List.of(Member.voter(id, addresses.get(i))));
        List<Entry> first = List.of(
                Entry.of(LogPosition.of(Epoch.FORMAT, 1), EntryKind.MEMBERS, TxRange.NONE, alone.toPayload()),
                Entry.of(
                        LogPosition.of(Epoch.FORMAT, 2),
                        EntryKind.STORAGE,
                        TxRange.NONE,
                        StorageRecord.ofFormat(VERSION).toPayload()));
        nodes[i].replica(JOURNAL).perform(FormatRequest.of(NAMESPACE, id, newer, first, true));
        assertThat(nodes[i].replica(JOURNAL).incarnation()).isEqualTo(newer.incarnation());
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
    private static PoolJournal newOutsideJournal(List<NodeAddress> namedNodes) throws IOException {
        return new PoolJournal(settingsNaming(namedNodes).build(), Optional.empty(), PoolObserver.NONE);
    }
}
