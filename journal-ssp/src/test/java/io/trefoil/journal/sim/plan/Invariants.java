/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.log.AckedEntriesAreInLaterLogs;
import io.trefoil.journal.sim.invariant.log.AnswersAreDurable;
import io.trefoil.journal.sim.invariant.log.BarriersAreKept;
import io.trefoil.journal.sim.invariant.log.CommittedEntriesAgree;
import io.trefoil.journal.sim.invariant.log.CommittedEntriesAreNeverTruncated;
import io.trefoil.journal.sim.invariant.log.CommittedEntriesAreOnMajority;
import io.trefoil.journal.sim.invariant.log.CommittedOnlyGrows;
import io.trefoil.journal.sim.invariant.log.DiscardedTransactionsStayDiscarded;
import io.trefoil.journal.sim.invariant.log.LaterWriterHasCommittedEntries;
import io.trefoil.journal.sim.invariant.log.NoGaps;
import io.trefoil.journal.sim.invariant.log.ReadersSeeCommittedOnly;
import io.trefoil.journal.sim.invariant.member.DamagedNodeDoesNotVote;
import io.trefoil.journal.sim.invariant.member.LearnersVoteOnlyOnRequest;
import io.trefoil.journal.sim.invariant.member.NodeIdsAreNeverReused;
import io.trefoil.journal.sim.invariant.member.OneVoterChangesAtATime;
import io.trefoil.journal.sim.invariant.member.RemovedNodesReturnOnlyOnRequest;
import io.trefoil.journal.sim.invariant.member.RetiredStorageStaysOut;
import io.trefoil.journal.sim.invariant.member.StrangersStayOut;
import io.trefoil.journal.sim.invariant.term.LeaseIsKept;
import io.trefoil.journal.sim.invariant.term.NoRequestBeforeTermIsWanted;
import io.trefoil.journal.sim.invariant.term.OneWriterPerEpoch;
import io.trefoil.journal.sim.invariant.term.OnlyOneWriterBelievesItIsAlone;
import io.trefoil.journal.sim.invariant.term.PromisesOnlyGrow;
import io.trefoil.journal.sim.invariant.term.TermHasMajorityPromises;
import java.util.List;

/** All invariants that are checked after every event. */
public final class Invariants {

    private Invariants() {}

    public static List<Invariant> all() {
        return List.of(
                new PromisesOnlyGrow(),
                new CommittedEntriesAreNeverTruncated(),
                new CommittedEntriesAgree(),
                new AckedEntriesAreInLaterLogs(),
                new LaterWriterHasCommittedEntries(),
                new ReadersSeeCommittedOnly(),
                new DiscardedTransactionsStayDiscarded(),
                new OneVoterChangesAtATime(),
                new LearnersVoteOnlyOnRequest(),
                new RemovedNodesReturnOnlyOnRequest(),
                new NodeIdsAreNeverReused(),
                new RetiredStorageStaysOut(),
                new TermHasMajorityPromises(),
                new DamagedNodeDoesNotVote(),
                new AnswersAreDurable(),
                new CommittedEntriesAreOnMajority(),
                new CommittedOnlyGrows(),
                new NoGaps(),
                new BarriersAreKept(),
                new StrangersStayOut(),
                new OneWriterPerEpoch(),
                new LeaseIsKept(),
                new NoRequestBeforeTermIsWanted(),
                new OnlyOneWriterBelievesItIsAlone());
    }
}
