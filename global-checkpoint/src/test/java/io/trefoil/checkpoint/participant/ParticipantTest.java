/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.TestManifests;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParticipantTest {
    private static final CheckpointId ID = CheckpointId.of("nightly", "00000001");
    private static final CheckpointId OTHER = CheckpointId.of("nightly", "00000002");
    private static final Agreement AGREED = Agreement.of(ID, 1_000, 3, "ns1", List.of("ns1", "ns2"));
    private static final Grant FIRST = Grant.of("run", 1);
    private static final Cut CUT = TestManifests.cut("ns1", 10);

    private final List<String> done = new ArrayList<>();
    private ParticipantState state = ParticipantState.begin("run");
    private long nowMillis = 5;

    @Test
    void cutsUnderGrantedFreeze() {
        freeze();
        handle(ParticipantEvent.cutRequested(2, FIRST, AGREED));
        assertThat(done).containsExactly("cut");
        handle(ParticipantEvent.segmentCut(CUT));
        assertThat(done).containsExactly("mark nightly.00000001");
        handle(ParticipantEvent.marked());
        assertThat(done).containsExactly("answer 2 cut");
        assertThat(state.stage()).isEqualTo(ParticipantStage.IDLE);
    }

    @Test
    void refusesCutUnderEarlierFreeze() {
        freeze();
        handle(ParticipantEvent.abandonRequested(2, ID));
        handle(ParticipantEvent.markRemoved(ID));
        handle(ParticipantEvent.freezeRequested(3, FreezeOrder.of(OTHER, 100, false)));
        handle(ParticipantEvent.locked());
        assertThat(done).containsExactly("answer 3 frozen run/2");
        handle(ParticipantEvent.cutRequested(4, FIRST, Agreement.of(OTHER, 1_000, 3, "ns1", List.of("ns1"))));
        assertThat(done).singleElement().asString().startsWith("refuse 4 no longer frozen for checkpoint");
        assertThat(state.stage()).isEqualTo(ParticipantStage.FROZEN);
    }

    @Test
    void refusesRepeatedFreezeOfEndedCheckpoint() {
        freeze();
        handle(ParticipantEvent.abandonRequested(2, ID));
        handle(ParticipantEvent.freezeRequested(3, FreezeOrder.of(ID, 100, false)));
        assertThat(done).containsExactly("refuse 3 checkpoint nightly.00000001 has ended here");
    }

    @Test
    void refusesFreezeOfSecondCoordinatorWhileBusy() {
        freeze();
        handle(ParticipantEvent.freezeRequested(2, FreezeOrder.of(OTHER, 100, false)));
        assertThat(done).containsExactly("refuse 2 busy with checkpoint nightly.00000001");
    }

    @Test
    void releasesLockAtLocalDeadline() {
        freeze();
        nowMillis += 99;
        handle(ParticipantEvent.ticked());
        assertThat(done).isEmpty();
        nowMillis += 1;
        handle(ParticipantEvent.ticked());
        assertThat(done).containsExactly("unlock");
        handle(ParticipantEvent.cutRequested(2, FIRST, AGREED));
        assertThat(done).singleElement().asString().startsWith("refuse 2");
    }

    @Test
    void refusesFreezeWhenLockTimesOut() {
        handle(ParticipantEvent.freezeRequested(1, FreezeOrder.of(ID, 100, false)));
        nowMillis += 100;
        handle(ParticipantEvent.ticked());
        assertThat(done).containsExactly("refuse 1 its lock could not be acquired within 100 ms", "give up");
        // It had it in the same moment.
        handle(ParticipantEvent.locked());
        assertThat(done).containsExactly("unlock");
        assertThat(state.stage()).isEqualTo(ParticipantStage.IDLE);
    }

    @Test
    void removesBarrierOnlyOnceSettled() {
        freeze();
        handle(ParticipantEvent.cutRequested(2, FIRST, AGREED));
        handle(ParticipantEvent.segmentCut(CUT));
        handle(ParticipantEvent.abandonRequested(3, ID));
        assertThat(done).isEmpty();
        handle(ParticipantEvent.markFailed("fenced"));
        assertThat(done).containsExactly("refuse 2 fenced", "unmark nightly.00000001");
        handle(ParticipantEvent.markRemoved(ID));
        assertThat(done).containsExactly("answer 3 abandoned");
    }

    @Test
    void omitsBarrierWhenCheckpointIsAbandonedDuringCut() {
        freeze();
        handle(ParticipantEvent.cutRequested(2, FIRST, AGREED));
        handle(ParticipantEvent.abandonRequested(3, ID));
        handle(ParticipantEvent.segmentCut(CUT));
        assertThat(done).containsExactly("refuse 2 abandoned", "unmark nightly.00000001");
    }

    @Test
    void removesCheckpointItIsNotWorkingOn() {
        handle(ParticipantEvent.abandonRequested(1, OTHER));
        assertThat(done).containsExactly("unmark nightly.00000002");
        handle(ParticipantEvent.unmarkFailed(OTHER, "not active"));
        assertThat(done).containsExactly("refuse 1 not active");
    }

    private void freeze() {
        handle(ParticipantEvent.freezeRequested(1, FreezeOrder.of(ID, 100, false)));
        assertThat(done).containsExactly("lock");
        handle(ParticipantEvent.locked());
        assertThat(done).containsExactly("answer 1 frozen run/1");
        done.clear();
    }

    private void handle(ParticipantEvent event) {
        done.clear();
        Step<ParticipantState, ParticipantEffect> step =
                Participant.step(state, event, nowMillis * ParticipantState.NANOS_PER_MILLI);
        state = step.next();
        step.effects().forEach(effect -> effect.dispatch(new EffectRecorder()));
    }

    /** Effects as words. */
    private final class EffectRecorder implements ParticipantEffectHandler<RuntimeException> {

        @Override
        public void lock(FreezeOrder order) {
            done.add("lock");
        }

        @Override
        public void abandonLock() {
            done.add("give up");
        }

        @Override
        public void cutSegment(FreezeOrder order) {
            done.add("cut");
        }

        @Override
        public void unlock(FreezeOrder order) {
            done.add("unlock");
        }

        @Override
        public void mark(Manifest manifest) {
            done.add("mark " + manifest.agreement().id());
        }

        @Override
        public void removeMark(CheckpointId id) {
            done.add("unmark " + id);
        }

        @Override
        public void answerFrozen(long request, Grant grant) {
            done.add("answer " + request + " frozen " + grant);
        }

        @Override
        public void answerCut(long request, Cut cut) {
            done.add("answer " + request + " cut");
        }

        @Override
        public void answerAbandoned(long request, CheckpointId id) {
            done.add("answer " + request + " abandoned");
        }

        @Override
        public void refuse(long request, String reason) {
            done.add("refuse " + request + " " + reason);
        }
    }
}
