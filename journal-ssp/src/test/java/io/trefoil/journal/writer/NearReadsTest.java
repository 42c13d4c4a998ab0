/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.ReadLeases;
import org.junit.jupiter.api.Test;

/** Reads without a question to the writer (near-reads page). Entry 13 names the first reader, the next one is 14. */
class NearReadsTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress FAR = NodeAddress.of("far", 1);
    private static final NodeAddress FARTHER = NodeAddress.of("farther", 1);

    private static Members withLearners() {
        return members(A, B, C)
                .with(Member.permanentLearner(id(FAR), FAR))
                .with(Member.permanentLearner(id(FARTHER), FARTHER));
    }

    /** The same, and whoever is told waits for the commit. */
    private static Bench readWithHeldAnswers(AckPolicy ack) {
        Bench bench = Bench.writing(settings(2, A, B, C, FAR, FARTHER).ack(ack).answersHeld(true), withLearners());
        wants(bench, FAR);
        acked(bench, 13);
        assertThat(wants(bench, FAR)).isTrue();
        return bench;
    }

    private static Bench writing(Members members) {
        return Bench.writing(settings(2, A, B, C, FAR, FARTHER), members);
    }

    /** One node may be read from. */
    private static Bench read() {
        Bench bench = writing(withLearners());
        wants(bench, FAR);
        acked(bench, 13);
        assertThat(wants(bench, FAR)).isTrue();
        return bench;
    }

    private static boolean wants(Bench bench, NodeAddress node) {
        bench.step(WriterEvent.readsWanted(id(node)));
        return bench.state.grantsReads(id(node), bench.nowNanos);
    }

    private static void acked(Bench bench, long sn) {
        for (NodeAddress each : new NodeAddress[] {A, B, C, FAR, FARTHER}) {
            bench.acks(each, sn);
        }
    }

    @Test
    void grantsReadsOnceMembersNamingReaderCommit() {
        Bench bench = writing(withLearners());

        assertThat(wants(bench, FAR)).isFalse();
        assertThat(bench.words).contains("remember MEMBERS 13");
        bench.acks(A, 13).acks(B, 13);
        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(wants(bench, FAR)).isFalse();
        bench.acks(FAR, 13);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(wants(bench, FAR)).isTrue();
    }

    @Test
    void commitsOnlyEntriesReaderNodeHas() {
        Bench bench = read();

        bench.appends(11).acks(A, 14).acks(B, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(bench.state.ackedSn()).isEqualTo(13);
        assertThat(bench.acks(FAR, 14).words).contains("committed 14");
    }

    @Test
    void steppedDownWriterGrantsNoReads() {
        Bench bench = read();

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.state.grantsReads(id(FAR), bench.nowNanos)).isFalse();
    }

    @Test
    void appendReturnsWithMajorityWhenAnswersWaitForReaders() {
        Bench bench = readWithHeldAnswers(AckPolicy.QUORUM);

        bench.appends(11).acks(A, 14);
        assertThat(bench.state.ackedSn()).isEqualTo(13);
        assertThat(bench.acks(B, 14).words).contains("acknowledged 14").doesNotContain("committed 14");
        assertThat(bench.acks(FAR, 14).words).containsExactly("committed 14");
    }

    @Test
    void policyAllStillWaitsForVotersInSync() {
        Bench bench = readWithHeldAnswers(AckPolicy.ALL);

        bench.appends(11).acks(A, 14).acks(B, 14);
        assertThat(bench.state.ackedSn()).isEqualTo(13);
        assertThat(bench.acks(C, 14).words).contains("acknowledged 14");
    }

    @Test
    void appendsRunBoundedAheadOfReaders() {
        Bench bench = readWithHeldAnswers(AckPolicy.QUORUM);

        long last = 13 + Acknowledgement.MAX_AHEAD_OF_READERS_ENTRIES;
        for (long sn = 14; sn <= last + 1; sn++) {
            bench.appends(sn - 3);
        }
        bench.acks(A, last + 1).acks(B, last + 1);
        assertThat(bench.state.ackedSn()).isEqualTo(last);
        bench.acks(FAR, 14);
        assertThat(bench.state.ackedSn()).isEqualTo(last + 1);
    }

    @Test
    void commitNeedsMajorityEvenWhenReadersHaveEntry() {
        Bench bench = read();

        bench.appends(11).acks(FAR, 14).acks(A, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
    }

    @Test
    void lateReaderLosesLeaseAndThenBlocksNoCommit() {
        Bench bench = read();
        bench.appends(11).acks(A, 14).acks(B, 14).acks(C, 14);

        bench.after(ReadLeases.HELD_MILLIS / 2 + 10);
        assertThat(wants(bench, FAR)).isFalse();
        bench.after(ReadLeases.HELD_MILLIS / 2 - 20).step(WriterEvent.ticked());
        assertThat(bench.state.committedSn()).isEqualTo(13);
        bench.after(20).step(WriterEvent.ticked());

        assertThat(bench.words).contains("committed 14");
    }

    @Test
    void slowReaderLosesLeaseForLongerWhenDelayingCommitsAgain() {
        Bench bench = read();
        long sn = 13;
        for (long seconds = 1; seconds <= 32; seconds *= 2) {
            slowly(bench, ++sn, 450);
            assertThat(wants(bench, FAR)).as("at once").isFalse();
            inPace(bench, seconds * 1_000 - 100);
            sn = bench.state.lastSn();
            assertThat(wants(bench, FAR)).as("before %s s", seconds).isFalse();
            inPace(bench, 200);
            wants(bench, FAR);
            acked(bench, bench.state.lastSn());
            sn = bench.state.lastSn();
            assertThat(wants(bench, FAR)).as("after %s s", seconds).isTrue();
        }
        assertThat(bench.state.waitedForReadersNanos(bench.nowNanos) / 1_000_000)
                .isEqualTo(6 * 450);
    }

    /** Nobody waits for it any more, but it would be waited for. */
    @Test
    void slowNodeGetsNoLeaseWhileSlow() {
        Bench bench = read();
        slowly(bench, 14, 450);

        for (long sn = 15; sn < 30; sn++) {
            slowly(bench, sn, 450);
            assertThat(wants(bench, FAR)).isFalse();
        }
        assertThat(bench.state.progress())
                .filteredOn(NodeProgress::slowReader)
                .extracting(NodeProgress::address)
                .containsExactly(FAR);
    }

    @Test
    void nodeKeepsLeaseWhenMajorityIsEquallySlow() {
        Bench bench = read();
        bench.appends(11).passes(300).acks(A, 14).acks(B, 14).passes(150).acks(FAR, 14);

        assertThat(wants(bench, FAR)).isTrue();
    }

    /** A majority has an entry at once, a far node after a while. */
    private static void slowly(Bench bench, long sn, long millis) {
        bench.appends(sn - 3);
        assertThat(bench.state.lastSn()).isEqualTo(sn);
        bench.acks(A, sn).acks(B, sn).acks(C, sn).acks(FARTHER, sn);
        bench.passes(millis);
        bench.acks(FAR, sn);
    }

    private static void inPace(Bench bench, long millis) {
        for (long passed = 0; passed < millis; passed += 100) {
            bench.passes(100);
            acked(bench, bench.state.lastSn());
        }
    }

    @Test
    void unrenewedLeaseIsNotExtended() {
        Bench bench = read();
        bench.after(100);
        bench.step(WriterEvent.peerDisconnected(FAR));

        assertThat(wants(bench, FAR)).isFalse();
    }

    @Test
    void readerRegainsLeaseOnlyWithEntriesCommittedSinceLoss() {
        Bench bench = read();
        bench.passes(ReadLeases.HELD_MILLIS + 20);
        bench.appends(11);
        bench.acks(A, 14).acks(B, 14);
        assertThat(bench.state.committedSn()).isEqualTo(14);

        assertThat(wants(bench, FAR)).isFalse();
        bench.acks(FAR, 14);
        assertThat(wants(bench, FAR)).isTrue();
    }

    @Test
    void soleReaderLearnsMajorityProgressImmediately() {
        Bench bench = read();

        bench.appends(11).acks(A, 14).acks(B, 14);

        assertThat(bench.sent(FAR, CommitRequest.class))
                .extracting(CommitRequest::committedSn)
                .containsExactly(14L);
        assertThat(bench.sent(A, CommitRequest.class)).isEmpty();
        assertThat(bench.acks(C, 14).sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void readerLearnsPositionsOfOtherReaders() {
        Bench bench = read();
        wants(bench, FARTHER);
        acked(bench, 14);
        assertThat(wants(bench, FARTHER)).isTrue();

        bench.appends(11).acks(A, 15).acks(B, 15);
        assertThat(bench.sent(FAR, CommitRequest.class)).isEmpty();

        bench.acks(FARTHER, 15);
        assertThat(bench.sent(FAR, CommitRequest.class)).hasSize(1);
        assertThat(bench.sent(FARTHER, CommitRequest.class)).isEmpty();
        assertThat(bench.state.committedSn()).isEqualTo(14);
    }

    @Test
    void newWriterWaitsForLeasesOfEarlierWriter() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().reading(id(FAR)));

        bench.acks(A, 12).acks(B, 12).acks(C, 12);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        bench.passes(ReadLeases.HELD_MILLIS - 20);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        bench.passes(30);

        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void newWriterContinuesWithReadersHoldingItsEntries() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().reading(id(FAR)));

        bench.acks(A, 12).acks(B, 12).acks(FAR, 12);

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(wants(bench, FAR)).isTrue();
    }

    @Test
    void idleReaderIsRemovedAfterTimeout() {
        Bench bench = read();

        bench.passes(5_000);
        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
        bench.passes(7_000);

        assertThat(bench.state.members().readers()).isEmpty();
    }

    @Test
    void removedReaderDelaysCommitUntilItsLeaseExpires() {
        Members removed = withLearners().reading(id(FAR)).without(id(FAR), RetiredStorage.Cause.REMOVED);

        Bench bench = Bench.recovering(settings(2, A, B, C), removed);
        bench.acks(A, 12).acks(B, 12);

        assertThat(bench.state.committedSn()).isEqualTo(8);
    }

    @Test
    void deniesReadsToNonMembersAndDuringRecovery() {
        Bench bench = writing(withLearners());
        assertThat(wants(bench, NodeAddress.of("stranger", 1))).isFalse();
        assertThat(bench.words).isEmpty();

        Bench recovering = Bench.recovering(settings(2, A, B, C, FAR), withLearners());
        assertThat(wants(recovering, FAR)).isFalse();
    }

    @Test
    void brieflyLateReaderKeepsLeaseAndIsNotifiedOnce() {
        Bench bench = read();

        bench.appends(11).acks(A, 14).after(10);
        assertThat(wants(bench, FAR)).isTrue();
        assertThat(bench.acks(B, 14).sent(FAR, CommitRequest.class)).hasSize(1);
        assertThat(wants(bench, FAR)).isTrue();

        assertThat(bench.acks(C, 14).sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void leaseExpiresAtItsDeadline() {
        Bench bench = read();
        bench.appends(11).acks(A, 14).acks(B, 14);

        bench.after(ReadLeases.HELD_MILLIS).step(WriterEvent.ticked());

        assertThat(bench.words).contains("committed 14");
    }

    @Test
    void refetchingReaderCountsAsLackingEntries() {
        Bench bench = read();
        bench.appends(11).acks(A, 14).acks(B, 14);

        bench.reply(FAR, AppendedReply.of(id(FAR), bench.state.epoch(), 14, LogCompleteness.REFETCHING));

        assertThat(bench.state.committedSn()).isEqualTo(13);
    }

    @Test
    void sendsNoCommitNoticeWhenReaderHasEntry() {
        Bench bench = read();

        bench.appends(11).acks(FAR, 14).acks(A, 14).acks(B, 14);

        assertThat(bench.words).contains("committed 14");
        assertThat(bench.sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void goneReaderIsNotNotified() {
        Bench bench = read();
        bench.step(WriterEvent.peerDisconnected(FAR));

        bench.appends(11).acks(A, 14).acks(B, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(bench.sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void readerWithExpiredLeaseIsNotNotifiedAhead() {
        Bench bench = read();
        wants(bench, FARTHER);
        acked(bench, 14);
        bench.passes(ReadLeases.HELD_MILLIS);
        assertThat(wants(bench, FARTHER)).isTrue();

        bench.appends(11).appends(12).acks(FARTHER, 15).acks(A, 16).acks(B, 16);

        assertThat(bench.sent(FARTHER, CommitRequest.class)).hasSize(1);
        assertThat(bench.sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void newWriterNotifiesOnlyReadersItGrantedLeases() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().reading(id(FAR)));
        bench.acks(A, 12).acks(B, 12).acks(FAR, 12);

        bench.appends(11).acks(A, 13).acks(B, 13);

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(bench.sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void addsReadersOneByOne() {
        Bench bench = writing(withLearners());
        wants(bench, FAR);

        assertThat(wants(bench, FARTHER)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    @Test
    void grantsNoReadsBeforeMinReplicasAreInSync() {
        Bench bench = Bench.recovering(settings(3, A, B, C, FAR), withLearners());
        bench.acks(A, 12).acks(B, 12).acks(FAR, 12);
        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);

        assertThat(wants(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    @Test
    void grantsNoReadsToNonMember() {
        Bench bench = Bench.writing(settings(2, A, B, C, FAR), members(A, B, C));
        bench.up(FAR, 3).acks(FAR, 12);

        assertThat(wants(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    @Test
    void addsNoReaderBeyondMemberLimit() {
        Members full = withLearners();
        for (int i = 0; full.hasRoomForReader(); i++) {
            full = full.reading(NodeId.of("reader-" + i));
        }
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR, FARTHER), full);
        bench.acks(A, 12).acks(B, 12).acks(C, 12).acks(FAR, 12).passes(ReadLeases.HELD_MILLIS);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);

        assertThat(wants(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    /** A change of the members that cannot be committed is not begun (R7). A lease that nobody named is waited for all the same. */
    @Test
    void addsNoReaderWithoutMajorityInSync() {
        Bench bench = writing(withLearners());
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        assertThat(wants(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
        bench.up(B, 4).acks(B, 12);
        bench.appends(11).acks(A, 13).acks(B, 13);
        assertThat(bench.state.committedSn()).isEqualTo(12);
        bench.after(ReadLeases.HELD_MILLIS).step(WriterEvent.ticked());
        assertThat(bench.words).contains("committed 13");
    }

    @Test
    void removesNoReaderWithoutMajorityInSync() {
        Bench bench = read();
        bench.step(WriterEvent.peerDisconnected(B))
                .step(WriterEvent.peerDisconnected(C))
                .step(WriterEvent.peerDisconnected(FAR));

        bench.passes(12_000);
        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
        assertThat(wants(bench, FAR)).isFalse();

        bench.up(B, 4).acks(B, 13);
        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().readers()).isEmpty();
    }

    @Test
    void removesReadersOneByOne() {
        Bench bench = read();
        wants(bench, FARTHER);
        acked(bench, 14);

        // Past the lease and the time for which it is remembered, in one leap, so that nobody is late meanwhile.
        bench.after(12_000).step(WriterEvent.ticked()).after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().readers()).containsExactly(id(FARTHER));
        bench.acks(A, 15).acks(B, 15).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().readers()).isEmpty();
    }

    /** The same as in the first seconds of the process. */
    @Test
    void infrequentReaderIsRememberedForFullTimeout() {
        Bench bench = writing(withLearners());
        bench.after(60_000).step(WriterEvent.ticked());
        wants(bench, FAR);
        acked(bench, 13);

        bench.after(5_000).step(WriterEvent.ticked());

        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
    }

    @Test
    void membersPayloadKeepsReaders() {
        Members members = withLearners().reading(id(FAR)).reading(id(FARTHER));

        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
        assertThat(Members.fromPayload(members.notReading(id(FAR)).toPayload()).readers())
                .containsExactly(id(FARTHER));
    }
}
