/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/** To whom a member may hand on the calls that are for the active. */
public final class Forwarding {
    private Forwarding() {}

    /**
     * The member that is active, as far as this one knows; empty while somebody takes over, and if this one is not close behind: it would
     * answer only when it has caught up. An outdated view does no harm, since who is asked and is not active executes nothing. So it
     * does without ZooKeeper, too.
     */
    public static Optional<MemberRecord> active(AgentState state) {
        if (state.stage() != AgentStage.FOLLOWING || !isClose(state)) {
            return Optional.empty();
        }
        return state.view()
                .lock()
                .filter(lock -> !lock.isTakingOver()
                        && !lock.holder().equals(state.settings().name()))
                .flatMap(lock -> state.view().member(lock.holder()));
    }

    private static boolean isClose(AgentState state) {
        return state.published()
                .filter(record -> record.state() == MemberState.STANDBY)
                .isPresent();
    }
}
