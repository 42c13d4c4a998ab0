/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.CatchUpBudget;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A node that is behind is caught up without slowing commits (protocol page, "Catching up"). */
class CatchUpBudgetTest {
    private static final NodeAddress A = NodeAddress.of("a", 8485);
    private static final NodeAddress B = NodeAddress.of("b", 8485);
    private static final NodeAddress C = NodeAddress.of("c", 8485);
    private static final long MILLI = 1_000_000L;
    private static final int PART = 100_000;
    private static final int BYTES_PER_SECOND = 1_000_000;

    private final Bench bench = writingBench();
    private long behindSn = 10;
    private int parts;

    /** C has what the term before left, and that is a lot behind by now. */
    private static Bench writingBench() {
        Bench bench = new Bench(Bench.settings(2, A, B, C)
                .catchUpBytesPerSecond(BYTES_PER_SECOND)
                .build());
        bench.connect(A, 4).connect(B, 4).connect(C, 4);
        Members members = Members.of(List.of(voter(A), voter(B), voter(C)));
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(4), 10_000), members, 10_000, Optional.empty(), Optional.empty());
        bench.advanceClock(10).step(WriterEvent.ticked());
        bench.promise(A, end, 10_000).promise(B, end, 10_000);
        bench.acknowledge(A, bench.state.lastSn()).acknowledge(B, bench.state.lastSn());
        bench.trim(bench.state.lastSn());
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    private static Member voter(NodeAddress address) {
        return Member.voter(Bench.id(address), address);
    }

    private void reportLogEndOfC() {
        bench.reply(
                C,
                MismatchReply.of(
                        Bench.id(C),
                        bench.state.epoch(),
                        LogPosition.of(Epoch.of(2), 10),
                        10,
                        LogCompleteness.COMPLETE));
        answerPart();
    }

    /** C has a part as soon as it was sent; the disk of A has the next one as soon as it is asked for. */
    private void answerPart() {
        while (bench.words.stream().anyMatch(word -> word.startsWith("c entries") && word.endsWith("from a"))) {
            parts++;
            behindSn++;
            bench.step(WriterEvent.partSent(C, behindSn, PART));
            bench.acknowledge(C, behindSn);
        }
    }

    private void advance(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            bench.advanceClock(10).step(WriterEvent.ticked());
            answerPart();
        }
    }

    private void commit(long txId) {
        bench.append(txId);
        answerPart();
        bench.acknowledge(A, bench.state.lastSn());
        bench.acknowledge(B, bench.state.lastSn());
    }

    @Test
    void limitsBytesPerSecond() {
        reportLogEndOfC();

        advance(3_000);

        assertThat(parts).isBetween(28, 32);
    }

    /** The writer has them in memory, which costs its network as much as what another node reads. */
    @Test
    void countsPartsFromMemory() {
        Bench few = Bench.writing(Bench.settings(2, A, B, C).catchUpBytesPerSecond(1), Bench.members(A, B, C));
        few.step(WriterEvent.peerDisconnected(C));
        for (long txId = 11; txId < 11 + 33; txId++) {
            few.append(txId).acknowledge(A, few.state.lastSn()).acknowledge(B, few.state.lastSn());
        }
        assertThat(few.state.catchUpBudget().allows(few.nowNanos)).isTrue();

        few.connect(C, 4).acknowledge(C, few.state.lastSn() - 33);

        assertThat(few.words).contains("c entries 13..45");
        assertThat(few.state.catchUpBudget().allows(few.nowNanos)).isFalse();
    }

    @Test
    void nodeAwaitingNextPartGetsHeartbeats() {
        reportLogEndOfC();
        boolean heard = false;
        for (long passed = 0; passed < 1_100; passed += 10) {
            bench.step(WriterEvent.partSent(C, behindSn, 100 * PART))
                    .advanceClock(10)
                    .step(WriterEvent.ticked());
            heard |= !bench.sentTo(C, AppendRequest.class).isEmpty();
        }

        assertThat(heard).isTrue();
    }

    @Test
    void slowCommitsThrottleParts() {
        reportLogEndOfC();
        commit(10_001);
        bench.append(10_002);
        advance(20);
        parts = 0;

        advance(900);

        assertThat(parts).isBetween(7, 9);
        bench.acknowledge(A, bench.state.lastSn()).acknowledge(B, bench.state.lastSn());
        parts = 0;
        advance(900);
        assertThat(parts).as("again when commits are quick").isGreaterThan(7);
    }

    @Test
    void slowCommitsThrottleOnlyWhileEntriesArePending() {
        bench.append(10_001).append(10_002);
        long sn = bench.state.lastSn();

        bench.advanceClock(5).acknowledge(A, sn - 1).acknowledge(B, sn - 1);
        assertThat(bench.state.catchUpBudget().uncommittedNanos()).contains(bench.nowNanos);

        bench.acknowledge(A, sn).acknowledge(B, sn);
        assertThat(bench.state.catchUpBudget().uncommittedNanos()).isEmpty();
    }

    @Test
    void nodeRequiredForMajorityIsNotThrottled() {
        bench.step(WriterEvent.peerDisconnected(B));
        bench.append(10_001);

        bench.reply(
                C,
                MismatchReply.of(
                        Bench.id(C),
                        bench.state.epoch(),
                        LogPosition.of(Epoch.of(2), 10),
                        10,
                        LogCompleteness.COMPLETE));
        // No time passes between them.
        for (int i = 0; i < 1_000; i++) {
            assertThat(bench.words).contains("c entries " + (behindSn + 1) + "..10000 from a");
            behindSn++;
            bench.step(WriterEvent.partSent(C, behindSn, PART));
            bench.acknowledge(C, behindSn);
        }
    }

    @Test
    void slowPendingCommitLimitsPartsToTenPerSecond() {
        long began = 1_000_000 * MILLI;
        CatchUpBudget catchUpBudget =
                CatchUpBudget.begin(BYTES_PER_SECOND, began).withAppended(1, began);

        assertThat(catchUpBudget.allows(began)).isTrue();
        assertThat(catchUpBudget.allows(began + 10 * MILLI)).isTrue();
        assertThat(catchUpBudget.allows(began + 10 * MILLI + 1)).isFalse();
        assertThat(catchUpBudget.allows(began + 100 * MILLI - 1)).isFalse();
        assertThat(catchUpBudget.allows(began + 100 * MILLI)).isTrue();
        assertThat(catchUpBudget.withAppended(1, began + 5 * MILLI).allows(began + 10 * MILLI + 1))
                .as("the oldest that is not committed counts")
                .isFalse();
        assertThat(catchUpBudget.withCommitted(true, began + 5 * MILLI).allows(began + 50 * MILLI))
                .as("nothing is waited for")
                .isTrue();
    }

    @Test
    void zeroCreditAllowsSinglePart() {
        CatchUpBudget catchUpBudget = CatchUpBudget.begin(BYTES_PER_SECOND, 0);

        assertThat(catchUpBudget.allows(0)).isTrue();
        assertThat(catchUpBudget.withSent(1, 0).allows(0)).isFalse();
    }

    @Test
    void alwaysAllowsTwiceWriteRate() {
        CatchUpBudget catchUpBudget = CatchUpBudget.begin(BYTES_PER_SECOND, 0);
        long now = 0;
        long sent = 0;
        for (int i = 0; i < 1_000; i++) {
            now += MILLI;
            catchUpBudget = catchUpBudget.withAppended(4_000, now).withCommitted(true, now);
            while (catchUpBudget.allows(now)) {
                catchUpBudget = catchUpBudget.withSent(1_000, now);
                sent += 1_000;
            }
        }

        assertThat(sent).isBetween(8_900_000L, 9_100_000L);
    }

    @Test
    void boundsSavedCredit() {
        CatchUpBudget catchUpBudget = CatchUpBudget.begin(BYTES_PER_SECOND, 0);
        long now = 3_600_000 * MILLI;
        int sent = 0;
        while (catchUpBudget.allows(now)) {
            catchUpBudget = catchUpBudget.withSent(1_000, now);
            sent += 1_000;
        }

        assertThat(sent).isLessThanOrEqualTo(BYTES_PER_SECOND / 50 + 1_000);
    }

    @Test
    void forgivesDebtAboveOneSecond() {
        CatchUpBudget catchUpBudget = CatchUpBudget.begin(BYTES_PER_SECOND, 0).withSent(1L << 40, 0);

        assertThat(catchUpBudget.allows(900 * MILLI)).isFalse();
        assertThat(catchUpBudget.allows(1_010 * MILLI)).isTrue();
    }

    @Test
    void zeroMeansNoLimit() {
        CatchUpBudget catchUpBudget =
                CatchUpBudget.begin(0, 0).withAppended(1, 0).withSent(1L << 40, 0);

        assertThat(catchUpBudget.allows(50 * MILLI)).isTrue();
    }
}
