/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class RateLimiterTest {

    private static final long SECOND = 1_000_000_000L;

    @Property
    void enforcesLimitForAnyNumberOfRequests(@ForAll long start, @ForAll @LongRange(min = 1, max = 200) long requests) {
        RateLimiter limiter = new RateLimiter(1000);
        long lastLeaves = 0;
        for (int i = 0; i < requests; i++) {
            lastLeaves = limiter.reserve(100, start);
        }

        assertThat(lastLeaves).isGreaterThanOrEqualTo((requests - 1) * SECOND / 10 - SECOND / 10);
        assertThat(limiter.waitNanos(start)).isEqualTo(Math.max(0, requests * SECOND / 10 - SECOND / 10));
    }

    @Example
    void longIdleTimeDoesNotGiveCredit() {
        RateLimiter limiter = new RateLimiter(1000);
        limiter.reserve(100, 0);

        assertThat(limiter.reserve(1000, 3600 * SECOND)).isZero();
        assertThat(limiter.reserve(1, 3600 * SECOND)).isEqualTo(9 * SECOND / 10);
    }
}
