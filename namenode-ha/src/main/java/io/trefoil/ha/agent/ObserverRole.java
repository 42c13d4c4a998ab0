/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/**
 * Decides which standbys answer reads and so are HDFS's observers: those that are not electable and, where standbys are
 * to answer reads, all except the one with the smallest name, which saves images and can become active at once. A
 * drained member stays a standby next to them and answers no reads.
 */
final class ObserverRole {

    /** The time after a change of role in which no further change is made: views are late, and each change drops connections. */
    private static final long SETTLE_MILLIS = 3_000;

    private ObserverRole() {}

    /** Acts only while another member is active: roles must not change during an election. */
    static void decide(AgentStep step) {
        AgentState state = step.state();
        if (!hasServingActive(state)
                || !step.hasElapsed(state.roleChangedNanos(), SETTLE_MILLIS)
                || !step.hasElapsed(state.stageSinceNanos(), SETTLE_MILLIS)) {
            return;
        }
        if (DrainRules.isDrained(state)) {
            boolean isReading = state.observation().role() == HaRole.OBSERVER
                    && (state.settings().standbysServeReads()
                            || !state.settings().electable());
            if (isReading) {
                // Moves its readers to others before its host is stopped.
                change(step, HaRole.STANDBY);
            }
            return;
        }
        if (!state.settings().electable()) {
            if (state.observation().role() == HaRole.STANDBY
                    && MemberStatus.ineligibilityReason(state).isEmpty()) {
                change(step, HaRole.OBSERVER);
            }
            return;
        }
        if (!state.settings().standbysServeReads()) {
            return;
        }
        if (state.observation().role() == HaRole.STANDBY
                && MemberStatus.ineligibilityReason(state).isEmpty()
                && findFirstOther(state, HaRole.STANDBY)
                        .filter(first -> hasPrecedence(first, state))
                        .isPresent()) {
            change(step, HaRole.OBSERVER);
        } else if (state.observation().role() == HaRole.OBSERVER
                && !findFirstOther(state, HaRole.STANDBY).isPresent()
                && !findFirstOther(state, HaRole.OBSERVER)
                        .filter(first -> hasPrecedence(first, state))
                        .isPresent()) {
            change(step, HaRole.STANDBY);
        }
    }

    /** Makes an observer a standby, which can be elected. */
    static void becomeStandby(AgentStep step) {
        change(step, HaRole.STANDBY);
    }

    private static void change(AgentStep step, HaRole role) {
        step.update(step.state().toBuilder().roleChangedNanos(step.nowNanos()));
        step.add(AgentEffect.changeRole(role));
        step.enter(AgentStage.CHANGING);
    }

    /** Halts if the change takes too long and no long operation holds the lock: something in HDFS hangs, and its lock with it. */
    static void onChanging(AgentStep step) {
        if (step.isStuck()) {
            step.halt("HDFS did not change its role within " + step.settings().stepDownMillis() + " ms");
        }
    }

    private static boolean hasServingActive(AgentState state) {
        boolean held = state.observation()
                .observedLease()
                .filter(LocalObservation.ObservedLease::held)
                .isPresent();
        Optional<LockRecord> lock = state.view().lock();
        return held && lock.isPresent() && !lock.get().isTakingOver();
    }

    private static boolean hasPrecedence(MemberRecord other, AgentState state) {
        return other.name().compareTo(state.settings().name()) < 0;
    }

    /** The healthy standby with the smallest name in a role, apart from this member and the leader. */
    private static Optional<MemberRecord> findFirstOther(AgentState state, HaRole role) {
        String leader = state.view().lock().map(LockRecord::holder).orElse("");
        Optional<MemberRecord> first = Optional.empty();
        for (MemberRecord other : state.view().members()) {
            boolean counts = !other.name().equals(state.settings().name())
                    && !other.name().equals(leader)
                    && other.state() == MemberState.STANDBY
                    && other.eligible()
                    && !state.view().orders().isDrained(other.name())
                    && other.role() == role;
            if (counts
                    && (!first.isPresent() || other.name().compareTo(first.get().name()) < 0)) {
                first = Optional.of(other);
            }
        }
        return first;
    }
}
