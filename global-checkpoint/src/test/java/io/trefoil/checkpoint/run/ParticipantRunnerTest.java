/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.foundation.ExhaustibleThreadFactory;
import io.trefoil.foundation.OrderRefusedException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error of this process, no memory for instance, ends one checkpoint, and not all that come after it. */
@Timeout(120)
class ParticipantRunnerTest {
    private static final CheckpointId FIRST = CheckpointId.of("c", "00000001");
    private static final CheckpointId SECOND = CheckpointId.of("c", "00000002");
    /** No freeze of these tests ends because its time is over, however long a thread stands still. */
    private static final long LONG = FreezeOrder.MAX_HOLD_MILLIS;

    private final FailingNamesystem namesystem = new FailingNamesystem();
    private final ExhaustibleThreadFactory threads = new ExhaustibleThreadFactory();
    private final ParticipantRunner participant =
            new ParticipantRunner(namesystem, new SilentObserver(), name -> threads);

    @AfterEach
    void close() {
        participant.close();
    }

    private static void expectRefused(Future<?> answer) {
        assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS)).hasMessageContaining("planted");
    }

    private Grant freezeFor(CheckpointId id) throws Exception {
        return participant.freeze(FreezeOrder.of(id, LONG, false)).get(60, TimeUnit.SECONDS);
    }

    private Future<Cut> cutFor(CheckpointId id) throws Exception {
        return participant.cut(freezeFor(id), Agreement.of(id, 0, 0, "ns1", Collections.singletonList("ns1")));
    }

    @Test
    void errorBeforeLockEndsOnlyOneCheckpoint() throws Exception {
        namesystem.brokenAt = Optional.of("prepare");
        expectRefused(participant.freeze(FreezeOrder.of(FIRST, LONG, false)));

        namesystem.brokenAt = Optional.empty();
        assertThat(freezeFor(SECOND)).isNotNull();
    }

    @Test
    void errorDuringCutEndsOnlyOneCheckpoint() throws Exception {
        namesystem.brokenAt = Optional.of("cut");
        expectRefused(cutFor(FIRST));

        namesystem.brokenAt = Optional.empty();
        assertThat(cutFor(SECOND).get(60, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void errorWhileWritingBarrierEndsOnlyOneCheckpoint() throws Exception {
        namesystem.brokenAt = Optional.of("mark");
        expectRefused(cutFor(FIRST));

        namesystem.brokenAt = Optional.empty();
        assertThat(cutFor(SECOND).get(60, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void failedRemovalIsRetriable() throws Exception {
        namesystem.brokenAt = Optional.of("unmark");
        expectRefused(participant.abandon(FIRST));

        namesystem.brokenAt = Optional.empty();
        assertThat(participant.abandon(FIRST).get(60, TimeUnit.SECONDS)).isEqualTo(FIRST);
    }

    @Test
    void missingLockThreadEndsOnlyOneCheckpoint() throws Exception {
        threads.exhaust();
        expectRefused(participant.freeze(FreezeOrder.of(FIRST, LONG, false)));

        threads.restore();
        assertThat(freezeFor(SECOND)).isNotNull();
    }

    @Test
    void missingBarrierThreadEndsOnlyOneCheckpoint() throws Exception {
        assertThat(freezeFor(FIRST)).isNotNull();
        threads.exhaust();
        expectRefused(participant.abandon(FIRST));

        threads.restore();
        assertThat(participant.abandon(FIRST).get(60, TimeUnit.SECONDS)).isEqualTo(FIRST);
    }

    @Test
    void closedParticipantRefusesOrdersImmediately() {
        participant.close();

        assertThatThrownBy(() -> participant.abandon(FIRST).get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(OrderRefusedException.class)
                .hasMessageContaining("takes part in no checkpoint any more");
    }

    @Test
    void closingRefusesPendingOrder() throws Exception {
        namesystem.busy.acquire();
        Future<Grant> answer = participant.freeze(FreezeOrder.of(FIRST, LONG, false));
        await().until(namesystem.busy::hasQueuedThreads);

        participant.close();

        assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(OrderRefusedException.class)
                .hasMessageContaining("takes part in no checkpoint any more");
    }

    /** Does everything but one thing. */
    private static final class FailingNamesystem implements Namesystem {
        private final Semaphore busy = new Semaphore(1);
        private volatile Optional<String> brokenAt = Optional.empty();

        private void fail(String failurePoint) {
            if (brokenAt.equals(Optional.of(failurePoint))) {
                throw new NoClassDefFoundError("planted");
            }
        }

        @Override
        public void prepare(FreezeOrder order) {
            fail("prepare");
        }

        @Override
        public void lock() throws InterruptedException {
            busy.acquire();
        }

        @Override
        public Cut cut(FreezeOrder order) {
            fail("cut");
            return Cut.builder()
                    .nameservice("ns1")
                    .nameNode("nn1")
                    .txId(7)
                    .imageTxId(0)
                    .files(1)
                    .blocks(0)
                    .snapshot(Optional.empty())
                    .waitedMicros(0)
                    .cutMicros(0)
                    .frozenMicros(0)
                    .build();
        }

        @Override
        public void unlock() {
            busy.release();
        }

        @Override
        public void mark(Manifest manifest) {
            fail("mark");
        }

        @Override
        public void removeMark(CheckpointId id) {
            fail("unmark");
        }
    }
}
