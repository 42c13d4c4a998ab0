/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.MemberState;
import java.util.function.BooleanSupplier;

/** Whether a client should wait at a member rather than go on to the next one. */
public final class Succession {
    private Succession() {}

    /**
     * Whether a member may soon be active. True of all standbys from when their pool nodes suspect that the writer is
     * down, or believe in none, until one of them holds the lock; then only of that one.
     *
     * @param writerMayEnd whether the member's own pool node now believes in no writer, or suspects that it is down; called only if
     *     everything else says yes
     */
    public static boolean mayBecomeActive(AgentState state, BooleanSupplier writerMayEnd) {
        switch (state.stage()) {
            case BIDDING:
            case ELECTED:
            case ACQUIRING_EPOCH:
            case ACTIVATING:
                return true;
            case FOLLOWING:
                return state.connected() && stands(state) && !anotherTakesOver(state) && writerMayEnd.getAsBoolean();
            default:
                return false;
        }
    }

    private static boolean stands(AgentState state) {
        return state.published()
                .filter(record -> record.state() == MemberState.STANDBY && record.eligible())
                .isPresent();
    }

    private static boolean anotherTakesOver(AgentState state) {
        return state.view()
                .lock()
                .filter(lock -> lock.isTakingOver()
                        && !lock.holder().equals(state.settings().name()))
                .isPresent();
    }
}
