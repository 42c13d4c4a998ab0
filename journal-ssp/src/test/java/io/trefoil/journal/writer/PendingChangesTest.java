/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator wants is wanted as long as it is asked for, and until it is done (protocol page, "Members"). */
class PendingChangesTest {

    private static final long SECOND = 1_000_000_000L;
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final PendingChanges NONE = PendingChanges.empty(0);

    private static ChangeProgress progress(String ticket, Stage stage) {
        return ChangeProgress.of(ticket, stage, "text");
    }

    private static PendingChanges pending(MemberChange change, Stage stage) {
        return NONE.withReported(change, progress(change.ticket(), stage), 5 * SECOND);
    }

    @Test
    void joiningNodeIsWantedUntilRequestEnds() {
        MemberChange join = MemberChange.join("t", A);

        assertThat(pending(join, Stage.UNDER_WAY).isMemberRequested(A)).isTrue();
        assertThat(pending(join, Stage.UNDER_WAY).isMemberRequested(B)).isFalse();
        assertThat(pending(join, Stage.REFUSED).isMemberRequested(A)).isFalse();
        assertThat(pending(join, Stage.DONE).isMemberRequested(A)).isFalse();
        assertThat(pending(MemberChange.remove("t", NodeId.of("a")), Stage.UNDER_WAY)
                        .isMemberRequested(A))
                .isFalse();
    }

    @Test
    void addAndReplaceWantVoterAndLearnerRequestWantsLearner() {
        PendingChanges add = pending(MemberChange.add("t", A), Stage.UNDER_WAY);
        PendingChanges replace = pending(MemberChange.replace("t", NodeId.of("b"), A), Stage.UNDER_WAY);
        PendingChanges learner = pending(MemberChange.addLearner("t", A), Stage.UNDER_WAY);
        PendingChanges join = pending(MemberChange.join("t", A), Stage.UNDER_WAY);

        assertThat(List.of(add.isVoterRequested(A), replace.isVoterRequested(A), learner.isVoterRequested(A)))
                .containsExactly(true, true, false);
        assertThat(join.isVoterRequested(A)).isFalse();
        assertThat(List.of(add.isLearnerRequested(A), replace.isLearnerRequested(A), learner.isLearnerRequested(A)))
                .containsExactly(false, false, true);
    }

    @Test
    void completedChangeStaysDoneWhenRequestedAgain() {
        MemberChange change = MemberChange.add("t", A);
        PendingChanges done = pending(change, Stage.DONE);

        PendingChanges again = done.withReported(change, progress("t", Stage.UNDER_WAY), 6 * SECOND);

        assertThat(again.progress()).containsExactly(progress("t", Stage.DONE));
        assertThat(again.with(progress("t", Stage.UNDER_WAY)).progress()).containsExactly(progress("t", Stage.DONE));
        assertThat(again.openChanges()).isEmpty();
        assertThat(again.list()).containsExactly(change);
    }

    @Test
    void rejectedChangeResumesWhenRequestedAgain() {
        MemberChange change = MemberChange.add("t", A);
        PendingChanges refused = pending(change, Stage.REFUSED);

        assertThat(refused.openChanges()).containsExactly(change);
        assertThat(refused.withReported(change, progress("t", Stage.UNDER_WAY), 6 * SECOND)
                        .progress())
                .containsExactly(progress("t", Stage.UNDER_WAY));
        assertThat(refused.with(progress("t", Stage.UNDER_WAY)).progress())
                .containsExactly(progress("t", Stage.UNDER_WAY));
    }

    @Test
    void dropsChangeThreeSecondsAfterLastRequest() {
        MemberChange change = MemberChange.add("t", A);
        PendingChanges pendingChanges = pending(change, Stage.UNDER_WAY);

        assertThat(pendingChanges.withoutExpired(8 * SECOND - 1).isEmpty()).isFalse();
        assertThat(pendingChanges.withoutExpired(8 * SECOND).isEmpty()).isTrue();
        assertThat(pendingChanges
                        .with(progress("t", Stage.REFUSED))
                        .withoutExpired(8 * SECOND)
                        .isEmpty())
                .isTrue();
        assertThat(pendingChanges
                        .withReported(change, progress("t", Stage.UNDER_WAY), 6 * SECOND)
                        .withoutExpired(8 * SECOND)
                        .isEmpty())
                .isFalse();
    }

    @Test
    void floodOfRequestsIsBoundedAndKeepsKnownOnes() {
        PendingChanges pendingChanges = NONE;
        for (int i = 0; i < 1_000; i++) {
            pendingChanges =
                    pendingChanges.withReported(MemberChange.add("t" + i, A), progress("t" + i, Stage.UNDER_WAY), 0);
        }

        assertThat(pendingChanges.list()).hasSize(100);
        assertThat(pendingChanges
                        .withReported(MemberChange.add("t0", B), progress("t0", Stage.REFUSED), 0)
                        .list())
                .contains(MemberChange.add("t0", B));
    }

    @Test
    void remembersLastCollectionTime() {
        PendingChanges asked = NONE.withRequestTime(7);

        assertThat(asked.requestedNanos()).isEqualTo(7);
        assertThat(asked.withReported(MemberChange.add("t", A), progress("t", Stage.UNDER_WAY), 0)
                        .with(progress("t", Stage.REFUSED))
                        .withoutExpired(9 * SECOND)
                        .requestedNanos())
                .isEqualTo(7);
    }
}
