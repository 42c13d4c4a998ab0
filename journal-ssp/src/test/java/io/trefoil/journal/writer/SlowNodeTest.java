/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Slow is not dead (protocol page): who is dropped from the in-sync set, who is in sync again, and how often. */
class SlowNodeTest {
    private static final NodeAddress A = NodeAddress.of("a", 8485);
    private static final NodeAddress B = NodeAddress.of("b", 8485);
    private static final NodeAddress C = NodeAddress.of("c", 8485);
    private static final long TIMEOUT = Bench.ACK_TIMEOUT_MILLIS;

    /** An answer of node C that is on its way. */
    private record DueAnswer(long atNanos, long sentNanos, long sn) {}

    private final Bench bench = writingBench();
    private final Queue<DueAnswer> answers = new ArrayDeque<>();
    private long txId = 11;
    private long timeouts;
    private long returns;

    private static Bench writingBench() {
        Bench bench = new Bench(2, A, B, C);
        bench.connect(A, 4).connect(B, 4).connect(C, 4);
        Members members = Members.of(List.of(voter(A), voter(B), voter(C)));
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(4), 10), members, 10, Optional.empty(), Optional.empty());
        bench.advanceClock(10).step(WriterEvent.ticked());
        for (NodeAddress node : List.of(A, B, C)) {
            bench.promise(node, end, 10);
        }
        for (NodeAddress node : List.of(A, B, C)) {
            bench.acknowledge(node, bench.state.lastSn());
        }
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    private static Member voter(NodeAddress address) {
        return Member.voter(Bench.id(address), address);
    }

    /** A batch every 10 ms; A and B answer at once, C whatever it has been sent so far, so much later. */
    private void run(long millis, long delayMillis) {
        run(millis, passed -> true, delayMillis);
    }

    private void run(long millis, LongPredicate cWorks, long delayMillis) {
        for (long passed = 0; passed < millis; passed += 10) {
            bench.advanceClock(10);
            count(bench.step(WriterEvent.ticked()), delayMillis);
            count(
                    bench.step(WriterEvent.appendRequested(
                            EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("tx" + txId))),
                    delayMillis);
            txId++;
            long sn = bench.state.lastSn();
            count(bench.acknowledge(A, sn), delayMillis);
            count(bench.acknowledge(B, sn), delayMillis);
            assertThat(bench.state.committedSn()).as("nobody waits for C").isEqualTo(sn);
            while (cWorks.test(passed) && !answers.isEmpty() && answers.peek().atNanos() <= bench.nowNanos) {
                DueAnswer due = answers.remove();
                count(answer(due), delayMillis);
            }
        }
    }

    private void answerAll() {
        while (!answers.isEmpty()) {
            bench.advanceClock(10);
            count(answer(answers.remove()), 1);
        }
    }

    private Bench answer(DueAnswer due) {
        return bench.step(WriterEvent.replied(
                C,
                AppendedReply.of(Bench.id(C), bench.state.epoch(), due.sn(), LogCompleteness.COMPLETE),
                due.sentNanos(),
                bench.state.leaseMillis()));
    }

    private void count(Bench stepped, long delayMillis) {
        long atNanos = stepped.nowNanos + delayMillis * 1_000_000L;
        for (String word : stepped.words) {
            if (word.startsWith("c entries ")) {
                long sn = Long.parseLong(word.substring(word.lastIndexOf('.') + 1));
                answers.add(new DueAnswer(atNanos, stepped.nowNanos, sn));
            }
            timeouts += word.startsWith("c out of sync") ? 1 : 0;
            returns += word.equals("c in sync again") ? 1 : 0;
        }
        if (!stepped.sentTo(C, AppendRequest.class).isEmpty()) {
            // A probe: it has what it was sent before, so it says how far that is.
            answers.add(new DueAnswer(atNanos, stepped.nowNanos, highestSent()));
        }
    }

    private long highestSent() {
        return answers.stream()
                .mapToLong(DueAnswer::sn)
                .max()
                .orElse(bench.state.progress().get(2).matchedSn());
    }

    private boolean isInSync() {
        return bench.state.progress().get(2).inSync();
    }

    @Test
    void dropsNodesWithoutAnswerAfterTimeout() {
        bench.append(txId);

        bench.advance(TIMEOUT);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.advance(10);
        assertThat(bench.state.inSyncVoters()).isZero();
    }

    @Test
    void nodeAnsweringInTimeStaysInSync() {
        run(60_000, TIMEOUT / 2 - 20);

        assertThat(timeouts).isZero();
        assertThat(isInSync()).isTrue();
    }

    @Test
    void nodeAcknowledgingSteadilyButSlowlyIsDropped() {
        run(2 * TIMEOUT + 100, 3 * TIMEOUT / 2);

        assertThat(timeouts).isEqualTo(1);
        assertThat(isInSync()).isFalse();
    }

    @Test
    void graduallyLaggingNodeIsDroppedDespiteConstantAcks() {
        for (long delay = 0; delay < 3 * TIMEOUT && timeouts == 0; delay += 5) {
            run(10, delay);
        }

        assertThat(timeouts).isEqualTo(1);
        assertThat(isInSync()).isFalse();
    }

    @Test
    void permanentlySlowNodeDoesNotFlap() {
        run(120_000, 3 * TIMEOUT / 2);

        assertThat(timeouts).isLessThanOrEqualTo(3);
        assertThat(isInSync()).isFalse();
        assertThat(bench.state.lastSn() - bench.state.progress().get(2).matchedSn())
                .as("it follows nevertheless")
                .isLessThan(1_000);
    }

    @Test
    void intermittentlyStalledNodeDoesNotFlap() {
        run(150_000, passed -> passed % 5_000 > 2_000, 1);

        // Each timeout but the first has to be earned by twice the time before; 5 s of steadiness are never there.
        assertThat(timeouts).isBetween(2L, 5L);
        assertThat(returns).isBetween(timeouts - 1, timeouts);
    }

    @Test
    void afterFirstTimeoutNodeReturnsOnceCaughtUp() {
        run(5_000, passed -> passed > 2_000, 1);

        assertThat(timeouts).isEqualTo(1);
        assertThat(returns).isEqualTo(1);
        assertThat(isInSync()).isTrue();
    }

    @Test
    void steadyNodeReturnsDespiteMultipleTimeouts() {
        run(60_000, passed -> passed % 5_000 > 2_000, 1);
        assertThat(timeouts).isGreaterThan(1);

        run(40_000, 1);

        assertThat(isInSync()).isTrue();
    }

    /** It timed out several times, and has answered everything since. */
    private void makeCUnproven() {
        run(60_000, passed -> passed % 5_000 > 2_000, 1);
        answerAll();
        assertThat(isInSync()).isFalse();
    }

    @Test
    void unprovenNodeLearnsCommits() {
        makeCUnproven();

        assertThat(bench.state.committedSn()).isEqualTo(bench.state.lastSn());
        assertThat(bench.sentTo(C, CommitRequest.class))
                .extracting(CommitRequest::committedSn)
                .containsExactly(bench.state.lastSn());

        do {
            bench.advance(10);
        } while (bench.sentTo(C, AppendRequest.class).isEmpty());
        assertThat(isInSync()).isFalse();
        assertThat(bench.sentTo(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(bench.state.end().position());
    }

    @Test
    void unprovenNodeAcknowledgingFirstLearnsCommit() {
        makeCUnproven();
        bench.append(txId);
        long sn = bench.state.lastSn();
        bench.acknowledge(C, sn).acknowledge(A, sn);
        assertThat(isInSync()).isFalse();

        bench.step(WriterEvent.announceDelayPassed(sn));

        assertThat(bench.sentTo(C, CommitRequest.class))
                .extracting(CommitRequest::committedSn)
                .containsExactly(sn);
    }

    @Test
    void acknowledgementOfUnprovenNodeCounts() {
        run(60_000, passed -> passed % 5_000 > 2_000, 1);
        assertThat(isInSync()).isFalse();
        bench.append(txId);
        long sn = bench.state.lastSn();

        bench.acknowledge(A, sn).acknowledge(C, sn);

        assertThat(bench.state.committedSn()).isEqualTo(sn);
    }

    @Test
    void writerPauseDropsNoNode() {
        bench.append(txId);
        long sn = bench.state.lastSn();

        bench.advanceClock(10_000).step(WriterEvent.ticked());

        assertThat(bench.words).noneMatch(word -> word.contains("out of sync"));
        bench.advance(TIMEOUT / 2);
        bench.acknowledge(A, sn).acknowledge(B, sn).acknowledge(C, sn);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
        assertThat(bench.append(txId + 1).words).contains("c entries " + (sn + 1) + ".." + (sn + 1));
    }

    @Test
    void silentNodeIsProbedWithBackoff() {
        bench.append(txId).acknowledge(A, bench.state.lastSn()).acknowledge(B, bench.state.lastSn());
        int probes = 0;
        for (long passed = 0; passed < 30_000; passed += 10) {
            bench.advanceClock(10).step(WriterEvent.ticked());
            probes += bench.sentTo(C, AppendRequest.class).size();
        }

        assertThat(probes).isBetween(25, 45);
    }

    /** It did bring one for each of them: hundreds of times the same entries, until the node had no memory left. */
    @Test
    void delayedAnswersTriggerOnePartAfterAnother() {
        long firstSn = bench.state.lastSn() + 1;
        run(TIMEOUT + 200, passed -> false, TIMEOUT);
        assertThat(timeouts).isEqualTo(1);
        long lastSn = bench.state.lastSn();

        assertThat(bench.acknowledge(C, firstSn).words).containsExactly("c entries " + (firstSn + 1) + ".." + lastSn);
        long partSn = firstSn + 10;
        bench.step(WriterEvent.partSent(C, partSn, 1));
        for (long sn = firstSn + 1; sn < partSn; sn++) {
            assertThat(bench.acknowledge(C, sn).words).isEmpty();
            assertThat(bench.state.progress().get(2).matchedSn()).isEqualTo(sn);
        }

        assertThat(bench.acknowledge(C, partSn).words).containsExactly("c entries " + (partSn + 1) + ".." + lastSn);
    }
}
