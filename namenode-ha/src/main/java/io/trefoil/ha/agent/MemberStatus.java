/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberReasons;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/** The status that a member reports about itself (paper §3.3): its state, why, and whether it could be active. */
final class MemberStatus {

    /** The time within which successive changes are published as one. */
    private static final long SETTLE_MILLIS = 50;

    private MemberStatus() {}

    /** Publishes changes of this member's record. */
    static void publish(AgentStep step) {
        MemberRecord record = record(step);
        Optional<MemberRecord> told = step.state().publishedRecord();
        boolean due = !told.isPresent()
                || told.get().state() != record.state()
                || told.get().role() != record.role()
                || told.get().handovers() != record.handovers()
                || (record.differsBeyondProgress(told.get())
                        && step.hasElapsed(step.state().publishedNanos(), SETTLE_MILLIS))
                || (!record.equals(told.get()) && step.hasElapsed(step.state().publishedNanos(), progressMillis(step)));
        if (due) {
            step.add(AgentEffect.publish(record));
            step.update(step.state().toBuilder()
                    .publishedRecord(Optional.of(record))
                    .publishedNanos(step.nowNanos()));
        }
    }

    /**
     * Returns how often this member publishes its progress. The rate of the whole group is independent of its size, because
     * every change of the view is read by all members.
     */
    private static long progressMillis(AgentStep step) {
        return step.settings().publishMillis()
                * Math.max(1, step.state().view().members().size());
    }

    /** The record of this member as it is now. */
    static MemberRecord record(AgentStep step) {
        AgentState state = step.state();
        String flaw = isServing(state) ? activeUnhealthyReason(state.observation()) : ineligibilityReason(state);
        MemberState now =
                isServing(state) ? MemberState.ACTIVE : flaw.isEmpty() ? MemberState.STANDBY : MemberState.JUNIOR;
        long since = state.publishedRecord()
                .filter(told -> told.state() == now)
                .map(MemberRecord::sinceMillis)
                .orElse(state.observation().wallMillis());
        return MemberRecord.builder()
                .name(state.settings().name())
                .addresses(state.settings().addresses())
                .version(state.settings().version())
                .role(state.observation().role())
                .state(now)
                .sinceMillis(since)
                .eligible(isEligible(step))
                .electable(state.settings().electable())
                .priority(state.settings().priority())
                .site(state.settings().site())
                .reason(flaw)
                .appliedTxId(state.observation().appliedTxId())
                .lag(isServing(state) ? 0 : lag(state))
                .lagMillis(isServing(state) ? 0 : state.observation().lagMillis())
                .preparing(state.observation().preparing())
                .epoch(epoch(state))
                .bid(state.bid())
                .instance(state.settings().instance())
                .handovers(Handover.handoverCount(state))
                .build();
    }

    /** An active in safe mode answers reads only; no other member could do better, so it is no reason to hand over. */
    private static String activeUnhealthyReason(LocalObservation observation) {
        return observation.unhealthyReason().isEmpty() && observation.safeMode()
                ? MemberReasons.SAFE_MODE
                : observation.unhealthyReason();
    }

    private static boolean isServing(AgentState state) {
        return state.stage() == AgentStage.SERVING || state.stage() == AgentStage.STEPPING_DOWN;
    }

    private static Epoch epoch(AgentState state) {
        if (state.observation().localLease().isPresent()) {
            return state.observation().localLease().get().epoch();
        }
        return state.observation()
                .observedLease()
                .map(LocalObservation.ObservedLease::promised)
                .orElse(Epoch.NONE);
    }

    /** Whether this member should be able to become active, and HDFS would let it. */
    static boolean isEligible(AgentStep step) {
        AgentState state = step.state();
        return mayBecomeActive(state)
                && state.observation().unhealthyReason().isEmpty()
                && step.nowNanos() - state.holdBackUntilNanos() >= 0;
    }

    /**
     * Whether this member is electable and in a role from which it may become active: a standby, or an observer where
     * all standbys are observers because they answer reads. Elsewhere an operator made it an observer, and it stays
     * one. A member whose name another process also uses may not lead: to the group the two are one, and it could not
     * be told which was elected. Nor may one whose namespace does not belong to the journal: its process would end when
     * it became the writer.
     */
    static boolean mayBecomeActive(AgentState state) {
        HaRole role = state.observation().role();
        boolean fits = role == HaRole.STANDBY
                || (role == HaRole.OBSERVER && state.settings().standbysServeReads());
        return fits
                && state.settings().electable()
                && !hasDuplicate(state)
                && !state.survey().objection().isPresent();
    }

    /**
     * Whether the view shows another process with this member's name, which shortly after a start is its predecessor.
     */
    private static boolean hasDuplicate(AgentState state) {
        return state.view()
                .member(state.settings().name())
                .filter(shown -> !shown.instance().equals(state.settings().instance()))
                .isPresent();
    }

    /** Returns the number of committed transactions that are not applied yet, as far as known. */
    static long lag(AgentState state) {
        long committed = state.observation()
                .observedLease()
                .map(LocalObservation.ObservedLease::committedTxId)
                .orElse(0L);
        long known = Math.max(committed, state.survey().lastTxId());
        return Math.max(0, known - state.observation().appliedTxId());
    }

    /** Returns why this member is not a standby; empty if it is one. */
    static String ineligibilityReason(AgentState state) {
        LocalObservation observation = state.observation();
        if (observation.role() == HaRole.NONE) {
            return MemberReasons.STARTING;
        }
        if (hasDuplicate(state)) {
            return MemberReasons.DOUBLED;
        }
        if (!observation.unhealthyReason().isEmpty()) {
            return observation.unhealthyReason();
        }
        if (state.survey().objection().isPresent()) {
            return state.survey().objection().get();
        }
        if (observation.role() != HaRole.ACTIVE && observation.safeMode()) {
            return MemberReasons.SAFE_MODE;
        }
        if (lag(state) > state.settings().maxLag()) {
            return MemberReasons.BEHIND;
        }
        boolean replicaBehind = observation
                .observedLease()
                .filter(heard -> heard.held() && !heard.caughtUp())
                .isPresent();
        return replicaBehind ? MemberReasons.REPLICA_BEHIND : "";
    }
}
