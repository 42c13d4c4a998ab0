/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import static io.trefoil.journal.replica.ReplicaSteps.NEW;
import static io.trefoil.journal.replica.ReplicaSteps.NODE;
import static io.trefoil.journal.replica.ReplicaSteps.NOW;
import static io.trefoil.journal.replica.ReplicaSteps.OLD;
import static io.trefoil.journal.replica.ReplicaSteps.append;
import static io.trefoil.journal.replica.ReplicaSteps.describe;
import static io.trefoil.journal.replica.ReplicaSteps.empty;
import static io.trefoil.journal.replica.ReplicaSteps.entries;
import static io.trefoil.journal.replica.ReplicaSteps.newEpoch;
import static io.trefoil.journal.replica.ReplicaSteps.positionAt;
import static io.trefoil.journal.replica.ReplicaSteps.promisedTo;
import static io.trefoil.journal.replica.ReplicaSteps.rebase;
import static io.trefoil.journal.replica.ReplicaSteps.reply;
import static io.trefoil.journal.replica.ReplicaSteps.request;
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
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a pool node refetches, starts over behind a base, retires and keeps what a barrier needs (protocol page, R8 to R10). */
class ReplicaStorageRulesTest {

    @Test
    void refetchingNodeIsCompleteOnceItReachesWritersInitialEnd() {
        ReplicaState damaged = ReplicaState.afterOpening(
                NODE, Promise.of(Epoch.of(3), OLD, 0), LogCompleteness.REFETCHING, LogSummary.ORIGIN, List.of(), NOW);

        ReplicaState some = Replica.on(damaged, request(3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0, 4), NOW)
                .next();
        // The writer has gone on since: that does not count.
        Step<ReplicaState, ReplicaEffect> all =
                Replica.on(some, request(3, OLD, positionAt(3, 2), entries(3, 3, 4), 0, 9), NOW);

        assertThat(some.completeness()).isEqualTo(LogCompleteness.REFETCHING);
        assertThat(describe(all)).contains("promise 3 COMPLETE");
        assertThat(all.next().completeness()).isEqualTo(LogCompleteness.COMPLETE);
    }

    @Test
    void newWriterVoidsEarlierRefetchTarget() {
        ReplicaState damaged = ReplicaState.afterOpening(
                NODE, Promise.of(Epoch.of(3), OLD, 0), LogCompleteness.REFETCHING, LogSummary.ORIGIN, List.of(), NOW);
        ReplicaState some = Replica.on(damaged, request(3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0, 4), NOW)
                .next();

        ReplicaState other = Replica.on(some, request(4, NEW, positionAt(3, 2), entries(3, 3, 4), 0, 9), NOW)
                .next();

        assertThat(other.completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void rebasesWhenItDoesNotReachBase() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> step = rebase(written, positionAt(3, 9));

        assertThat(describe(step)).contains("rebase 3/9");
        assertThat(step.next().last()).isEqualTo(positionAt(3, 9));
        assertThat(step.next().committedSn()).isEqualTo(9);
    }

    @Test
    void rebasesWhenOwnEntriesContradictBase() {
        // given entries of a writer that was never heard of again, longer than what is committed elsewhere
        ReplicaState written = append(promisedTo(2, OLD), 2, OLD, LogPosition.ORIGIN, entries(2, 1, 9), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> step = rebase(written, positionAt(3, 5));

        assertThat(describe(step)).contains("rebase 3/5");
        assertThat(reply(step)).isEqualTo(AppendedReply.of(NODE, Epoch.of(3), 5, LogCompleteness.COMPLETE));
    }

    @Test
    void keepsEntriesSharedWithBase() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 9), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> inTail = rebase(written, positionAt(3, 5));
        Step<ReplicaState, ReplicaEffect> inCommitted = rebase(written, positionAt(3, 1));

        assertThat(inTail.next().last()).isEqualTo(positionAt(3, 9));
        assertThat(reply(inTail)).isEqualTo(AppendedReply.of(NODE, Epoch.of(3), 5, LogCompleteness.COMPLETE));
        assertThat(inCommitted.next().last()).isEqualTo(positionAt(3, 9));
        assertThat(reply(inCommitted)).isInstanceOf(MismatchReply.class);
        assertThat(reply(rebase(written, positionAt(3, 2)))).isInstanceOf(MismatchReply.class);
        assertThat(describe(rebase(written, positionAt(3, 9)))).noneMatch(word -> word.startsWith("rebase"));
    }

    @Test
    void rejectsRebaseByFencedWriter() {
        ReplicaState promised = newEpoch(empty(), 7, NEW, NOW).next();

        Step<ReplicaState, ReplicaEffect> step = rebase(promised, positionAt(3, 9));

        assertThat(describe(step)).containsExactly("answer " + StaleEpochReply.of(NODE, Epoch.of(7)));
        assertThat(step.next()).isEqualTo(promised);
    }

    @Test
    void retirementMovesStorageAside() {
        Step<ReplicaState, ReplicaEffect> step = Replica.on(promisedTo(3, OLD), RetireRequest.of(Epoch.of(3), NODE));

        assertThat(describe(step)).containsExactly("move aside");
    }

    @Test
    void rejectsRetirementByFencedWriter() {
        Step<ReplicaState, ReplicaEffect> step = Replica.on(promisedTo(3, OLD), RetireRequest.of(Epoch.of(2), NODE));

        assertThat(describe(step)).containsExactly("answer " + StaleEpochReply.of(NODE, Epoch.of(3)));
    }

    @Test
    void ignoresRetirementOfPreviousStorage() {
        Step<ReplicaState, ReplicaEffect> step =
                Replica.on(promisedTo(3, OLD), RetireRequest.of(Epoch.of(3), NodeId.of("before")));

        assertThat(describe(step)).containsExactly("answer " + DoneReply.of(NODE));
    }

    /** The old site after a promotion: its epochs went on by themselves. */
    @Test
    void retiresForHigherIncarnationDespitePromisedEpoch() {
        Step<ReplicaState, ReplicaEffect> step = Replica.on(
                promisedTo(30, OLD), RetireRequest.of(Epoch.of(3), NODE).withIncarnation(Incarnation.of(7, 7)));

        assertThat(describe(step)).containsExactly("move aside");
    }

    @Test
    void rejectsRetirementForLowerIncarnationDespiteHigherEpoch() {
        ReplicaState later = ReplicaState.afterOpening(
                NODE,
                Promise.of(Epoch.of(3), OLD, 0),
                LogCompleteness.COMPLETE,
                LogSummary.ORIGIN.with(Incarnation.of(7, 7)),
                List.of(),
                NOW);

        Step<ReplicaState, ReplicaEffect> step =
                Replica.on(later, RetireRequest.of(Epoch.of(30), NODE).withIncarnation(Incarnation.of(6, 9)));

        assertThat(describe(step)).containsExactly("answer " + OtherIncarnationReply.of(NODE, Incarnation.of(7, 7)));
        assertThat(step.next()).isEqualTo(later);
    }

    /** The barrier is committed perhaps, and the release never will be. */
    @Test
    void barrierKeepsEntriesWhenItsReleaseArrivesWithIt() {
        Entry barrier = Entry.of(
                positionAt(3, 3),
                EntryKind.BARRIER,
                TxRange.NONE,
                Barrier.of("friday", 2, 2, "").toPayload());
        Entry release = Entry.of(positionAt(3, 4), EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8("friday"));
        ReplicaState state = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 2)
                .next();

        ReplicaState both = append(state, 3, OLD, positionAt(3, 2), List.of(barrier, release), 2)
                .next();

        assertThat(both.purgeableBelow(50)).isEqualTo(2);
    }

    @Test
    void barrierKeepsEntriesUntilReleaseCommits() {
        Entry barrier = Entry.of(
                positionAt(3, 3),
                EntryKind.BARRIER,
                TxRange.NONE,
                Barrier.of("friday", 2, 2, "").toPayload());
        Entry release = Entry.of(positionAt(3, 4), EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8("friday"));
        ReplicaState state = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 2)
                .next();
        assertThat(state.purgeableBelow(50)).isEqualTo(50);

        ReplicaState written =
                append(state, 3, OLD, positionAt(3, 2), List.of(barrier), 2).next();
        assertThat(written.purgeableBelow(50)).isEqualTo(2);
        assertThat(written.purgeableBelow(1)).isEqualTo(1);

        ReplicaState releasing =
                append(written, 3, OLD, positionAt(3, 3), List.of(release), 3).next();
        assertThat(releasing.purgeableBelow(50)).isEqualTo(2);

        ReplicaState released =
                append(releasing, 3, OLD, positionAt(3, 4), List.of(), 4).next();
        assertThat(released.purgeableBelow(50)).isEqualTo(50);
    }
}
