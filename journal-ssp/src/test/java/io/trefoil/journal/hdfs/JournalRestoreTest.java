/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.JournalWriter;
import java.io.IOException;
import java.util.function.LongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JournalRestoreTest {
    private static final Barrier EARLY = Barrier.of("early", 3, 1, "made");
    private static final Barrier LATE = Barrier.of("late", 6, 1, "made");

    private final FakeJournal journal = new FakeJournal("ns1");

    @BeforeEach
    void threeSegmentsWithTwoBarriers() throws IOException {
        journal.format(NamespaceId.of("c", 1), StorageRecord.Version.of(-66, 0), false);
        try (JournalWriter writer = journal.openWriter(1)) {
            segment(writer, 1, 3);
            writer.append(EntryKind.BARRIER, TxRange.NONE, EARLY.toPayload());
            segment(writer, 4, 6);
            writer.append(EntryKind.BARRIER, TxRange.NONE, LATE.toPayload());
            segment(writer, 7, 9);
        }
    }

    private static void segment(JournalWriter writer, long first, long last) throws IOException {
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyAt(first), Bytes.ofUtf8("-66"));
        writer.append(EntryKind.EDITS, TxRange.of(first, last), Bytes.ofUtf8("edits"));
        writer.append(EntryKind.SEGMENT_END, TxRange.of(first, last), Bytes.wrap(new byte[0]));
    }

    private long back(Barrier barrier, LongFunction<String> text) throws IOException {
        try (JournalRestore restore = JournalRestore.begin(journal)) {
            restore.toBarrier(barrier, text);
            return restore.epoch();
        }
    }

    @Test
    void whatIsBehindTheBarrierIsVoidAndTheBarrierSaysSo() throws IOException {
        long epoch = back(EARLY, number -> "back in " + number);

        assertThat(journal.segments(1)).extracting(SegmentInfo::txIds).containsExactly(TxRange.of(1, 3));
        assertThat(journal.barriers().list()).containsExactly(Barrier.of("early", 3, 1, "back in " + epoch));
    }

    @Test
    void beforeItEverythingCanStillBeRead() throws IOException {
        try (JournalRestore restore = JournalRestore.begin(journal)) {
            assertThat(restore.edits().segments(4))
                    .extracting(SegmentInfo::txIds)
                    .containsExactly(TxRange.of(4, 6), TxRange.of(7, 9));
        }
    }

    @Test
    void doneTwiceItTakesNothingMore() throws IOException {
        back(LATE, number -> "back in " + number);
        long epoch = back(LATE, number -> "again in " + number);

        assertThat(journal.segments(1))
                .extracting(SegmentInfo::txIds)
                .containsExactly(TxRange.of(1, 3), TxRange.of(4, 6));
        assertThat(journal.barriers().list())
                .containsExactlyInAnyOrder(EARLY, Barrier.of("late", 6, 1, "again in " + epoch));
        // Each of the entries is written twice, so that a majority knows of it.
        assertThat(journal.entries(EntryKind.DISCARD)).hasSize(2);
    }

    @Test
    void refusesWhatIsNoEndOfASegment() {
        assertThatThrownBy(() -> back(Barrier.of("early", 2, 1, ""), number -> ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("segment 1..3 begins before");
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
    }

    @Test
    void refusesABarrierThatIsNotThere() {
        assertThatThrownBy(() -> back(Barrier.of("other", 3, 1, ""), number -> ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no barrier other in");
        assertThat(journal.entries(EntryKind.DISCARD)).isEmpty();
    }
}
