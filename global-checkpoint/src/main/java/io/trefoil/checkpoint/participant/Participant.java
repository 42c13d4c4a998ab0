/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules of one NameNode's part in a checkpoint ({@code docs/design/global-checkpoint.md}; paper §4.3).
 *
 * <p>A pure function of state, event and time. It cuts only under the freeze that it granted, so the namesystem has not
 * changed since it reported the freeze. It releases the lock at its own deadline, whatever the coordinator does.
 */
public final class Participant {

    private Participant() {}

    /** Computes the next state and the effects of an event; {@code nowNanos} is the NameNode's monotonic clock. */
    public static Step<ParticipantState, ParticipantEffect> step(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        ParticipantStep step = new ParticipantStep(state, nowNanos);
        event.dispatch(step);
        step.checkDeadlines();
        return Step.of(step.state, step.effects);
    }

    /** A single step in progress. */
    private static final class ParticipantStep implements ParticipantEventHandler<RuntimeException> {

        private final long nowNanos;
        private final List<ParticipantEffect> effects = new ArrayList<>();
        private ParticipantState state;

        ParticipantStep(ParticipantState state, long nowNanos) {
            this.state = state;
            this.nowNanos = nowNanos;
        }

        @Override
        public void freezeRequested(long request, FreezeOrder order) {
            if (state.stage() == ParticipantStage.IDLE) {
                if (state.previousCheckpoint().filter(order.id()::equals).isPresent()) {
                    effects.add(ParticipantEffect.refuse(request, "checkpoint " + order.id() + " has ended here"));
                    return;
                }
                update(state.transitionTo(ParticipantStage.LOCKING)
                        .order(Optional.of(order))
                        .freezeCount(state.freezeCount() + 1)
                        .deadlineNanos(nowNanos + order.holdMillis() * ParticipantState.NANOS_PER_MILLI)
                        .freezeRequests(Collections.singletonList(request)));
                effects.add(ParticipantEffect.lock(order));
            } else if (!isUnderWay(order.id())) {
                effects.add(ParticipantEffect.refuse(
                        request, "busy with checkpoint " + state.order().get().id()));
            } else if (state.stage() == ParticipantStage.LOCKING) {
                update(state.toBuilder().freezeRequests(withRequest(state.freezeRequests(), request)));
            } else if (state.stage() == ParticipantStage.FROZEN) {
                effects.add(ParticipantEffect.answerFrozen(request, state.grant()));
            } else {
                effects.add(ParticipantEffect.refuse(request, "no longer frozen"));
            }
        }

        @Override
        public void cutRequested(long request, Grant grant, Agreement agreement) {
            boolean known = isUnderWay(agreement.id()) && state.grant().equals(grant) && !state.abandoned();
            boolean going = state.stage() == ParticipantStage.CUTTING || state.stage() == ParticipantStage.MARKING;
            if (known && state.stage() == ParticipantStage.FROZEN && !isOverdue()) {
                update(state.transitionTo(ParticipantStage.CUTTING)
                        .agreement(Optional.of(agreement))
                        .cutRequests(Collections.singletonList(request)));
                effects.add(ParticipantEffect.cutSegment(state.order().get()));
            } else if (known && going) {
                update(state.toBuilder().cutRequests(withRequest(state.cutRequests(), request)));
            } else {
                effects.add(ParticipantEffect.refuse(
                        request, "no longer frozen for checkpoint " + agreement.id() + " by grant " + grant));
            }
        }

        @Override
        public void abandonRequested(long request, CheckpointId id) {
            boolean first = !state.abandonRequests().containsKey(id);
            Map<CheckpointId, List<Long>> abandoners = new HashMap<>(state.abandonRequests());
            abandoners.put(id, withRequest(abandoners.getOrDefault(id, Collections.<Long>emptyList()), request));
            update(state.toBuilder().abandonRequests(Collections.unmodifiableMap(abandoners)));
            if (!first) {
                return;
            }
            if (!isUnderWay(id)) {
                effects.add(ParticipantEffect.removeMark(id));
                return;
            }
            update(state.toBuilder().abandoned(true));
            if (state.stage() == ParticipantStage.LOCKING) {
                abandon("checkpoint abandoned");
            } else if (state.stage() == ParticipantStage.FROZEN) {
                unlock();
            }
            // CUTTING and MARKING finish first: what they have begun cannot be called back.
        }

        @Override
        public void locked() {
            if (state.stage() == ParticipantStage.LOCKING && !isOverdue()) {
                update(state.transitionTo(ParticipantStage.FROZEN));
                state.freezeRequests()
                        .forEach(request -> effects.add(ParticipantEffect.answerFrozen(request, state.grant())));
                update(state.toBuilder().freezeRequests(Collections.<Long>emptyList()));
            } else {
                refuseFreezeRequests("late");
                unlock();
            }
        }

        @Override
        public void lockFailed(String reason) {
            refuseFreezeRequests(reason);
            end();
        }

        @Override
        public void segmentCut(Cut cut) {
            if (state.abandoned()) {
                refuseCutRequests("abandoned");
                end();
            } else {
                update(state.transitionTo(ParticipantStage.MARKING).cut(Optional.of(cut)));
                effects.add(ParticipantEffect.mark(Manifest.of(state.agreement().get(), cut)));
            }
        }

        @Override
        public void cutFailed(String reason) {
            refuseCutRequests(reason);
            end();
        }

        @Override
        public void marked() {
            Cut cut = state.cut().get();
            state.cutRequests().forEach(request -> effects.add(ParticipantEffect.answerCut(request, cut)));
            end();
        }

        @Override
        public void markFailed(String reason) {
            refuseCutRequests(reason);
            end();
        }

        @Override
        public void markRemoved(CheckpointId id) {
            abandonRequestsFor(id).forEach(request -> effects.add(ParticipantEffect.answerAbandoned(request, id)));
            dropAbandonRequests(id);
        }

        @Override
        public void unmarkFailed(CheckpointId id, String reason) {
            abandonRequestsFor(id).forEach(request -> effects.add(ParticipantEffect.refuse(request, reason)));
            dropAbandonRequests(id);
        }

        @Override
        public void ticked() {}

        void checkDeadlines() {
            if (!isOverdue()) {
                return;
            }
            if (state.stage() == ParticipantStage.LOCKING) {
                abandon("its lock could not be acquired within "
                        + state.order().get().holdMillis() + " ms");
            } else if (state.stage() == ParticipantStage.FROZEN) {
                unlock();
            }
        }

        private boolean isOverdue() {
            return nowNanos - state.deadlineNanos() >= 0;
        }

        private void abandon(String reason) {
            refuseFreezeRequests(reason);
            update(state.transitionTo(ParticipantStage.GIVING_UP));
            effects.add(ParticipantEffect.abandonLock());
        }

        private void unlock() {
            effects.add(ParticipantEffect.unlock(state.order().get()));
            end();
        }

        /** Ends the checkpoint in progress; if it should be removed, that is now possible. */
        private void end() {
            CheckpointId id = state.order().get().id();
            boolean abandoned = state.abandoned();
            update(state.transitionTo(ParticipantStage.IDLE)
                    .order(Optional.<FreezeOrder>empty())
                    .previousCheckpoint(Optional.of(id))
                    .agreement(Optional.<Agreement>empty())
                    .cut(Optional.<Cut>empty())
                    .cutRequests(Collections.<Long>emptyList())
                    .abandoned(false));
            if (abandoned) {
                effects.add(ParticipantEffect.removeMark(id));
            }
        }

        private boolean isUnderWay(CheckpointId id) {
            return state.order().filter(order -> order.id().equals(id)).isPresent();
        }

        private List<Long> abandonRequestsFor(CheckpointId id) {
            return state.abandonRequests().getOrDefault(id, Collections.<Long>emptyList());
        }

        private void dropAbandonRequests(CheckpointId id) {
            Map<CheckpointId, List<Long>> rest = new HashMap<>(state.abandonRequests());
            rest.remove(id);
            update(state.toBuilder().abandonRequests(Collections.unmodifiableMap(rest)));
        }

        private void refuseFreezeRequests(String reason) {
            state.freezeRequests().forEach(request -> effects.add(ParticipantEffect.refuse(request, reason)));
            update(state.toBuilder().freezeRequests(Collections.<Long>emptyList()));
        }

        private void refuseCutRequests(String reason) {
            state.cutRequests().forEach(request -> effects.add(ParticipantEffect.refuse(request, reason)));
            update(state.toBuilder().cutRequests(Collections.<Long>emptyList()));
        }

        private void update(ParticipantState.Builder next) {
            state = next.build();
        }

        private static List<Long> withRequest(List<Long> requests, long one) {
            List<Long> all = new ArrayList<>(requests);
            all.add(one);
            return Collections.unmodifiableList(all);
        }
    }
}
