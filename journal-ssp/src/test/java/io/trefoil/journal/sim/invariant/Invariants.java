/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant;

import java.util.List;

/** Everything that is checked after every event. */
public final class Invariants {

    private Invariants() {}

    public static List<Invariant> all() {
        return List.of(
                new PromisesOnlyGrow(),
                new CommittedIsNeverCut(),
                new CommittedEntriesAgree(),
                new AckedIsInEveryLaterLog(),
                new LaterWriterHasWhatIsCommitted(),
                new ReadersSeeCommittedOnly(),
                new TakenBackIsGone(),
                new OneVoterChangesAtATime(),
                new LearnersVoteWhenWanted(),
                new NodeIdsAreNeverReused(),
                new RetiredStorageStaysOut(),
                new TermHasPromisesOfAMajority(),
                new DamagedNodeDoesNotVote(),
                new AnswersAreDurable(),
                new CommittedIsOnAMajority(),
                new CommittedOnlyGrows(),
                new NoGaps(),
                new BarriersAreKept(),
                new StrangersStayOut(),
                new OneWriterPerEpoch(),
                new LeaseIsKept(),
                new OneWriterBelievesItselfAlone());
    }
}
