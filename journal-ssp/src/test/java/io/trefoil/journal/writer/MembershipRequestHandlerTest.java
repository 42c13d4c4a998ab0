/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.recovering;
import static io.trefoil.journal.writer.Bench.writing;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a writer does about a request and what it says of it (protocol page, "Members"). */
class MembershipRequestHandlerTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final NodeAddress E = NodeAddress.of("e", 1);
    private static final NodeId FRESH = NodeId.of("fresh");
    private static final long HEARTBEAT = Bench.LEASE_MILLIS / 5;

    @Test
    void collectsRequestsMoreOftenWhileRequestsArePending() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        assertThat(countCollectRequests(bench, 3 * HEARTBEAT)).isEqualTo(2);

        bench.receiveChange(A, MemberChange.add("t", D));

        assertThat(countCollectRequests(bench, 1_000)).isEqualTo(10);
    }

    private static int countCollectRequests(Bench bench, long millis) {
        int questions = 0;
        for (long passed = 0; passed < millis; passed += 10) {
            questions +=
                    bench.advance(10).sentTo(B, CollectChangesRequest.class).size();
        }
        return questions;
    }

    @Test
    void collectsRequestsOnlyFromConnectedMembers() {
        Bench bench = writing(settings(A, B, C, D, E), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).connect(D, 3);

        bench.advance(HEARTBEAT + 10);

        assertThat(bench.sentTo(A, CollectChangesRequest.class)).hasSize(1);
        assertThat(bench.sentTo(C, CollectChangesRequest.class)).isEmpty();
        assertThat(bench.sentTo(D, CollectChangesRequest.class)).isEmpty();
    }

    @Test
    void connectsNewAddressOnceAndKnownAddressNever() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        assertThat(bench.receiveChange(A, MemberChange.add("t", D)).words).containsExactly("meet d");
        assertThat(bench.receiveChange(A, MemberChange.add("t", D)).words).isEmpty();
        assertThat(bench.receiveChange(A, MemberChange.add("c", C)).words).isEmpty();
    }

    @Test
    void rejectedRequestConnectsNoNode() {
        Bench bench = writing(settings(A, B, C), membersWithout(D, RetiredStorage.Cause.REMOVED));

        bench.receiveChange(A, MemberChange.join("t", D));

        assertThat(bench.words).isEmpty();
        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
    }

    @Test
    void waitingRequestDoesNotDelayOthers() {
        Bench bench = writing(settings(A, B, C, E), members(A, B, C, E));
        bench.receiveChange(A, MemberChange.add("wait", D)).receiveChange(A, MemberChange.remove("go", id(E)));

        bench.advance(10);

        assertThat(bench.state.members().find(id(E))).isEmpty();
    }

    @Test
    void deadNodeStaysUntilSuccessorIsInSync() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.step(WriterEvent.peerDisconnected(C))
                .step(WriterEvent.peerDisconnected(D))
                .connect(D, 3);
        bench.receiveChange(A, MemberChange.replace("t", id(C), D));

        bench.advance(100);
        assertThat(bench.state.members().find(id(C))).isPresent();

        bench.acknowledge(D, 12).advance(10);
        assertThat(bench.state.members().find(id(C))).isEmpty();
    }

    @Test
    void defersChangeUntilEarlierEntriesReachMajority() {
        Bench bench = recovering(settings(A, B, C), members(A, B, C));

        assertUnderWay(bench, MemberChange.add("t", D), "waits until a majority has what was written before");
        // what is refused in any case is said at once
        assertRefused(bench, MemberChange.remove("who", FRESH), "is not a member");

        bench.acknowledge(A, 12).acknowledge(B, 12);
        assertUnderWay(bench, MemberChange.add("t", D), "waits for a session with d:1");
    }

    @Test
    void reportsEachStepOfAddingMember() {
        Bench bench = writing(settings(A, B, C), membersWithout(D, RetiredStorage.Cause.REMOVED));
        MemberChange add = MemberChange.add("t", D);

        assertUnderWay(bench, add, "waits for a session with d:1");
        bench.connect(D, 3);
        assertUnderWay(
                bench,
                add,
                "the storage at d:1 was a member once; it is moved aside (in the process of a NameNode: once that was "
                        + "bootstrapped)");
        bench.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE));
        assertUnderWay(bench, add, "d:1 is given storage");
        bench.step(WriterEvent.peerConnected(D, FRESH, true, Epoch.NONE));
        assertUnderWay(bench, add, "d:1 is being caught up, it has entry 0 of 12");
        bench.acknowledge(D, FRESH, 12);
        assertUnderWay(bench, add, "d:1 is in sync and becomes a voter");
        bench.advance(10).acknowledge(A, 13).acknowledge(B, 13).acknowledge(D, FRESH, 13);
        assertUnderWay(bench, add, "d:1 is in sync and becomes a voter");
        bench.advance(10).acknowledge(A, 14).acknowledge(B, 14).acknowledge(D, FRESH, 14);
        assertDone(bench, add);
    }

    @Test
    void permanentLearnerSatisfiesJoinRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.permanentLearner(id(D), D)));

        assertDone(bench, MemberChange.join("join", D));
        assertDone(bench, MemberChange.addLearner("learn", D));
        assertUnderWay(bench, MemberChange.add("add", D), "becomes a voter");
        assertDone(bench, MemberChange.join("voter", C));
    }

    @Test
    void temporaryLearnerDoesNotFulfillRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));

        assertUnderWay(bench, MemberChange.join("join", D), "becomes a voter");
        assertUnderWay(bench, MemberChange.add("add", D), "becomes a voter");
        assertUnderWay(bench, MemberChange.addLearner("learn", D), "becomes a learner");
    }

    @Test
    void absentMemberSatisfiesAddUnlessItsStorageChanged() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.step(WriterEvent.peerDisconnected(C));
        assertDone(bench, MemberChange.add("away", C));

        bench.step(WriterEvent.peerConnected(C, FRESH, false, Epoch.NONE));
        assertUnderWay(bench, MemberChange.add("lost", C), "c:1 is given storage");

        bench.step(WriterEvent.peerDisconnected(C));
        assertDone(bench, MemberChange.add("away-again", C));
    }

    @Test
    void fullJournalRejectsNewMembers() {
        List<Member> list = new ArrayList<>(members(A, B, C).list());
        while (list.size() < Members.MAX_COUNT) {
            NodeAddress address = NodeAddress.of("learner" + list.size(), 1);
            list.add(Member.permanentLearner(id(address), address));
        }
        Bench bench = writing(settings(A, B, C), Members.of(list));

        assertRefused(bench, MemberChange.add("new", D), "the journal has 64 members");
        assertUnderWay(bench, MemberChange.add("there", list.get(9).address()), "becomes a voter");
    }

    @Test
    void movedStorageIsNotTreatedAsTwoAddresses() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        assertRefused(bench, MemberChange.add("both", D), "one node under two addresses");
        assertRefused(bench, MemberChange.replace("replace", id(B), D), "one node under two addresses");

        bench.step(WriterEvent.peerDisconnected(C));
        assertUnderWay(bench, MemberChange.add("moved", D), "is being caught up");

        bench.connect(C, 3).step(WriterEvent.peerDisconnected(D));
        assertUnderWay(bench, MemberChange.add("away", D), "waits for a session");
    }

    @Test
    void rejectsNodeReplacingItself() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        assertRefused(bench, MemberChange.replace("t", id(C), C), "cannot take its own place");
    }

    @Test
    void minReplicasCountsVotersNotLearners() {
        Bench bench = writing(settings(A, B), members(A, B).with(Member.permanentLearner(id(D), D)));

        assertRefused(bench, MemberChange.remove("voter", id(B)), "trefoil.journal.replicas.min");
        assertUnderWay(bench, MemberChange.remove("learner", id(D)), "waits until voters are in sync without it");
        bench.advance(10);
        assertThat(bench.state.members().find(id(D))).isEmpty();
    }

    @Test
    void removalDownToMinReplicasIsAllowed() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.receiveChange(A, MemberChange.remove("t", id(C))).advance(10);

        assertThat(bench.state.members()).isEqualTo(membersWithout(C, members(A, B, C), RetiredStorage.Cause.REMOVED));
    }

    @Test
    void voterBelowMinReplicasMayBeReplaced() {
        Bench two = writing(settings(A, B), members(A, B));
        assertUnderWay(two, MemberChange.replace("t", id(B), D), "waits for a session with d:1");

        Bench alone = writing(settings(A).minReplicas(1), members(A));
        assertUnderWay(alone, MemberChange.replace("t", id(A), D), "waits for a session with d:1");
    }

    @Test
    void removalLosingMajorityWaitsFourAckTimeoutsBeforeRejection() {
        Bench bench = writing(settings(A, B, C), members(A, B, C)).step(WriterEvent.peerDisconnected(C));
        MemberChange remove = MemberChange.remove("t", id(B));

        bench.advance(4 * Bench.ACK_TIMEOUT_MILLIS);
        assertUnderWay(bench, remove, "1 of 2 would be, 2 are needed");
        // nor is a replacement refused: any node that comes may help
        bench.advance(10);
        assertRefused(bench, remove, "1 of 2 would be, 2 are needed");
        assertUnderWay(bench, MemberChange.replace("replace", id(B), D), "waits for a session with d:1");
    }

    @Test
    void beforeTermStartRemovalIsNotRejectedForMajority() {
        Bench bench = recovering(settings(A, B, C), members(A, B, C));

        bench.acknowledge(C, 10).advance(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertUnderWay(bench, MemberChange.remove("t", id(B)), "waits until a majority has what was written before");
    }

    @Test
    void removalKeepingMajorityIsNeverRejectedForIt() {
        Bench bench = writing(settings(A, B, C, E), members(A, B, C, E));
        bench.advance(5 * Bench.ACK_TIMEOUT_MILLIS);
        MemberChange remove = MemberChange.remove("t", id(E));

        assertUnderWay(bench, remove, "3 of 3 would be, 2 are needed");
        bench.advance(10);
        assertUnderWay(bench, remove, "waits until a majority has what was written before");
        bench.acknowledge(A, 13).acknowledge(B, 13).acknowledge(C, 13);
        assertDone(bench, remove);
    }

    private static void assertUnderWay(Bench bench, MemberChange change, String text) {
        assertProgress(bench, change, ChangeProgress.Stage.UNDER_WAY, text);
    }

    private static void assertRefused(Bench bench, MemberChange change, String text) {
        assertProgress(bench, change, ChangeProgress.Stage.REFUSED, text);
    }

    private static void assertDone(Bench bench, MemberChange change) {
        assertProgress(bench, change, ChangeProgress.Stage.DONE, "the members are");
    }

    private static void assertProgress(Bench bench, MemberChange change, ChangeProgress.Stage stage, String text) {
        ChangeProgress told = bench.receiveChange(A, change).progressOf(change.ticket());

        assertThat(told.text()).contains(text);
        assertThat(told.stage()).isEqualTo(stage);
    }

    /** A, B and C vote; another one did. */
    private static Members membersWithout(NodeAddress removedNode, RetiredStorage.Cause cause) {
        return membersWithout(removedNode, members(A, B, C, removedNode), cause);
    }

    private static Members membersWithout(NodeAddress removedNode, Members members, RetiredStorage.Cause cause) {
        return members.without(id(removedNode), cause);
    }

    private static WriterSettings.Builder settings(NodeAddress... addresses) {
        return Bench.settings(2, addresses);
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }
}
