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

    /** The same, and a client that is told waits for the commit. */
    private static Bench readWithHeldAnswers(AckPolicy ack) {
        Bench bench = Bench.writing(
                settings(2, A, B, C, FAR, FARTHER).ackPolicy(ack).holdsAnswersUntilCommitted(true), withLearners());
        requestReads(bench, FAR);
        acknowledge(bench, 13);
        assertThat(requestReads(bench, FAR)).isTrue();
        return bench;
    }

    private static Bench writingBench(Members members) {
        return Bench.writing(settings(2, A, B, C, FAR, FARTHER), members);
    }

    /** One node may be read from. */
    private static Bench benchWithReader() {
        Bench bench = writingBench(withLearners());
        requestReads(bench, FAR);
        acknowledge(bench, 13);
        assertThat(requestReads(bench, FAR)).isTrue();
        return bench;
    }

    private static boolean requestReads(Bench bench, NodeAddress node) {
        bench.step(WriterEvent.readsWanted(id(node)));
        return bench.state.grantsReads(id(node), bench.nowNanos);
    }

    private static void acknowledge(Bench bench, long sn) {
        for (NodeAddress each : new NodeAddress[] {A, B, C, FAR, FARTHER}) {
            bench.acknowledge(each, sn);
        }
    }

    @Test
    void grantsReadsWhenMemberListWithReaderIsCommitted() {
        Bench bench = writingBench(withLearners());

        assertThat(requestReads(bench, FAR)).isFalse();
        assertThat(bench.words).contains("remember MEMBERS 13");
        bench.acknowledge(A, 13).acknowledge(B, 13);
        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(requestReads(bench, FAR)).isFalse();
        bench.acknowledge(FAR, 13);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(requestReads(bench, FAR)).isTrue();
    }

    @Test
    void commitsOnlyEntriesReaderNodeHas() {
        Bench bench = benchWithReader();

        bench.append(11).acknowledge(A, 14).acknowledge(B, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(bench.state.ackedSn()).isEqualTo(13);
        assertThat(bench.acknowledge(FAR, 14).words).contains("committed 14");
    }

    @Test
    void steppedDownWriterDoesNotGrantReads() {
        Bench bench = benchWithReader();

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.state.grantsReads(id(FAR), bench.nowNanos)).isFalse();
    }

    @Test
    void appendReturnsWithMajorityWhenAnswersWaitForReaders() {
        Bench bench = readWithHeldAnswers(AckPolicy.QUORUM);

        bench.append(11).acknowledge(A, 14);
        assertThat(bench.state.ackedSn()).isEqualTo(13);
        assertThat(bench.acknowledge(B, 14).words).contains("acknowledged 14").doesNotContain("committed 14");
        assertThat(bench.acknowledge(FAR, 14).words).containsExactly("committed 14");
    }

    @Test
    void ackAllStillWaitsForVotersInSync() {
        Bench bench = readWithHeldAnswers(AckPolicy.ALL);

        bench.append(11).acknowledge(A, 14).acknowledge(B, 14);
        assertThat(bench.state.ackedSn()).isEqualTo(13);
        assertThat(bench.acknowledge(C, 14).words).contains("acknowledged 14");
    }

    @Test
    void appendsHaveBoundedLeadOverReaders() {
        Bench bench = readWithHeldAnswers(AckPolicy.QUORUM);

        long last = 13 + Acknowledgement.MAX_AHEAD_OF_READERS_ENTRIES;
        for (long sn = 14; sn <= last + 1; sn++) {
            bench.append(sn - 3);
        }
        bench.acknowledge(A, last + 1).acknowledge(B, last + 1);
        assertThat(bench.state.ackedSn()).isEqualTo(last);
        bench.acknowledge(FAR, 14);
        assertThat(bench.state.ackedSn()).isEqualTo(last + 1);
    }

    @Test
    void commitNeedsMajorityEvenWhenReadersHaveEntry() {
        Bench bench = benchWithReader();

        bench.append(11).acknowledge(FAR, 14).acknowledge(A, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
    }

    @Test
    void overdueReaderLosesLeaseAndStopsBlockingCommits() {
        Bench bench = benchWithReader();
        bench.append(11).acknowledge(A, 14).acknowledge(B, 14).acknowledge(C, 14);

        bench.advanceClock(ReadLeases.HELD_MILLIS / 2 + 10);
        assertThat(requestReads(bench, FAR)).isFalse();
        bench.advanceClock(ReadLeases.HELD_MILLIS / 2 - 20).step(WriterEvent.ticked());
        assertThat(bench.state.committedSn()).isEqualTo(13);
        bench.advanceClock(20).step(WriterEvent.ticked());

        assertThat(bench.words).contains("committed 14");
    }

    @Test
    void slowReaderLosesLeaseForLongerWhenDelayingCommitsAgain() {
        Bench bench = benchWithReader();
        long sn = 13;
        for (long seconds = 1; seconds <= 32; seconds *= 2) {
            commitSlowly(bench, ++sn, 450);
            assertThat(requestReads(bench, FAR)).as("at once").isFalse();
            commitAtSamePace(bench, seconds * 1_000 - 100);
            sn = bench.state.lastSn();
            assertThat(requestReads(bench, FAR)).as("before %s s", seconds).isFalse();
            commitAtSamePace(bench, 200);
            requestReads(bench, FAR);
            acknowledge(bench, bench.state.lastSn());
            sn = bench.state.lastSn();
            assertThat(requestReads(bench, FAR)).as("after %s s", seconds).isTrue();
        }
        assertThat(bench.state.readerWaitNanos(bench.nowNanos) / 1_000_000).isEqualTo(6 * 450);
    }

    /** No commit waits for it any more, but it would be waited for. */
    @Test
    void slowNodeGetsNoLeaseWhileSlow() {
        Bench bench = benchWithReader();
        commitSlowly(bench, 14, 450);

        for (long sn = 15; sn < 30; sn++) {
            commitSlowly(bench, sn, 450);
            assertThat(requestReads(bench, FAR)).isFalse();
        }
        assertThat(bench.state.progress())
                .filteredOn(NodeProgress::slowReader)
                .extracting(NodeProgress::address)
                .containsExactly(FAR);
    }

    @Test
    void nodeKeepsLeaseWhenMajorityIsEquallySlow() {
        Bench bench = benchWithReader();
        bench.append(11)
                .advance(300)
                .acknowledge(A, 14)
                .acknowledge(B, 14)
                .advance(150)
                .acknowledge(FAR, 14);

        assertThat(requestReads(bench, FAR)).isTrue();
    }

    /** A majority has an entry at once, a far node after a while. */
    private static void commitSlowly(Bench bench, long sn, long millis) {
        bench.append(sn - 3);
        assertThat(bench.state.lastSn()).isEqualTo(sn);
        bench.acknowledge(A, sn).acknowledge(B, sn).acknowledge(C, sn).acknowledge(FARTHER, sn);
        bench.advance(millis);
        bench.acknowledge(FAR, sn);
    }

    private static void commitAtSamePace(Bench bench, long millis) {
        for (long passed = 0; passed < millis; passed += 100) {
            bench.advance(100);
            acknowledge(bench, bench.state.lastSn());
        }
    }

    @Test
    void unrenewedLeaseIsNotExtended() {
        Bench bench = benchWithReader();
        bench.advanceClock(100);
        bench.step(WriterEvent.peerDisconnected(FAR));

        assertThat(requestReads(bench, FAR)).isFalse();
    }

    @Test
    void readerRegainsLeaseOnlyWithEntriesCommittedSinceLoss() {
        Bench bench = benchWithReader();
        bench.advance(ReadLeases.HELD_MILLIS + 20);
        bench.append(11);
        bench.acknowledge(A, 14).acknowledge(B, 14);
        assertThat(bench.state.committedSn()).isEqualTo(14);

        assertThat(requestReads(bench, FAR)).isFalse();
        bench.acknowledge(FAR, 14);
        assertThat(requestReads(bench, FAR)).isTrue();
    }

    @Test
    void soleReaderLearnsMajorityProgressImmediately() {
        Bench bench = benchWithReader();

        bench.append(11).acknowledge(A, 14).acknowledge(B, 14);

        assertThat(bench.sentTo(FAR, CommitRequest.class))
                .extracting(CommitRequest::committedSn)
                .containsExactly(14L);
        assertThat(bench.sentTo(A, CommitRequest.class)).isEmpty();
        assertThat(bench.acknowledge(C, 14).sentTo(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void readerLearnsPositionsOfOtherReaders() {
        Bench bench = benchWithReader();
        requestReads(bench, FARTHER);
        acknowledge(bench, 14);
        assertThat(requestReads(bench, FARTHER)).isTrue();

        bench.append(11).acknowledge(A, 15).acknowledge(B, 15);
        assertThat(bench.sentTo(FAR, CommitRequest.class)).isEmpty();

        bench.acknowledge(FARTHER, 15);
        assertThat(bench.sentTo(FAR, CommitRequest.class)).hasSize(1);
        assertThat(bench.sentTo(FARTHER, CommitRequest.class)).isEmpty();
        assertThat(bench.state.committedSn()).isEqualTo(14);
    }

    @Test
    void newWriterWaitsForLeasesOfEarlierWriter() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().withReader(id(FAR)));

        bench.acknowledge(A, 12).acknowledge(B, 12).acknowledge(C, 12);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        bench.advance(ReadLeases.HELD_MILLIS - 20);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        bench.advance(30);

        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void newWriterContinuesWithReadersHoldingItsEntries() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().withReader(id(FAR)));

        bench.acknowledge(A, 12).acknowledge(B, 12).acknowledge(FAR, 12);

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(requestReads(bench, FAR)).isTrue();
    }

    @Test
    void idleReaderIsRemovedAfterTimeout() {
        Bench bench = benchWithReader();

        bench.advance(5_000);
        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
        bench.advance(7_000);

        assertThat(bench.state.members().readers()).isEmpty();
    }

    @Test
    void removedReaderDelaysCommitUntilItsLeaseExpires() {
        Members removed = withLearners().withReader(id(FAR)).without(id(FAR), RetiredStorage.Cause.REMOVED);

        Bench bench = Bench.recovering(settings(2, A, B, C), removed);
        bench.acknowledge(A, 12).acknowledge(B, 12);

        assertThat(bench.state.committedSn()).isEqualTo(8);
    }

    @Test
    void deniesReadsToNonMembersAndDuringRecovery() {
        Bench bench = writingBench(withLearners());
        assertThat(requestReads(bench, NodeAddress.of("stranger", 1))).isFalse();
        assertThat(bench.words).isEmpty();

        Bench recovering = Bench.recovering(settings(2, A, B, C, FAR), withLearners());
        assertThat(requestReads(recovering, FAR)).isFalse();
    }

    @Test
    void brieflyOverdueReaderKeepsLeaseAndIsNotifiedOnce() {
        Bench bench = benchWithReader();

        bench.append(11).acknowledge(A, 14).advanceClock(10);
        assertThat(requestReads(bench, FAR)).isTrue();
        assertThat(bench.acknowledge(B, 14).sentTo(FAR, CommitRequest.class)).hasSize(1);
        assertThat(requestReads(bench, FAR)).isTrue();

        assertThat(bench.acknowledge(C, 14).sentTo(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void leaseExpiresAtItsDeadline() {
        Bench bench = benchWithReader();
        bench.append(11).acknowledge(A, 14).acknowledge(B, 14);

        bench.advanceClock(ReadLeases.HELD_MILLIS).step(WriterEvent.ticked());

        assertThat(bench.words).contains("committed 14");
    }

    @Test
    void refetchingReaderCountsAsLackingEntries() {
        Bench bench = benchWithReader();
        bench.append(11).acknowledge(A, 14).acknowledge(B, 14);

        bench.reply(FAR, AppendedReply.of(id(FAR), bench.state.epoch(), 14, LogCompleteness.REFETCHING));

        assertThat(bench.state.committedSn()).isEqualTo(13);
    }

    @Test
    void sendsNoCommitNoticeWhenReaderHasEntry() {
        Bench bench = benchWithReader();

        bench.append(11).acknowledge(FAR, 14).acknowledge(A, 14).acknowledge(B, 14);

        assertThat(bench.words).contains("committed 14");
        assertThat(bench.sentTo(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void departedReaderIsNotNotified() {
        Bench bench = benchWithReader();
        bench.step(WriterEvent.peerDisconnected(FAR));

        bench.append(11).acknowledge(A, 14).acknowledge(B, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(bench.sentTo(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void readerWithExpiredLeaseIsNotNotifiedAhead() {
        Bench bench = benchWithReader();
        requestReads(bench, FARTHER);
        acknowledge(bench, 14);
        bench.advance(ReadLeases.HELD_MILLIS);
        assertThat(requestReads(bench, FARTHER)).isTrue();

        bench.append(11).append(12).acknowledge(FARTHER, 15).acknowledge(A, 16).acknowledge(B, 16);

        assertThat(bench.sentTo(FARTHER, CommitRequest.class)).hasSize(1);
        assertThat(bench.sentTo(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void newWriterNotifiesOnlyReadersItGrantedLeases() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().withReader(id(FAR)));
        bench.acknowledge(A, 12).acknowledge(B, 12).acknowledge(FAR, 12);

        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(bench.sentTo(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void addsReadersOneByOne() {
        Bench bench = writingBench(withLearners());
        requestReads(bench, FAR);

        assertThat(requestReads(bench, FARTHER)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    @Test
    void refusesReadsBeforeMinReplicasAreInSync() {
        Bench bench = Bench.recovering(settings(3, A, B, C, FAR), withLearners());
        bench.acknowledge(A, 12).acknowledge(B, 12).acknowledge(FAR, 12);
        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);

        assertThat(requestReads(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    @Test
    void grantsNoReadsToNonMember() {
        Bench bench = Bench.writing(settings(2, A, B, C, FAR), members(A, B, C));
        bench.connect(FAR, 3).acknowledge(FAR, 12);

        assertThat(requestReads(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    @Test
    void rejectsReaderBeyondMemberLimit() {
        Members full = withLearners();
        for (int i = 0; full.canAddReader(); i++) {
            full = full.withReader(NodeId.of("reader-" + i));
        }
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR, FARTHER), full);
        bench.acknowledge(A, 12)
                .acknowledge(B, 12)
                .acknowledge(C, 12)
                .acknowledge(FAR, 12)
                .advance(ReadLeases.HELD_MILLIS);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);

        assertThat(requestReads(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
    }

    /** A change of the members that cannot be committed is not begun (R7). A lease that no node named is waited for all the same. */
    @Test
    void rejectsReaderWithoutMajorityInSync() {
        Bench bench = writingBench(withLearners());
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        assertThat(requestReads(bench, FAR)).isFalse();

        assertThat(bench.words).isEmpty();
        bench.connect(B, 4).acknowledge(B, 12);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        assertThat(bench.state.committedSn()).isEqualTo(12);
        bench.advanceClock(ReadLeases.HELD_MILLIS).step(WriterEvent.ticked());
        assertThat(bench.words).contains("committed 13");
    }

    @Test
    void keepsReaderWithoutMajorityInSync() {
        Bench bench = benchWithReader();
        bench.step(WriterEvent.peerDisconnected(B))
                .step(WriterEvent.peerDisconnected(C))
                .step(WriterEvent.peerDisconnected(FAR));

        bench.advance(12_000);
        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
        assertThat(requestReads(bench, FAR)).isFalse();

        bench.connect(B, 4).acknowledge(B, 13);
        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().readers()).isEmpty();
    }

    @Test
    void removesReadersOneByOne() {
        Bench bench = benchWithReader();
        requestReads(bench, FARTHER);
        acknowledge(bench, 14);

        // Past the lease and the time for which it is remembered, in one leap, so that no node is late meanwhile.
        bench.advanceClock(12_000).step(WriterEvent.ticked()).advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().readers()).containsExactly(id(FARTHER));
        bench.acknowledge(A, 15).acknowledge(B, 15).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().readers()).isEmpty();
    }

    /** The same as in the first seconds of the process. */
    @Test
    void infrequentReaderIsRememberedForFullTimeout() {
        Bench bench = writingBench(withLearners());
        bench.advanceClock(60_000).step(WriterEvent.ticked());
        requestReads(bench, FAR);
        acknowledge(bench, 13);

        bench.advanceClock(5_000).step(WriterEvent.ticked());

        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
    }

    @Test
    void membersPayloadKeepsReaders() {
        Members members = withLearners().withReader(id(FAR)).withReader(id(FARTHER));

        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
        assertThat(Members.fromPayload(members.withoutReader(id(FAR)).toPayload())
                        .readers())
                .containsExactly(id(FARTHER));
    }
}
