/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.CheckpointId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A participant's state as an exploration needs it: it is always now 0, and what makes no difference is the same. */
public final class ExploredParticipants {

    private ExploredParticipants() {}

    /** A state in which the deadline has passed. */
    public static ParticipantState pastDeadline(ParticipantState state) {
        return state.toBuilder().deadlineNanos(0).build();
    }

    public static boolean isPastDeadline(ParticipantState state) {
        return state.deadlineNanos() <= 0;
    }

    /** A state in which each request is remembered once, as its answers are one message. */
    public static ParticipantState canonical(ParticipantState state) {
        Map<CheckpointId, List<Long>> abandoners = new HashMap<>();
        state.abandonRequests().forEach((id, requests) -> abandoners.put(id, distinct(requests)));
        boolean hasDeadline = state.stage() == ParticipantStage.LOCKING || state.stage() == ParticipantStage.FROZEN;
        return state.toBuilder()
                .deadlineNanos(hasDeadline ? state.deadlineNanos() : 0)
                .freezeRequests(distinct(state.freezeRequests()))
                .cutRequests(distinct(state.cutRequests()))
                .abandonRequests(Map.copyOf(abandoners))
                .build();
    }

    private static List<Long> distinct(List<Long> requests) {
        return requests.stream().distinct().toList();
    }
}
