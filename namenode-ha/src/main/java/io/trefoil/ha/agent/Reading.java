/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.Role;
import java.util.Optional;

/**
 * Which standbys answer reads: all but the one with the smallest name, which makes the checkpoints and can be active at
 * once. The others are HDFS's observers.
 */
final class Reading {

    /** After a change the group is left to itself for as long: views are late, and a change drops connections. */
    private static final long SETTLE_MILLIS = 3_000;

    private Reading() {}

    /** While somebody else is active: an election is no time to change roles. */
    static void decide(Turn turn) {
        AgentState state = turn.state();
        if (!state.settings().readStandbys()
                || !isLed(state)
                || !turn.isPast(state.roleChangedNanos(), SETTLE_MILLIS)
                || !turn.isPast(state.stageSinceNanos(), SETTLE_MILLIS)) {
            return;
        }
        if (state.facts().role() == Role.STANDBY
                && Standing.flaw(state).isEmpty()
                && firstOther(state, Role.STANDBY)
                        .filter(first -> isBefore(first, state))
                        .isPresent()) {
            change(turn, Role.OBSERVER);
        } else if (state.facts().role() == Role.OBSERVER
                && !firstOther(state, Role.STANDBY).isPresent()
                && !firstOther(state, Role.OBSERVER)
                        .filter(first -> isBefore(first, state))
                        .isPresent()) {
            change(turn, Role.STANDBY);
        }
    }

    /** Makes an observer what can be elected. */
    static void beStandby(Turn turn) {
        change(turn, Role.STANDBY);
    }

    private static void change(Turn turn, Role role) {
        turn.become(turn.state().toBuilder().roleChangedNanos(turn.nowNanos()));
        turn.add(AgentEffect.changeRole(role));
        turn.enter(AgentStage.CHANGING);
    }

    /** It has a moment, unless a long operation has the lock; after that something in HDFS hangs, and its lock with it. */
    static void changing(Turn turn) {
        if (turn.isStuck()) {
            turn.halt("HDFS did not change its role within " + turn.settings().stepDownMillis() + " ms");
        }
    }

    private static boolean isLed(AgentState state) {
        boolean held = state.facts().heard().filter(Facts.HeardLease::held).isPresent();
        Optional<LockRecord> lock = state.view().lock();
        return held && lock.isPresent() && !lock.get().isTakingOver();
    }

    private static boolean isBefore(MemberRecord other, AgentState state) {
        return other.name().compareTo(state.settings().name()) < 0;
    }

    /** The healthy standby with the smallest name that is in a role, beside this one and whoever leads. */
    private static Optional<MemberRecord> firstOther(AgentState state, Role role) {
        String leader = state.view().lock().map(LockRecord::holder).orElse("");
        Optional<MemberRecord> first = Optional.empty();
        for (MemberRecord other : state.view().members()) {
            boolean counts = !other.name().equals(state.settings().name())
                    && !other.name().equals(leader)
                    && other.state() == MemberState.STANDBY
                    && other.eligible()
                    && other.role() == role;
            if (counts
                    && (!first.isPresent() || other.name().compareTo(first.get().name()) < 0)) {
                first = Optional.of(other);
            }
        }
        return first;
    }
}
