/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.SubtreeMover.Pace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParallelCallerTest {

    /** A move has a million files, and each may wait for a minute. */
    @Test
    void skipsFurtherCallsAfterFailure() {
        AtomicInteger begun = new AtomicInteger();
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            calls.add(() -> {
                begun.incrementAndGet();
                if (number >= 3) {
                    throw new IOException("call " + number);
                }
                return number;
            });
        }
        try (ParallelCaller parallel = new ParallelCaller(2, Pace.unlimited())) {
            assertThatThrownBy(() -> parallel.callAll(calls))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("call 3");
        }
        assertThat(begun.get()).isBetween(3, 5);
    }

    /** A thread may be so slow to begin that a later call has failed by then. */
    @Test
    void throwsFailureOfLaterCallWhenEarlierWasSkipped() {
        List<Callable<Integer>> calls = List.of(() -> 1, () -> {
            throw new IOException("the second");
        });
        try (ParallelCaller parallel = new ParallelCaller(2, Pace.unlimited())) {
            for (int i = 0; i < 200; i++) {
                assertThatThrownBy(() -> parallel.callAll(calls))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("the second");
            }
        }
    }
}
