/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of the coordinator of a checkpoint ({@code docs/design/global-checkpoint.md}; paper §4.3, Algorithm 3).
 *
 * <p>A pure function of state, event and time. It orders the cuts only after all participants have reported that they
 * are frozen, and each only under that freeze. So all cuts show one instant: when the last participant froze.
 *
 * <p>Anything late, refused or lost makes the checkpoint fail. All participants are then told to abandon it: at once,
 * so that none stays frozen, and repeatedly, until one of them is known to have no barrier. From then on it counts
 * nowhere.
 */
public final class Coordinator {

    private static final long RETRY_NANOS = 200 * CoordinatorState.NANOS_PER_MILLI;

    private Coordinator() {}

    /** Computes the next state and the effects of an event; {@code nowNanos} is the coordinator's monotonic clock. */
    public static Step<CoordinatorState, CoordinatorEffect> step(
            CoordinatorState state, CoordinatorEvent event, long nowNanos) {
        if (state.stage() == CoordinatorStage.ENDED) {
            return Step.withoutEffects(state);
        }
        CoordinatorStep step = new CoordinatorStep(state, nowNanos);
        event.dispatch(step);
        step.decide();
        return Step.of(step.state, step.effects);
    }

    /** A single step in progress. */
    private static final class CoordinatorStep implements CoordinatorEventHandler<RuntimeException> {

        private final long nowNanos;
        private final List<CoordinatorEffect> effects = new ArrayList<>();
        private CoordinatorState state;

        CoordinatorStep(CoordinatorState state, long nowNanos) {
            this.state = state;
            this.nowNanos = nowNanos;
        }

        @Override
        public void begun(long ownMillis) {
            update(state.toBuilder().startNanos(nowNanos).startMillis(ownMillis));
            nameservices().forEach(nameservice -> effects.add(CoordinatorEffect.requestClock(nameservice)));
        }

        @Override
        public void clockRead(String nameservice, long askedNanos, long theirMillis) {
            // The participant read its clock about half a round trip ago.
            long then = localMillis(askedNanos + (nowNanos - askedNanos) / 2);
            update(state.toBuilder().offsets(withEntry(state.offsets(), nameservice, theirMillis - then)));
        }

        @Override
        public void frozen(String nameservice, Grant grant) {
            if (state.stage() == CoordinatorStage.FREEZING) {
                Grant first = state.grants().get(nameservice);
                if (first != null && !first.equals(grant)) {
                    fail(nameservice, "it released its lock and froze again");
                    return;
                }
                update(state.toBuilder().grants(withEntry(state.grants(), nameservice, grant)));
            }
        }

        @Override
        public void cut(String nameservice, Cut cut) {
            if (state.stage() == CoordinatorStage.CUTTING) {
                update(state.toBuilder().cuts(withEntry(state.cuts(), nameservice, cut)));
            }
        }

        @Override
        public void abandoned(String nameservice) {
            if (state.stage() == CoordinatorStage.ABANDONING) {
                Set<String> abandoned = new HashSet<>(state.abandoned());
                abandoned.add(nameservice);
                update(state.toBuilder().abandoned(Collections.unmodifiableSet(abandoned)));
            }
        }

        @Override
        public void failed(String nameservice, String reason) {
            if (state.stage() != CoordinatorStage.ABANDONING) {
                fail(nameservice, reason);
            }
        }

        @Override
        public void ticked() {}

        /** Decides on the next effects from everything known so far. */
        void decide() {
            boolean late = nowNanos - state.deadlineNanos() >= 0;
            switch (state.stage()) {
                case ASKING_TIME:
                    if (state.offsets().size() == nameservices().size()) {
                        freeze();
                    } else if (late) {
                        fail(
                                missingFrom(state.offsets().keySet()),
                                "not prepared within " + state.plan().answerMillis() + " ms");
                    }
                    break;
                case FREEZING:
                    if (late) {
                        fail(
                                missingFrom(state.grants().keySet()),
                                "not frozen within " + state.plan().freezeMillis() + " ms");
                    } else if (state.grants().size() == nameservices().size()) {
                        cutAll();
                    }
                    break;
                case CUTTING:
                    if (state.cuts().size() == nameservices().size()) {
                        complete();
                    } else if (late) {
                        fail(
                                missingFrom(state.cuts().keySet()),
                                "no cut within " + state.plan().answerMillis() + " ms");
                    }
                    break;
                case ABANDONING:
                    abandonMembers(late);
                    break;
                default:
                    break;
            }
        }

        private void freeze() {
            FreezeOrder order = state.plan().freezeOrder();
            nameservices().forEach(nameservice -> effects.add(CoordinatorEffect.freeze(nameservice, order)));
            enter(CoordinatorStage.FREEZING, state.plan().freezeMillis());
        }

        private void cutAll() {
            long least = Collections.min(state.offsets().values());
            long most = Collections.max(state.offsets().values());
            long sum = 0;
            for (long offset : state.offsets().values()) {
                sum += offset;
            }
            Agreement agreement = Agreement.of(
                    state.plan().id(),
                    localMillis(nowNanos) + sum / state.offsets().size(),
                    most - least,
                    state.plan().timeServer(),
                    nameservices());
            update(state.toBuilder().agreement(Optional.of(agreement)).cutOrdered(true));
            state.grants()
                    .forEach((nameservice, grant) -> effects.add(CoordinatorEffect.cut(nameservice, grant, agreement)));
            enter(CoordinatorStage.CUTTING, state.plan().answerMillis());
        }

        private void complete() {
            List<Manifest> manifests = new ArrayList<>();
            for (Cut cut : state.cuts().values()) {
                manifests.add(Manifest.of(state.agreement().get(), cut));
            }
            finish(
                    CheckpointOutcome.Kind.COMPLETE,
                    "",
                    Optional.of(Checkpoint.assemble(manifests).get(0)));
        }

        private void fail(String nameservice, String reason) {
            update(state.toBuilder().failure(nameservice + ": " + reason));
            // If no participant was ordered to cut, the participants' own deadlines have the same effect as this order.
            enter(
                    CoordinatorStage.ABANDONING,
                    state.cutOrdered()
                            ? state.plan().answerMillis()
                            : state.plan().freezeMillis());
            abandonAll();
        }

        private void abandonAll() {
            for (String nameservice : nameservices()) {
                if (!state.abandoned().contains(nameservice)) {
                    effects.add(
                            CoordinatorEffect.abandon(nameservice, state.plan().id()));
                }
            }
            update(state.toBuilder().retryNanos(nowNanos + RETRY_NANOS));
        }

        private void abandonMembers(boolean isLate) {
            boolean countsNowhere = !state.cutOrdered() || !state.abandoned().isEmpty();
            if (state.abandoned().size() == nameservices().size() || (isLate && countsNowhere)) {
                finish(CheckpointOutcome.Kind.FAILED, state.failure(), Optional.<Checkpoint>empty());
            } else if (isLate) {
                finish(CheckpointOutcome.Kind.UNKNOWN, state.failure(), Optional.<Checkpoint>empty());
            } else if (nowNanos - state.retryNanos() >= 0) {
                abandonAll();
            }
        }

        private void finish(CheckpointOutcome.Kind kind, String reason, Optional<Checkpoint> checkpoint) {
            effects.add(CoordinatorEffect.finish(CheckpointOutcome.of(kind, reason, checkpoint, state.agreement())));
            update(state.transitionTo(CoordinatorStage.ENDED));
        }

        private void enter(CoordinatorStage stage, long millis) {
            update(state.transitionTo(stage).deadlineNanos(nowNanos + millis * CoordinatorState.NANOS_PER_MILLI));
        }

        private void update(CoordinatorState.Builder next) {
            state = next.build();
        }

        private Set<String> nameservices() {
            return state.plan().nameservices();
        }

        private String missingFrom(Set<String> answeredNameservices) {
            List<String> silent = new ArrayList<>(nameservices());
            silent.removeAll(answeredNameservices);
            return String.join(", ", silent);
        }

        private long localMillis(long nanos) {
            return state.startMillis() + (nanos - state.startNanos()) / CoordinatorState.NANOS_PER_MILLI;
        }

        private static <V> Map<String, V> withEntry(Map<String, V> map, String key, V value) {
            Map<String, V> all = new HashMap<>(map);
            all.put(key, value);
            return Collections.unmodifiableMap(all);
        }
    }
}
