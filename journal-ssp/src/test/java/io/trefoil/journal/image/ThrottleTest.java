/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class ThrottleTest {

    private static final long SECOND = 1_000_000_000L;

    @Property
    void noMoreThanTheLimitLeavesHoweverManyAsk(
            @ForAll long start, @ForAll @LongRange(min = 1, max = 200) long requests) {
        Throttle throttle = new Throttle(1000);
        long lastLeaves = 0;
        for (int i = 0; i < requests; i++) {
            lastLeaves = throttle.reserve(100, start);
        }

        assertThat(lastLeaves).isGreaterThanOrEqualTo((requests - 1) * SECOND / 10 - SECOND / 10);
        assertThat(throttle.waitNanos(start)).isEqualTo(Math.max(0, requests * SECOND / 10 - SECOND / 10));
    }

    @Example
    void aLongRestIsNotSavedUp() {
        Throttle throttle = new Throttle(1000);
        throttle.reserve(100, 0);

        assertThat(throttle.reserve(1000, 3600 * SECOND)).isZero();
        assertThat(throttle.reserve(1, 3600 * SECOND)).isEqualTo(9 * SECOND / 10);
    }
}
