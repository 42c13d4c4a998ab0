/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
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
    public record PlantedRule(String bug, Rules rules, Invariant noticed) {
        @Override
        public String toString() {
            return bug + " breaks " + noticed.name();
        }
    }

    public static Stream<PlantedRule> bugs() {
        Rules real = Rules.REAL;
        return Stream.of(
                new PlantedRule(
                        "accepting lower epochs",
                        real.withReplicas(WrongReplicas::acceptLowerEpochs),
                        new PromisesOnlyGrow()),
                new PlantedRule(
                        "a promise that is not stored",
                        real.withDevices(WrongDevices::losePromises),
                        new PromisesOnlyGrow()),
                new PlantedRule(
                        "cutting too much",
                        real.withDevices(WrongDevices::truncateTooMuch),
                        new CommittedEntriesAreNeverTruncated()),
                new PlantedRule(
                        "writing something else",
                        real.withDevices(WrongDevices::falsifyEntries),
                        new CommittedEntriesAgree()),
                new PlantedRule(
                        "committing with a minority",
                        real.withWriter(WrongWriters::commitWithMinority),
                        new CommittedEntriesAgree()),
                new PlantedRule(
                        "committing with a minority",
                        real.withWriter(WrongWriters::commitWithMinority),
                        new AckedEntriesAreInLaterLogs()),
                new PlantedRule(
                        "hiding the tail from a new writer",
                        real.withReplicas(WrongReplicas::hideTail),
                        new AckedEntriesAreInLaterLogs()),
                new PlantedRule(
                        "answering before the sync",
                        real.withDevices(WrongDevices::skipSyncs),
                        new AckedEntriesAreInLaterLogs()),
                new PlantedRule(
                        "hiding the tail from a new writer",
                        real.withReplicas(WrongReplicas::hideTail),
                        new LaterWriterHasCommittedEntries()),
                new PlantedRule(
                        "serving uncommitted entries",
                        real.withReplicas(WrongReplicas::serveUncommitted),
                        new ReadersSeeCommittedOnly()),
                new PlantedRule(
                        "showing what was taken back",
                        real.withReplicas(WrongReplicas::showDiscardedSegments),
                        new DiscardedTransactionsStayDiscarded()),
                new PlantedRule(
                        "counting what was taken back",
                        real.withReplicas(WrongReplicas::countDiscardedTransactions),
                        new DiscardedTransactionsStayDiscarded()),
                new PlantedRule(
                        "answering readers alone",
                        real.withReplicas(WrongReplicas::answerAlone),
                        new DiscardedTransactionsStayDiscarded()),
                new PlantedRule(
                        "believing a minority",
                        real.withReader(WrongReaders::trustMinority),
                        new DiscardedTransactionsStayDiscarded()),
                new PlantedRule(
                        "two voters at once",
                        real.withWriter(WrongWriters::changeTwoVotersAtOnce),
                        new OneVoterChangesAtATime()),
                new PlantedRule(
                        "a change before the one before is committed",
                        real.withWriter(WrongWriters::changeMembersTooEarly),
                        new OneVoterChangesAtATime()),
                new PlantedRule(
                        "speaking under a foreign name",
                        real.withReplicas(WrongReplicas::replyUnderForeignId),
                        new NodeIdsAreNeverReused()),
                new PlantedRule(
                        "letting every learner vote",
                        real.withWriter(WrongWriters::letEveryLearnerVote),
                        new LearnersVoteOnlyOnRequest()),
                new PlantedRule(
                        "readmitting before anybody joins",
                        real.withWriter(WrongWriters::readmitBeforeJoin),
                        new RemovedNodesReturnOnlyOnRequest()),
                new PlantedRule(
                        "taking in who was removed",
                        real.withWriter(WrongWriters::addRemovedNodes),
                        new RemovedNodesReturnOnlyOnRequest()),
                new PlantedRule(
                        "taking retired storage back",
                        real.withWriter(WrongWriters::readmitRetiredStorage),
                        new RetiredStorageStaysOut()),
                new PlantedRule(
                        "forgetting who retired",
                        real.withWriter(WrongWriters::forgetRetiredMembers),
                        new RetiredStorageStaysOut()),
                new PlantedRule(
                        "taking places for storages",
                        real.withWriter(WrongWriters::identifyNodesByAddress),
                        new TermHasMajorityPromises()),
                new PlantedRule(
                        "voting while refetching",
                        real.withDevices(WrongDevices::hideDamage),
                        new DamagedNodeDoesNotVote()),
                new PlantedRule(
                        "answering before the sync",
                        real.withDevices(WrongDevices::skipSyncs),
                        new AnswersAreDurable()),
                new PlantedRule(
                        "acknowledging too much",
                        real.withReplicas(WrongReplicas::acknowledgeTooMuch),
                        new AnswersAreDurable()),
                new PlantedRule(
                        "committing with a minority",
                        real.withWriter(WrongWriters::commitWithMinority),
                        new CommittedEntriesAreOnMajority()),
                new PlantedRule(
                        "counting entries of older epochs",
                        real.withWriter(WrongWriters::countEntriesOfOlderEpochs),
                        new CommittedEntriesAreOnMajority()),
                new PlantedRule(
                        "counting entries of older epochs",
                        real.withWriter(WrongWriters::countEntriesOfOlderEpochs),
                        new LaterWriterHasCommittedEntries()),
                new PlantedRule(
                        "forgetting what is committed",
                        real.withWriter(WrongWriters::forgetCommits),
                        new CommittedOnlyGrows()),
                new PlantedRule(
                        "leaving out a transaction", real.withWriter(WrongWriters::skipTransaction), new NoGaps()),
                new PlantedRule(
                        "purging too much", real.withDevices(WrongDevices::purgeTooMuch), new BarriersAreKept()),
                new PlantedRule(
                        "taking strangers for its own",
                        real.withReplicas(WrongReplicas::treatForeignLogsAsOwn),
                        new StrangersStayOut()),
                new PlantedRule(
                        "promising one epoch to two writers",
                        real.withReplicas(WrongReplicas::promiseSameEpochTwice),
                        new OneWriterPerEpoch()),
                new PlantedRule(
                        "writing something else",
                        real.withDevices(WrongDevices::falsifyEntries),
                        new OneWriterPerEpoch()),
                new PlantedRule("ignoring leases", real.withReplicas(WrongReplicas::ignoreLeases), new LeaseIsKept()),
                new PlantedRule(
                        "asking before the term is wanted",
                        real.withWriter(WrongWriters::requestBeforeTermIsWanted),
                        new NoRequestBeforeTermIsWanted()),
                new PlantedRule(
                        "ignoring leases",
                        real.withReplicas(WrongReplicas::ignoreLeases),
                        new OnlyOneWriterBelievesItIsAlone()),
                new PlantedRule(
                        "believing refusals",
                        real.withReplicas(WrongReplicas::treatRefusalsAsDeath),
                        new OnlyOneWriterBelievesItIsAlone()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void intendedInvariantAloneDetectsPlantedBug(PlantedRule planted) {
        assertThat(BugHunt.firstFailure(
                        planted.toString(),
                        planted.noticed().name(),
                        seed -> Simulation.Plan.of(
                                seed, FaultMix.draw(seed), planted.rules(), List.of(planted.noticed()))))
                .as("%s, within %s seeds", planted, BugHunt.MAX_SEEDS)
                .isPresent();
    }

    @Test
    void everyInvariantHasPlantedBug() {
        Set<String> noticed = bugs().map(planted -> planted.noticed().name()).collect(Collectors.toSet());

        assertThat(Invariants.all()).extracting(Invariant::name).allMatch(noticed::contains);
    }
}
