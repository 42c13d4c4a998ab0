/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.writer.WrongChanges;
import io.trefoil.journal.writer.WrongWriters;
import java.util.List;

/**
 * A broken rule, and the small world in which the explorer finds it.
 *
 * @param rule what the first wrong state breaks
 */
record PlantedBug(String name, ExploredRules rules, Bounds bounds, String rule) {

    /** All of them. */
    static List<PlantedBug> all() {
        ExploredRules real = ExploredRules.REAL;
        Bounds calm = Bounds.CALM;
        Bounds crash = calm.with(Bound.CRASHES, 1);
        Bounds takeover = calm.with(Bound.SERVING);
        Bounds clocks = takeover.with(Bound.APPENDS, 0).with(Bound.TICKS, 1).with(Bound.CLOCKS, 50);
        Bounds join = calm.with(Bound.APPENDS, 0)
                .with(Bound.RETURNS, 1)
                .with(Bound.CHANGES, 3)
                .withJoiningMember();
        Bounds damage = takeover.with(Bound.APPENDS, 0).with(Bound.DAMAGES, 1);
        Bounds removal = takeover.with(Bound.EPOCHS, 1).with(Bound.APPENDS, 0).with(Bound.REMOVALS, 1);
        Bounds written = takeover.with(Bound.APPENDS, 2).with(Bound.WRITTEN);
        Bounds purge = written.with(Bound.BARRIERS, 1).with(Bound.PURGES, 1);
        Bounds promotion = written.with(Bound.EPOCHS, 3).with(Bound.PROMOTIONS, 1);
        Bounds reads = takeover.with(Bound.APPENDS, 0).with(Bound.READS, 2).with(Bound.TICKS, 1);
        Bounds taken = reads.with(Bound.CLOCKS, 400);
        Bounds superseded = reads.with(Bound.TICKS, 2).with(Bound.CLOCKS, 1_000);
        Bounds late = reads.with(Bound.EPOCHS, 1).with(Bound.APPENDS, 1).with(Bound.CLOCKS, 1_000);
        return List.of(
                new PlantedBug(
                        "a node answers before its promise is durable",
                        real.withNode(WrongNodes::answerBeforeWriting),
                        crash,
                        "R1"),
                new PlantedBug(
                        "a node forgets its promise when it starts",
                        real.withDisks(WrongNodes::withoutPromise),
                        crash,
                        "R1"),
                new PlantedBug(
                        "a node's disk is emptied, and it votes", real.withDisks(WrongNodes::withoutLog), crash, "R1"),
                new PlantedBug(
                        "a node obeys older writers", real.withNode(WrongNodes::obeyOlderWriters), takeover, "R1"),
                new PlantedBug(
                        "an append is acknowledged after the recovery has read",
                        real.withNode(WrongNodes::acknowledgeRefusedEntries),
                        takeover,
                        "R5"),
                new PlantedBug(
                        "one epoch is promised to two writers",
                        real.withNode(WrongNodes::promiseSameEpochTwice),
                        calm,
                        "R5"),
                new PlantedBug(
                        "a node takes any log for its own",
                        real.withNode(WrongNodes::treatAnyLogAsMatching),
                        takeover,
                        "R1"),
                new PlantedBug(
                        "a node acknowledges one entry too many",
                        real.withNode(WrongNodes::acknowledgeTooMuch),
                        calm,
                        "R1"),
                new PlantedBug(
                        "a node commits what it has when it hears of a commit",
                        real.withNode(WrongNodes::commitLocalEntries),
                        takeover.with(Bound.REORDERS),
                        "R6"),
                new PlantedBug(
                        "a node commits by heartbeats",
                        real.withNode(WrongNodes::commitByHeartbeats),
                        takeover.with(Bound.TICKS, 1),
                        "R6"),
                new PlantedBug("a node hides its tail", real.withNode(WrongNodes::hideTail), takeover, "R4"),
                new PlantedBug("a node cuts nothing", real.withNode(WrongNodes::skipTruncation), takeover, "R1"),
                new PlantedBug(
                        "a writer commits with a minority",
                        real.withWriter(WrongWriters::commitWithMinority),
                        calm,
                        "R5"),
                new PlantedBug(
                        "one promise counts twice: quorums without a common node",
                        real.withWriter(WrongTerms::countPromiseTwice),
                        takeover,
                        "R4"),
                new PlantedBug(
                        "a flush returns at once", real.withWriter(WrongTerms::acknowledgeImmediately), takeover, "R4"),
                new PlantedBug(
                        "a mismatch counts as an acknowledgement",
                        real.withWriter(WrongTerms::treatMismatchesAsMatches),
                        takeover,
                        "R5"),
                new PlantedBug(
                        "all logs are taken for the beginning of one",
                        real.withWriter(WrongTerms::treatAllLogsAsSame),
                        takeover,
                        "R5"),
                new PlantedBug(
                        "what a node has counts as committed",
                        real.withWriter(WrongTerms::treatTailsAsCommitted),
                        takeover,
                        "R6"),
                new PlantedBug("a node ignores leases", real.withNode(WrongNodes::ignoreLeases), clocks, "L1"),
                new PlantedBug(
                        "a lease counts from the answer",
                        real.withWriter(WrongTerms::startLeasesAtAnswers),
                        clocks.with(Bound.APPENDS, 1),
                        "L2"),
                new PlantedBug(
                        "a node that lost its disk keeps its id",
                        real.withDisks(WrongNodes::withLostId),
                        takeover.with(Bound.LOSSES, 1),
                        "R5"),
                new PlantedBug(
                        "who sits at a member's place votes for it",
                        real.withWriter(WrongTerms::identifyNodesByAddress),
                        takeover.with(Bound.LOSSES, 1).with(Bound.CHANGES, 1),
                        "R4"),
                new PlantedBug(
                        "a lost disk's successor votes at once",
                        real.withWriter(WrongChanges::replaceVotersInOneStep),
                        join,
                        "R4"),
                new PlantedBug(
                        "members change while a change is on its way",
                        real.withWriter(WrongChanges::changeAgainImmediately),
                        join,
                        "R4"),
                new PlantedBug(
                        "a learner votes",
                        real.withWriter(WrongChanges::countLearners),
                        join.with(Bound.EPOCHS, 1),
                        "R5"),
                new PlantedBug(
                        "a commit counts an entry of an older term",
                        real.withWriter(WrongWriters::countEntriesOfOlderEpochs),
                        calm.with(Bound.EPOCHS, 4).with(Bound.APPENDS, 0).with(Bound.DIVERGED),
                        "R5"),
                new PlantedBug(
                        "a superseded writer serves a read",
                        real.withWriter(WrongChanges::trustSingleLease),
                        clocks,
                        "L2"),
                new PlantedBug(
                        "a writer leaves no time for clocks that differ",
                        real.withWriter(WrongChanges::trustClocks),
                        clocks.with(Bound.JUMPS, 2).with(Bound.CLOCKS, 40),
                        "L2"),
                new PlantedBug("a damaged log seems whole", real.withDisks(WrongNodes::hideDamage), damage, "R1"),
                new PlantedBug(
                        "a damaged node votes",
                        real.withWriter(WrongTerms::countDamagedLogs),
                        damage.with(Bound.APPENDS, 1),
                        "R4"),
                new PlantedBug(
                        "a copy counts for its original",
                        real.withWriter(WrongTerms::trustCopiedStorage),
                        takeover.with(Bound.APPENDS, 0).with(Bound.COPIES, 1),
                        "R1"),
                new PlantedBug(
                        "who was removed is taken in again",
                        real.withWriter(WrongWriters::addRemovedNodes),
                        removal,
                        "R7"),
                new PlantedBug(
                        "retired storage is a member again",
                        real.withWriter(WrongWriters::readmitRetiredStorage),
                        removal,
                        "R8"),
                new PlantedBug(
                        "nobody heeds barriers",
                        real.withWriter(WrongChanges::ignoreBarriers).withPurges((state, minTxId) -> minTxId),
                        purge,
                        "R10"),
                new PlantedBug(
                        "a release counts before it is committed",
                        real.withWriter(WrongChanges::purgeBeforeReleasesCommit)
                                .withPurges(WrongNodes::purgeBeforeReleaseCommits),
                        calm.with(Bound.EPOCHS, 1).withPendingBarrier().with(Bound.PURGES, 1),
                        "R10"),
                new PlantedBug(
                        "a barrier keeps what is purged", real.withWriter(WrongChanges::forgetPurges), purge, "R10"),
                new PlantedBug(
                        "a barrier survives its void timeline",
                        real.withWriter(WrongChanges::keepBarriersOfVoidTimelines),
                        written.with(Bound.EPOCHS, 1).with(Bound.BARRIERS, 1).with(Bound.DISCARDS, 1),
                        "R10"),
                new PlantedBug(
                        "a promotion keeps a voter", real.withDisks(WrongNodes::keepLostVoter), promotion, "R11"),
                new PlantedBug(
                        "a node takes entries of another incarnation",
                        real.withNode(WrongNodes::mixIncarnations),
                        promotion,
                        "R11"),
                new PlantedBug(
                        "a promise of another incarnation counts",
                        real.withWriter(WrongTerms::ignoreIncarnations),
                        promotion,
                        "R5"),
                new PlantedBug(
                        "a superseded writer lets an observer read",
                        real.withReaders(ReaderRules.withSupersededWriters()),
                        superseded,
                        "L3"),
                new PlantedBug(
                        "a lease to read counts from the arrival of the answer",
                        real.withReaders(ReaderRules.countingFromArrivals()),
                        late,
                        "L3"),
                new PlantedBug(
                        "a reader leaves no time for clocks that differ",
                        real.withReaders(ReaderRules.trustingClocks()),
                        late.with(Bound.JUMPS, 1).with(Bound.CLOCKS, 800),
                        "L3"),
                new PlantedBug(
                        "a commit does not wait for who is read from",
                        real.withWriter(WrongWriters::ignoreReaders),
                        late,
                        "L3"),
                new PlantedBug(
                        "a new writer forgets older leases to read",
                        real.withWriter(WrongWriters::forgetOlderLeases),
                        taken,
                        "L3"),
                new PlantedBug(
                        "one of two observers is told too early",
                        real.withWriter(WrongWriters::notifyReadersTooEarly),
                        late.with(Bound.READS, 4).with(Bound.OBSERVERS, 2),
                        "L3"));
    }

    @Override
    public String toString() {
        return name;
    }
}
