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
                .whileJoining();
        Bounds damage = takeover.with(Bound.APPENDS, 0).with(Bound.DAMAGES, 1);
        Bounds removal = takeover.with(Bound.EPOCHS, 1).with(Bound.APPENDS, 0).with(Bound.REMOVALS, 1);
        Bounds written = takeover.with(Bound.APPENDS, 2).with(Bound.WRITTEN);
        Bounds purge = written.with(Bound.BARRIERS, 1).with(Bound.PURGES, 1);
        Bounds promotion = written.with(Bound.EPOCHS, 3).with(Bound.PROMOTIONS, 1);
        return List.of(
                new PlantedBug(
                        "a node answers before its promise is durable",
                        real.withNode(WrongNodes::answersTooEarly),
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
                        "a node obeys older writers", real.withNode(WrongNodes::obeysOlderWriters), takeover, "R1"),
                new PlantedBug(
                        "an append is acknowledged after the recovery has read",
                        real.withNode(WrongNodes::acknowledgesWhatItRefuses),
                        takeover,
                        "R5"),
                new PlantedBug(
                        "one epoch is promised to two writers",
                        real.withNode(WrongNodes::promisesOneEpochTwice),
                        calm,
                        "R5"),
                new PlantedBug(
                        "a node takes any log for its own",
                        real.withNode(WrongNodes::takesAnyLogForItsOwn),
                        takeover,
                        "R1"),
                new PlantedBug(
                        "a node acknowledges one entry too many",
                        real.withNode(WrongNodes::acknowledgesTooMuch),
                        calm,
                        "R1"),
                new PlantedBug(
                        "a node commits what it has when it hears of a commit",
                        real.withNode(WrongNodes::commitsWhatItHas),
                        takeover.with(Bound.REORDERS),
                        "R6"),
                new PlantedBug(
                        "a node commits by heartbeats",
                        real.withNode(WrongNodes::commitsByHeartbeats),
                        takeover.with(Bound.TICKS, 1),
                        "R6"),
                new PlantedBug("a node hides its tail", real.withNode(WrongNodes::hidesItsTail), takeover, "R4"),
                new PlantedBug("a node cuts nothing", real.withNode(WrongNodes::cutsNothing), takeover, "R1"),
                new PlantedBug(
                        "a writer commits with a minority",
                        real.withWriter(WrongWriters::commitsWithAMinority),
                        calm,
                        "R5"),
                new PlantedBug(
                        "one promise counts twice: quorums without a common node",
                        real.withWriter(WrongTerms::countsOnePromiseTwice),
                        takeover,
                        "R4"),
                new PlantedBug(
                        "a flush returns at once", real.withWriter(WrongTerms::acknowledgesAtOnce), takeover, "R4"),
                new PlantedBug(
                        "a mismatch counts as an acknowledgement",
                        real.withWriter(WrongTerms::takesMismatchesForMatches),
                        takeover,
                        "R5"),
                new PlantedBug(
                        "all logs are taken for the beginning of one",
                        real.withWriter(WrongTerms::takesAllLogsForOne),
                        takeover,
                        "R5"),
                new PlantedBug(
                        "what a node has counts as committed",
                        real.withWriter(WrongTerms::takesTailsForCommitted),
                        takeover,
                        "R6"),
                new PlantedBug("a node ignores leases", real.withNode(WrongNodes::ignoresLeases), clocks, "L2"),
                new PlantedBug(
                        "a lease counts from the answer",
                        real.withWriter(WrongTerms::countsLeasesFromAnswers),
                        clocks.with(Bound.APPENDS, 1),
                        "L2"),
                new PlantedBug(
                        "a node that lost its disk keeps its id",
                        real.withDisks(WrongNodes::underLostId),
                        takeover.with(Bound.LOSSES, 1),
                        "R5"),
                new PlantedBug(
                        "who sits at a member's place votes for it",
                        real.withWriter(WrongTerms::takesPlacesForStorages),
                        takeover.with(Bound.LOSSES, 1).with(Bound.CHANGES, 1),
                        "R4"),
                new PlantedBug(
                        "a lost disk's successor votes at once",
                        real.withWriter(WrongChanges::replacesVotersInOneStep),
                        join,
                        "R4"),
                new PlantedBug(
                        "members change while a change is on its way",
                        real.withWriter(WrongChanges::changesAgainAtOnce),
                        join,
                        "R4"),
                new PlantedBug(
                        "a learner votes",
                        real.withWriter(WrongChanges::countsLearners),
                        join.with(Bound.EPOCHS, 1),
                        "R5"),
                new PlantedBug(
                        "a commit counts an entry of an older term",
                        real.withWriter(WrongWriters::countsEntriesOfOlderEpochs),
                        calm.with(Bound.EPOCHS, 4).with(Bound.APPENDS, 0).with(Bound.DIVERGED),
                        "R5"),
                new PlantedBug(
                        "a superseded writer serves a read",
                        real.withWriter(WrongChanges::believesOneLease),
                        clocks,
                        "L2"),
                new PlantedBug("a damaged log seems whole", real.withDisks(WrongNodes::hidingDamage), damage, "R1"),
                new PlantedBug(
                        "a damaged node votes",
                        real.withWriter(WrongTerms::countsDamagedLogs),
                        damage.with(Bound.APPENDS, 1),
                        "R4"),
                new PlantedBug(
                        "a copy counts for its original",
                        real.withWriter(WrongTerms::takesCopiesForOriginals),
                        takeover.with(Bound.APPENDS, 0).with(Bound.COPIES, 1),
                        "R1"),
                new PlantedBug(
                        "who was removed is taken in again",
                        real.withWriter(WrongWriters::takesInWhoWasRemoved),
                        removal,
                        "R7"),
                new PlantedBug(
                        "retired storage is a member again",
                        real.withWriter(WrongWriters::takesRetiredStorageBack),
                        removal,
                        "R8"),
                new PlantedBug(
                        "nobody heeds barriers",
                        real.withWriter(WrongChanges::ignoresBarriers).withPurges((state, minTxId) -> minTxId),
                        purge,
                        "R10"),
                new PlantedBug(
                        "a release counts before it is committed",
                        real.withWriter(WrongChanges::purgesBeforeReleasesAreCommitted)
                                .withPurges(WrongNodes::countsReleasesAtOnce),
                        calm.with(Bound.EPOCHS, 1).whileBarred().with(Bound.PURGES, 1),
                        "R10"),
                new PlantedBug(
                        "a barrier keeps what is purged",
                        real.withWriter(WrongChanges::forgetsWhatItPurged),
                        purge,
                        "R10"),
                new PlantedBug(
                        "a barrier survives its void line",
                        real.withWriter(WrongChanges::keepsBarriersOfVoidLines),
                        written.with(Bound.EPOCHS, 1).with(Bound.BARRIERS, 1).with(Bound.DISCARDS, 1),
                        "R10"),
                new PlantedBug("a promotion keeps a voter", real.withDisks(WrongNodes::keepingVoter), promotion, "R11"),
                new PlantedBug(
                        "a node takes entries of another incarnation",
                        real.withNode(WrongNodes::mixesIncarnations),
                        promotion,
                        "R11"),
                new PlantedBug(
                        "a promise of another incarnation counts",
                        real.withWriter(WrongTerms::takesIncarnationsForOne),
                        promotion,
                        "R5"));
    }

    @Override
    public String toString() {
        return name;
    }
}
