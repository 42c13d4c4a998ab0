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
        bench = new Bench(2, A, B).connect(A, 3).connect(B, 3);
        bench.promise(A, end, 10);
        bench.promise(B, end, 10);
        commit();
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    private void commit() {
        long sn = bench.state.lastSn();
        bench.acknowledge(A, sn).acknowledge(B, sn);
    }

    private void append(EntryKind kind, Bytes payload) {
        bench.step(WriterEvent.appendRequested(kind, TxRange.NONE, payload));
    }

    private long requestPurge(long minTxId) {
        bench.step(WriterEvent.purgeRequested(minTxId));
        assertThat(bench.sentTo(A, PurgeRequest.class)).isEqualTo(bench.sentTo(B, PurgeRequest.class));
        return bench.sentTo(A, PurgeRequest.class).get(0).minTxId();
    }

    @Test
    void purgesAsRequestedWithoutBarrier() {
        assertThat(requestPurge(90)).isEqualTo(90);
    }

    @Test
    void barrierPreventsPurgeUntilReleaseCommits() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        assertThat(requestPurge(90)).isEqualTo(41);
        assertThat(requestPurge(30)).isEqualTo(30);
        commit();

        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        assertThat(requestPurge(90)).isEqualTo(41);

        commit();
        assertThat(requestPurge(90)).isEqualTo(90);
    }

    /** The log that a term continues may end with a release that another writer's log does not have. */
    @Test
    void writerPurgesNothingUntilInheritedEntriesAreCommitted() {
        promiseFromAll(1, 1, 1);
        bench.step(WriterEvent.purgeRequested(90));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.sentTo(A, PurgeRequest.class)).isEmpty();
        assertThat(bench.state.refusalReason(FRIDAY)).isEmpty();

        commit();
        assertThat(requestPurge(90)).isEqualTo(90);
    }

    @Test
    void committedReleaseAllowsPurgeBeforeFollowingEntriesCommit() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        commit();
        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        long releasedSn = bench.state.lastSn();
        bench.append(101);

        bench.acknowledge(A, releasedSn).acknowledge(B, releasedSn);

        assertThat(requestPurge(90)).isEqualTo(90);
    }

    @Test
    void lowestPendingReleaseBlocksPurge() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        append(EntryKind.BARRIER, Barrier.of("monday", 100, 61, "").toPayload());
        commit();

        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("monday"));

        assertThat(requestPurge(90)).isEqualTo(41);
    }

    @Test
    void rejectsBarrierOnPurgeableOrFutureTransactions() {
        assertThat(bench.state.refusalReason(FRIDAY)).isEmpty();
        assertThat(bench.state.refusalReason(Barrier.of("late", 101, 41, "")))
                .hasValueSatisfying(text -> assertThat(text).contains("ends at transaction 100"));

        bench.step(WriterEvent.purgeRequested(60));

        assertThat(bench.state.refusalReason(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("below 60 may be purged already"));
        assertThat(bench.state.refusalReason(Barrier.of("monday", 100, 60, ""))).isEmpty();
    }

    /** Its own image may be older than what an earlier active let the nodes purge. */
    @Test
    void rejectsBarrierBelowPurgePointOfEarlierTerm() {
        promiseFromAll(90, 90, 1);
        assertThat(bench.state.refusalReason(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("below 90 may be purged already"));
        assertThat(bench.state.refusalReason(Barrier.of("sunday", 100, 90, ""))).isEmpty();
    }

    @Test
    void acceptsBarrierWhenMajorityStillHoldsItsTransactions() {
        promiseFromAll(90, 41, 1);

        assertThat(bench.state.refusalReason(FRIDAY)).isEmpty();
    }

    @Test
    void countsOnlyCompleteVotersOfJournalAsHolders() {
        NodeAddress d = NodeAddress.of("d", 1);
        LogSummary end = end(voters().with(Member.permanentLearner(Bench.id(d), d)), Incarnation.of(1, 7));
        LogSummary older = end(voters(), Incarnation.NONE);

        bench = new Bench(2, A, B, C, d)
                .connect(A, 3)
                .connect(B, 3)
                .connect(C, 3)
                .connect(d, 3);
        promise(d, end, 1, LogCompleteness.COMPLETE);
        promise(C, end, 1, LogCompleteness.REFETCHING);
        promise(B, end, 41, LogCompleteness.COMPLETE);
        promise(A, end, 90, LogCompleteness.COMPLETE);
        assertThat(bench.state.refusalReason(FRIDAY)).isPresent();

        bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        promise(C, older, 1, LogCompleteness.COMPLETE);
        promise(B, end(voters(), Incarnation.of(1, 7)), 41, LogCompleteness.COMPLETE);
        promise(A, end(voters(), Incarnation.of(1, 7)), 90, LogCompleteness.COMPLETE);
        assertThat(bench.state.refusalReason(FRIDAY)).isPresent();
    }

    private void promiseFromAll(long... firstTxIds) {
        NodeAddress[] nodes = {A, B, C};
        bench = new Bench(2, nodes).connect(A, 3).connect(B, 3).connect(C, 3);
        for (int i = nodes.length - 1; i >= 0; i--) {
            promise(nodes[i], end(voters(), Incarnation.NONE), firstTxIds[i], LogCompleteness.COMPLETE);
        }
    }

    private void promise(NodeAddress node, LogSummary end, long firstTxId, LogCompleteness completeness) {
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

        assertThat(bench.state.refusalReason(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("a barrier of this name already"));
    }
}
