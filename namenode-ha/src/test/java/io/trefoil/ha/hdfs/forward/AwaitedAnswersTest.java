/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.journal.model.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When clients are answered whose calls were handed on; by a clock that the test moves. */
class AwaitedAnswersTest {
    private static final long TIMEOUT = 60;
    private static final long SILENCE = 5;

    private final List<String> told = new ArrayList<>();
    private long applied = 10;
    private long nowNanos = 1_000;
    private final List<Outcome> ended = new ArrayList<>();
    private final AwaitedAnswers awaited = new AwaitedAnswers(TIMEOUT, SILENCE, 4_096, () -> applied, () -> nowNanos);

    private final class FakeCaller implements AwaitedAnswers.Caller {
        private final String name;
        private boolean waiting = true;

        FakeCaller(String name) {
            this.name = name;
        }

        @Override
        public boolean isWaiting() {
            return waiting;
        }

        @Override
        public void answer(SerializedResponse answer) {
            told.add(name + " " + answer.kind() + " " + answer.lastTxId());
        }

        @Override
        public void abortForRetry(String reason) {
            told.add(name + " broke off: " + reason);
        }
    }

    private AwaitedAnswers.Call call(String name) {
        return call(new FakeCaller(name));
    }

    private AwaitedAnswers.Call call(FakeCaller caller) {
        return awaited.begin(caller, ended::add);
    }

    private static SerializedResponse answer(long lastTxId) {
        return SerializedResponse.returned(lastTxId, Bytes.EMPTY);
    }

    @Test
    void answerWithoutNewTransactionsIsSentImmediately() {
        awaited.recordAnswer(call("a"), answer(10));
        assertThat(told).containsExactly("a RETURNED 10");
        assertThat(awaited.hasUnappliedAnswers()).isFalse();
        assertThat(ended).containsExactly(Outcome.ANSWERED);
    }

    @Test
    void changeIsAnsweredOnceAppliedLocally() {
        awaited.recordAnswer(call("a"), answer(12));
        awaited.recordAnswer(call("b"), answer(11));
        assertThat(told).isEmpty();
        assertThat(awaited.hasUnappliedAnswers()).isTrue();
        applied = 11;
        awaited.sendReady();
        assertThat(told).containsExactly("b RETURNED 11");
        applied = 12;
        awaited.sendReady();
        assertThat(told).containsExactly("b RETURNED 11", "a RETURNED 12");
    }

    @Test
    void exceptionIsAnsweredOnceAppliedLocally() {
        awaited.recordAnswer(call("a"), SerializedResponse.failed(11, "java.io.IOException", "it is there"));
        assertThat(told).isEmpty();
        applied = 11;
        awaited.sendReady();
        assertThat(told).containsExactly("a THREW 11");
        assertThat(ended).containsExactly(Outcome.ANSWERED);
    }

    @Test
    void abortsCallWithUnknownOutcome() {
        awaited.fail(call("a"), "the session broke");
        assertThat(told).containsExactly("a broke off: the session broke");
        assertThat(ended).containsExactly(Outcome.UNKNOWN);
    }

    @Test
    void relaysNotExecutedAndAbortedAnswers() {
        awaited.recordAnswer(call("a"), SerializedResponse.notExecuted("it is a standby"));
        awaited.recordAnswer(call("b"), SerializedResponse.aborted("it stops"));
        assertThat(told).containsExactly("a NOT_EXECUTED 0", "b BROKE_OFF 0");
        assertThat(ended).containsExactly(Outcome.NOT_EXECUTED, Outcome.UNKNOWN);
    }

    @Test
    void answerToDisconnectedClientIsDroppedAndFreesMemory() {
        FakeCaller asking = new FakeCaller("a");
        AwaitedAnswers.Call first = call(asking);
        FakeCaller answered = new FakeCaller("b");
        awaited.recordAnswer(call(answered), answer(11));
        asking.waiting = false;
        answered.waiting = false;
        awaited.sweep();
        assertThat(ended).containsExactly(Outcome.CLIENT_GONE, Outcome.CLIENT_GONE);
        assertThat(awaited.hasUnappliedAnswers()).isFalse();
        applied = 11;
        awaited.recordAnswer(first, answer(1));
        awaited.sendReady();
        assertThat(told).isEmpty();
        assertThat(ended).hasSize(2);
    }

    private static SerializedResponse largeAnswer(long lastTxId, int bytes) {
        return SerializedResponse.returned(lastTxId, Bytes.wrap(new byte[bytes]));
    }

    /** A client that repeats a refused call under other ids would have it executed twice. */
    @Test
    void abortsExecutedCallWhenPendingAnswersReachMemoryLimit() {
        awaited.recordAnswer(call("a"), largeAnswer(11, 3_000));
        assertThat(awaited.isFull()).isFalse();
        awaited.recordAnswer(call("b"), largeAnswer(11, 3_000));
        assertThat(told).containsExactly("b broke off: " + AwaitedAnswers.FULL);
        assertThat(ended).containsExactly(Outcome.NO_ROOM);
        // What need not wait takes none.
        awaited.recordAnswer(call("c"), largeAnswer(10, 3_000));
        assertThat(told).containsExactly("b broke off: " + AwaitedAnswers.FULL, "c RETURNED 10");

        applied = 11;
        awaited.sendReady();
        applied = 10;
        told.clear();
        awaited.recordAnswer(call("d"), largeAnswer(11, 3_000));
        assertThat(told).isEmpty();
    }

    @Test
    void singleOversizedAnswerIsHeldButBlocksFurtherCalls() {
        FakeCaller asking = new FakeCaller("a");
        awaited.recordAnswer(call(asking), largeAnswer(11, 10_000));
        assertThat(told).isEmpty();
        assertThat(awaited.isFull()).isTrue();

        asking.waiting = false;
        awaited.sweep();
        assertThat(awaited.isFull()).isFalse();
    }

    @Test
    void abortsCallsAfterTimeout() {
        AwaitedAnswers.Call silent = call("a");
        awaited.recordAnswer(call("b"), answer(20));
        nowNanos += TIMEOUT;
        awaited.onActiveReachable();
        applied++;
        awaited.sweep();
        assertThat(told).isEmpty();
        nowNanos++;
        awaited.sweep();
        assertThat(told)
                .containsExactly(
                        "a broke off: the active has not answered in time",
                        "b broke off: it has not applied transaction 20 in time");
        awaited.fail(silent, "too late");
        assertThat(told).hasSize(2);
        assertThat(ended).containsExactly(Outcome.NO_ANSWER, Outcome.NOT_APPLIED);
    }

    /** It may be cut off, and would apply nothing for as long; the client asks another one. */
    @Test
    void abandonsAnswerWhenActiveIsUnresponsive() {
        nowNanos += 100;
        AwaitedAnswers.Call atTheActive = call("a");
        awaited.recordAnswer(call("b"), answer(20));
        nowNanos += SILENCE;
        applied++;
        awaited.sweep();
        assertThat(told).isEmpty();
        awaited.onActiveReachable();
        nowNanos += SILENCE;
        applied++;
        awaited.sweep();
        assertThat(told).isEmpty();
        nowNanos++;
        awaited.sweep();
        assertThat(told)
                .containsExactly("b broke off: it does not hear the active, and has not applied transaction 20 yet");
        assertThat(awaited.hasUnappliedAnswers()).isFalse();
        awaited.recordAnswer(atTheActive, answer(10));
        assertThat(told).last().isEqualTo("a RETURNED 10");
        assertThat(ended).containsExactly(Outcome.NOT_APPLIED, Outcome.ANSWERED);
    }

    @Test
    void abandonsAnswerWhenNoEditIsApplied() {
        nowNanos += 100;
        awaited.recordAnswer(call("a"), answer(20));
        for (int i = 0; i < 3; i++) {
            nowNanos += SILENCE;
            awaited.onActiveReachable();
            applied++;
            awaited.sweep();
        }
        assertThat(told).isEmpty();

        nowNanos += SILENCE + 1;
        awaited.onActiveReachable();
        awaited.sweep();

        assertThat(told).containsExactly("a broke off: it has not applied transaction 20 in time");
    }
}
