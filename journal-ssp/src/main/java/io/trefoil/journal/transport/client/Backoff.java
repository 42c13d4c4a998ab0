/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits that double from one attempt to the next, with jitter, so that callers do not retry in lockstep. */
final class Backoff {

    private final long firstNanos;
    private final long lastNanos;
    private long nextNanos;

    Backoff(Duration first, Duration last) {
        this.firstNanos = first.toNanos();
        this.lastNanos = last.toNanos();
        this.nextNanos = firstNanos;
    }

    /** A random wait between half and all of a maximum, which doubles with every call up to a limit. */
    Duration next() {
        long wait = nextNanos;
        nextNanos = Math.min(2 * wait, lastNanos);
        return Duration.ofNanos(wait / 2 + ThreadLocalRandom.current().nextLong(wait / 2 + 1));
    }

    void reset() {
        nextNanos = firstNanos;
    }
}
