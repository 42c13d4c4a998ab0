/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.ServerQuery;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Few rounds, and waits in which others work. */
final class SimMoveLimits implements MoveLimits {

    private final MoveSimulation world;

    SimMoveLimits(MoveSimulation world) {
        this.world = world;
    }

    @Override
    public int maxRounds() {
        return 2;
    }

    @Override
    public int fewFilesThreshold() {
        return 1;
    }

    @Override
    public Duration openFileTimeout() {
        return Duration.ZERO;
    }

    @Override
    public int maxPauses() {
        return 2;
    }

    @Override
    public long heapBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public Instant now() {
        return SimMover.NOW;
    }

    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public List<String> awaitNone(ServerQuery query) throws IOException {
        List<String> answer = query.query();
        for (int again = 0; again < 2 && !answer.isEmpty(); again++) {
            world.runClientCalls(3);
            answer = query.query();
        }
        return answer;
    }

    @Override
    public List<String> awaitReplicas(ServerQuery query) throws IOException {
        return query.query();
    }
}
