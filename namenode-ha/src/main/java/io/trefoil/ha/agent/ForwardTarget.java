/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/** The member to which this one may forward calls for the active. */
public final class ForwardTarget {
    private ForwardTarget() {}

    /**
     * The active as far as this member knows. Empty during a takeover, and if this member is not close behind: it would
     * answer only after catching up. A stale view does no harm, since a member that is not active executes nothing, so
     * forwarding works without ZooKeeper, too.
     */
    public static Optional<MemberRecord> active(AgentState state) {
        if (state.stage() != AgentStage.FOLLOWING || !isReady(state)) {
            return Optional.empty();
        }
        return state.view()
                .lock()
                .filter(lock -> !lock.isTakingOver()
                        && !lock.holder().equals(state.settings().name()))
                .flatMap(lock -> state.view().member(lock.holder()));
    }

    /**
     * Whether this member may soon have a member to forward to, or be active itself: it takes part, is only slightly behind, and would
     * notice an election. Otherwise clients are better off elsewhere.
     */
    public static boolean isTargetExpected(AgentState state) {
        return state.connected()
                && state.stage() != AgentStage.HALTED
                && state.stage() != AgentStage.CHANGING
                && state.publishedRecord()
                        .filter(record -> record.state() != MemberState.JUNIOR)
                        .isPresent();
    }

    private static boolean isReady(AgentState state) {
        return state.publishedRecord()
                .filter(record -> record.state() == MemberState.STANDBY)
                .isPresent();
    }
}
