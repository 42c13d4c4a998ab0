/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
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
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.writer.WrongWriters;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An invariant that never fires proves nothing: each must find the bugs planted for it, on its own. */
public class JournalInvariantsFireTest {

    /** One broken rule and the invariant that must notice it. */
    public record Planted(String bug, Rules rules, Invariant noticed) {
        @Override
        public String toString() {
            return bug + " breaks " + noticed.name();
        }
    }

    public static Stream<Planted> bugs() {
        Rules real = Rules.REAL;
        return Stream.of(
                new Planted(
                        "accepting lower epochs",
                        real.withReplicas(WrongReplicas::acceptingLowerEpochs),
                        new PromisesOnlyGrow()),
                new Planted(
                        "a promise that is not stored",
                        real.withDevices(WrongDevices::losingPromises),
                        new PromisesOnlyGrow()),
                new Planted(
                        "cutting too much", real.withDevices(WrongDevices::cuttingTooMuch), new CommittedIsNeverCut()),
                new Planted(
                        "writing something else",
                        real.withDevices(WrongDevices::falsifyingEntries),
                        new CommittedEntriesAgree()),
                new Planted(
                        "committing with a minority",
                        real.withWriter(WrongWriters::commitsWithAMinority),
                        new CommittedEntriesAgree()),
                new Planted(
                        "committing with a minority",
                        real.withWriter(WrongWriters::commitsWithAMinority),
                        new AckedIsInEveryLaterLog()),
                new Planted(
                        "hiding the tail from a new writer",
                        real.withReplicas(WrongReplicas::hidingItsTail),
                        new AckedIsInEveryLaterLog()),
                new Planted(
                        "answering before the sync",
                        real.withDevices(WrongDevices::notSyncing),
                        new AckedIsInEveryLaterLog()),
                new Planted(
                        "hiding the tail from a new writer",
                        real.withReplicas(WrongReplicas::hidingItsTail),
                        new LaterWriterHasWhatIsCommitted()),
                new Planted(
                        "serving uncommitted entries",
                        real.withReplicas(WrongReplicas::servingUncommitted),
                        new ReadersSeeCommittedOnly()),
                new Planted(
                        "showing what was taken back",
                        real.withReplicas(WrongReplicas::showingWhatWasTakenBack),
                        new TakenBackIsGone()),
                new Planted(
                        "counting what was taken back",
                        real.withReplicas(WrongReplicas::countingWhatWasTakenBack),
                        new TakenBackIsGone()),
                new Planted(
                        "answering readers alone",
                        real.withReplicas(WrongReplicas::answeringAlone),
                        new TakenBackIsGone()),
                new Planted(
                        "believing a minority",
                        real.withReader(WrongReaders::believingAMinority),
                        new TakenBackIsGone()),
                new Planted(
                        "two voters at once",
                        real.withWriter(WrongWriters::changesTwoVotersAtOnce),
                        new OneVoterChangesAtATime()),
                new Planted(
                        "a change before the one before is committed",
                        real.withWriter(WrongWriters::changesMembersTooEarly),
                        new OneVoterChangesAtATime()),
                new Planted(
                        "speaking under a foreign name",
                        real.withReplicas(WrongReplicas::underAForeignName),
                        new NodeIdsAreNeverReused()),
                new Planted(
                        "letting every learner vote",
                        real.withWriter(WrongWriters::letsEveryLearnerVote),
                        new LearnersVoteWhenWanted()),
                new Planted(
                        "readmitting before anybody joins",
                        real.withWriter(WrongWriters::readmitsBeforeAnybodyJoins),
                        new RemovedReturnWhenWanted()),
                new Planted(
                        "taking in who was removed",
                        real.withWriter(WrongWriters::takesInWhoWasRemoved),
                        new RemovedReturnWhenWanted()),
                new Planted(
                        "taking retired storage back",
                        real.withWriter(WrongWriters::takesRetiredStorageBack),
                        new RetiredStorageStaysOut()),
                new Planted(
                        "forgetting who retired",
                        real.withWriter(WrongWriters::forgetsWhoRetired),
                        new RetiredStorageStaysOut()),
                new Planted(
                        "taking places for storages",
                        real.withWriter(WrongWriters::takesPlacesForStorages),
                        new TermHasPromisesOfAMajority()),
                new Planted(
                        "voting while refetching",
                        real.withDevices(WrongDevices::hidingDamage),
                        new DamagedNodeDoesNotVote()),
                new Planted(
                        "answering before the sync",
                        real.withDevices(WrongDevices::notSyncing),
                        new AnswersAreDurable()),
                new Planted(
                        "acknowledging too much",
                        real.withReplicas(WrongReplicas::acknowledgingTooMuch),
                        new AnswersAreDurable()),
                new Planted(
                        "committing with a minority",
                        real.withWriter(WrongWriters::commitsWithAMinority),
                        new CommittedIsOnAMajority()),
                new Planted(
                        "counting entries of older epochs",
                        real.withWriter(WrongWriters::countsEntriesOfOlderEpochs),
                        new CommittedIsOnAMajority()),
                new Planted(
                        "counting entries of older epochs",
                        real.withWriter(WrongWriters::countsEntriesOfOlderEpochs),
                        new LaterWriterHasWhatIsCommitted()),
                new Planted(
                        "forgetting what is committed",
                        real.withWriter(WrongWriters::forgetsWhatIsCommitted),
                        new CommittedOnlyGrows()),
                new Planted(
                        "leaving out a transaction", real.withWriter(WrongWriters::skipsATransaction), new NoGaps()),
                new Planted("purging too much", real.withDevices(WrongDevices::purgingTooMuch), new BarriersAreKept()),
                new Planted(
                        "taking strangers for its own",
                        real.withReplicas(WrongReplicas::takingStrangersForItsOwn),
                        new StrangersStayOut()),
                new Planted(
                        "promising one epoch to two writers",
                        real.withReplicas(WrongReplicas::promisingOneEpochTwice),
                        new OneWriterPerEpoch()),
                new Planted(
                        "writing something else",
                        real.withDevices(WrongDevices::falsifyingEntries),
                        new OneWriterPerEpoch()),
                new Planted("ignoring leases", real.withReplicas(WrongReplicas::ignoringLeases), new LeaseIsKept()),
                new Planted(
                        "asking before the term is wanted",
                        real.withWriter(WrongWriters::asksBeforeItsTermIsWanted),
                        new NothingIsAskedTooEarly()),
                new Planted(
                        "ignoring leases",
                        real.withReplicas(WrongReplicas::ignoringLeases),
                        new OneWriterBelievesItselfAlone()),
                new Planted(
                        "believing refusals",
                        real.withReplicas(WrongReplicas::believingRefusals),
                        new OneWriterBelievesItselfAlone()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void intendedInvariantAloneDetectsPlantedBug(Planted planted) {
        assertThat(BugHunt.firstFailure(
                        planted.toString(),
                        planted.noticed().name(),
                        seed -> Simulation.Plan.of(
                                seed, FaultMix.drawnFrom(seed), planted.rules(), List.of(planted.noticed()))))
                .as("%s, within %s seeds", planted, BugHunt.MAX_SEEDS)
                .isPresent();
    }

    @Test
    void everyInvariantHasPlantedBug() {
        Set<String> noticed = bugs().map(planted -> planted.noticed().name()).collect(Collectors.toSet());

        assertThat(Invariants.all()).extracting(Invariant::name).allMatch(noticed::contains);
    }
}
