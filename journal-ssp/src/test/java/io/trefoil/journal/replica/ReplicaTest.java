/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules of a pool node, one by one (protocol page, R1, R2, R9 and "Lease"). */
class ReplicaTest {

    private static final NodeId NODE = NodeId.of("node");
    private static final WriterId OLD = WriterId.of("old");
    private static final WriterId NEW = WriterId.of("new");
    private static final long LEASE_MILLIS = 1_000;
    private static final long NOW = 5_000_000_000L;

    @Test
    void storesAPromiseBeforeItAnswers() {
        Step<ReplicaState, ReplicaEffect> step = newEpoch(empty(), 7, NEW, NOW);

        assertThat(words(step)).hasSize(2);
        assertThat(words(step).get(0)).isEqualTo("promise 7 COMPLETE");
        assertThat(reply(step)).isInstanceOf(PromiseReply.class);
        assertThat(step.next().promise().epoch()).isEqualTo(Epoch.of(7));
    }

    @Test
    void promisesNoEpochBelowOrEqualToTheOneItPromised() {
        ReplicaState promised = newEpoch(empty(), 7, NEW, NOW).next();

        assertThat(reply(newEpoch(promised, 6, OLD, NOW))).isEqualTo(StaleEpochReply.of(NODE, Epoch.of(7)));
        assertThat(reply(newEpoch(promised, 7, OLD, NOW))).isEqualTo(StaleEpochReply.of(NODE, Epoch.of(7)));
    }

    @Test
    void givesTheSameWriterTheSameAnswerAgain() {
        Step<ReplicaState, ReplicaEffect> first = newEpoch(empty(), 7, NEW, NOW);

        Step<ReplicaState, ReplicaEffect> again = newEpoch(first.next(), 7, NEW, NOW);

        assertThat(reply(again)).isEqualTo(reply(first));
        assertThat(again.next()).isEqualTo(first.next());
    }

    @Test
    void tellsANewWriterOfWhatItHeardToBeCommittedAndDoesNotHave() {
        LogPosition newest = at(3, 10);
        AppendRequest probe = AppendRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, at(3, 12), List.of(), newest, 12);
        ReplicaState behind = Replica.on(empty(), probe, NOW).next();

        assertThat(behind.committedSn()).isZero();
        assertThat(heard(behind)).isEqualTo(newest);
        // Messages come late, and out of order.
        AppendRequest older = AppendRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, at(3, 12), List.of(), at(2, 9), 12);
        assertThat(heard(Replica.on(behind, older, NOW).next())).isEqualTo(newest);
    }

    @Test
    void aCommitThatItCannotFollowIsHeardAllTheSame() {
        ReplicaState behind =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState next =
                Replica.on(behind, CommitRequest.of(Epoch.of(3), 10)).next();

        assertThat(heard(next)).isEqualTo(at(3, 10));
        // Of somebody else's term, and of another journal: nothing that this node could judge.
        assertThat(heard(Replica.on(behind, CommitRequest.of(Epoch.of(4), 10)).next()))
                .isEqualTo(at(1, 0));
        assertThat(heard(Replica.on(behind, CommitRequest.of(Epoch.of(3), 10).in(Incarnation.of(7, 7)))
                        .next()))
                .isEqualTo(at(1, 0));
    }

    @Test
    void whatItHasItHasHeardOfToo() {
        ReplicaState opened = ReplicaState.opened(
                NODE,
                Promise.NONE,
                LogCompleteness.COMPLETE,
                LogSummary.of(at(2, 5), Members.NONE, 5, Optional.empty(), Optional.empty()),
                List.of(),
                NOW);

        assertThat(heard(opened)).isEqualTo(at(2, 5));
    }

    @Test
    void whatItHeardStaysHeardWhenTheSameStorageIsOpenedAgain() {
        AppendRequest probe = AppendRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, at(3, 12), List.of(), at(3, 10), 12);
        ReplicaState before = Replica.on(empty(), probe, NOW).next();
        ReplicaState other = ReplicaState.opened(
                NodeId.of("other"), Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN, List.of(), NOW);
        ReplicaState again = ReplicaState.opened(
                NODE,
                Promise.NONE,
                LogCompleteness.COMPLETE,
                LogSummary.ORIGIN.with(Incarnation.of(7, 7)),
                List.of(),
                NOW);

        assertThat(heard(empty().openedAfter(before))).isEqualTo(at(3, 10));
        assertThat(heard(other.openedAfter(before))).isEqualTo(LogPosition.ORIGIN);
        assertThat(heard(again.openedAfter(before))).isEqualTo(LogPosition.ORIGIN);
    }

    private static LogPosition heard(ReplicaState state) {
        return ((PromiseReply) reply(newEpoch(state, 9, NEW, NOW + 2 * LEASE_MILLIS * 1_000_000L))).heard();
    }

    @Test
    void aWriterOfAnotherJournalIsToldWhichOneThisIs() {
        Incarnation own = Incarnation.of(7, 7);
        ReplicaState state = ReplicaState.opened(
                NODE, Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN.with(own), List.of(), NOW);

        Step<ReplicaState, ReplicaEffect> step = append(state, 3, OLD, LogPosition.ORIGIN, List.of(), 0);

        assertThat(reply(step)).isEqualTo(OtherIncarnationReply.of(NODE, own));
        assertThat(step.next()).isEqualTo(state);
    }

    @Test
    void promisesNothingWhileALeaseRuns() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        Step<ReplicaState, ReplicaEffect> step = newEpoch(leased, 4, NEW, NOW + 400_000_000L);

        assertThat(reply(step)).isEqualTo(LeaseHeldReply.of(NODE, Epoch.of(3), 600));
        assertThat(step.next()).isEqualTo(leased);
    }

    @Test
    void aWriterThatBeginsAgainDoesNotWaitForItsOwnLease() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        Step<ReplicaState, ReplicaEffect> step = newEpoch(leased, 4, OLD, NOW);

        assertThat(reply(step)).isInstanceOf(PromiseReply.class);
        assertThat(step.next().promise().epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void promisesWhenTheLeaseIsOver() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(reply(newEpoch(leased, 4, NEW, NOW + LEASE_MILLIS * 1_000_000L)))
                .isInstanceOf(PromiseReply.class);
    }

    @Test
    void aLeaseThatNobodyHoldsIsOverWhateverTheClockShows() {
        assertThat(Lease.FREE.remainingMillis(-NOW)).isZero();
        assertThat(Lease.FREE.remainingMillis(NOW)).isZero();
        assertThat(Lease.of(-NOW, 0).remainingMillis(-NOW)).isZero();
    }

    @Test
    void aBegunMillisecondOfALeaseCounts() {
        Lease lease = Lease.of(NOW, 2);

        assertThat(lease.remainingMillis(NOW + 1)).isEqualTo(2);
        assertThat(lease.remainingMillis(NOW + 1_999_999)).isEqualTo(1);
        assertThat(lease.remainingMillis(NOW + 2_000_000)).isZero();
        assertThat(lease.remainingMillis(NOW + 9_000_000)).isZero();
    }

    @Test
    void promisesAtOnceAfterTheWriterSteppedDown() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState free = Replica.on(leased, StepDownRequest.of(Epoch.of(3))).next();

        assertThat(reply(newEpoch(free, 4, NEW, NOW))).isInstanceOf(PromiseReply.class);
    }

    @Test
    void aWriterOfAnotherTermThatStepsDownEndsNoLease() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(Replica.on(leased, StepDownRequest.of(Epoch.of(2))).next()).isEqualTo(leased);
        assertThat(Replica.on(leased, StepDownRequest.of(Epoch.of(4))).next()).isEqualTo(leased);
    }

    @Test
    void theEndOfAnotherWriterDoesNotEndTheLeaseOfThisOne() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(Replica.writerDead(leased, NEW)).isEqualTo(leased);
        assertThat(Replica.writerGone(leased, NEW)).isEqualTo(leased);
        assertThat(reply(newEpoch(Replica.writerDead(leased, OLD), 4, NEW, NOW)))
                .isInstanceOf(PromiseReply.class);
    }

    /** It may be a firewall that refuses, and the writer behind it answers readers. */
    @Test
    void aWriterThatOnlySeemsGoneKeepsItsLeaseForAsLongAsItMayTakeItselfForAlone() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();
        long aloneNanos = Promise.ALONE_MILLIS * 1_000_000L;

        ReplicaState doubted = Replica.writerGone(leased, OLD);

        assertThat(reply(newEpoch(doubted, 4, NEW, NOW + aloneNanos - 1))).isInstanceOf(LeaseHeldReply.class);
        assertThat(reply(newEpoch(doubted, 4, NEW, NOW + aloneNanos))).isInstanceOf(PromiseReply.class);
    }

    @Test
    void aWriterThatSeemedGoneAndIsHeardHasItsWholeLeaseAgain() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState heard = append(Replica.writerGone(leased, OLD), 3, OLD, LogPosition.ORIGIN, List.of(), 0)
                .next();

        assertThat(heard).isEqualTo(leased);
    }

    /** The rival asked for epoch 3, too, was promised it here and elsewhere never got a majority. */
    @Test
    void theEndOfARivalForTheSameEpochDoesNotEndTheLeaseOfTheWriterThatGotIt() {
        WriterId rival = WriterId.of("rival");
        ReplicaState promised = newEpoch(empty(), 3, rival, NOW).next();
        ReplicaState leased =
                append(promised, 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState next = Replica.writerDead(leased, rival);

        assertThat(next).isEqualTo(leased);
        assertThat(reply(newEpoch(next, 4, NEW, NOW))).isInstanceOf(LeaseHeldReply.class);
    }

    @Test
    void aNodeThatStartsAgainCountsTheLeaseFromItsStart() {
        ReplicaState opened = ReplicaState.opened(
                NODE,
                Promise.of(Epoch.of(3), OLD, LEASE_MILLIS),
                LogCompleteness.COMPLETE,
                LogSummary.ORIGIN,
                List.of(),
                NOW);

        assertThat(reply(newEpoch(opened, 4, NEW, NOW + 1))).isInstanceOf(LeaseHeldReply.class);
    }

    @Test
    void refusesABatchFromAWriterThatWasFenced() {
        ReplicaState promised = newEpoch(empty(), 7, NEW, NOW).next();

        Step<ReplicaState, ReplicaEffect> step = append(promised, 6, OLD, LogPosition.ORIGIN, entries(6, 1, 2), 0);

        assertThat(step.next()).isEqualTo(promised);
        assertThat(words(step)).containsExactly("answer " + StaleEpochReply.of(NODE, Epoch.of(7)));
    }

    @Test
    void writesBeforeItAnswers() {
        Step<ReplicaState, ReplicaEffect> step =
                append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0);

        assertThat(words(step))
                .containsExactly(
                        "write 1..2 committed 0",
                        "answer " + AppendedReply.of(NODE, Epoch.of(3), 2, LogCompleteness.COMPLETE));
        assertThat(step.next().last()).isEqualTo(at(3, 2));
    }

    @Test
    void showsWhatIsCommittedWhenItIsWritten() {
        Step<ReplicaState, ReplicaEffect> step =
                append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 3);

        assertThat(words(step))
                .containsExactly(
                        "write 1..4 committed 3",
                        "committed 3",
                        "answer " + AppendedReply.of(NODE, Epoch.of(3), 4, LogCompleteness.COMPLETE));
    }

    @Test
    void aNodeThatMissedTheQuestionPromisesWithTheFirstAppend() {
        Step<ReplicaState, ReplicaEffect> step =
                append(promisedTo(2, OLD), 3, NEW, LogPosition.ORIGIN, entries(3, 1, 1), 0);

        assertThat(words(step)).startsWith("promise 3 COMPLETE", "write 1..1 committed 0");
    }

    @Test
    void doesNotWriteTwiceWhatIsSentTwice() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> again = append(written, 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0);

        assertThat(words(again))
                .containsExactly("answer " + AppendedReply.of(NODE, Epoch.of(3), 2, LogCompleteness.COMPLETE));
        assertThat(again.next()).isEqualTo(written);
    }

    @Test
    void anOlderAppendThatComesLateCutsNothing() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 5), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> late = append(written, 3, OLD, at(3, 1), entries(3, 2, 3), 0);

        assertThat(late.next().last()).isEqualTo(at(3, 5));
        assertThat(reply(late)).isEqualTo(AppendedReply.of(NODE, Epoch.of(3), 3, LogCompleteness.COMPLETE));
    }

    @Test
    void refusesEntriesThatLeaveAGap() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 3, OLD, at(3, 4), entries(3, 5, 5), 0);

        assertThat(reply(step)).isEqualTo(MismatchReply.of(NODE, Epoch.of(3), at(3, 2), 0, LogCompleteness.COMPLETE));
        assertThat(step.next().last()).isEqualTo(at(3, 2));
    }

    @Test
    void acceptsEntriesOnlyBehindTheOneThatTheWriterHasThere() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 5, NEW, at(4, 4), entries(5, 5, 5), 2);

        assertThat(reply(step)).isEqualTo(MismatchReply.of(NODE, Epoch.of(5), at(3, 4), 2, LogCompleteness.COMPLETE));
        assertThat(step.next().last()).isEqualTo(at(3, 4));
    }

    @Test
    void passesOverWhatIsCommittedWhenItIsSentAgain() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 3, OLD, LogPosition.ORIGIN, entries(3, 1, 5), 2);

        assertThat(words(step))
                .containsExactly(
                        "write 5..5 committed 2",
                        "answer " + AppendedReply.of(NODE, Epoch.of(3), 5, LogCompleteness.COMPLETE));
    }

    @Test
    void cutsASuffixThatContradictsTheWriter() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 4, NEW, at(3, 3), entries(4, 4, 4), 2);

        assertThat(words(step)).contains("truncate 3", "write 4..4 committed 2");
        assertThat(step.next().last()).isEqualTo(at(4, 4));
    }

    @Test
    void haltsRatherThanCutWhatIsCommitted() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 4)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 5, NEW, at(3, 3), entries(5, 4, 4), 3);

        assertThat(words(step)).anyMatch(word -> word.startsWith("halt"));
        assertThat(words(step)).noneMatch(word -> word.startsWith("truncate") || word.startsWith("write"));
    }

    @Test
    void haltsWhenAWriterContinuesAnotherEntryThanTheOneThatIsCommitted() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 4)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 5, NEW, at(4, 4), entries(5, 5, 5), 3);

        assertThat(words(step)).anyMatch(word -> word.startsWith("halt"));
        assertThat(words(step)).noneMatch(word -> word.startsWith("truncate") || word.startsWith("write"));
    }

    @Test
    void holdsForCommittedOnlyWhatItHasInCommonWithTheWriter() {
        // given entries that the writer of epoch 4 does not have
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 0)
                .next();

        // when that writer only says how far it is committed, behind entry 2
        ReplicaState heard = append(written, 4, NEW, at(3, 2), List.of(), 4).next();

        assertThat(heard.committedSn()).isEqualTo(2);
    }

    @Test
    void aCommitOfAWriterThatWroteNothingHereSaysNothing() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 0)
                .next();
        ReplicaState promised =
                newEpoch(Replica.writerDead(written, OLD), 4, NEW, NOW).next();

        assertThat(Replica.on(promised, CommitRequest.of(Epoch.of(4), 4)).next().committedSn())
                .isZero();
        assertThat(Replica.on(promised, CommitRequest.of(Epoch.of(3), 4)).next().committedSn())
                .isZero();
        assertThat(Replica.on(written, CommitRequest.of(Epoch.of(3), 9)).next().committedSn())
                .isEqualTo(4);
    }

    @Test
    void aRefetchingNodeIsWholeAgainWhenItHasWhatTheWriterHadWhenTheyFirstSpoke() {
        ReplicaState damaged = ReplicaState.opened(
                NODE, Promise.of(Epoch.of(3), OLD, 0), LogCompleteness.REFETCHING, LogSummary.ORIGIN, List.of(), NOW);

        ReplicaState some = Replica.on(damaged, request(3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0, 4), NOW)
                .next();
        // The writer has gone on since: that does not count.
        Step<ReplicaState, ReplicaEffect> all =
                Replica.on(some, request(3, OLD, at(3, 2), entries(3, 3, 4), 0, 9), NOW);

        assertThat(some.completeness()).isEqualTo(LogCompleteness.REFETCHING);
        assertThat(words(all)).contains("promise 3 COMPLETE");
        assertThat(all.next().completeness()).isEqualTo(LogCompleteness.COMPLETE);
    }

    @Test
    void whatAnEarlierWriterSaidAboutBeingWholeIsVoid() {
        ReplicaState damaged = ReplicaState.opened(
                NODE, Promise.of(Epoch.of(3), OLD, 0), LogCompleteness.REFETCHING, LogSummary.ORIGIN, List.of(), NOW);
        ReplicaState some = Replica.on(damaged, request(3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0, 4), NOW)
                .next();

        ReplicaState other = Replica.on(some, request(4, NEW, at(3, 2), entries(3, 3, 4), 0, 9), NOW)
                .next();

        assertThat(other.completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void startsOverBehindABaseThatItDoesNotReach() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> step = rebase(written, at(3, 9));

        assertThat(words(step)).contains("rebase 3/9");
        assertThat(step.next().last()).isEqualTo(at(3, 9));
        assertThat(step.next().committedSn()).isEqualTo(9);
    }

    @Test
    void startsOverWhenItsOwnEntriesContradictTheBase() {
        // given entries of a writer that was never heard of again, longer than what is committed elsewhere
        ReplicaState written = append(promisedTo(2, OLD), 2, OLD, LogPosition.ORIGIN, entries(2, 1, 9), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> step = rebase(written, at(3, 5));

        assertThat(words(step)).contains("rebase 3/5");
        assertThat(reply(step)).isEqualTo(AppendedReply.of(NODE, Epoch.of(3), 5, LogCompleteness.COMPLETE));
    }

    @Test
    void forgetsNothingThatItHasInCommonWithTheBase() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 9), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> inTail = rebase(written, at(3, 5));
        Step<ReplicaState, ReplicaEffect> inCommitted = rebase(written, at(3, 1));

        assertThat(inTail.next().last()).isEqualTo(at(3, 9));
        assertThat(reply(inTail)).isEqualTo(AppendedReply.of(NODE, Epoch.of(3), 5, LogCompleteness.COMPLETE));
        assertThat(inCommitted.next().last()).isEqualTo(at(3, 9));
        assertThat(reply(inCommitted)).isInstanceOf(MismatchReply.class);
        assertThat(reply(rebase(written, at(3, 2)))).isInstanceOf(MismatchReply.class);
        assertThat(words(rebase(written, at(3, 9)))).noneMatch(word -> word.startsWith("rebase"));
    }

    @Test
    void startsNothingOverForAWriterThatWasFenced() {
        ReplicaState promised = newEpoch(empty(), 7, NEW, NOW).next();

        Step<ReplicaState, ReplicaEffect> step = rebase(promised, at(3, 9));

        assertThat(words(step)).containsExactly("answer " + StaleEpochReply.of(NODE, Epoch.of(7)));
        assertThat(step.next()).isEqualTo(promised);
    }

    @Test
    void movesItsStorageAsideWhenItRetires() {
        Step<ReplicaState, ReplicaEffect> step = Replica.on(promisedTo(3, OLD), RetireRequest.of(Epoch.of(3), NODE));

        assertThat(words(step)).containsExactly("move aside");
    }

    @Test
    void doesNotRetireForAWriterThatWasFenced() {
        Step<ReplicaState, ReplicaEffect> step = Replica.on(promisedTo(3, OLD), RetireRequest.of(Epoch.of(2), NODE));

        assertThat(words(step)).containsExactly("answer " + StaleEpochReply.of(NODE, Epoch.of(3)));
    }

    @Test
    void doesNotRetireForTheStorageThatWasThereBefore() {
        Step<ReplicaState, ReplicaEffect> step =
                Replica.on(promisedTo(3, OLD), RetireRequest.of(Epoch.of(3), NodeId.of("before")));

        assertThat(words(step)).containsExactly("answer " + DoneReply.of(NODE));
    }

    @Test
    void keepsWhatABarrierNeedsFromWhenItIsWrittenUntilItsReleaseIsCommitted() {
        Entry barrier = Entry.of(
                at(3, 3),
                EntryKind.BARRIER,
                TxRange.NONE,
                Barrier.of("friday", 2, 2, "").toPayload());
        Entry release = Entry.of(at(3, 4), EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8("friday"));
        ReplicaState state = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 2)
                .next();
        assertThat(state.purgeableBelow(50)).isEqualTo(50);

        ReplicaState written =
                append(state, 3, OLD, at(3, 2), List.of(barrier), 2).next();
        assertThat(written.purgeableBelow(50)).isEqualTo(2);
        assertThat(written.purgeableBelow(1)).isEqualTo(1);

        ReplicaState releasing =
                append(written, 3, OLD, at(3, 3), List.of(release), 3).next();
        assertThat(releasing.purgeableBelow(50)).isEqualTo(2);

        ReplicaState released =
                append(releasing, 3, OLD, at(3, 4), List.of(), 4).next();
        assertThat(released.purgeableBelow(50)).isEqualTo(50);
    }

    private static Step<ReplicaState, ReplicaEffect> newEpoch(
            ReplicaState state, long epoch, WriterId writer, long now) {
        return Replica.on(state, NewEpochRequest.of(Epoch.of(epoch), writer, LEASE_MILLIS), 1, now);
    }

    private static Step<ReplicaState, ReplicaEffect> append(
            ReplicaState state, long epoch, WriterId writer, LogPosition prev, List<Entry> entries, long committedSn) {
        long lastSn = prev.sn() + entries.size();
        return Replica.on(state, request(epoch, writer, prev, entries, committedSn, lastSn), NOW);
    }

    private static AppendRequest request(
            long epoch, WriterId writer, LogPosition prev, List<Entry> entries, long committedSn, long lastSn) {
        return AppendRequest.of(
                Epoch.of(epoch), writer, LEASE_MILLIS, prev, entries, LogPosition.of(Epoch.of(1), committedSn), lastSn);
    }

    private static Step<ReplicaState, ReplicaEffect> rebase(ReplicaState state, LogPosition base) {
        LogSummary summary = LogSummary.of(base, Members.NONE, base.sn(), Optional.empty(), Optional.empty());
        return Replica.on(state, RebaseRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, summary), NOW);
    }

    private static ReplicaState empty() {
        return ReplicaState.opened(NODE, Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN, List.of(), NOW);
    }

    private static ReplicaState promisedTo(long epoch, WriterId writer) {
        return newEpoch(empty(), epoch, writer, NOW).next();
    }

    private static LogPosition at(long epoch, long sn) {
        return LogPosition.of(Epoch.of(epoch), sn);
    }

    private static List<Entry> entries(long epoch, long first, long last) {
        List<Entry> entries = new ArrayList<>();
        for (long sn = first; sn <= last; sn++) {
            entries.add(Entry.of(at(epoch, sn), EntryKind.EDITS, TxRange.of(sn, sn), Bytes.ofUtf8("tx " + sn)));
        }
        return entries;
    }

    private static PoolReply reply(Step<ReplicaState, ReplicaEffect> step) {
        InWords said = InWords.of(step);
        assertThat(said.replies).hasSize(1);
        return said.replies.get(0);
    }

    private static List<String> words(Step<ReplicaState, ReplicaEffect> step) {
        return InWords.of(step).words;
    }

    /** Says in short words what is to be done. */
    private static final class InWords implements ReplicaEffect.Handler<RuntimeException> {
        private final List<String> words = new ArrayList<>();
        private final List<PoolReply> replies = new ArrayList<>();

        static InWords of(Step<ReplicaState, ReplicaEffect> step) {
            InWords said = new InWords();
            step.effects().forEach(effect -> effect.performedBy(said));
            return said;
        }

        @Override
        public void savePromise(Promise promise, LogCompleteness completeness) {
            words.add("promise " + promise.epoch() + " " + completeness);
        }

        @Override
        public void truncate(long lastSn) {
            words.add("truncate " + lastSn);
        }

        @Override
        public void write(List<Entry> entries, long committedSn) {
            words.add("write " + entries.get(0).sn() + ".."
                    + entries.get(entries.size() - 1).sn() + " committed " + committedSn);
        }

        @Override
        public void rebase(LogSummary base) {
            words.add("rebase " + base.position());
        }

        @Override
        public void moveAside() {
            words.add("move aside");
        }

        @Override
        public void committed(long sn) {
            words.add("committed " + sn);
        }

        @Override
        public void answer(PoolReply reply) {
            replies.add(reply);
            words.add("answer " + reply);
        }

        @Override
        public void halt(String reason) {
            words.add("halt " + reason);
        }
    }
}
