/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.MoveLimits;
import io.trefoil.foundation.Pause;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The limits of a command. */
final class CommandLimits implements MoveLimits {

    /** The interval at which the progress of a move is shown. */
    static final Duration REPORTED = Duration.ofSeconds(5);

    private static final int ROUNDS = 10;
    private static final int FEW_FILES = 100;
    private static final int PAUSES = 3;

    /** The first wait between polls for closed files, which NameNodes do not report. */
    private static final long FIRST_WAIT_MILLIS = 10;

    private static final long LAST_WAIT_MILLIS = 200;

    /** The longest wait for reports of linked replicas, which DataNodes send at once unless configured to batch them. */
    private static final Duration REPORTS = Duration.ofSeconds(30);

    private final Duration pause;

    /** @param pause how long clients wait, or are refused, while others finish their files */
    CommandLimits(Duration pause) {
        this.pause = pause;
    }

    @Override
    public int maxRounds() {
        return ROUNDS;
    }

    @Override
    public int fewFilesThreshold() {
        return FEW_FILES;
    }

    @Override
    public Duration openFileTimeout() {
        return pause;
    }

    @Override
    public int maxPauses() {
        return PAUSES;
    }

    @Override
    public long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Clock.systemUTC().instant();
    }

    @Override
    public List<String> awaitNone(ServerQuery query) throws IOException {
        return await(query, pause);
    }

    @Override
    public List<String> awaitReplicas(ServerQuery query) throws IOException {
        return await(query, REPORTS);
    }

    private static List<String> await(ServerQuery query, Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        long wait = FIRST_WAIT_MILLIS;
        List<String> answer = query.query();
        while (!answer.isEmpty() && System.nanoTime() - end < 0) {
            Pause.sleepMillis(wait, "Interrupted while files of clients were open, or replicas were not reported");
            wait = Math.min(LAST_WAIT_MILLIS, 2 * wait);
            answer = query.query();
        }
        return answer;
    }
}
