/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.Question;
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
    public int rounds() {
        return 2;
    }

    @Override
    public int fewFiles() {
        return 1;
    }

    @Override
    public Duration patience() {
        return Duration.ZERO;
    }

    @Override
    public int pauses() {
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
    public List<String> awaitNone(Question question) throws IOException {
        List<String> answer = question.ask();
        for (int again = 0; again < 2 && !answer.isEmpty(); again++) {
            world.work(3);
            answer = question.ask();
        }
        return answer;
    }

    @Override
    public List<String> awaitReplicas(Question question) throws IOException {
        return question.ask();
    }
}
