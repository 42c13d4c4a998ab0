/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.MemberState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether a client should wait at a member rather than try the next one. */
public final class ClientWaitPolicy {
    private ClientWaitPolicy() {}

    /**
     * Returns how long until a member may become active: zero for all standbys from the moment their pool nodes suspect that the writer is
     * down, or consider none alive, until one of them holds the lock; then only for that one. Empty if it is not to be.
     *
     * @param writerMayEnd how long until the member's own pool node would believe in no writer, zero if it suspects that the writer is
     *     down; empty if it does not know. Called only if everything else depends on that
     */
    public static Optional<Duration> timeUntilMayBecomeActive(
            AgentState state, Supplier<Optional<Duration>> writerMayEnd) {
        switch (state.stage()) {
            case BIDDING:
            case ELECTED:
            case ACQUIRING_EPOCH:
            case ACTIVATING:
                return Optional.of(Duration.ZERO);
            case FOLLOWING:
                return state.connected() && isCandidate(state) && !isAnotherTakingOver(state)
                        ? writerMayEnd.get()
                        : Optional.empty();
            default:
                return Optional.empty();
        }
    }

    private static boolean isCandidate(AgentState state) {
        return state.publishedRecord()
                .filter(record -> record.state() == MemberState.STANDBY && record.eligible())
                .isPresent();
    }

    private static boolean isAnotherTakingOver(AgentState state) {
        return state.view()
                .lock()
                .filter(lock -> lock.isTakingOver()
                        && !lock.holder().equals(state.settings().name()))
                .isPresent();
    }
}
