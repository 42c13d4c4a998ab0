/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.Role;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/** What a member says of itself (paper §3.3): state, why, and whether it could be active. */
final class Standing {

    /** Changes faster than this are told as one. */
    private static final long SETTLE_MILLIS = 50;

    private Standing() {}

    /** Tells the view what is new. */
    static void publish(Turn turn) {
        MemberRecord record = record(turn);
        Optional<MemberRecord> told = turn.state().published();
        boolean due = !told.isPresent()
                || told.get().state() != record.state()
                || told.get().role() != record.role()
                || told.get().passes() != record.passes()
                || (record.saysOtherThan(told.get()) && turn.isPast(turn.state().publishedNanos(), SETTLE_MILLIS))
                || (!record.equals(told.get())
                        && turn.isPast(
                                turn.state().publishedNanos(), turn.settings().publishMillis()));
        if (due) {
            turn.add(AgentEffect.publish(record));
            turn.become(turn.state().toBuilder().published(Optional.of(record)).publishedNanos(turn.nowNanos()));
        }
    }

    /** This member as it is now. */
    static MemberRecord record(Turn turn) {
        AgentState state = turn.state();
        String flaw = isServing(state) ? state.facts().trouble() : flaw(state);
        MemberState now =
                isServing(state) ? MemberState.ACTIVE : flaw.isEmpty() ? MemberState.STANDBY : MemberState.JUNIOR;
        long since = state.published()
                .filter(told -> told.state() == now)
                .map(MemberRecord::sinceMillis)
                .orElse(state.facts().wallMillis());
        return MemberRecord.builder()
                .name(state.settings().name())
                .place(state.settings().place())
                .version(state.settings().version())
                .role(state.facts().role())
                .state(now)
                .sinceMillis(since)
                .eligible(isEligible(turn))
                .reason(flaw)
                .appliedTxId(state.facts().appliedTxId())
                .lag(isServing(state) ? 0 : lag(state))
                .lagMillis(isServing(state) ? 0 : state.facts().lagMillis())
                .epoch(epoch(state))
                .bid(state.bid())
                .instance(state.settings().instance())
                .passes(Handover.passes(state))
                .build();
    }

    private static boolean isServing(AgentState state) {
        return state.stage() == AgentStage.SERVING || state.stage() == AgentStage.STEPPING_DOWN;
    }

    private static Epoch epoch(AgentState state) {
        if (state.facts().own().isPresent()) {
            return state.facts().own().get().epoch();
        }
        return state.facts().heard().map(Facts.HeardLease::promised).orElse(Epoch.NONE);
    }

    /** Whether HDFS would let this member be active, and it should be. */
    static boolean isEligible(Turn turn) {
        AgentState state = turn.state();
        return mayLead(state) && state.facts().trouble().isEmpty() && turn.nowNanos() - state.holdBackUntilNanos() >= 0;
    }

    /**
     * Whether it is in a role from which it may become active; one that an operator made an observer stays it. Not one of whose
     * name there is another: to the group the two are one, and nobody could tell which of them was elected.
     */
    static boolean mayLead(AgentState state) {
        Role role = state.facts().role();
        boolean fits = role == Role.STANDBY
                || (role == Role.OBSERVER && state.settings().readStandbys());
        return fits && !isDoubled(state);
    }

    /** Whether the view shows another process by the name of this one; for a moment after a start that is its own former life. */
    private static boolean isDoubled(AgentState state) {
        return state.view()
                .member(state.settings().name())
                .filter(shown -> !shown.instance().equals(state.settings().instance()))
                .isPresent();
    }

    /** How many transactions are to be applied yet, as far as is known. */
    static long lag(AgentState state) {
        long committed =
                state.facts().heard().map(Facts.HeardLease::committedTxId).orElse(0L);
        long known = Math.max(committed, state.survey().lastTxId());
        return Math.max(0, known - state.facts().appliedTxId());
    }

    /** Why this member is no standby; empty if it is one. */
    static String flaw(AgentState state) {
        Facts facts = state.facts();
        if (facts.role() == Role.NONE) {
            return "starting";
        }
        if (isDoubled(state)) {
            return "another process takes part in the group by the name of this one";
        }
        if (!facts.trouble().isEmpty()) {
            return facts.trouble();
        }
        if (facts.role() != Role.ACTIVE && facts.safeMode()) {
            return "in safe mode";
        }
        if (lag(state) > state.settings().maxLag()) {
            return "behind";
        }
        boolean copyBehind =
                facts.heard().filter(heard -> heard.held() && !heard.abreast()).isPresent();
        return copyBehind ? "its copy of the journal is behind" : "";
    }
}
