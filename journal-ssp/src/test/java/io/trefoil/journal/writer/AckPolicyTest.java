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

    private static Bench writing(WriterSettings.Builder settings) {
        return writing(settings, Members.of(List.of(voter(A), voter(B), voter(C))));
    }

    private static Bench writing(WriterSettings.Builder settings, Members members) {
        Bench bench = recovering(settings, members);
        for (NodeAddress node : List.of(A, B, C)) {
            bench.acks(node, bench.state.lastSn());
        }
        return bench;
    }

    private static Bench recovering(WriterSettings.Builder settings, Members members) {
        Bench bench = new Bench(settings.build());
        bench.up(A, 4).up(B, 4).up(C, 4);
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(4), 10), members, 10, Optional.empty(), Optional.empty());
        bench.after(10).step(WriterEvent.ticked());
        for (NodeAddress node : List.of(A, B, C)) {
            bench.promises(node, end, 10);
        }
        return bench;
    }

    private static WriterSettings.Builder with(AckPolicy ack) {
        return Bench.settings(2, A, B, C).ack(ack);
    }

    private static Member voter(NodeAddress address) {
        return Member.voter(Bench.id(address), address);
    }

    @Test
    void ackQuorumAcknowledgesCommittedEntries() {
        Bench bench = writing(with(AckPolicy.QUORUM));
        bench.appends(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acks(A, sn).state.ackedSn()).isLessThan(sn);
        assertThat(bench.acks(B, sn).state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackAllWaitsForEveryVoterInSync() {
        Bench bench = writing(with(AckPolicy.ALL));
        bench.appends(11);
        long sn = bench.state.lastSn();

        bench.acks(A, sn).acks(B, sn);
        assertThat(bench.words).contains("committed " + sn).doesNotContain("acknowledged " + sn);

        assertThat(bench.acks(C, sn).words).contains("acknowledged " + sn);
    }

    @Test
    void ackAllDoesNotWaitForDroppedVoter() {
        Bench bench = writing(with(AckPolicy.ALL));
        bench.appends(11);
        long sn = bench.state.lastSn();
        bench.acks(A, sn).acks(B, sn);

        bench.passes(Bench.ACK_TIMEOUT_MILLIS - 10);
        assertThat(bench.state.ackedSn()).isLessThan(sn);
        bench.passes(30);

        assertThat(bench.state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackAllDoesNotWaitForDownVoter() {
        Bench bench = writing(with(AckPolicy.ALL));
        bench.appends(11);
        long sn = bench.state.lastSn();
        bench.acks(A, sn).acks(B, sn);

        assertThat(bench.step(WriterEvent.peerDisconnected(C)).words).contains("acknowledged " + sn);
    }

    @Test
    void ackAllRequiresAtLeastMajority() {
        Bench bench = writing(with(AckPolicy.ALL));
        bench.appends(11);
        long sn = bench.state.lastSn();
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        assertThat(bench.acks(A, sn).state.ackedSn()).isLessThan(sn);
    }

    @Test
    void ackOneRequiresLocalNode() {
        Bench bench = writing(with(AckPolicy.ONE).local(A));
        bench.appends(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acks(B, sn).state.ackedSn()).isLessThan(sn);
        assertThat(bench.acks(A, sn).state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackOneTakesFirstAnswerInStandalonePool() {
        Bench bench = writing(with(AckPolicy.ONE));
        bench.appends(11);
        long sn = bench.state.lastSn();

        bench.acks(B, sn);

        assertThat(bench.words).contains("acknowledged " + sn).doesNotContain("committed " + sn);
    }

    @Test
    void policyOneRunsBoundedlyAheadOfMajority() {
        Bench bench = writing(with(AckPolicy.ONE).local(A));
        long committedSn = bench.state.committedSn();
        long last = committedSn + Acknowledgement.MAX_AHEAD_ENTRIES;
        for (long txId = 11; bench.state.lastSn() <= last; txId++) {
            bench.appends(txId);
            bench.acks(A, bench.state.lastSn());
        }

        assertThat(bench.state.ackedSn()).isEqualTo(last);

        bench.acks(B, last + 1);
        assertThat(bench.state.ackedSn()).isEqualTo(last + 1);
    }

    @Test
    void acknowledgesNothingBeforeWriterIsReady() {
        Bench bench = recovering(with(AckPolicy.ONE), Members.of(List.of(voter(A), voter(B), voter(C))));
        long sn = bench.state.lastSn();

        assertThat(bench.acks(A, sn).words).doesNotContain("acknowledged " + sn);
        assertThat(bench.acks(B, sn).words).contains("ready", "acknowledged " + sn);
    }

    @Test
    void announcesAcknowledgementOnce() {
        Bench bench = writing(with(AckPolicy.ALL));
        bench.appends(11);
        long sn = bench.state.lastSn();
        bench.acks(A, sn).acks(B, sn).acks(C, sn);

        assertThat(bench.acks(C, sn).words).doesNotContain("acknowledged " + sn);
    }

    @Test
    void acknowledgedEntryStaysAcknowledgedWhenLaggingVoterReturns() {
        Bench bench = writing(with(AckPolicy.ALL));
        bench.step(WriterEvent.peerDisconnected(C));
        bench.appends(11);
        long sn = bench.state.lastSn();
        bench.acks(A, sn).acks(B, sn);

        bench.up(C, 4).acks(C, sn - 1);

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
        assertThat(bench.state.ackedSn()).isEqualTo(sn);
    }

    @Test
    void ackAllIgnoresLearnersAndNeverSeenVoters() {
        NodeAddress d = NodeAddress.of("d", 8485);
        Member learner = Member.permanentLearner(Bench.id(C), C);
        Bench bench = writing(with(AckPolicy.ALL), Members.of(List.of(voter(A), voter(B), learner, voter(d))));
        bench.acks(A, bench.state.lastSn()).acks(B, bench.state.lastSn());
        bench.appends(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acks(A, sn).acks(B, sn).words).contains("acknowledged " + sn);
    }

    @Test
    void ackOneRequiresVoterWithCompleteLog() {
        NodeAddress d = NodeAddress.of("d", 8485);
        Member learner = Member.permanentLearner(Bench.id(C), C);
        Bench bench = writing(with(AckPolicy.ONE), Members.of(List.of(voter(A), voter(B), learner, voter(d))));
        bench.appends(11);
        long sn = bench.state.lastSn();

        assertThat(bench.acks(C, sn).state.ackedSn()).isLessThan(sn);
        bench.reply(B, AppendedReply.of(Bench.id(B), bench.state.epoch(), sn, LogCompleteness.REFETCHING));
        assertThat(bench.state.ackedSn()).isLessThan(sn);
        assertThat(bench.acks(A, sn).state.ackedSn()).isEqualTo(sn);
    }
}
