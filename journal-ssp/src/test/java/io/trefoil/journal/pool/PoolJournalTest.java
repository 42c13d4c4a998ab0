/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestPorts;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.client.LeaseSurvey;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import io.trefoil.journal.pool.writer.EntryTooLargeException;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.sim.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes, writers and readers over real sockets; the disks are simulated, so that they survive a closed node. */
class PoolJournalTest {

    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    private static final StorageRecord.Version VERSION = StorageRecord.Version.of(-67, 1000);

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final List<SimDisk> disks = new ArrayList<>();
    private final List<NodeAddress> addresses = new ArrayList<>();
    private final PoolNode[] nodes = new PoolNode[3];
    private final PoolJournal[] journals = new PoolJournal[3];

    @BeforeEach
    void choosePlaces() throws IOException {
        for (int i = 0; i < 3; i++) {
            disks.add(new SimDisk(new Random(i)));
            addresses.add(NodeAddress.of("127.0.0.1", TestPorts.free()));
        }
    }

    @AfterEach
    void stopAll() throws IOException {
        for (int i = 0; i < 3; i++) {
            stop(i);
        }
    }

    private void start(int i) throws IOException {
        startWith(i, addresses);
    }

    /** As in a process whose URI names these nodes only. */
    private void startWith(int i, List<NodeAddress> named) throws IOException {
        NodeSettings node = NodeSettings.builder()
                .address(addresses.get(i))
                .bindHost("127.0.0.1")
                .directory(directory.resolve("node" + i))
                .joins(Map.of(JOURNAL, named))
                .build();
        nodes[i] = PoolNode.start(node, journal -> disks.get(i).device(), PoolObserver.NONE);
        journals[i] = new PoolJournal(naming(named).node(node).build(), Optional.of(nodes[i]), PoolObserver.NONE);
    }

    private static PoolSettings.Builder naming(List<NodeAddress> named) {
        return PoolSettings.builder().journal(JOURNAL).addresses(named).lease(Duration.ofMillis(500));
    }

    private void stop(int i) throws IOException {
        if (nodes[i] != null) {
            journals[i].close();
            nodes[i].close();
            nodes[i] = null;
        }
    }

    private void startAll() throws IOException {
        for (int i = 0; i < 3; i++) {
            start(i);
        }
    }

    private void formatAll() throws IOException {
        startAll();
        journals[0].format(NAMESPACE, VERSION, false);
    }

    /** Opens the first node's writer, whose segment begins with transaction 1. */
    private JournalWriter beginWriting(int replicas) throws IOException {
        JournalWriter writer = journals[0].openWriter(replicas);
        startSegment(writer, 1);
        return writer;
    }

    /** The same, of a new group. */
    private JournalWriter beginWritingAtAll(int replicas) throws IOException {
        formatAll();
        return beginWriting(replicas);
    }

    private static void write(JournalWriter writer, long firstTxId, int count) throws IOException {
        for (long txId = firstTxId; txId < firstTxId + count; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("edit " + txId));
        }
    }

    private static void startSegment(JournalWriter writer, long txId) throws IOException {
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyAt(txId), Bytes.ofUtf8("-67"));
    }

    @Test
    void aGroupFormattedOnOneNodeGrowsToThreeAndEveryNodeShowsWhatIsCommitted() throws Exception {
        startAll();
        stop(1);
        stop(2);
        journals[0].format(NAMESPACE, VERSION, false);
        start(1);
        start(2);

        JournalWriter writer = beginWriting(3);
        write(writer, 1, 100);

        for (int i = 0; i < 3; i++) {
            int node = i;
            await().untilAsserted(() -> {
                List<SegmentInfo> segments = journals[node].segments(1);
                assertThat(segments).hasSize(1);
                assertThat(segments.get(0).txIds()).isEqualTo(TxRange.of(1, 100));
            });
        }
        List<Entry> read = journals[2].read(journals[2].segments(1).get(0).foundSn(), 1 << 20);
        assertThat(read).isNotEmpty();
    }

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
            await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> assertThat(journal.segments(1))
                    .extracting(SegmentInfo::txIds)
                    .containsExactly(TxRange.of(1, 5), TxRange.of(6, 10)));
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

    /** Told of a change, somebody may make a standby tail: the change must be there. */
    @Test
    void whoeverWaitsForWhatIsWrittenSeesAllThatWasAcknowledgedBeforeWithAReplicaAndWithout() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 1);
        await().until(() -> nodes[1].replica(JOURNAL).isAbreast(Duration.ofMillis(500)));
        try (PoolJournal reader = new PoolJournal(naming(addresses).build(), Optional.empty(), PoolObserver.NONE)) {
            for (long txId = 2; txId <= 100; txId++) {
                write(writer, txId, 1);
                reader.awaitWritten(LONG_ENOUGH);
                assertThat(reader.segments(txId)).hasSize(1);
            }
        }
        for (long txId = 101; txId <= 200; txId++) {
            write(writer, txId, 1);
            long written = txId;
            // The majority may have done without this replica; it hears of the transaction soon.
            await().until(() -> ownEnd(1) >= written);
            journals[1].awaitWritten(LONG_ENOUGH);
            assertThat(journals[1].segments(txId)).hasSize(1);
        }
    }

    @Test
    void whatAWriterWroteLastIsShownAfterItsTermToo() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 10);
        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, 10), Bytes.EMPTY);
        assertThat(writer.settle(LONG_ENOUGH)).isTrue();
        writer.close();

        for (int i = 0; i < 3; i++) {
            int node = i;
            await().untilAsserted(() ->
                    assertThat(journals[node].segments(1)).singleElement().matches(SegmentInfo::finalized));
        }
    }

    private long ownEnd(int i) {
        PoolReply reply =
                nodes[i].replica(JOURNAL).perform(StatusRequest.create()).get();
        return ((StatusReply) reply).end().lastTxId();
    }

    /** A roll of HDFS's log: the end of one segment and the begin of the next, and a transaction in it. */
    @Test
    void whatIsAppendedAheadIsCommittedTogetherWithWhatFollows() throws Exception {
        start(0);
        journals[0].format(NAMESPACE, VERSION, false);
        JournalWriter writer = beginWriting(1);
        write(writer, 1, 10);

        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, 10), Bytes.EMPTY);
        startSegment(writer, 11);
        write(writer, 11, 1);

        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> assertThat(journals[0].segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(TxRange.of(1, 10), TxRange.of(11, 11)));
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

    @Test
    void whatNothingFollowsIsSentAllTheSame() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 10);

        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, 10), Bytes.EMPTY);
        await().untilAsserted(() ->
                assertThat(journals[1].segments(1)).singleElement().matches(SegmentInfo::finalized));

        startSegment(writer, 11);
        assertThat(writer.settle(LONG_ENOUGH)).isTrue();
        stop(1);
        stop(2);
        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.emptyAt(11), Bytes.EMPTY);
        assertThat(writer.settle(Duration.ofMillis(100)))
                .as("without a majority")
                .isFalse();
    }

    @Test
    void aNodeThatNobodyElseNamesMakesItselfKnownAndVotes() throws Exception {
        startWith(0, addresses.subList(0, 1));
        journals[0].format(NAMESPACE, VERSION, false);
        JournalWriter writer = beginWriting(1);
        write(writer, 1, 10);

        startWith(2, List.of(addresses.get(0), addresses.get(2)));

        await().untilAsserted(() ->
                assertThat(writer.end().members().at(addresses.get(2))).get().matches(Member::isVoter));
        write(writer, 11, 10);
        await().untilAsserted(() -> assertThat(journals[2].segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(TxRange.of(1, 20)));
    }

    @Test
    void aNodeThatOnlySomebodyElseCouldNameWaitsUntilItIsAdded() throws Exception {
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
    void aWriterAndAReaderFindTheMembersThatTheirUriDoesNotName() throws Exception {
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
        try (PoolJournal reader = new PoolJournal(naming(first).build(), Optional.empty(), PoolObserver.NONE)) {
            await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> assertThat(reader.segments(1))
                    .extracting(SegmentInfo::txIds)
                    .containsExactly(TxRange.of(1, 10), TxRange.of(11, 20)));
            stop(2);
            // One node alone is named; a majority is found nevertheless.
            assertThat(reader.segments(1)).hasSize(2);
        }
    }

    @Test
    void aSecondWriterComesAtOnceWhenTheFirstStepsDownAndHasAllThatWasAcknowledged() throws Exception {
        formatAll();
        JournalWriter old = journals[0].openWriter(2);
        startSegment(old, 1);
        write(old, 1, 50);

        old.close();
        JournalWriter next = journals[1].openWriter(2);

        assertThat(next.end().lastTxId()).isEqualTo(50);
        assertThat(next.end().openSegment()).isEmpty();
        assertThatThrownBy(() -> write(old, 51, 1)).isInstanceOf(IOException.class);
        startSegment(next, 51);
        write(next, 51, 10);
        // Until the nodes know of the last commit, the writer is refused rather than shown less.
        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> assertThat(journals[1].segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(TxRange.of(1, 50), TxRange.of(51, 60)));
    }

    @Test
    void anEntryThatNoNodeWouldTakeIsRefusedBeforeItIsSentAndTheNextTakesItsPlace() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        long lastSn = writer.end().position().sn();
        Bytes giant = Bytes.wrap(new byte[EntryCodec.MAX_PAYLOAD_SIZE + 1]);

        assertThatThrownBy(() -> writer.append(EntryKind.EDITS, TxRange.of(1, 9), giant))
                .isInstanceOf(EntryTooLargeException.class)
                .hasMessageContaining("1..9 has 67108865 bytes, an entry has at most 67108864");

        assertThat(writer.end().position().sn()).isEqualTo(lastSn);
        write(writer, 1, 10);
        await().untilAsserted(
                        () -> assertThat(journals[1].segments(1).get(0).txIds()).isEqualTo(TxRange.of(1, 10)));
    }

    @Test
    void aWriterWithoutAMajorityWaitsAndGoesOnWhenOneIsBack() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 10);
        stop(1);
        write(writer, 11, 10);
        stop(2);

        CompletableFuture<Void> stalled = CompletableFuture.runAsync(() -> {
            try {
                write(writer, 21, 1);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> stalled.get(300, TimeUnit.MILLISECONDS)).isNotInstanceOf(ExecutionException.class);

        start(2);
        stalled.get(10, TimeUnit.SECONDS);
        write(writer, 22, 10);
        start(1);
        await().untilAsserted(() ->
                assertThat(journals[1].segments(1).get(0).txIds().last()).isEqualTo(31));
    }

    @Test
    void aBarrierIsAddedBetweenTheBatchesOfAnotherThreadAndEveryNodeTellsOfIt() throws Exception {
        JournalWriter writer = beginWritingAtAll(3);
        write(writer, 1, 10);
        CompletableFuture<Void> appending = CompletableFuture.runAsync(() -> {
            try {
                write(writer, 11, 500);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        for (int i = 0; i < 20; i++) {
            journals[0].addBarrier(Barrier.of("barrier-" + i, 10, 1 + i % 11, ""));
        }
        for (int i = 0; i < 19; i++) {
            journals[0].releaseBarrier("barrier-" + i);
        }
        appending.get(30, TimeUnit.SECONDS);

        for (int i = 0; i < 3; i++) {
            int node = i;
            await().untilAsserted(() -> {
                assertThat(journals[node].barriers().list()).containsExactly(Barrier.of("barrier-19", 10, 9, ""));
                assertThat(journals[node].segments(1).get(0).txIds()).isEqualTo(TxRange.of(1, 510));
            });
        }
    }

    @Test
    void aBarrierThatCannotBeAddedLeavesTheJournalAsItWas() throws Exception {
        formatAll();
        assertThatThrownBy(() -> journals[0].addBarrier(Barrier.of("early", 0, 1, "")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("by the process that writes the journal");
        JournalWriter writer = beginWriting(3);
        write(writer, 1, 10);
        LogSummary before = writer.end();

        assertThatThrownBy(() -> journals[0].addBarrier(Barrier.of("late", 11, 1, "")))
                .isInstanceOf(BarrierRefusedException.class)
                .hasMessageContaining("ends at transaction 10");

        assertThat(writer.end()).isEqualTo(before);
        write(writer, 11, 1);
    }

    @Test
    void aPreparedWriterIsTheOneThatIsOpenedNextAndNoSecondEpochIsTaken() throws Exception {
        formatAll();

        JournalWriter prepared = journals[0].prepareWriter(3);

        assertThat(journals[0].openWriter(3)).isSameAs(prepared);
        assertThat(journals[0].ownTerm().get().epoch()).isEqualTo(prepared.epoch());
        assertThat(journals[0].ownTerm().get().leaseLeft()).isPositive();
        assertThat(journals[0].openWriter(3).epoch()).isGreaterThan(prepared.epoch());
    }

    @Test
    void aPreparedWriterThatWasGivenUpIsNotUsed() throws Exception {
        formatAll();
        JournalWriter prepared = journals[0].prepareWriter(3);
        prepared.close();

        assertThat(journals[0].ownTerm()).isEmpty();
        assertThat(journals[0].openWriter(3).epoch()).isGreaterThan(prepared.epoch());
    }

    @Test
    void theLeaseIsSurveyedWithoutDisturbingTheWriter() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        CountDownLatch freed = new CountDownLatch(1);
        journals[1].onLeaseFreed(freed::countDown);

        assertThat(journals[1].surveyLease(Duration.ofSeconds(2)).free()).isFalse();
        assertThat(journals[1].heardTerm().get().leaseHeld()).isPositive();
        assertThat(writer.isFenced()).isFalse();
        assertThat(freed.getCount()).isEqualTo(1);

        writer.close();
        assertThat(freed.await(10, TimeUnit.SECONDS))
                .as("the others are told at once")
                .isTrue();
        await().untilAsserted(() -> assertThat(
                        journals[1].surveyLease(Duration.ofSeconds(2)).free())
                .isTrue());
    }

    @Test
    void aWriterKnowsThatItIsAloneWhileAMajorityAnswersAndNoLonger() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        CountDownLatch told = new CountDownLatch(1);
        long asked = System.nanoTime();
        writer.onAdvance(() -> {
            if (writer.wasAloneAt(asked)) {
                told.countDown();
            }
        });

        writer.wantAnswers();
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        await().until(() -> writer.wasAloneAt(System.nanoTime()));

        stop(1);
        stop(2);
        long alone = System.nanoTime();
        await().pollDelay(Duration.ofMillis(Promise.ALONE_MILLIS)).until(() -> !writer.wasAloneAt(System.nanoTime()));
        assertThat(writer.wasAloneAt(alone + Duration.ofSeconds(1).toNanos()))
                .as("although it knows that both are dead")
                .isFalse();
    }

    @Test
    void aWriterThatWasClosedWasNeverAlone() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        long asked = System.nanoTime();
        writer.wantAnswers();
        await().until(() -> writer.wasAloneAt(asked));

        writer.close();

        assertThat(writer.wasAloneAt(asked)).isFalse();
    }

    @Test
    void aSurveyTellsWhoIsDeadFromWhoIsSilent() throws Exception {
        formatAll();
        journals[0].openWriter(3);
        assertThat(journals[0].surveyLease(Duration.ofSeconds(2)).rivalsPossible())
                .isTrue();

        stop(1);

        LeaseSurvey survey = journals[0].surveyLease(Duration.ofSeconds(2));
        assertThat(survey.dead()).containsExactly(addresses.get(1));
        assertThat(survey.rivalsPossible()).isFalse();
    }

    @Test
    void aReaderWaitsLongerForItsFirstConnectionThanForAnAnswer() throws Exception {
        start(0);
        try (ServerSocket slow = new ServerSocket(0);
                PoolJournal reader = readerAt(slow.getLocalPort())) {
            // A connection is made, and nothing comes over it for longer than an answer may take.
            CompletableFuture<Void> relayed = CompletableFuture.runAsync(
                    () -> relayOne(slow, addresses.get(0).port()),
                    CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS, task -> new Thread(task).start()));
            assertThat(reader.hasSomeData()).isFalse();
            reader.close();
            relayed.get(10, TimeUnit.SECONDS);
        }
    }

    private static PoolJournal readerAt(int port) throws IOException {
        return new PoolJournal(
                naming(List.of(NodeAddress.of("127.0.0.1", port))).build(), Optional.empty(), PoolObserver.NONE);
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
    void aPoolThatNobodyReachesIsNamedWithTheTimesThatItHad() throws Exception {
        int port = TestPorts.free();
        try (PoolJournal reader = readerAt(port)) {
            assertThatThrownBy(reader::hasSomeData)
                    .hasMessageContaining("no pool node can be reached")
                    .hasMessageContaining("an answer may take 2000 ms, a first connection 10000 ms")
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }
}
