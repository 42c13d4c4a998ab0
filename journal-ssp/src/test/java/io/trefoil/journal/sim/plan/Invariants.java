/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.log.AckedIsInEveryLaterLog;
import io.trefoil.journal.sim.invariant.log.AnswersAreDurable;
import io.trefoil.journal.sim.invariant.log.BarriersAreKept;
import io.trefoil.journal.sim.invariant.log.CommittedEntriesAgree;
import io.trefoil.journal.sim.invariant.log.CommittedIsNeverCut;
import io.trefoil.journal.sim.invariant.log.CommittedIsOnAMajority;
import io.trefoil.journal.sim.invariant.log.CommittedOnlyGrows;
import io.trefoil.journal.sim.invariant.log.LaterWriterHasWhatIsCommitted;
import io.trefoil.journal.sim.invariant.log.NoGaps;
import io.trefoil.journal.sim.invariant.log.ReadersSeeCommittedOnly;
import io.trefoil.journal.sim.invariant.log.TakenBackIsGone;
import io.trefoil.journal.sim.invariant.member.DamagedNodeDoesNotVote;
import io.trefoil.journal.sim.invariant.member.LearnersVoteWhenWanted;
import io.trefoil.journal.sim.invariant.member.NodeIdsAreNeverReused;
import io.trefoil.journal.sim.invariant.member.OneVoterChangesAtATime;
import io.trefoil.journal.sim.invariant.member.RemovedReturnWhenWanted;
import io.trefoil.journal.sim.invariant.member.RetiredStorageStaysOut;
import io.trefoil.journal.sim.invariant.member.StrangersStayOut;
import io.trefoil.journal.sim.invariant.term.LeaseIsKept;
import io.trefoil.journal.sim.invariant.term.NothingIsAskedTooEarly;
import io.trefoil.journal.sim.invariant.term.OneWriterBelievesItselfAlone;
import io.trefoil.journal.sim.invariant.term.OneWriterPerEpoch;
import io.trefoil.journal.sim.invariant.term.PromisesOnlyGrow;
import io.trefoil.journal.sim.invariant.term.TermHasPromisesOfAMajority;
import java.util.List;

/** All invariants that are checked after every event. */
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
                new RemovedReturnWhenWanted(),
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
                new NothingIsAskedTooEarly(),
                new OneWriterBelievesItselfAlone());
    }
}
