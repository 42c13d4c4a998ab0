/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.load.RunningLoad;
import java.time.Duration;

/**
 * How long clients waited for an answer while a disk was in trouble. {@code -Dtrefoil.it.longest.wait=1500} limits that,
 * in milliseconds. Without it the figure is only printed: where other guests of the host get the CPUs for seconds, it
 * says nothing about the disk. That each client goes on while the disk is in trouble is checked in any case.
 */
final class LongestWait {
    private static final Long LIMIT_MILLIS = Long.getLong("trefoil.it.longest.wait");

    private LongestWait() {}

    /**
     * Judges all answers since the trouble began.
     *
     * @param sinceNanos by {@link System#nanoTime}
     */
    static void judge(RunningLoad load, long sinceNanos, String problem) {
        Duration longest = load.ledger().longestWaitSince(sinceNanos);
        System.out.printf("%s: longest wait of a client %d ms%n", problem, longest.toMillis());
        if (LIMIT_MILLIS != null) {
            assertThat(longest).as("longest wait of a client, " + problem).isLessThan(Duration.ofMillis(LIMIT_MILLIS));
        }
    }
}
