/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.hdfs.edits.ServingTerm;
import io.trefoil.journal.hdfs.edits.SspEditLogInputStreamTest;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.FencedException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SspJournalManagerTest {
    private static final int LAYOUT = TestEdits.LAYOUT_VERSION;
    private static final NamespaceInfo NAMESPACE = new NamespaceInfo(7, "CID-1", "BP-1", 1234L);

    private final FakeJournal journal = new FakeJournal("ns1");
    private final Configuration conf = new Configuration(false);
    private SspJournalManager manager;

    @BeforeEach
    void aManager() throws IOException {
        conf.set("trefoil.journal.embedded", "false");
        manager = newManager();
    }

    private SspJournalManager newManager() throws IOException {
        return new SspJournalManager(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE, settings -> journal);
    }

    @Test
    void isNamedByItsJournalAndNodesWhereHdfsAsksTheOperator() {
        assertThat(manager).hasToString("ssp journal ns1 on [h1:8487, h2:8487, h3:8487]");
    }

    @Nested
    class Format {
        @Test
        void handsTheNamespaceAndTheVersionToTheJournal() throws IOException {
            assertThat(manager.hasSomeData()).isFalse();

            manager.format(NAMESPACE, false);

            assertThat(manager.hasSomeData()).isTrue();
            assertThat(journal.namespace()).isEqualTo(NamespaceId.of("CID-1", 7));
            assertThat(journal.end().storage())
                    .contains(StorageRecord.formatted(StorageRecord.Version.of(NAMESPACE.getLayoutVersion(), 1234)));
            assertThat(manager.getJournalCTime()).isEqualTo(1234);
        }

        @Test
        void overDataNeedsForce() throws IOException {
            manager.format(NAMESPACE, false);

            assertThatThrownBy(() -> manager.format(NAMESPACE, false)).isInstanceOf(IOException.class);
            manager.format(NAMESPACE, true);
        }

        @Test
        void withoutItThereIsNothingToAsk() {
            assertThatThrownBy(manager::getJournalCTime)
                    .isInstanceOf(IOException.class)
                    .hasMessage("ssp journal ns1 on [h1:8487, h2:8487, h3:8487] is not formatted");
        }
    }

    @Nested
    class Objections {
        @Test
        void keepItFromWriting() throws IOException {
            manager.format(NAMESPACE, false);
            ServingTerm serving = ServingTerm.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE));
            serving.onBeginning(barriers -> Optional.of("the journal is being restored"));
            try {
                assertThatThrownBy(() -> manager.recoverUnfinalizedSegments())
                        .hasMessage("Cannot write ssp journal ns1 on [h1:8487, h2:8487, h3:8487]: the journal is being"
                                + " restored");
                assertThatThrownBy(() -> manager.startLogSegment(1, LAYOUT)).hasMessageContaining("not recovered");
            } finally {
                serving.onBeginning(barriers -> Optional.empty());
            }
            manager.recoverUnfinalizedSegments();
            manager.startLogSegment(1, LAYOUT);
        }
    }

    @Nested
    class Segments {
        @BeforeEach
        void formatted() throws IOException {
            manager.format(NAMESPACE, false);
        }

        @Test
        void cannotBeStartedOrEndedBeforeRecovery() {
            assertThatThrownBy(() -> manager.startLogSegment(1, LAYOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not recovered");
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 2))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not the journal's writer");
        }

        @Test
        void becomeEntriesFromStartToEnd() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            writeSegment(4, 4);

            assertThat(journal.entries())
                    .extracting(Entry::kind)
                    .containsExactly(
                            EntryKind.MEMBERS,
                            EntryKind.STORAGE,
                            EntryKind.EPOCH_START,
                            EntryKind.SEGMENT_START,
                            EntryKind.EDITS,
                            EntryKind.SEGMENT_END,
                            EntryKind.SEGMENT_START,
                            EntryKind.EDITS,
                            EntryKind.SEGMENT_END);
            Entry start = journal.entries(EntryKind.SEGMENT_START).get(1);
            assertThat(start.txIds()).isEqualTo(TxRange.emptyAt(4));
            assertThat(start.payload().utf8()).isEqualTo("" + LAYOUT);
            assertThat(journal.entries(EntryKind.SEGMENT_END).get(0).txIds()).isEqualTo(TxRange.of(1, 3));
        }

        @Test
        void followTheLastTransaction() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);

            assertThatThrownBy(() -> manager.startLogSegment(3, LAYOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Cannot start segment 3: the last transaction in the journal is 3");
            assertThatThrownBy(() -> manager.startLogSegment(5, LAYOUT)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> manager.startLogSegment(0, LAYOUT)).isInstanceOf(IOException.class);
        }

        @Test
        void ofAFreshJournalMayStartWhereTheNamespaceStands() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(501, 510);

            assertThat(journal.end().lastTxId()).isEqualTo(510);
        }

        @Test
        void areOneAtATime() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.startLogSegment(1, LAYOUT);

            assertThatThrownBy(() -> manager.startLogSegment(1, LAYOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("segment 1 was not ended");
        }

        @Test
        void endWithWhatWasWritten() throws IOException {
            manager.recoverUnfinalizedSegments();
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            write(stream, 1, 3);

            assertThatThrownBy(() -> manager.finalizeLogSegment(2, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the segment being written is 1");
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 4))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the last transaction written to it is 3");
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 2)).isInstanceOf(IOException.class);
            manager.finalizeLogSegment(1, 3);
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no segment is being written");
        }

        @Test
        void startedAndLeftEmptyByACrashAreStartedAgain() throws IOException {
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            manager.startLogSegment(4, LAYOUT);

            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();
            assertThat(streams(next, 4, true, false)).isEmpty();
            EditLogOutputStream stream = next.startLogSegment(4, LAYOUT);
            write(stream, 4, 5);
            next.finalizeLogSegment(4, 5);

            assertThat(ranges(streams(next, 1, false, false))).containsExactly("1..3", "4..5");
        }

        @Test
        void ofAFencedWriterAreOver() throws IOException {
            manager.recoverUnfinalizedSegments();
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            write(stream, 1, 3);
            newManager().recoverUnfinalizedSegments();

            assertThatThrownBy(() -> write(stream, 4, 5)).isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> manager.finalizeLogSegment(1, 3)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> manager.startLogSegment(4, LAYOUT)).isInstanceOf(FencedException.class);
        }

        @Test
        void takeAnotherBufferSizeWhenItIsSet() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.setOutputBufferCapacity(TestEdits.SIZE);
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            stream.write(TestEdits.op(1));

            assertThat(stream.shouldForceSync()).isTrue();
        }
    }

    @Nested
    class Recovery {
        @BeforeEach
        void formatted() throws IOException {
            manager.format(NAMESPACE, false);
        }

        @Test
        void asksForAsManyReplicasAsConfigured() throws IOException {
            manager.recoverUnfinalizedSegments();
            assertThat(journal.openedWith()).isEqualTo(2);

            conf.set("dfs.namenode.startup", "INITIALIZESHAREDEDITS");
            newManager().recoverUnfinalizedSegments();
            assertThat(journal.openedWith()).isEqualTo(1);
        }

        @Test
        void takesOneEpochHoweverOftenItIsAskedFor() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.recoverUnfinalizedSegments();

            assertThat(journal.entries(EntryKind.EPOCH_START)).hasSize(1);
        }

        @Test
        void sendsTheTailingOutUntilTheWriterIsClosed() throws IOException {
            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE));

            manager.recoverUnfinalizedSegments();
            assertThat(gate.enter()).isFalse();
            manager.close();
            assertThat(gate.enter()).isTrue();
            gate.leave();
        }

        @Test
        void thatFailsLeavesTheTailingAlone() throws IOException {
            FakeJournal unformatted = new FakeJournal("ns2");
            URI uri = URI.create("ssp://h1;h2;h3/ns2");
            SspJournalManager failing = new SspJournalManager(conf, uri, NAMESPACE, settings -> unformatted);
            TailingGate gate = TailingGate.of(SspSettings.read(conf, uri, NAMESPACE));

            assertThatThrownBy(failing::recoverUnfinalizedSegments).isInstanceOf(IOException.class);

            assertThat(gate.enter()).isTrue();
            gate.leave();
        }

        @Test
        void closingEndsTheTermAndNotTheJournal() throws IOException {
            manager.recoverUnfinalizedSegments();
            EditLogOutputStream stream = manager.startLogSegment(1, LAYOUT);
            manager.close();
            manager.close();

            assertThatThrownBy(() -> write(stream, 1, 1))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(FencedException.class);
            assertThat(manager.hasSomeData()).isTrue();
        }
    }

    /** One test per line of the table of callers, see {@code docs/design/hadoop-seam.md}. */
    @Nested
    class InputStreams {
        @BeforeEach
        void twoFinishedSegmentsAndOneBeingWritten() throws IOException {
            manager.format(NAMESPACE, false);
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            writeSegment(4, 6);
            EditLogOutputStream stream = manager.startLogSegment(7, LAYOUT);
            write(stream, 7, 8);
            write(stream, 9, 9);
        }

        @Test
        void atTheStartAreFinishedSegments() throws IOException {
            assertThat(ranges(streams(newManager(), 1, false, false))).containsExactly("1..3", "4..6");
            assertThat(ranges(streams(newManager(), 5, false, false))).containsExactly("4..6");
            assertThat(streams(newManager(), 7, false, false)).isEmpty();
        }

        @Test
        void forATailerAreFinishedSegmentsAndThenTheUnfinishedOneUpToTheLastCommit() throws IOException {
            assertThat(ranges(streams(newManager(), 3, false, true))).containsExactly("1..3", "4..6");

            List<EditLogInputStream> unfinished = streams(newManager(), 7, false, true);

            assertThat(ranges(unfinished)).containsExactly("7..9");
            assertThat(unfinished).extracting(EditLogInputStream::isInProgress).containsExactly(true);
            assertThat(txIds(unfinished)).containsExactlyElementsOf(numbers(7, 9));
            assertThat(streams(newManager(), 10, false, true)).isEmpty();
        }

        @Test
        void forATailerOfUnfinishedSegmentsAreTheSame() throws IOException {
            assertThat(ranges(streams(newManager(), 5, true, true))).containsExactly("4..6");
            assertThat(ranges(streams(newManager(), 8, true, true))).containsExactly("7..9");
        }

        @Test
        void forATailerThatWasToldNotToReadUnfinishedSegmentsAreFinishedOnly() throws IOException {
            conf.setBoolean("dfs.ha.tail-edits.in-progress", false);

            assertThat(ranges(streams(newManager(), 5, false, true))).containsExactly("4..6");
            assertThat(streams(newManager(), 7, false, true)).isEmpty();
        }

        @Test
        void forATailerGoUpToTheLastCommitIfOnlyHdfsOwnDefaultSaysOtherwise() throws IOException {
            conf.addResource("hdfs-default.xml");
            assertThat(conf.getBoolean("dfs.ha.tail-edits.in-progress", true)).isFalse();

            assertThat(ranges(streams(newManager(), 7, false, true))).containsExactly("7..9");
        }

        @Test
        void ofAnyOtherReaderDoNotDependOnWhatTheTailerWasTold() throws IOException {
            conf.setBoolean("dfs.ha.tail-edits.in-progress", false);

            assertThat(ranges(streams(newManager(), 1, true, false))).containsExactly("1..3", "4..6", "7..9");
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();
            assertThat(ranges(streams(next, 5, false, true))).containsExactly("4..6", "7..9");
        }

        @Test
        void forHdfsOwnTailerHoldAllThatWasAcknowledgedAndForTheTailingPluginWhatItHeardOf() throws IOException {
            SspJournalManager standby = newManager();
            streams(standby, 7, true, true);
            assertThat(journal.awaitedWritten()).isEqualTo(1);

            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE));
            gate.open();
            assertThat(gate.enter()).isTrue();
            streams(standby, 7, true, true);
            gate.leave();

            assertThat(journal.awaitedWritten()).isEqualTo(1);
        }

        @Test
        void forATailerThatOwesTheImageForARollbackAreFinishedOnly() throws IOException {
            TailingGate gate = TailingGate.of(SspSettings.read(conf, URI.create("ssp://h1;h2;h3/ns1"), NAMESPACE));
            gate.rollbackImageOwedWhile(() -> true);

            assertThat(streams(newManager(), 7, true, true)).isEmpty();

            gate.rollbackImageOwedWhile(() -> false);
            assertThat(streams(newManager(), 7, true, true)).hasSize(1);
        }

        @Test
        void forTheCatchUpOfANewActiveAreAllThatWasEverAcknowledged() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();

            List<EditLogInputStream> streams = streams(next, 5, false, true);

            assertThat(ranges(streams)).containsExactly("4..6", "7..9");
            assertThat(streams).extracting(EditLogInputStream::isInProgress).containsExactly(false, false);
        }

        @Test
        void beforeANewSegmentIsStartedAreNone() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();

            assertThat(streams(next, 10, true, false)).isEmpty();
        }

        @Test
        void forRetentionAreOnePerSegment() throws IOException {
            assertThat(streams(manager, 0, false, false)).hasSize(2);
        }

        @Test
        void forBootstrapAndInotifyGoUpToTheLastCommit() throws IOException {
            assertThat(ranges(streams(newManager(), 1, true, false))).containsExactly("1..3", "4..6", "7..9");
            assertThat(ranges(streams(manager, 8, true, false))).containsExactly("7..9");
            assertThat(ranges(streams(manager, -1, true, false))).hasSize(3);
        }

        @Test
        void haveADefiniteEndAlways() throws IOException {
            for (EditLogInputStream stream : streams(newManager(), 0, true, true)) {
                assertThat(stream.getFirstTxId()).isPositive();
                assertThat(stream.getLastTxId()).isGreaterThanOrEqualTo(stream.getFirstTxId());
            }
        }

        @Test
        void areAllOrNoneWhenTheJournalCannotBeAsked() throws IOException {
            SspJournalManager standby = newManager();
            journal.failReads(1);
            List<EditLogInputStream> streams = new ArrayList<>();

            assertThatThrownBy(() -> standby.selectInputStreams(streams, 1, false, true))
                    .isInstanceOf(IOException.class);
            assertThat(streams).isEmpty();
        }

        @Test
        void ofTheWriterAreWaitedForUntilAllThatItAcknowledgedIsThere() throws IOException {
            journal.failReads(3);

            assertThat(ranges(streams(manager, 1, true, false))).containsExactly("1..3", "4..6", "7..9");
        }

        @Test
        void ofAFencedWriterThatCannotSeeAllAreAnError() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();
            journal.hideFrom(journal.end().position().sn() - 3);

            assertThatThrownBy(() -> streams(manager, 1, true, false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("transactions from 1 to 9, it was fenced: found no more than");
        }

        @Test
        void arePurgedByTheJournal() {
            manager.purgeLogsOlderThan(4);

            assertThat(journal.purgedBelow()).isEqualTo(4);
        }
    }

    @Nested
    class RollingUpgradeRolledBack {
        @BeforeEach
        void threeSegments() throws IOException {
            manager.format(NAMESPACE, false);
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            writeSegment(4, 6);
            writeSegment(7, 9);
            manager.close();
        }

        @Test
        void makesAllLaterSegmentsVoid() throws IOException {
            SspJournalManager next = newManager();
            next.recoverUnfinalizedSegments();

            next.discardSegments(4);

            assertThat(ranges(streams(next, 1, false, false))).containsExactly("1..3");
            EditLogOutputStream stream = next.startLogSegment(4, LAYOUT);
            write(stream, 4, 5);
            next.finalizeLogSegment(4, 5);
            assertThat(ranges(streams(next, 1, false, false))).containsExactly("1..3", "4..5");
            assertThat(txIds(streams(next, 1, false, false))).containsExactlyElementsOf(numbers(1, 5));
        }

        @Test
        void refusesToCutASegment() {
            assertThatThrownBy(() -> newManager().discardSegments(5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("segment 4..6 begins before");
        }

        @Test
        void isNothingIfThereIsNothingToTakeBack() throws IOException {
            newManager().discardSegments(10);

            assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
        }
    }

    @Nested
    class Upgrade {
        private final Storage newStorage = new FakeStorage(LAYOUT, 5678);

        @BeforeEach
        void aSegment() throws IOException {
            manager.format(NAMESPACE, false);
            manager.recoverUnfinalizedSegments();
            writeSegment(1, 3);
            manager.close();
            manager = newManager();
        }

        @Test
        void changesTheVersionAndCanBeRolledBack() throws IOException {
            assertThat(canRollBack(LAYOUT)).isFalse();

            upgrade();

            assertThat(manager.getJournalCTime()).isEqualTo(5678);
            assertThat(canRollBack(NAMESPACE.getLayoutVersion())).isTrue();
        }

        @Test
        void rolledBackTakesBackWhatWasWrittenSince() throws IOException {
            upgrade();
            writeSegment(4, 9);
            manager.close();
            SspJournalManager old = newManager();
            assertThat(old.canRollBack(NAMESPACE, NAMESPACE, NAMESPACE.getLayoutVersion()))
                    .isTrue();

            old.doRollback();

            assertThat(old.getJournalCTime()).isEqualTo(1234);
            assertThat(old.canRollBack(NAMESPACE, NAMESPACE, NAMESPACE.getLayoutVersion()))
                    .isFalse();
            assertThat(ranges(streams(old, 1, false, false))).containsExactly("1..3");
            EditLogOutputStream stream = old.startLogSegment(4, LAYOUT);
            write(stream, 4, 4);
        }

        @Test
        void isLookedAtWithoutFencingTheActive() throws IOException {
            upgrade();
            int epochs = journal.entries(EntryKind.EPOCH_START).size();

            newManager().canRollBack(NAMESPACE, NAMESPACE, NAMESPACE.getLayoutVersion());
            newManager().getJournalCTime();

            assertThat(journal.entries(EntryKind.EPOCH_START)).hasSize(epochs);
        }

        @Test
        void finalizedHasNoRollbackPoint() throws IOException {
            upgrade();

            manager.doFinalize();

            assertThat(canRollBack(LAYOUT)).isFalse();
            assertThat(manager.getJournalCTime()).isEqualTo(5678);
            manager.doRollback();
            assertThat(manager.getJournalCTime()).isEqualTo(5678);
        }

        @Test
        void isFinalizedWhileASegmentIsWritten() throws IOException {
            upgrade();
            EditLogOutputStream stream = manager.startLogSegment(4, LAYOUT);
            write(stream, 4, 5);

            manager.doFinalize();
            write(stream, 6, 7);
            manager.finalizeLogSegment(4, 7);

            assertThat(txIds(streams(manager, 1, false, false))).containsExactlyElementsOf(numbers(1, 7));
        }

        @Test
        void thatIsNoneIsFinalizedAndRolledBackWithoutAnEntry() throws IOException {
            manager.doFinalize();
            manager.doRollback();

            assertThat(journal.entries(EntryKind.STORAGE)).hasSize(1);
        }

        @Test
        void mustBeFinalizedBeforeTheNext() throws IOException {
            upgrade();

            assertThatThrownBy(manager::doPreUpgrade)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("finalize that upgrade or roll it back first");
        }

        @Test
        void thatACrashInterruptedIsBegunAgain() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.doPreUpgrade();
            manager.close();
            manager = newManager();
            assertThat(canRollBack(LAYOUT)).isFalse();

            upgrade();

            assertThat(canRollBack(NAMESPACE.getLayoutVersion())).isTrue();
        }

        @Test
        void mustBePrepared() {
            assertThatThrownBy(() -> manager.doUpgrade(newStorage))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not prepared");
        }

        @Test
        void isNotBegunInTheMiddleOfASegment() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.startLogSegment(4, LAYOUT);

            assertThatThrownBy(manager::doPreUpgrade)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("segment 4 is being written");
        }

        @Test
        void isNotRolledBackByTheNewSoftware() throws IOException {
            upgrade();

            assertThatThrownBy(() -> canRollBack(LAYOUT - 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("use the previous version of HDFS");
        }

        private void upgrade() throws IOException {
            manager.recoverUnfinalizedSegments();
            manager.doPreUpgrade();
            manager.doUpgrade(newStorage);
        }

        private boolean canRollBack(int layoutVersion) throws IOException {
            StorageInfo info = new StorageInfo(NodeType.NAME_NODE);
            return newManager().canRollBack(info, info, layoutVersion);
        }
    }

    private void writeSegment(long first, long last) throws IOException {
        EditLogOutputStream stream = manager.startLogSegment(first, LAYOUT);
        write(stream, first, last);
        stream.close();
        manager.finalizeLogSegment(first, last);
    }

    private static void write(EditLogOutputStream stream, long first, long last) throws IOException {
        for (long txId = first; txId <= last; txId++) {
            stream.write(TestEdits.op(txId));
        }
        stream.setReadyToFlush();
        stream.flush();
    }

    private static List<EditLogInputStream> streams(
            SspJournalManager manager, long from, boolean inProgressOk, boolean onlyDurable) throws IOException {
        List<EditLogInputStream> streams = new ArrayList<>();
        manager.selectInputStreams(streams, from, inProgressOk, onlyDurable);
        return streams;
    }

    private static List<String> ranges(List<EditLogInputStream> streams) {
        return streams.stream()
                .map(stream -> stream.getFirstTxId() + ".." + stream.getLastTxId())
                .collect(Collectors.toList());
    }

    private static List<Long> txIds(List<EditLogInputStream> streams) throws IOException {
        List<Long> txIds = new ArrayList<>();
        for (EditLogInputStream stream : streams) {
            txIds.addAll(SspEditLogInputStreamTest.txIds(stream));
        }
        return txIds;
    }

    private static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().collect(Collectors.toList());
    }

    /** Storage of another version. */
    private static final class FakeStorage extends Storage {
        FakeStorage(int layoutVersion, long cTime) {
            super(new StorageInfo(layoutVersion, 7, "CID-1", cTime, NodeType.NAME_NODE));
        }

        @Override
        public boolean isPreUpgradableLayout(StorageDirectory directory) {
            return false;
        }
    }
}
