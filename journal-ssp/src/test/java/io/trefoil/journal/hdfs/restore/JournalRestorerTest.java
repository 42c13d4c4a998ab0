/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.hdfs.TestEdits;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.edits.SspEditLogInputStream;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JournalRestorerTest {
    private static final Barrier EARLY = Barrier.of("early", 3, 1, "made");
    private static final Barrier LATE = Barrier.of("late", 6, 1, "made");

    private final FakeJournal journal = new FakeJournal("ns1");

    @BeforeEach
    void writeThreeSegmentsWithTwoBarriers() throws IOException {
        journal.format(NamespaceId.of("c", 1), StorageRecord.Version.of(-66, 0), false);
        writeThreeSegments();
    }

    private void writeThreeSegments() throws IOException {
        try (JournalWriter writer = journal.openWriter(1)) {
            writeSegment(writer, 1, 3);
            writer.append(EntryKind.BARRIER, TxRange.NONE, EARLY.toPayload());
            writeSegment(writer, 4, 6);
            writer.append(EntryKind.BARRIER, TxRange.NONE, LATE.toPayload());
            writeSegment(writer, 7, 9);
        }
    }

    private static void writeSegment(JournalWriter writer, long first, long last) throws IOException {
        writer.append(
                EntryKind.SEGMENT_START,
                TxRange.emptyRangeAt(first),
                Bytes.ofUtf8(Integer.toString(TestEdits.LAYOUT_VERSION)));
        writer.append(EntryKind.EDITS, TxRange.of(first, last), TestEdits.bytes(first, last));
        writer.append(EntryKind.SEGMENT_END, TxRange.of(first, last), Bytes.wrap(new byte[0]));
    }

    private Timeline restoreTo(Barrier barrier, Function<Timeline, String> text) throws IOException {
        return restoreTo(barrier, NamespaceCounters.NONE, text);
    }

    private Timeline restoreTo(Barrier barrier, NamespaceCounters knownCounters, Function<Timeline, String> text)
            throws IOException {
        try (JournalRestorer restore = JournalRestorer.begin(journal)) {
            return restore.restoreToBarrier(barrier, knownCounters, "under way", text);
        }
    }

    private Timeline undo(String barrier, Timeline restored, Function<Timeline, String> text) throws IOException {
        return undo(barrier, 0, restored, text);
    }

    private Timeline undo(String barrier, long epochBefore, Timeline restored, Function<Timeline, String> text)
            throws IOException {
        try (JournalRestorer restore = JournalRestorer.begin(journal)) {
            return restore.undo(
                    journal.barriers().find(barrier).get(),
                    epochBefore,
                    restored.epoch(),
                    NamespaceCounters.NONE,
                    "under way",
                    text);
        }
    }

    /** What stock HDFS reads of them; it uses one object for all edits of a kind. */
    private List<String> edits(long fromTxId) throws IOException {
        List<String> edits = new ArrayList<>();
        for (SegmentInfo segment : journal.segments(fromTxId)) {
            try (EditLogInputStream in = SspEditLogInputStream.of(journal, segment, true)) {
                for (FSEditLogOp op = in.readOp(); op != null; op = in.readOp()) {
                    edits.add(op.getTransactionId() + " " + op);
                }
            }
        }
        return edits;
    }

    @Test
    void restoreVoidsEditsAfterBarrierAndRecordsItInBarrier() throws IOException {
        Timeline timeline = restoreTo(EARLY, made -> "back in " + made.epoch());

        assertThat(journal.segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(TxRange.of(1, 3), TxRange.of(4, timeline.lastTxId()));
        assertThat(journal.barriers().list()).containsExactly(EARLY.afterRestore(9, "back in " + timeline.epoch()));
        assertThat(journal.barriers().findVoiding(4)).isPresent();
        assertThat(journal.barriers().findVoiding(9)).isPresent();
        assertThat(journal.barriers().findVoiding(3)).isEmpty();
        assertThat(journal.barriers().findVoiding(10)).isEmpty();
    }

    @Test
    void newTimelineStartsWithCountersAboveVoidedEdits() throws IOException {
        try (JournalWriter writer = journal.openWriter(1)) {
            writeCountingSegment(writer, 10, FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, 5_000_000_000L);
            writeCountingSegment(writer, 13, FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, Long.MIN_VALUE + 160);
            writeCountingSegment(writer, 16, FSEditLogOpCodes.OP_SET_GENSTAMP_V2, 7_000);
            writeCountingSegment(writer, 19, FSEditLogOpCodes.OP_SET_GENSTAMP_V1, 3_000);
            writeCountingSegment(writer, 22, FSEditLogOpCodes.OP_MKDIR, 20_000);
            writeCountingSegment(writer, 25, FSEditLogOpCodes.OP_ADD, 30_000);
            writeCountingSegment(writer, 28, FSEditLogOpCodes.OP_SYMLINK, 25_000);
        }
        NamespaceCounters image = NamespaceCounters.builder()
                .contiguousId(4_000_000_000L)
                .generationStamp(9_000)
                .legacyStampLimit(1L << 40)
                .build();

        Timeline timeline = restoreTo(EARLY, image, made -> "");

        assertThat(timeline.counters().contiguousId()).isEqualTo(5_000_000_000L + (1L << 40));
        assertThat(timeline.counters().stripedId()).isEqualTo(Long.MIN_VALUE + 160 + (1L << 44));
        assertThat(timeline.counters().generationStamp()).isEqualTo(9_000 + (1L << 40));
        assertThat(timeline.counters().legacyStamp()).isEqualTo(3_000 + (1L << 20));
        assertThat(timeline.counters().inodeId()).isEqualTo(30_000 + (1L << 40));
        String directory = "path=/.trefoil-restore-" + timeline.counters().inodeId();
        assertThat(edits(4))
                .satisfiesExactly(
                        one -> assertThat(one).startsWith("4 LogSegmentOp [opCode=OP_START_LOG_SEGMENT"),
                        one -> assertThat(one)
                                .startsWith("5 SetGenstampV2Op [GenStampV2="
                                        + timeline.counters().generationStamp()),
                        one -> assertThat(one)
                                .startsWith("6 AllocateBlockIdOp [blockId="
                                        + timeline.counters().contiguousId()),
                        one -> assertThat(one)
                                .startsWith("7 AllocateBlockIdOp [blockId="
                                        + timeline.counters().stripedId()),
                        one -> assertThat(one)
                                .startsWith("8 SetGenstampOp [GenStamp="
                                        + timeline.counters().legacyStamp()),
                        one -> assertThat(one)
                                .startsWith("9 MkdirOp [length=0, inodeId="
                                        + timeline.counters().inodeId() + ", " + directory + ", timestamp=0"),
                        one -> assertThat(one).startsWith("10 DeleteOp [length=0, " + directory + ", timestamp=0"),
                        one -> assertThat(one).startsWith("11 LogSegmentOp [opCode=OP_END_LOG_SEGMENT"));
    }

    private void writeCountingSegment(JournalWriter writer, long first, FSEditLogOpCodes opcode, long number)
            throws IOException {
        TxRange txIds = TxRange.of(first, first + 2);
        writer.append(
                EntryKind.SEGMENT_START,
                TxRange.emptyRangeAt(first),
                Bytes.ofUtf8(Integer.toString(TestEdits.LAYOUT_VERSION)));
        writer.append(EntryKind.EDITS, TxRange.of(first, first), TestEdits.bytes(first, first));
        writer.append(
                EntryKind.EDITS, TxRange.of(first + 1, first + 1), EditFrames.newFrame(opcode, first + 1, number));
        writer.append(EntryKind.EDITS, TxRange.of(first + 2, first + 2), TestEdits.bytes(first + 2, first + 2));
        writer.append(EntryKind.SEGMENT_END, txIds, Bytes.wrap(new byte[0]));
    }

    @Test
    void countsTimelineDiscardedByEarlierAttempt() throws IOException {
        try (JournalWriter writer = journal.openWriter(1)) {
            writeCountingSegment(writer, 10, FSEditLogOpCodes.OP_SET_GENSTAMP_V2, 7_000);
        }
        journal.killBefore(JournalRestorerTest::recordsOperation);
        assertThatThrownBy(() -> restoreTo(LATE, made -> "done")).hasMessage("killed");
        Timeline timeline = restoreTo(LATE, made -> "");
        assertThat(timeline.counters().generationStamp()).isEqualTo(7_000 + 2 * (1L << 40));
        assertThat(journal.barriers().find("late").get().voidedUpTo())
                .as("the last one that the first try began with")
                .isEqualTo(timeline.lastTxId());
    }

    @Test
    void undoReplaysVoidedEditsWithBarriers() throws IOException {
        Timeline restored = restoreTo(EARLY, made -> "back");
        assertThat(journal.barriers().find("late")).isEmpty();
        try (JournalWriter writer = journal.openWriter(1)) {
            writeSegment(writer, restored.lastTxId() + 1, 12);
        }
        Timeline undone = undo("early", restored, made -> "undone");
        assertThat(undone.forkTxId()).isEqualTo(9);
        assertThat(journal.segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(
                        TxRange.of(1, 3), TxRange.of(4, 6), TxRange.of(7, 9), TxRange.of(10, undone.lastTxId()));
        assertThat(edits(4)).startsWith("4 LogSegmentOp [opCode=OP_END_LOG_SEGMENT, txid=4]");
        assertThat(undone.counters().contiguousId())
                .isEqualTo(restored.counters().contiguousId() + (1L << 40));
        assertThat(journal.barriers().list()).containsExactlyInAnyOrder(LATE, EARLY.afterRestore(12, "undone"));
    }

    @Test
    void retriesUndoInterruptedMidway() throws IOException {
        Timeline restored = restoreTo(EARLY, made -> "back");
        journal.killBefore(JournalRestorerTest::recordsOperation);
        assertThatThrownBy(() -> undo("early", restored, made -> "done")).hasMessage("killed");
        undo("early", restored, made -> "done");
        assertThat(journal.segments(4))
                .extracting(SegmentInfo::txIds)
                .startsWith(TxRange.of(4, 6), TxRange.of(7, 9))
                .hasSize(3);
        assertThat(journal.barriers().find("late")).hasValue(LATE);
    }

    /** A NameNode that was started then may write before it sees that its journal is being restored. */
    @Test
    void undoReplaysEditsFromBeforeFirstAttemptDespiteLaterWrites() throws IOException {
        journal.killBefore(JournalRestorerTest::recordsOperation);
        assertThatThrownBy(() -> restoreTo(EARLY, made -> "done")).hasMessage("killed");
        List<SegmentInfo> segments = journal.segments(4);
        long last = segments.get(segments.size() - 1).txIds().last();
        append(last + 1, last + 3);
        Timeline restored = restoreTo(EARLY, made -> "done");

        undo("early", restored, made -> "undone");

        assertThat(journal.segments(4))
                .extracting(SegmentInfo::txIds)
                .startsWith(TxRange.of(4, 6), TxRange.of(7, 9))
                .hasSize(3);
    }

    /**
     * The second restore to one barrier is interrupted, given up for an earlier barrier, and gone on with when that is
     * undone.
     */
    @Test
    void undoReplaysEditsFromBeforeAbandonedRestore() throws IOException {
        append(10, 12);
        Timeline first = restoreTo(LATE, made -> "back");
        append(first.lastTxId() + 1, 30);
        journal.killBefore(JournalRestorerTest::recordsOperation);
        assertThatThrownBy(() -> restoreTo(LATE, made -> "done")).hasMessage("killed");
        Timeline early = restoreTo(EARLY, made -> "back");
        undo("early", early, made -> "undone");
        Timeline second = restoreTo(LATE, made -> "done");

        undo("late", first.epoch(), second, made -> "undone");

        assertThat(journal.segments(7))
                .extracting(SegmentInfo::txIds)
                .startsWith(TxRange.of(7, first.lastTxId()), TxRange.of(first.lastTxId() + 1, 30))
                .hasSize(3);
    }

    private static boolean recordsOperation(Entry entry) {
        return entry.kind() == EntryKind.BARRIER
                && Barrier.fromPayload(entry.payload()).text().equals("done");
    }

    /** A NameNode that starts on what it leaves must know: block counters are lifted last, and repeated edits are incomplete. */
    @Test
    void restoreInterruptedAtAnyEntryIsHarmlessOrRecorded() throws IOException {
        for (int before = 1; ; before++) {
            journal.format(NamespaceId.of("c", 1), StorageRecord.Version.of(-66, 0), true);
            writeThreeSegments();
            if (!isKilledBefore(before, () -> restoreTo(EARLY, made -> "done"))) {
                assertThat(before).isGreaterThan(8);
                break;
            }
            Timeline timeline = restoreTo(EARLY, made -> "done");
            assertThat(journal.segments(1))
                    .extracting(SegmentInfo::txIds)
                    .containsExactly(TxRange.of(1, 3), TxRange.of(4, timeline.lastTxId()));
            assertThat(journal.barriers().list()).extracting(Barrier::text).containsExactly("done");
            assertThat(journal.barriers().findVoiding(9)).isPresent();
        }
    }

    @Test
    void undoInterruptedAtAnyEntryIsHarmlessOrRecorded() throws IOException {
        for (int before = 1; ; before++) {
            journal.format(NamespaceId.of("c", 1), StorageRecord.Version.of(-66, 0), true);
            writeThreeSegments();
            Timeline restored = restoreTo(EARLY, made -> "back");
            if (!isKilledBefore(before, () -> undo("early", restored, made -> "done"))) {
                assertThat(before).isGreaterThan(14);
                break;
            }
            undo("early", restored, made -> "done");
            assertThat(journal.segments(1))
                    .extracting(SegmentInfo::txIds)
                    .startsWith(TxRange.of(1, 3), TxRange.of(4, 6), TxRange.of(7, 9))
                    .hasSize(4);
            assertThat(journal.barriers().find("late")).hasValue(LATE);
        }
    }

    /** Whether it had so many entries; it is killed before that one. */
    private boolean isKilledBefore(int before, IoAction action) throws IOException {
        int written = journal.entries().size();
        journal.killBefore(entry -> entry.sn() == written + before);
        try {
            action.run();
            journal.killBefore(entry -> false);
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("killed");
        }
        boolean changed = journal.entries().stream()
                .skip(written)
                .anyMatch(entry -> entry.kind() == EntryKind.DISCARD || entry.kind() == EntryKind.EDITS);
        if (changed) {
            assertThat(journal.barriers().find("early").get().text()).containsAnyOf("under way", "done");
        }
        return true;
    }

    private interface IoAction {
        void run() throws IOException;
    }

    @Test
    void undoReplaysTimelineRestoredToLaterBarrierBefore() throws IOException {
        append(10, 12);
        Timeline late = restoreTo(LATE, made -> "back");
        append(late.lastTxId() + 1, 20);
        Timeline early = restoreTo(EARLY, made -> "back");

        assertThat(JournalRestorer.undoRefusalReason(
                        journal, journal.barriers().find("early").get(), 0, early.epoch()))
                .isEmpty();
        Timeline undone = undo("early", early, made -> "undone");

        assertThat(journal.segments(4))
                .extracting(SegmentInfo::txIds)
                .containsExactly(
                        TxRange.of(4, 6),
                        TxRange.of(7, late.lastTxId()),
                        TxRange.of(late.lastTxId() + 1, 20),
                        TxRange.of(21, undone.lastTxId()));
        assertThat(edits(7)).first().asString().startsWith("7 LogSegmentOp [opCode=OP_START_LOG_SEGMENT");
        assertThat(journal.barriers().find("late").get().text()).isEqualTo("back");
    }

    @Test
    void undoesRestoreThatFollowedUndoneRestore() throws IOException {
        append(10, 12);
        Timeline early = restoreTo(EARLY, made -> "back");
        Timeline undone = undo("early", early, made -> "undone");
        append(undone.lastTxId() + 1, 30);
        Timeline late = restoreTo(LATE, made -> "back");

        Timeline again = undo("late", late, made -> "undone");

        assertThat(journal.segments(4))
                .extracting(SegmentInfo::txIds)
                .containsExactly(
                        TxRange.of(4, 6),
                        TxRange.of(7, 9),
                        TxRange.of(10, 12),
                        TxRange.of(13, undone.lastTxId()),
                        TxRange.of(undone.lastTxId() + 1, 30),
                        TxRange.of(31, again.lastTxId()));
    }

    /** What belongs to the barrier stands behind the timeline that is looked for, since an undo has repeated it. */
    @Test
    void undoesRestoreAfterEarlierRestoreWasUndone() throws IOException {
        try (JournalWriter writer = journal.openWriter(1)) {
            writeSegment(writer, 10, 12);
            writer.append(
                    EntryKind.BARRIER,
                    TxRange.NONE,
                    Barrier.of("last", 12, 10, "made").toPayload());
        }
        append(13, 15);
        append(16, 18);
        Timeline last = restoreTo(journal.barriers().find("last").get(), made -> "back");
        Timeline early = restoreTo(EARLY, made -> "back");
        undo("early", early, made -> "undone");

        undo("last", last, made -> "undone");

        assertThat(journal.segments(13))
                .extracting(SegmentInfo::txIds)
                .startsWith(TxRange.of(13, 15), TxRange.of(16, 18))
                .hasSize(3);
    }

    @Test
    void undoIsRejectedOnlyWhenRestoredTimelineHadUpgrade() throws IOException {
        try (JournalWriter writer = journal.openWriter(1)) {
            writer.append(
                    EntryKind.STORAGE,
                    TxRange.NONE,
                    StorageRecord.ofFormat(StorageRecord.Version.of(-66, 1)).toPayload());
        }
        Timeline first = restoreTo(EARLY, made -> "back");
        assertThat(JournalRestorer.undoRefusalReason(
                                journal, journal.barriers().find("early").get(), 0, first.epoch())
                        .get())
                .contains("after 3", "there was an upgrade or a rollback");
        assertThatThrownBy(() -> undo("early", first, made -> "")).hasMessageContaining("an upgrade or a rollback");

        append(first.lastTxId() + 1, 20);
        append(21, 22);
        Timeline second = restoreTo(EARLY, made -> "back");
        undo("early", first.epoch(), second, made -> "undone");
        assertThat(journal.segments(21)).extracting(SegmentInfo::txIds).contains(TxRange.of(21, 22));
    }

    private void append(long first, long last) throws IOException {
        try (JournalWriter writer = journal.openWriter(1)) {
            writeSegment(writer, first, last);
        }
    }

    @Test
    void rejectsTooLongTextBeforeAnyChange() {
        String tooLong = "x".repeat(Barrier.MAX_TEXT_BYTES + 1);
        assertThatThrownBy(() -> restoreTo(EARLY, made -> tooLong))
                .hasMessageContaining("The text of barrier early has 4097 bytes, the limit is 4096");
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
        assertThat(journal.barriers().list()).containsExactly(EARLY, LATE);
    }

    @Test
    void rejectsUndoWithoutVoidedTransactions() throws IOException {
        assertThat(JournalRestorer.undoRefusalReason(journal, EARLY, 0, 1).get())
                .contains("no transactions after 3 that became void");
        try (JournalRestorer restore = JournalRestorer.begin(journal)) {
            assertThatThrownBy(() -> restore.undo(EARLY, 0, 1, NamespaceCounters.NONE, "", made -> ""))
                    .hasMessageContaining("no transactions after 3 that became void");
        }
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
    }

    @Test
    void rejectsRestoreWhenCountersAreExhausted() {
        NamespaceCounters full =
                NamespaceCounters.builder().contiguousId(Long.MAX_VALUE - 5).build();
        assertThatThrownBy(() -> restoreTo(EARLY, full, made -> "")).hasMessageContaining("not enough block ids");
        NamespaceCounters inodes =
                NamespaceCounters.builder().inodeId(Long.MAX_VALUE - 5).build();
        assertThatThrownBy(() -> restoreTo(EARLY, inodes, made -> "")).hasMessageContaining("inode ids left");
        NamespaceCounters striped = NamespaceCounters.builder().stripedId(-32).build();
        assertThatThrownBy(() -> restoreTo(EARLY, striped, made -> "")).hasMessageContaining("not enough block ids");
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
    }

    @Test
    void editsStayReadableBeforeRestore() throws IOException {
        try (JournalRestorer restore = JournalRestorer.begin(journal)) {
            assertThat(restore.editsExport().segments(4))
                    .extracting(SegmentInfo::txIds)
                    .containsExactly(TxRange.of(4, 6), TxRange.of(7, 9));
        }
    }

    @Test
    void repeatedRestoreVoidsPreviousTimelineAndRaisesCounters() throws IOException {
        Timeline once = restoreTo(LATE, made -> "back in " + made.epoch());
        Timeline twice = restoreTo(LATE, made -> "again in " + made.epoch());

        assertThat(journal.segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(TxRange.of(1, 3), TxRange.of(4, 6), TxRange.of(7, twice.lastTxId()));
        assertThat(twice.counters().contiguousId())
                .isGreaterThan(once.counters().contiguousId());
        assertThat(journal.barriers().list())
                .containsExactlyInAnyOrder(EARLY, LATE.afterRestore(once.lastTxId(), "again in " + twice.epoch()));
    }

    @Test
    void rejectsBarrierInsideSegment() {
        assertThatThrownBy(() -> restoreTo(Barrier.of("early", 2, 1, ""), made -> ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only whole segments can be discarded");
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
    }

    @Test
    void rejectsUnknownBarrier() {
        assertThatThrownBy(() -> restoreTo(Barrier.of("other", 3, 1, ""), made -> ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no barrier other in");
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
    }
}
