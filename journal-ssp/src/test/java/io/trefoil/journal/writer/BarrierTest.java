/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule R10 as the writer keeps it. */
class BarrierTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final Barrier FRIDAY = Barrier.of("friday", 100, 41, "");

    private Bench bench;

    @BeforeEach
    void write() {
        Members members = Members.of(List.of(Member.voter(Bench.id(A), A), Member.voter(Bench.id(B), B)));
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(3), 10), members, 100, Optional.of(1L), Optional.empty());
        bench = new Bench(2, A, B).up(A, 3).up(B, 3);
        bench.promises(A, end, 10);
        bench.promises(B, end, 10);
        commit();
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    private void commit() {
        long sn = bench.state.lastSn();
        bench.acks(A, sn).acks(B, sn);
    }

    private void append(EntryKind kind, Bytes payload) {
        bench.step(WriterEvent.appendRequested(kind, TxRange.NONE, payload));
    }

    private long purgedFrom(long minTxId) {
        bench.step(WriterEvent.purgeRequested(minTxId));
        assertThat(bench.sent(A, PurgeRequest.class)).isEqualTo(bench.sent(B, PurgeRequest.class));
        return bench.sent(A, PurgeRequest.class).get(0).minTxId();
    }

    @Test
    void purgesAsRequestedWithoutBarrier() {
        assertThat(purgedFrom(90)).isEqualTo(90);
    }

    @Test
    void barrierPreventsPurgeUntilReleaseCommits() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        assertThat(purgedFrom(90)).isEqualTo(41);
        assertThat(purgedFrom(30)).isEqualTo(30);
        commit();

        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        assertThat(purgedFrom(90)).isEqualTo(41);

        commit();
        assertThat(purgedFrom(90)).isEqualTo(90);
    }

    /** The log that a term continues may end with a release that another writer's log does not have. */
    @Test
    void writerPurgesNothingUntilInheritedEntriesAreCommitted() {
        promisedBy(1, 1, 1);
        bench.step(WriterEvent.purgeRequested(90));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.sent(A, PurgeRequest.class)).isEmpty();
        assertThat(bench.state.refusalOf(FRIDAY)).isEmpty();

        commit();
        assertThat(purgedFrom(90)).isEqualTo(90);
    }

    @Test
    void committedReleaseAllowsPurgeBeforeFollowingEntriesCommit() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        commit();
        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        long releasedSn = bench.state.lastSn();
        bench.appends(101);

        bench.acks(A, releasedSn).acks(B, releasedSn);

        assertThat(purgedFrom(90)).isEqualTo(90);
    }

    @Test
    void lowestPendingReleaseBlocksPurge() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        append(EntryKind.BARRIER, Barrier.of("monday", 100, 61, "").toPayload());
        commit();

        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("monday"));

        assertThat(purgedFrom(90)).isEqualTo(41);
    }

    @Test
    void rejectsBarrierOnPurgeableOrFutureTransactions() {
        assertThat(bench.state.refusalOf(FRIDAY)).isEmpty();
        assertThat(bench.state.refusalOf(Barrier.of("late", 101, 41, "")))
                .hasValueSatisfying(text -> assertThat(text).contains("ends at transaction 100"));

        bench.step(WriterEvent.purgeRequested(60));

        assertThat(bench.state.refusalOf(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("below 60 may be purged already"));
        assertThat(bench.state.refusalOf(Barrier.of("monday", 100, 60, ""))).isEmpty();
    }

    /** Its own image may be older than what an earlier active let the nodes purge. */
    @Test
    void rejectsBarrierBelowPurgePointOfEarlierTerm() {
        promisedBy(90, 90, 1);
        assertThat(bench.state.refusalOf(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("below 90 may be purged already"));
        assertThat(bench.state.refusalOf(Barrier.of("sunday", 100, 90, ""))).isEmpty();
    }

    @Test
    void acceptsBarrierWhenMajorityStillHoldsItsTransactions() {
        promisedBy(90, 41, 1);

        assertThat(bench.state.refusalOf(FRIDAY)).isEmpty();
    }

    @Test
    void countsOnlyCompleteVotersOfJournalAsHolders() {
        NodeAddress d = NodeAddress.of("d", 1);
        LogSummary end = end(voters().with(Member.permanentLearner(Bench.id(d), d)), Incarnation.of(1, 7));
        LogSummary older = end(voters(), Incarnation.NONE);

        bench = new Bench(2, A, B, C, d).up(A, 3).up(B, 3).up(C, 3).up(d, 3);
        promises(d, end, 1, LogCompleteness.COMPLETE);
        promises(C, end, 1, LogCompleteness.REFETCHING);
        promises(B, end, 41, LogCompleteness.COMPLETE);
        promises(A, end, 90, LogCompleteness.COMPLETE);
        assertThat(bench.state.refusalOf(FRIDAY)).isPresent();

        bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        promises(C, older, 1, LogCompleteness.COMPLETE);
        promises(B, end(voters(), Incarnation.of(1, 7)), 41, LogCompleteness.COMPLETE);
        promises(A, end(voters(), Incarnation.of(1, 7)), 90, LogCompleteness.COMPLETE);
        assertThat(bench.state.refusalOf(FRIDAY)).isPresent();
    }

    private void promisedBy(long... firstTxIds) {
        NodeAddress[] nodes = {A, B, C};
        bench = new Bench(2, nodes).up(A, 3).up(B, 3).up(C, 3);
        for (int i = nodes.length - 1; i >= 0; i--) {
            promises(nodes[i], end(voters(), Incarnation.NONE), firstTxIds[i], LogCompleteness.COMPLETE);
        }
    }

    private void promises(NodeAddress node, LogSummary end, long firstTxId, LogCompleteness completeness) {
        LogPosition heard = LogPosition.of(Epoch.of(1), 10);
        bench.reply(
                node, PromiseReply.of(Bench.id(node), bench.state.epoch(), end, 10, heard, firstTxId, completeness));
    }

    private static Members voters() {
        return Bench.members(A, B, C);
    }

    private static LogSummary end(Members members, Incarnation incarnation) {
        return LogSummary.of(LogPosition.of(Epoch.of(3), 10), members, 100, Optional.of(1L), Optional.empty())
                .with(incarnation);
    }

    @Test
    void rejectsSecondBarrierOfSameName() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());

        assertThat(bench.state.refusalOf(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("a barrier of this name already"));
    }
}
