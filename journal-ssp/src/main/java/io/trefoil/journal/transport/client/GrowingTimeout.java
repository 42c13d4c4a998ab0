/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A growing timeout for a node that owes answers. It doubles when a session was ended whose node was there: it may have worked on
 * what it was sent, without waiting for its disk, and would begin that anew in each session.
 */
final class GrowingTimeout {

    private static final int MAX_DOUBLINGS = 6;
    private static final long GOOD_SESSION_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Duration first;
    private int doublings;

    GrowingTimeout(Duration first) {
        this.first = first;
    }

    Duration current() {
        return first.multipliedBy(1L << doublings);
    }

    void doubleTimeout() {
        doublings = Math.min(doublings + 1, MAX_DOUBLINGS);
    }

    void recordSessionLength(long nanos) {
        if (nanos - current().toNanos() > GOOD_SESSION_NANOS) {
            doublings = 0;
        }
    }
}
