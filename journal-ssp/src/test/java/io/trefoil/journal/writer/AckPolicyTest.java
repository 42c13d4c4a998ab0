/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who has to have edits before an append returns (protocol page, "Policies"). */
class AckPolicyTest {
    private static final NodeAddress A = NodeAddress.of("a", 8485);
    private static final NodeAddress B = NodeAddress.of("b", 8485);
    private static final NodeAddress C = NodeAddress.of("c", 8485);

    private static Bench writingBench(WriterSettings.Builder settings) {
        return writingBench(settings, Members.of(List.of(voter(A), voter(B), voter(C))));
    }

    private static Bench writingBench(WriterSettings.Builder settings, Members members) {
        Bench bench = recoveringBench(settings, members);
        for (NodeAddress node : List.of(A, B, C)) {
            bench.acknowledge(node, bench.state.lastSn());
        }
        return bench;
    }

    private static Bench recoveringBench(WriterSettings.Builder settings, Members members) {
        Bench bench = new Bench(settings.build());
        bench.connect(A, 4).connect(B, 4).connect(C, 4);
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(4), 10), members, 10, Optional.empty(), Optional.empty());
        bench.advanceClock(10).step(WriterEvent.ticked());
        for (NodeAddress node : List.of(A, B, C)) {
            bench.promise(node, end, 10);
        }
        return bench;
    }

    private static WriterSettings.Builder settingsWith(AckPolicy ack) {
        return Bench.settings(2, A, B, C).ackPolicy(ack);
    }

    private static Member voter(NodeAddress address) {
        return Member.voter(Bench.id(address), address);
    }

    @Test
    void ackQuorumAcknowledgesCommittedEntries() {
        Bench bench = writingBench(settingsWith(AckPolicy.QUORUM));
        bench.append(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acknowledge(A, sn).state.ackedSn()).isLessThan(sn);
        assertThat(bench.acknowledge(B, sn).state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackAllWaitsForEveryVoterInSync() {
        Bench bench = writingBench(settingsWith(AckPolicy.ALL));
        bench.append(11);
        long sn = bench.state.lastSn();

        bench.acknowledge(A, sn).acknowledge(B, sn);
        assertThat(bench.words).contains("committed " + sn).doesNotContain("acknowledged " + sn);

        assertThat(bench.acknowledge(C, sn).words).contains("acknowledged " + sn);
    }

    @Test
    void ackAllDoesNotWaitForDroppedVoter() {
        Bench bench = writingBench(settingsWith(AckPolicy.ALL));
        bench.append(11);
        long sn = bench.state.lastSn();
        bench.acknowledge(A, sn).acknowledge(B, sn);

        bench.advance(Bench.ACK_TIMEOUT_MILLIS - 10);
        assertThat(bench.state.ackedSn()).isLessThan(sn);
        bench.advance(30);

        assertThat(bench.state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackAllDoesNotWaitForDownVoter() {
        Bench bench = writingBench(settingsWith(AckPolicy.ALL));
        bench.append(11);
        long sn = bench.state.lastSn();
        bench.acknowledge(A, sn).acknowledge(B, sn);

        assertThat(bench.step(WriterEvent.peerDisconnected(C)).words).contains("acknowledged " + sn);
    }

    @Test
    void ackAllRequiresAtLeastMajority() {
        Bench bench = writingBench(settingsWith(AckPolicy.ALL));
        bench.append(11);
        long sn = bench.state.lastSn();
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        assertThat(bench.acknowledge(A, sn).state.ackedSn()).isLessThan(sn);
    }

    @Test
    void ackOneRequiresLocalNode() {
        Bench bench = writingBench(settingsWith(AckPolicy.ONE).localNode(A));
        bench.append(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acknowledge(B, sn).state.ackedSn()).isLessThan(sn);
        assertThat(bench.acknowledge(A, sn).state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackOneTakesFirstAnswerInStandalonePool() {
        Bench bench = writingBench(settingsWith(AckPolicy.ONE));
        bench.append(11);
        long sn = bench.state.lastSn();

        bench.acknowledge(B, sn);

        assertThat(bench.words).contains("acknowledged " + sn).doesNotContain("committed " + sn);
    }

    @Test
    void ackOneBoundsLeadOverMajority() {
        Bench bench = writingBench(settingsWith(AckPolicy.ONE).localNode(A));
        long committedSn = bench.state.committedSn();
        long last = committedSn + Acknowledgement.MAX_AHEAD_ENTRIES;
        for (long txId = 11; bench.state.lastSn() <= last; txId++) {
            bench.append(txId);
            bench.acknowledge(A, bench.state.lastSn());
        }

        assertThat(bench.state.ackedSn()).isEqualTo(last);

        bench.acknowledge(B, last + 1);
        assertThat(bench.state.ackedSn()).isEqualTo(last + 1);
    }

    @Test
    void acknowledgesNothingBeforeWriterIsReady() {
        Bench bench = recoveringBench(settingsWith(AckPolicy.ONE), Members.of(List.of(voter(A), voter(B), voter(C))));
        long sn = bench.state.lastSn();

        assertThat(bench.acknowledge(A, sn).words).doesNotContain("acknowledged " + sn);
        assertThat(bench.acknowledge(B, sn).words).contains("ready", "acknowledged " + sn);
    }

    @Test
    void announcesAcknowledgementOnce() {
        Bench bench = writingBench(settingsWith(AckPolicy.ALL));
        bench.append(11);
        long sn = bench.state.lastSn();
        bench.acknowledge(A, sn).acknowledge(B, sn).acknowledge(C, sn);

        assertThat(bench.acknowledge(C, sn).words).doesNotContain("acknowledged " + sn);
    }

    @Test
    void acknowledgedEntryStaysAcknowledgedWhenLaggingVoterReturns() {
        Bench bench = writingBench(settingsWith(AckPolicy.ALL));
        bench.step(WriterEvent.peerDisconnected(C));
        bench.append(11);
        long sn = bench.state.lastSn();
        bench.acknowledge(A, sn).acknowledge(B, sn);

        bench.connect(C, 4).acknowledge(C, sn - 1);

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
        assertThat(bench.state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackAllIgnoresLearnersAndNeverSeenVoters() {
        NodeAddress d = NodeAddress.of("d", 8485);
        Member learner = Member.permanentLearner(Bench.id(C), C);
        Bench bench =
                writingBench(settingsWith(AckPolicy.ALL), Members.of(List.of(voter(A), voter(B), learner, voter(d))));
        bench.acknowledge(A, bench.state.lastSn()).acknowledge(B, bench.state.lastSn());
        bench.append(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acknowledge(A, sn).acknowledge(B, sn).words).contains("acknowledged " + sn);
    }

    @Test
    void ackOneRequiresVoterWithCompleteLog() {
        NodeAddress d = NodeAddress.of("d", 8485);
        Member learner = Member.permanentLearner(Bench.id(C), C);
        Bench bench =
                writingBench(settingsWith(AckPolicy.ONE), Members.of(List.of(voter(A), voter(B), learner, voter(d))));
        bench.append(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acknowledge(C, sn).state.ackedSn()).isLessThan(sn);
        bench.reply(B, AppendedReply.of(Bench.id(B), bench.state.epoch(), sn, LogCompleteness.REFETCHING));
        assertThat(bench.state.ackedSn()).isLessThan(sn);
        assertThat(bench.acknowledge(A, sn).state.ackedSn()).isEqualTo(sn);
    }
}
