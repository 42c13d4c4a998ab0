/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import static io.trefoil.journal.replica.ReplicaSteps.LEASE_MILLIS;
import static io.trefoil.journal.replica.ReplicaSteps.NEW;
import static io.trefoil.journal.replica.ReplicaSteps.NODE;
import static io.trefoil.journal.replica.ReplicaSteps.NOW;
import static io.trefoil.journal.replica.ReplicaSteps.OLD;
import static io.trefoil.journal.replica.ReplicaSteps.append;
import static io.trefoil.journal.replica.ReplicaSteps.describe;
import static io.trefoil.journal.replica.ReplicaSteps.empty;
import static io.trefoil.journal.replica.ReplicaSteps.newEpoch;
import static io.trefoil.journal.replica.ReplicaSteps.positionAt;
import static io.trefoil.journal.replica.ReplicaSteps.promisedTo;
import static io.trefoil.journal.replica.ReplicaSteps.rebase;
import static io.trefoil.journal.replica.ReplicaSteps.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a pool node promises and to whom, and how long a lease holds it back (protocol page, R1 and "Lease"). */
class ReplicaPromiseTest {

    @Test
    void storesPromiseBeforeAnswer() {
        Step<ReplicaState, ReplicaEffect> step = newEpoch(empty(), 7, NEW, NOW);

        assertThat(describe(step)).hasSize(2);
        assertThat(describe(step).get(0)).isEqualTo("promise 7 COMPLETE");
        assertThat(reply(step)).isInstanceOf(PromiseReply.class);
        assertThat(step.next().promise().epoch()).isEqualTo(Epoch.of(7));
    }

    @Test
    void rejectsEpochNotAbovePromisedOne() {
        ReplicaState promised = newEpoch(empty(), 7, NEW, NOW).next();

        assertThat(reply(newEpoch(promised, 6, OLD, NOW))).isEqualTo(StaleEpochReply.of(NODE, Epoch.of(7)));
        assertThat(reply(newEpoch(promised, 7, OLD, NOW))).isEqualTo(StaleEpochReply.of(NODE, Epoch.of(7)));
    }

    @Test
    void repeatsAnswerForSameWriter() {
        Step<ReplicaState, ReplicaEffect> first = newEpoch(empty(), 7, NEW, NOW);

        Step<ReplicaState, ReplicaEffect> again = newEpoch(first.next(), 7, NEW, NOW);

        assertThat(reply(again)).isEqualTo(reply(first));
        assertThat(again.next()).isEqualTo(first.next());
    }

    @Test
    void keepsLongestLeaseThatWriterRequestsWithinTerm() {
        ReplicaState first = newEpoch(empty(), 7, NEW, NOW).next();
        AppendRequest heartbeat =
                AppendRequest.of(Epoch.of(7), NEW, LEASE_MILLIS, LogPosition.ORIGIN, List.of(), LogPosition.ORIGIN, 0);

        Step<ReplicaState, ReplicaEffect> longer = Replica.on(first, heartbeat.withLease(3 * LEASE_MILLIS), NOW);
        Step<ReplicaState, ReplicaEffect> overtaken = Replica.on(longer.next(), heartbeat, NOW);

        assertThat(longer.next().lease().remainingMillis(NOW)).isEqualTo(3 * LEASE_MILLIS);
        assertThat(describe(longer)).as("on disk, for after a restart").contains("promise 7 COMPLETE");
        assertThat(overtaken.next().lease().remainingMillis(NOW)).isEqualTo(3 * LEASE_MILLIS);
        assertThat(overtaken.next().promise().leaseMillis()).isEqualTo(3 * LEASE_MILLIS);
        assertThat(describe(overtaken)).doesNotContain("promise 7 COMPLETE");
    }

    @Test
    void grantsShorterLeaseOnlyAfterLongerOneExpires() {
        AppendRequest heartbeat =
                AppendRequest.of(Epoch.of(7), OLD, LEASE_MILLIS, LogPosition.ORIGIN, List.of(), LogPosition.ORIGIN, 0);
        ReplicaState held = Replica.on(
                        newEpoch(empty(), 7, OLD, NOW).next(), heartbeat.withLease(3 * LEASE_MILLIS), NOW)
                .next();
        long whenOver = NOW + 3 * LEASE_MILLIS * 1_000_000L;

        assertThat(reply(newEpoch(held, 8, NEW, whenOver - 1))).isInstanceOf(LeaseHeldReply.class);
        ReplicaState next = newEpoch(held, 8, NEW, whenOver).next();
        assertThat(next.promise()).isEqualTo(Promise.of(Epoch.of(8), NEW, LEASE_MILLIS));
    }

    @Test
    void reportsKnownCommitMissingFromLogToNewWriter() {
        LogPosition newest = positionAt(3, 10);
        AppendRequest probe =
                AppendRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, positionAt(3, 12), List.of(), newest, 12);
        ReplicaState behind = Replica.on(empty(), probe, NOW).next();

        assertThat(behind.committedSn()).isZero();
        assertThat(knownCommit(behind)).isEqualTo(newest);
        // Messages come late, and out of order.
        AppendRequest older =
                AppendRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, positionAt(3, 12), List.of(), positionAt(2, 9), 12);
        assertThat(knownCommit(Replica.on(behind, older, NOW).next())).isEqualTo(newest);
    }

    @Test
    void remembersCommitBeyondItsLog() {
        ReplicaState behind =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState next =
                Replica.on(behind, CommitRequest.of(Epoch.of(3), 10)).next();

        assertThat(knownCommit(next)).isEqualTo(positionAt(3, 10));
        // Of another writer's term, and of another journal: nothing that this node could judge.
        assertThat(knownCommit(
                        Replica.on(behind, CommitRequest.of(Epoch.of(4), 10)).next()))
                .isEqualTo(positionAt(1, 0));
        assertThat(knownCommit(
                        Replica.on(behind, CommitRequest.of(Epoch.of(3), 10).withIncarnation(Incarnation.of(7, 7)))
                                .next()))
                .isEqualTo(positionAt(1, 0));
    }

    @Test
    void localCommittedEntriesCountAsKnown() {
        ReplicaState opened = ReplicaState.afterOpening(
                NODE,
                Promise.NONE,
                LogCompleteness.COMPLETE,
                LogSummary.of(positionAt(2, 5), Members.NONE, 5, Optional.empty(), Optional.empty()),
                List.of(),
                NOW);

        assertThat(knownCommit(opened)).isEqualTo(positionAt(2, 5));
    }

    @Test
    void knownCommitSurvivesReopeningOfSameStorage() {
        AppendRequest probe =
                AppendRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, positionAt(3, 12), List.of(), positionAt(3, 10), 12);
        ReplicaState before = Replica.on(empty(), probe, NOW).next();
        ReplicaState other = ReplicaState.afterOpening(
                NodeId.of("other"), Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN, List.of(), NOW);
        ReplicaState again = ReplicaState.afterOpening(
                NODE,
                Promise.NONE,
                LogCompleteness.COMPLETE,
                LogSummary.ORIGIN.with(Incarnation.of(7, 7)),
                List.of(),
                NOW);

        assertThat(knownCommit(empty().afterReopening(before))).isEqualTo(positionAt(3, 10));
        assertThat(knownCommit(other.afterReopening(before))).isEqualTo(LogPosition.ORIGIN);
        assertThat(knownCommit(again.afterReopening(before))).isEqualTo(LogPosition.ORIGIN);
    }

    @Test
    void rebasedLogCountsBaseAsKnownCommitted() {
        assertThat(knownCommit(rebase(promisedTo(3, OLD), positionAt(2, 50)).next()))
                .isEqualTo(positionAt(2, 50));
    }

    private static LogPosition knownCommit(ReplicaState state) {
        return ((PromiseReply) reply(newEpoch(state, 9, NEW, NOW + 2 * LEASE_MILLIS * 1_000_000L))).knownCommitted();
    }

    @Test
    void reportsIncarnationToWriterOfDifferentJournal() {
        Incarnation own = Incarnation.of(7, 7);
        ReplicaState state = ReplicaState.afterOpening(
                NODE, Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN.with(own), List.of(), NOW);

        Step<ReplicaState, ReplicaEffect> step = append(state, 3, OLD, LogPosition.ORIGIN, List.of(), 0);

        assertThat(reply(step)).isEqualTo(OtherIncarnationReply.of(NODE, own));
        assertThat(step.next()).isEqualTo(state);
    }

    @Test
    void promisesNothingDuringLease() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        Step<ReplicaState, ReplicaEffect> step = newEpoch(leased, 4, NEW, NOW + 400_000_000L);

        assertThat(reply(step)).isEqualTo(LeaseHeldReply.of(NODE, Epoch.of(3), 600));
        assertThat(step.next()).isEqualTo(leased);
    }

    @Test
    void restartedWriterDoesNotWaitForFormerLease() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        Step<ReplicaState, ReplicaEffect> step = newEpoch(leased, 4, OLD, NOW);

        assertThat(reply(step)).isInstanceOf(PromiseReply.class);
        assertThat(step.next().promise().epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void promisesWhenLeaseExpires() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(reply(newEpoch(leased, 4, NEW, NOW + LEASE_MILLIS * 1_000_000L)))
                .isInstanceOf(PromiseReply.class);
    }

    @Test
    void freeLeaseIsExpiredAtAnyClock() {
        assertThat(Lease.FREE.remainingMillis(-NOW)).isZero();
        assertThat(Lease.FREE.remainingMillis(NOW)).isZero();
        assertThat(Lease.of(-NOW, 0).remainingMillis(-NOW)).isZero();
    }

    @Test
    void roundsLeaseUpToFullMillisecond() {
        Lease lease = Lease.of(NOW, 2);

        assertThat(lease.remainingMillis(NOW + 1)).isEqualTo(2);
        assertThat(lease.remainingMillis(NOW + 1_999_999)).isEqualTo(1);
        assertThat(lease.remainingMillis(NOW + 2_000_000)).isZero();
        assertThat(lease.remainingMillis(NOW + 9_000_000)).isZero();
    }

    @Test
    void promisesImmediatelyAfterWriterStepsDown() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState free = Replica.on(leased, StepDownRequest.of(Epoch.of(3))).next();

        assertThat(reply(newEpoch(free, 4, NEW, NOW))).isInstanceOf(PromiseReply.class);
    }

    @Test
    void ignoresStepDownOfWriterOfDifferentJournal() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(Replica.on(leased, StepDownRequest.of(Epoch.of(3)).withIncarnation(Incarnation.of(7, 7)))
                        .next())
                .isEqualTo(leased);
    }

    @Test
    void rejectsRebaseByWriterOfDifferentJournal() {
        LogSummary base = LogSummary.of(positionAt(2, 50), Members.NONE, 50, Optional.empty(), Optional.empty())
                .with(Incarnation.of(7, 7));

        Step<ReplicaState, ReplicaEffect> step =
                Replica.on(empty(), RebaseRequest.of(Epoch.of(3), OLD, LEASE_MILLIS, base), NOW);

        assertThat(reply(step)).isEqualTo(OtherIncarnationReply.of(NODE, empty().incarnation()));
        assertThat(step.next()).isEqualTo(empty());
    }

    @Test
    void ignoresStepDownOfDifferentTerm() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(Replica.on(leased, StepDownRequest.of(Epoch.of(2))).next()).isEqualTo(leased);
        assertThat(Replica.on(leased, StepDownRequest.of(Epoch.of(4))).next()).isEqualTo(leased);
    }

    @Test
    void deathOfDifferentWriterKeepsLease() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        assertThat(Replica.endLeaseOfDeadWriter(leased, NEW)).isEqualTo(leased);
        assertThat(Replica.shortenLease(leased, NEW)).isEqualTo(leased);
        assertThat(reply(newEpoch(Replica.endLeaseOfDeadWriter(leased, OLD), 4, NEW, NOW)))
                .isInstanceOf(PromiseReply.class);
    }

    /** It may be a firewall that refuses, and the writer behind it answers readers. */
    @Test
    void shortensLeaseOfSuspectedWriterToAlonePeriod() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();
        long aloneNanos = Promise.ALONE_MILLIS * 1_000_000L;

        ReplicaState doubted = Replica.shortenLease(leased, OLD);

        assertThat(reply(newEpoch(doubted, 4, NEW, NOW + aloneNanos - 1))).isInstanceOf(LeaseHeldReply.class);
        assertThat(reply(newEpoch(doubted, 4, NEW, NOW + aloneNanos))).isInstanceOf(PromiseReply.class);
    }

    @Test
    void suspectedWriterRegainsFullLeaseWhenItAppends() {
        ReplicaState leased =
                append(empty(), 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState heard = append(Replica.shortenLease(leased, OLD), 3, OLD, LogPosition.ORIGIN, List.of(), 0)
                .next();

        assertThat(heard).isEqualTo(leased);
    }

    /** The rival asked for epoch 3, too, was promised it here and elsewhere never got a majority. */
    @Test
    void deathOfRivalForSameEpochKeepsLease() {
        WriterId rival = WriterId.of("rival");
        ReplicaState promised = newEpoch(empty(), 3, rival, NOW).next();
        ReplicaState leased =
                append(promised, 3, OLD, LogPosition.ORIGIN, List.of(), 0).next();

        ReplicaState next = Replica.endLeaseOfDeadWriter(leased, rival);

        assertThat(next).isEqualTo(leased);
        assertThat(reply(newEpoch(next, 4, NEW, NOW))).isInstanceOf(LeaseHeldReply.class);
    }

    @Test
    void restartedNodeCountsLeaseFromItsStart() {
        ReplicaState opened = ReplicaState.afterOpening(
                NODE,
                Promise.of(Epoch.of(3), OLD, LEASE_MILLIS),
                LogCompleteness.COMPLETE,
                LogSummary.ORIGIN,
                List.of(),
                NOW);

        assertThat(reply(newEpoch(opened, 4, NEW, NOW + 1))).isInstanceOf(LeaseHeldReply.class);
    }
}
