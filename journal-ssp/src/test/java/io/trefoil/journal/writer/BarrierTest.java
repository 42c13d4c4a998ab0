/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule R10 as the writer keeps it. */
class BarrierTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
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
        bench.step(WriterEvent.appendAsked(kind, TxRange.NONE, payload));
    }

    private long purgedFrom(long minTxId) {
        bench.step(WriterEvent.purgeAsked(minTxId));
        assertThat(bench.sent(A, PurgeRequest.class)).isEqualTo(bench.sent(B, PurgeRequest.class));
        return bench.sent(A, PurgeRequest.class).get(0).minTxId();
    }

    @Test
    void purgesWhatIsAskedForIfThereIsNoBarrier() {
        assertThat(purgedFrom(90)).isEqualTo(90);
    }

    @Test
    void purgesNothingThatABarrierKeepsUntilItsReleaseIsCommitted() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        assertThat(purgedFrom(90)).isEqualTo(41);
        assertThat(purgedFrom(30)).isEqualTo(30);
        commit();

        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        assertThat(purgedFrom(90)).isEqualTo(41);

        commit();
        assertThat(purgedFrom(90)).isEqualTo(90);
    }

    @Test
    void ofTwoReleasesOnTheirWayTheLowestIsKeptUntilBothAreCommitted() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());
        append(EntryKind.BARRIER, Barrier.of("monday", 100, 61, "").toPayload());
        commit();

        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("friday"));
        append(EntryKind.BARRIER_RELEASE, Bytes.ofUtf8("monday"));

        assertThat(purgedFrom(90)).isEqualTo(41);
    }

    @Test
    void refusesABarrierThatNeedsWhatMayBePurgedOrIsNotThereYet() {
        assertThat(bench.state.refusalOf(FRIDAY)).isEmpty();
        assertThat(bench.state.refusalOf(Barrier.of("late", 101, 41, "")))
                .hasValueSatisfying(text -> assertThat(text).contains("ends at transaction 100"));

        bench.step(WriterEvent.purgeAsked(60));

        assertThat(bench.state.refusalOf(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("below 60 may be purged already"));
        assertThat(bench.state.refusalOf(Barrier.of("monday", 100, 60, ""))).isEmpty();
    }

    /** Its own image may be older than what an earlier active let the nodes purge. */
    @Test
    void refusesABarrierThatNeedsWhatAnEarlierTermLetTheNodesPurge() {
        bench = promisedBy(90, 90, 1);
        assertThat(bench.state.refusalOf(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("below 90 may be purged already"));
        assertThat(bench.state.refusalOf(Barrier.of("sunday", 100, 90, ""))).isEmpty();
    }

    @Test
    void takesABarrierForWhatAMajorityStillHas() {
        bench = promisedBy(90, 41, 1);

        assertThat(bench.state.refusalOf(FRIDAY)).isEmpty();
    }

    private static Bench promisedBy(long... firstTxIds) {
        NodeAddress[] nodes = {A, B, NodeAddress.of("c", 1)};
        List<Member> voters = new ArrayList<>();
        Bench fresh = new Bench(2, nodes);
        for (NodeAddress node : nodes) {
            voters.add(Member.voter(Bench.id(node), node));
            fresh.up(node, 3);
        }
        LogSummary end = LogSummary.of(
                LogPosition.of(Epoch.of(3), 10), Members.of(voters), 100, Optional.of(1L), Optional.empty());
        for (int i = nodes.length - 1; i >= 0; i--) {
            fresh.reply(
                    nodes[i],
                    PromiseReply.of(
                            Bench.id(nodes[i]),
                            fresh.state.epoch(),
                            end,
                            10,
                            LogPosition.of(Epoch.of(1), 10),
                            firstTxIds[i],
                            Standing.WHOLE));
        }
        return fresh;
    }

    @Test
    void refusesASecondBarrierOfOneName() {
        append(EntryKind.BARRIER, FRIDAY.toPayload());

        assertThat(bench.state.refusalOf(FRIDAY))
                .hasValueSatisfying(text -> assertThat(text).contains("a barrier of this name already"));
    }
}
