/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a node may owe answers without a word. It doubles when a session was ended whose node was there: it may have worked on
 * what it was sent, without waiting for its disk, and would begin that anew in each session.
 */
final class GrowingTimeout {

    private static final int MOST_DOUBLINGS = 6;
    private static final long GOOD_SESSION_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Duration first;
    private int doublings;

    GrowingTimeout(Duration first) {
        this.first = first;
    }

    Duration now() {
        return first.multipliedBy(1L << doublings);
    }

    void doubled() {
        doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
    }

    void sessionLasted(long nanos) {
        if (nanos - now().toNanos() > GOOD_SESSION_NANOS) {
            doublings = 0;
        }
    }
}
