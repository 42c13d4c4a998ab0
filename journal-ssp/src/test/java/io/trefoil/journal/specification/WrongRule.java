/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.specification;

import java.util.List;

/**
 * A definition of {@code Wrong.tla} that takes the place of a rule, and the small world in which that breaks something.
 *
 * @param breaks the first invariant that the first wrong state breaks
 */
record WrongRule(String name, String rule, String replacement, String world, String breaks) {

    private static final String TAKEOVER = "terms=2 sn=2";

    /** All of them. */
    static List<WrongRule> all() {
        return List.of(
                new WrongRule("a node obeys older terms", "Obeys", "ObeysAnyone", TAKEOVER, "R1"),
                new WrongRule("a promise fences nothing", "Fenced", "DoesNotFence", TAKEOVER, "R1"),
                new WrongRule("an epoch is promised twice", "MayPromise", "PromisesOneEpochTwice", TAKEOVER, "R5"),
                new WrongRule(
                        "a promise is not durable", "Restarted", "ForgetsItsPromise", TAKEOVER + " crash=1", "R1"),
                new WrongRule("one of three is a majority", "Majority", "OneOfThem", TAKEOVER, "R5"),
                new WrongRule("a node takes any log for its own", "Follows", "FollowsAnyLog", "terms=2 sn=3", "R2"),
                new WrongRule("a node cuts nothing", "Appended", "CutsNothing", TAKEOVER, "R6"),
                new WrongRule("a node knows to be committed what it has", "ToBeKnown", "KnowsAllItHas", TAKEOVER, "R6"),
                new WrongRule(
                        "a node that lost its disk keeps its id", "Emptied", "KeepsItsId", TAKEOVER + " loss=1", "R2"),
                new WrongRule(
                        "a lost disk's successor votes at once",
                        "Succeeded",
                        "VotesAtOnce",
                        "terms=1 epochs=2 sn=3 disks=2 loss=1 change=1",
                        "R7"),
                new WrongRule(
                        "members change while a change is on its way",
                        "MayChange",
                        "ChangesBeforeTheLastIsCommitted",
                        "terms=1 epochs=2 sn=4 change=2",
                        "R7"),
                new WrongRule(
                        "a learner's acknowledgement counts",
                        "MajorityHas",
                        "LearnersVote",
                        "terms=2 sn=3 places=2 voters=1 change=1",
                        "R5"),
                new WrongRule(
                        "a learner's promise counts",
                        "Enough",
                        "LearnersPromise",
                        "terms=2 sn=4 places=2 voters=1 change=1",
                        "R5"),
                new WrongRule(
                        "who was dropped is taken back",
                        "MayJoin",
                        "TakesBackWhoWasDropped",
                        "terms=1 epochs=2 sn=4 change=2",
                        "R8"),
                new WrongRule("damage is not noticed", "FoundDamaged", "NoticesNoDamage", TAKEOVER + " damage=1", "R2"),
                new WrongRule("a damaged log is a source", "IsSource", "DamagedIsSource", TAKEOVER + " damage=1", "R5"),
                new WrongRule(
                        "a damaged log is complete at once",
                        "CompleteNow",
                        "CompleteAtOnce",
                        "terms=2 sn=3 damage=1",
                        "R9"),
                new WrongRule(
                        "what a barrier keeps is purged",
                        "KeptBy",
                        "KeepsNothing",
                        "terms=1 epochs=2 sn=3 purge=1 barrier=1",
                        "R10"),
                new WrongRule(
                        "a barrier keeps what is gone",
                        "MayKeep",
                        "KeepsWhatIsGone",
                        "terms=1 epochs=2 sn=3 purge=1 barrier=1",
                        "R10"),
                new WrongRule(
                        "incarnations mix",
                        "SameIncarnation",
                        "TakesOtherIncarnations",
                        "terms=1 epochs=3 sn=3 disks=2 promotion=1",
                        "R11"),
                new WrongRule(
                        "a copy counts for its original", "Counts", "BelievesCopies", TAKEOVER + " copy=1", "R12"),
                new WrongRule(
                        "a node ignores leases", "MayPromiseBesides", "IgnoresLeases", TAKEOVER + " leases", "L1"),
                new WrongRule(
                        "a lease counts from the answer: a superseded writer serves reads",
                        "WriterForgot",
                        "LeaseCountsFromTheAnswer",
                        TAKEOVER + " leases",
                        "L2"),
                new WrongRule(
                        "a write is committed without a reader's node",
                        "HoldersHave",
                        "CommitsWithoutReaders",
                        "terms=1 epochs=2 sn=3 leases readers=1",
                        "L3"),
                new WrongRule(
                        "a new writer forgets older read leases",
                        "HeldAtFirst",
                        "ForgetsOlderReaders",
                        TAKEOVER + " leases readers=1",
                        "L3"),
                new WrongRule(
                        "one of two readers is told too early",
                        "Told",
                        "ToldTooEarly",
                        "terms=1 epochs=2 sn=3 leases readers=2",
                        "L3"),
                new WrongRule(
                        "a node that lacks entries may be read from",
                        "MayBeRead",
                        "GrantsToThoseBehind",
                        "terms=1 epochs=2 sn=3 leases readers=1",
                        "L3"),
                new WrongRule(
                        "a writer that is not alone grants read leases",
                        "MayBeRead",
                        "GrantsThoughNotAlone",
                        TAKEOVER + " leases readers=1",
                        "L3"),
                new WrongRule(
                        "a writer counts read leases as over too early",
                        "ReaderStopped",
                        "TakesReadersForStopped",
                        "terms=1 epochs=2 sn=3 leases readers=1",
                        "L3"));
    }
}
