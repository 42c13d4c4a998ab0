/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.hdfs.TestEdits;
import io.trefoil.journal.hdfs.tailing.EditsObserver;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.JournalSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

public class SspEditLogInputStreamTest {
    private final FakeJournal journal = new FakeJournal("ns1");
    private JournalWriter writer;

    @BeforeEach
    void createJournalWithOpenSegment() throws IOException {
        journal.format(NamespaceId.of("CID-1", 7), StorageRecord.Version.of(TestEdits.LAYOUT_VERSION, 0), false);
        writer = journal.openWriter(1);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("" + TestEdits.LAYOUT_VERSION));
    }

    @Test
    void returnsEditsOfAllBatchesInOrder() throws IOException {
        write(1, 3);
        write(4, 4);
        write(5, 9);

        assertThat(txIds(stream(1))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void endsAtTransactionKnownAtCreation() throws IOException {
        write(1, 3);
        EditLogInputStream stream = stream(1);
        write(4, 6);

        assertThat(stream.getLastTxId()).isEqualTo(3);
        assertThat(txIds(stream)).containsExactly(1L, 2L, 3L);
        assertThat(stream.readOp()).isNull();
    }

    @Test
    void startsNearRequestedTransactionAndSkipsToIt() throws IOException {
        for (int txId = 1; txId <= 20; txId++) {
            write(txId, txId);
        }
        EditLogInputStream stream = stream(16);

        assertThat(stream.getFirstTxId()).isEqualTo(1);
        assertThat(stream.skipUntil(16)).isTrue();
        assertThat(txIds(stream)).containsExactly(16L, 17L, 18L, 19L, 20L);
    }

    @Test
    void skipsNonEditEntries() throws IOException {
        write(1, 2);
        journal.openWriter(1);
        // The new writer ended the segment; its entries stand before those of the next one.
        assertThat(txIds(stream(1))).containsExactly(1L, 2L);
        assertThat(stream(1).isInProgress()).isFalse();
    }

    @Test
    void fetchesNothingBeforeFirstRead() throws IOException {
        write(1, 2);
        EditLogInputStream stream = stream(1);
        journal.failReads(1);

        assertThat(stream.getVersion(true)).isEqualTo(TestEdits.LAYOUT_VERSION);
        assertThat(stream.length()).isEqualTo(-1);
        assertThatThrownBy(stream::readOp).isInstanceOf(IOException.class).hasMessage("no node answers");
    }

    @Test
    void failedReadKeepsFailingToPreventDoubleApply() throws IOException {
        write(1, 20);
        EditLogInputStream stream = stream(1);
        assertThat(stream.readOp().getTransactionId()).isEqualTo(1);
        stream.setMaxOpSize(TestEdits.SIZE - 1);
        assertThatThrownBy(stream::readOp).isInstanceOf(IOException.class).hasMessageContaining("maxOpSize");
        stream.setMaxOpSize(1000);

        assertThatThrownBy(stream::readOp).isInstanceOf(IOException.class).hasMessageContaining("has failed already");
        assertThat(txIds(stream(1))).hasSize(20);
    }

    @Test
    void resyncRetriesRead() throws IOException {
        write(1, 2);
        EditLogInputStream stream = stream(1);
        journal.failReads(1);
        assertThatThrownBy(stream::readOp).isInstanceOf(IOException.class);

        stream.resync();

        assertThat(txIds(stream)).containsExactly(1L, 2L);
    }

    @Test
    void resyncSkipsCorruptEdit() throws IOException {
        byte[] edits = TestEdits.frames(1, 3);
        edits[TestEdits.SIZE + 6] ^= 1;
        writer.append(EntryKind.EDITS, TxRange.of(1, 3), Bytes.wrap(edits));
        EditLogInputStream stream = stream(1);
        assertThat(stream.readOp().getTransactionId()).isEqualTo(1);
        assertThatThrownBy(stream::readOp).isInstanceOf(IOException.class).hasMessageContaining("corrupt");

        stream.resync();

        assertThat(stream.readOp().getTransactionId()).isEqualTo(3);
        assertThat(stream.readOp()).isNull();
    }

    @Test
    void laggingReplicaFailsReadInsteadOfEndingStream() throws IOException {
        write(1, 2);
        write(3, 4);
        EditLogInputStream stream = stream(1);
        journal.hideFrom(journal.end().position().sn());
        assertThat(stream.readOp().getTransactionId()).isEqualTo(1);
        assertThat(stream.readOp().getTransactionId()).isEqualTo(2);

        assertThatThrownBy(stream::readOp)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("segment 1..4 of journal ns1: wanted transaction 3")
                .hasMessageContaining("nothing committed");
    }

    @Test
    void failsWhenSegmentIsDiscardedDuringRead() throws IOException {
        write(1, 2);
        SegmentInfo longer = SegmentInfo.of(
                TxRange.of(1, 4),
                false,
                TestEdits.LAYOUT_VERSION,
                TxRange.of(1, 4),
                journal.segments(1).get(0).readFromSn());
        writer.append(EntryKind.DISCARD, TxRange.emptyRangeAt(1), Bytes.wrap(new byte[0]));
        EditLogInputStream stream = SspEditLogInputStream.of(journal, longer, true);

        assertThatThrownBy(() -> txIds(stream))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("DISCARD")
                .hasMessageContaining("has discarded transactions");
    }

    @Test
    void reportsPositionAtEnd() throws IOException {
        write(1, 10);
        EditLogInputStream stream = stream(1);
        assertThat(stream.getPosition()).isZero();

        txIds(stream);

        assertThat(stream.getPosition()).isEqualTo(10L * TestEdits.SIZE);
        assertThat(stream.length()).isEqualTo(10L * TestEdits.SIZE);
    }

    @Test
    void readsSegmentOfManyFetchesToEnd() throws IOException {
        int perBatch = 10_000;
        for (int i = 0; i < 20; i++) {
            write((long) i * perBatch + 1, perBatch + (long) i * perBatch);
        }

        assertThat(txIds(stream(1))).hasSize(20 * perBatch);
    }

    @Test
    void rejectsUnreadableLayoutVersion() throws IOException {
        write(1, 2);
        SegmentInfo written = journal.segments(1).get(0);
        SegmentInfo newer = SegmentInfo.of(
                written.txIds(), false, TestEdits.LAYOUT_VERSION - 1, written.readableTxIds(), written.readFromSn());
        EditLogInputStream stream = SspEditLogInputStream.of(journal, newer, true);

        assertThat(stream.getVersion(false)).isEqualTo(TestEdits.LAYOUT_VERSION - 1);
        assertThatThrownBy(stream::readOp)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("layout version " + (TestEdits.LAYOUT_VERSION - 1));
    }

    @Test
    void endsBeforeRollingUpgradeStartUntilSegmentIsFinalized() throws IOException {
        write(1, 2);
        writer.append(EntryKind.EDITS, TxRange.of(3, 3), TestEdits.rollingUpgradeStart(3));
        write(4, 4);

        EditLogInputStream unfinished =
                SspEditLogInputStream.ofUnfinished(journal, journal.segments(1).get(0), true);
        assertThat(txIds(wrapAsHdfsDoes(unfinished, 1))).containsExactly(1L, 2L);
        assertThat(unfinished.getLastTxId()).isEqualTo(2);
        EditLogInputStream nothing =
                SspEditLogInputStream.ofUnfinished(journal, journal.segments(3).get(0), true);
        assertThat(txIds(wrapAsHdfsDoes(nothing, 3))).isEmpty();

        assertThat(txIds(wrapAsHdfsDoes(stream(1), 1))).containsExactly(1L, 2L, 3L, 4L);
    }

    /** In the wrapping in which HDFS reads all streams, which checks that they end where they say. */
    private static EditLogInputStream wrapAsHdfsDoes(EditLogInputStream stream, long fromTxId) {
        List<EditLogInputStream> wrapped = new ArrayList<>();
        PriorityQueue<EditLogInputStream> streams = new PriorityQueue<>(JournalSet.EDIT_LOG_INPUT_STREAM_COMPARATOR);
        streams.add(stream);
        JournalSet.chainAndMakeRedundantStreams(wrapped, streams, fromTxId);
        return wrapped.get(0);
    }

    @Test
    void closedStreamDoesNotReturnEdits() throws IOException {
        write(1, 2);
        EditLogInputStream stream = stream(1);
        stream.close();

        assertThat(stream.readOp()).isNull();
    }

    @Test
    void notifiesWatcherBeforeEachEditAndOnceAtEnd() throws IOException {
        write(1, 3);
        write(4, 5);
        List<String> told = new ArrayList<>();
        SspEditLogInputStream stream =
                SspEditLogInputStream.of(journal, journal.segments(1).get(0), true);
        stream.setWatcher(new EditsObserver() {
            @Override
            public void onEdit(FSEditLogOp edit) {
                told.add("next " + edit.getTransactionId());
            }

            @Override
            public void onStreamFinished() {
                told.add("ended");
            }

            @Override
            public void onSegmentStart() {
                told.add("segment");
            }
        });
        EditLogInputStream wrapped = wrapAsHdfsDoes(stream, 3);

        assertThat(wrapped.readOp().getTransactionId()).isEqualTo(3);
        assertThat(told).containsExactly("next 1", "next 2", "next 3");
        assertThat(txIds(wrapped)).containsExactly(4L, 5L);
        wrapped.close();
        wrapped.close();
        assertThat(told).containsExactly("next 1", "next 2", "next 3", "next 4", "next 5", "ended");
    }

    private void write(long first, long last) throws IOException {
        writer.append(EntryKind.EDITS, TxRange.of(first, last), TestEdits.bytes(first, last));
    }

    private EditLogInputStream stream(long fromTxId) throws IOException {
        return SspEditLogInputStream.of(journal, journal.segments(fromTxId).get(0), true);
    }

    public static List<Long> txIds(EditLogInputStream stream) throws IOException {
        List<Long> txIds = new ArrayList<>();
        for (FSEditLogOp op = stream.readOp(); op != null; op = stream.readOp()) {
            txIds.add(op.getTransactionId());
        }
        return txIds;
    }
}
