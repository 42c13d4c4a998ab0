/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BarriersTest {

    private static final Barrier FRIDAY = Barrier.of("friday", 100, 41, "two lines\nof text");
    private static final Barrier MONDAY = Barrier.of("monday", 200, 101, "");

    @Test
    void barrierPayloadRoundTrips() {
        assertThat(Barrier.fromPayload(FRIDAY.toPayload())).isEqualTo(FRIDAY);
        assertThat(Barrier.fromPayload(MONDAY.toPayload())).isEqualTo(MONDAY);
        assertThat(FRIDAY.toPayload().utf8()).isEqualTo("friday 100 41 100\ntwo lines\nof text");
    }

    @Test
    void restoredBarrierRecordsLastAmbiguousTransaction() {
        Barrier back = FRIDAY.afterRestore(150, "back");
        assertThat(back.toPayload().utf8()).isEqualTo("friday 100 41 150\nback");
        assertThat(Barrier.fromPayload(back.toPayload())).isEqualTo(back);
        assertThat(back.afterRestore(120, "again").voidedUpTo()).isEqualTo(150);
        Barriers barriers = Barriers.of(List.of(back, MONDAY));
        assertThat(barriers.findVoiding(100)).isEmpty();
        assertThat(barriers.findVoiding(101)).hasValue(back);
        assertThat(barriers.findVoiding(150)).hasValue(back);
        assertThat(barriers.findVoiding(151)).isEmpty();
        assertThat(barriers.findVoiding(201)).isEmpty();
    }

    @Test
    void rejectsInvalidBarrier() {
        assertThatThrownBy(() -> Barrier.of("a b", 1, 1, ""))
                .hasMessageContaining("begins with a letter or digit, not 'a b'");
        assertThatThrownBy(() -> Barrier.of("../up", 1, 1, "")).hasMessageContaining("'../up'");
        assertThatThrownBy(() -> Barrier.of("late", 5, 7, ""))
                .hasMessageContaining("from one of 1 to 6 on, not from 7");
        assertThatThrownBy(() -> Barrier.of("long", 5, 5, new String(new char[2049]).replace('\0', 'ä')))
                .hasMessageContaining("has 4098 bytes, the limit is 4096");
        assertThatThrownBy(() -> Barrier.fromPayload(Bytes.ofUtf8("friday 100")))
                .hasMessageContaining("found 'friday 100'");
    }

    @Test
    void lowestBarrierDeterminesKeptTransactions() {
        assertThat(Barriers.NONE.keepFrom()).isEqualTo(Long.MAX_VALUE);
        assertThat(Barriers.NONE.with(MONDAY).with(FRIDAY).keepFrom()).isEqualTo(41);
        assertThat(Barriers.NONE.with(MONDAY).with(FRIDAY).without("friday").keepFrom())
                .isEqualTo(101);
    }

    @Test
    void rejectsDuplicateNameAndTooManyBarriers() {
        Barriers barriers = Barriers.NONE.with(FRIDAY);
        assertThat(barriers.refusalReason(MONDAY)).isEmpty();
        assertThat(barriers.refusalReason(Barrier.of("friday", 300, 300, ""))).isPresent();

        for (int i = 1; i < Barriers.MAX_COUNT; i++) {
            barriers = barriers.with(Barrier.of("other-" + i, 300, 300, ""));
        }
        assertThat(barriers.refusalReason(MONDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("already 64 barriers"));
    }

    @Test
    void logSummaryTracksLiveBarriers() {
        LogSummary sum = LogSummary.ORIGIN
                .plus(entry(1, EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67")))
                .plus(entry(2, EntryKind.EDITS, TxRange.of(1, 250), Bytes.EMPTY))
                .plus(entry(3, EntryKind.BARRIER, TxRange.NONE, FRIDAY.toPayload()))
                .plus(entry(4, EntryKind.BARRIER, TxRange.NONE, MONDAY.toPayload()));
        assertThat(sum.barriers().list()).containsExactly(FRIDAY, MONDAY);
        assertThat(sum.openSegment()).isEqualTo(Optional.of(1L));
        assertThat(sum.lastTxId()).isEqualTo(250);

        LogSummary released = sum.plus(entry(5, EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8("friday")));
        assertThat(released.barriers().list()).containsExactly(MONDAY);
    }

    @Test
    void discardingTransactionsVoidsTheirBarriers() {
        LogSummary sum = LogSummary.of(
                        LogPosition.of(Epoch.of(1), 4), Members.NONE, 250, Optional.empty(), Optional.empty())
                .with(Barriers.NONE.with(FRIDAY).with(MONDAY));

        LogSummary discarded = sum.plus(entry(5, EntryKind.DISCARD, TxRange.emptyRangeAt(101), Bytes.EMPTY));

        assertThat(discarded.barriers().list()).containsExactly(FRIDAY);
        StorageRecord rolledBack = StorageRecord.ofFormat(StorageRecord.Version.of(-66, 1))
                .beforeUpgrade(150)
                .afterRollback();
        assertThat(sum.plus(entry(5, EntryKind.STORAGE, TxRange.NONE, rolledBack.toPayload()))
                        .barriers()
                        .list())
                .containsExactly(FRIDAY);
    }

    private static Entry entry(long sn, EntryKind kind, TxRange txIds, Bytes payload) {
        return Entry.of(LogPosition.of(Epoch.of(1), sn), kind, txIds, payload);
    }
}
