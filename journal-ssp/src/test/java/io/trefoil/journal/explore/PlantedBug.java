/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

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
        Bounds crash = calm.crashes(1);
        Bounds takeover = calm.whileServing();
        Bounds clocks = takeover.appends(0).ticks(1).clocks(50);
        Bounds join = calm.appends(0).returns(1).changes(3).whileJoining();
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
                        takeover.reordering(),
                        "R6"),
                new PlantedBug(
                        "a node commits by heartbeats",
                        real.withNode(WrongNodes::commitsByHeartbeats),
                        takeover.ticks(1),
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
                        clocks.appends(1),
                        "L2"),
                new PlantedBug(
                        "a node that lost its disk keeps its id",
                        real.withDisks(WrongNodes::underLostId),
                        takeover.losses(1),
                        "R5"),
                new PlantedBug(
                        "who sits at a member's place votes for it",
                        real.withWriter(WrongTerms::takesPlacesForStorages),
                        takeover.losses(1).changes(1),
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
                new PlantedBug("a learner votes", real.withWriter(WrongChanges::countsLearners), join.epochs(1), "R5"));
    }

    @Override
    public String toString() {
        return name;
    }
}
