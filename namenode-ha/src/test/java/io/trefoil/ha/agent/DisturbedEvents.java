/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.StandingOrders;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Events as a wrong agent would take them. */
public final class DisturbedEvents {

    private static final long HOLD_BACK_MILLIS = 1_000;

    private DisturbedEvents() {}

    /** Silence of the own node and of the pool is taken for the end of the lease. */
    public static AgentEvent treatSilenceAsFreeLease(AgentEvent event) {
        if (event instanceof AgentEvent.Surveyed heard) {
            return AgentEvent.surveyed(LeaseReport.of(true, true, heard.survey().lastTxId(), Set.of())
                    .withPromise(heard.survey().promised()));
        }
        return withObservation(
                event, seen -> seen.toBuilder().observedLease(Optional.empty()).build());
    }

    /** It is not seen that the namespace does not belong to the journal. */
    public static AgentEvent ignoreNamespaceObjection(AgentEvent event) {
        if (event instanceof AgentEvent.Surveyed heard) {
            LeaseReport survey = heard.survey();
            return AgentEvent.surveyed(
                    LeaseReport.of(survey.free(), survey.rivalsPossible(), survey.lastTxId(), survey.deadNodes())
                            .withPromise(survey.promised()));
        }
        return event;
    }

    /** Illness is not seen. */
    public static AgentEvent ignoreFailedHealthCheck(AgentEvent event) {
        return withObservation(
                event, seen -> seen.toBuilder().unhealthyReason("").build());
    }

    /** ZooKeeper out of reach is taken for the loss of the lock, as a ZKFC does. */
    public static AgentEvent treatUnreachableZooKeeperAsLostLock(AgentEvent event) {
        return event instanceof AgentEvent.Disconnected
                ? AgentEvent.stepDownRequested(AgentRequest.of(-1), HOLD_BACK_MILLIS)
                : event;
    }

    /** It is not seen that work is in progress. */
    public static AgentEvent ignoreWorkInProgress(AgentEvent event) {
        return withObservation(event, seen -> seen.toBuilder().busy(false).build());
    }

    /** An agent that takes the role as if it came from a healthy one. */
    public static AgentState withoutInheritedHandovers(AgentState state) {
        return state.toBuilder().inheritedHandovers(0).handovers(0).build();
    }

    /** An agent that forgets at once that it was alone. */
    public static AgentState withoutSoleWriterTime(AgentState state) {
        return state.toBuilder()
                .soleWriterNanos(state.lastTickNanos() - AgentState.FOREVER_NANOS)
                .build();
    }

    /** An agent that does not know that it is not electable. */
    public static AgentState alwaysElectable(AgentState state) {
        AgentSettings settings = state.settings();
        return state.toBuilder()
                .settings(AgentSettings.builder()
                        .name(settings.name())
                        .addresses(settings.addresses())
                        .diskTimeoutMillis(settings.diskTimeoutMillis())
                        .leaseMillis(settings.leaseMillis())
                        .maxLag(settings.maxLag())
                        .standbysServeReads(settings.standbysServeReads())
                        .priority(settings.priority())
                        .build())
                .build();
    }

    /** It is not seen what operators have ordered. */
    public static AgentEvent ignoreOrders(AgentEvent event) {
        return event instanceof AgentEvent.ViewChanged change
                ? AgentEvent.viewChanged(change.view().with(StandingOrders.NONE))
                : event;
    }

    /** An observer is taken for any other standby. */
    public static AgentEvent treatObserverAsStandby(AgentEvent event) {
        return event instanceof AgentEvent.RoleChanged
                ? AgentEvent.roleChanged(HaRole.STANDBY)
                : withObservation(event, seen -> seen.role() == HaRole.OBSERVER ? seen.withRole(HaRole.STANDBY) : seen);
    }

    /** The same event, but a look at the process is seen otherwise. */
    private static AgentEvent withObservation(AgentEvent event, UnaryOperator<LocalObservation> otherwise) {
        return event instanceof AgentEvent.Observed look
                ? AgentEvent.observed(otherwise.apply(look.observation()), look.bid())
                : event;
    }
}
