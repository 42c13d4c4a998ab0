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
import static io.trefoil.journal.replica.ReplicaSteps.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a pool node takes entries: what it writes, cuts, shows and refuses (protocol page, R2 and R9). */
class ReplicaTest {

    @Test
    void rejectsBatchFromFencedWriter() {
        ReplicaState promised = newEpoch(empty(), 7, NEW, NOW).next();

        Step<ReplicaState, ReplicaEffect> step = append(promised, 6, OLD, LogPosition.ORIGIN, entries(6, 1, 2), 0);

        assertThat(step.next()).isEqualTo(promised);
        assertThat(describe(step)).containsExactly("answer " + StaleEpochReply.of(NODE, Epoch.of(7)));
    }

    @Test
    void writesEntriesBeforeAnswer() {
        Step<ReplicaState, ReplicaEffect> step =
                append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0);

        assertThat(describe(step))
                .containsExactly(
                        "write 1..2 committed 0",
                        "answer " + AppendedReply.of(NODE, Epoch.of(3), 2, LogCompleteness.COMPLETE));
        assertThat(step.next().last()).isEqualTo(positionAt(3, 2));
    }

    @Test
    void announcesCommitWithWrite() {
        Step<ReplicaState, ReplicaEffect> step =
                append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 3);

        assertThat(describe(step))
                .containsExactly(
                        "write 1..4 committed 3",
                        "committed 3",
                        "answer " + AppendedReply.of(NODE, Epoch.of(3), 4, LogCompleteness.COMPLETE));
    }

    @Test
    void firstAppendCarriesMissedPromise() {
        Step<ReplicaState, ReplicaEffect> step =
                append(promisedTo(2, OLD), 3, NEW, LogPosition.ORIGIN, entries(3, 1, 1), 0);

        assertThat(describe(step)).startsWith("promise 3 COMPLETE", "write 1..1 committed 0");
    }

    @Test
    void repeatedAppendWritesOnce() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> again = append(written, 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0);

        assertThat(describe(again))
                .containsExactly("answer " + AppendedReply.of(NODE, Epoch.of(3), 2, LogCompleteness.COMPLETE));
        assertThat(again.next()).isEqualTo(written);
    }

    @Test
    void lateOlderAppendTruncatesNothing() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 5), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> late = append(written, 3, OLD, positionAt(3, 1), entries(3, 2, 3), 0);

        assertThat(late.next().last()).isEqualTo(positionAt(3, 5));
        assertThat(reply(late)).isEqualTo(AppendedReply.of(NODE, Epoch.of(3), 3, LogCompleteness.COMPLETE));
    }

    @Test
    void rejectsEntriesLeavingGap() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 2), 0)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 3, OLD, positionAt(3, 4), entries(3, 5, 5), 0);

        assertThat(reply(step))
                .isEqualTo(MismatchReply.of(NODE, Epoch.of(3), positionAt(3, 2), 0, LogCompleteness.COMPLETE));
        assertThat(step.next().last()).isEqualTo(positionAt(3, 2));
    }

    @Test
    void acceptsEntriesOnlyAfterPreviousEntryOfWriter() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 5, NEW, positionAt(4, 4), entries(5, 5, 5), 2);

        assertThat(reply(step))
                .isEqualTo(MismatchReply.of(NODE, Epoch.of(5), positionAt(3, 4), 2, LogCompleteness.COMPLETE));
        assertThat(step.next().last()).isEqualTo(positionAt(3, 4));
    }

    @Test
    void skipsCommittedEntriesWhenResent() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 3, OLD, LogPosition.ORIGIN, entries(3, 1, 5), 2);

        assertThat(describe(step))
                .containsExactly(
                        "write 5..5 committed 2",
                        "answer " + AppendedReply.of(NODE, Epoch.of(3), 5, LogCompleteness.COMPLETE));
    }

    @Test
    void truncatesSuffixContradictingWriter() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 2)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 4, NEW, positionAt(3, 3), entries(4, 4, 4), 2);

        assertThat(describe(step)).contains("truncate 3", "write 4..4 committed 2");
        assertThat(step.next().last()).isEqualTo(positionAt(4, 4));
    }

    @Test
    void haltsRatherThanTruncateCommittedEntries() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 4)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 5, NEW, positionAt(3, 3), entries(5, 4, 4), 3);

        assertThat(describe(step)).anyMatch(word -> word.startsWith("halt"));
        assertThat(describe(step)).noneMatch(word -> word.startsWith("truncate") || word.startsWith("write"));
    }

    @Test
    void haltsWhenWriterContradictsCommittedEntry() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 4)
                .next();

        Step<ReplicaState, ReplicaEffect> step = append(written, 5, NEW, positionAt(4, 4), entries(5, 5, 5), 3);

        assertThat(describe(step)).anyMatch(word -> word.startsWith("halt"));
        assertThat(describe(step)).noneMatch(word -> word.startsWith("truncate") || word.startsWith("write"));
    }

    @Test
    void commitsOnlyEntriesSharedWithWriter() {
        // given entries that the writer of epoch 4 does not have
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 0)
                .next();

        // when that writer only says how far it is committed, behind entry 2
        ReplicaState heard =
                append(written, 4, NEW, positionAt(3, 2), List.of(), 4).next();

        assertThat(heard.committedSn()).isEqualTo(2);
    }

    @Test
    void ignoresCommitOfWriterWithoutLocalEntries() {
        ReplicaState written = append(promisedTo(3, OLD), 3, OLD, LogPosition.ORIGIN, entries(3, 1, 4), 0)
                .next();
        ReplicaState promised = newEpoch(Replica.endLeaseOfDeadWriter(written, OLD), 4, NEW, NOW)
                .next();

        assertThat(Replica.on(promised, CommitRequest.of(Epoch.of(4), 4)).next().committedSn())
                .isZero();
        assertThat(Replica.on(promised, CommitRequest.of(Epoch.of(3), 4)).next().committedSn())
                .isZero();
        assertThat(Replica.on(written, CommitRequest.of(Epoch.of(3), 9)).next().committedSn())
                .isEqualTo(4);
    }
}
