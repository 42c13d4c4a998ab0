/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Retired;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.writer.events.WriterEvent;
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
    void aNodeMayBeReadFromWhenTheMembersThatNameItAreCommitted() {
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
    void nothingIsCommittedThatAReadersNodeLacks() {
        Bench bench = read();

        bench.appends(11).acks(A, 14).acks(B, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
        assertThat(bench.acks(FAR, 14).words).contains("committed 14");
    }

    @Test
    void aMajorityIsWaitedForAlsoWhenEveryReadersNodeHasIt() {
        Bench bench = read();

        bench.appends(11).acks(FAR, 14).acks(A, 14);

        assertThat(bench.state.committedSn()).isEqualTo(13);
    }

    @Test
    void whoIsLateLosesItsLeaseAndHoldsNothingUpAfterIt() {
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
    void aLeaseIsNoLongerThanItWasGrantedFor() {
        Bench bench = read();
        bench.after(100);
        bench.step(WriterEvent.peerDown(FAR));

        assertThat(wants(bench, FAR)).isFalse();
    }

    @Test
    void whoWasNotCountedOnForAWhileMustHaveWhatOthersMayHaveBeenShownMeanwhile() {
        Bench bench = read();
        bench.appends(11);
        bench.acks(A, 14).acks(B, 14);
        bench.passes(ReadLeases.HELD_MILLIS - 20);
        // Answers that were late are here, the last one is not.
        bench.acks(FAR, 14).acks(C, 14).acks(FARTHER, 14);
        bench.passes(100);
        bench.appends(12);
        bench.acks(A, 15).acks(B, 15);
        assertThat(bench.state.committedSn()).isEqualTo(15);

        assertThat(wants(bench, FAR)).isFalse();
        bench.acks(FAR, 15);
        assertThat(wants(bench, FAR)).isTrue();
    }

    @Test
    void theOnlyReaderIsToldAtOnceWhatAMajorityHas() {
        Bench bench = read();

        bench.appends(11).acks(A, 14).acks(B, 14);

        assertThat(bench.sent(FAR, CommitRequest.class))
                .extracting(CommitRequest::committedSn)
                .containsExactly(14L);
        assertThat(bench.sent(A, CommitRequest.class)).isEmpty();
        assertThat(bench.acks(C, 14).sent(FAR, CommitRequest.class)).isEmpty();
    }

    @Test
    void aReaderIsToldWhatTheOthersHave() {
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
    void aNewWriterWaitsForLeasesThatAnotherGranted() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().reading(id(FAR)));

        bench.acks(A, 12).acks(B, 12).acks(C, 12);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        bench.passes(ReadLeases.HELD_MILLIS - 20);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        bench.passes(30);

        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void aNewWriterGoesOnWithReadersThatHaveItsEntries() {
        Bench bench = Bench.recovering(settings(2, A, B, C, FAR), withLearners().reading(id(FAR)));

        bench.acks(A, 12).acks(B, 12).acks(FAR, 12);

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(wants(bench, FAR)).isTrue();
    }

    @Test
    void whoReadsNoLongerIsStruckOffAfterAWhile() {
        Bench bench = read();

        bench.passes(5_000);
        assertThat(bench.state.members().readers()).containsExactly(id(FAR));
        bench.passes(7_000);

        assertThat(bench.state.members().readers()).isEmpty();
    }

    @Test
    void aNodeThatIsRemovedIsWaitedForAsLongAsItsLeaseRuns() {
        Members removed = withLearners().reading(id(FAR)).without(id(FAR), Retired.Cause.REMOVED);

        Bench bench = Bench.recovering(settings(2, A, B, C), removed);
        bench.acks(A, 12).acks(B, 12);

        assertThat(bench.state.committedSn()).isEqualTo(8);
    }

    @Test
    void nobodyElseMayBeReadFrom() {
        Bench bench = writing(withLearners());
        assertThat(wants(bench, NodeAddress.of("stranger", 1))).isFalse();
        assertThat(bench.words).isEmpty();

        Bench recovering = Bench.recovering(settings(2, A, B, C, FAR), withLearners());
        assertThat(wants(recovering, FAR)).isFalse();
    }

    @Test
    void readersAreAmongTheMembersInTheLog() {
        Members members = withLearners().reading(id(FAR)).reading(id(FARTHER));

        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
        assertThat(Members.fromPayload(members.notReading(id(FAR)).toPayload()).readers())
                .containsExactly(id(FARTHER));
    }
}
