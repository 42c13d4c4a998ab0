/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.subtrees;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.subtrees.CallHistory.Call;
import io.trefoil.benchmarks.subtrees.CallHistory.Window;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallHistoryTest {
    private static final Set<String> BOTH = Set.of("/a", "/b");
    private static final Window WINDOW = new Window(millis(1000), millis(3000));

    private final CallHistory history = new CallHistory();

    @Test
    void callsCountInWindowOfTheirAnswer() {
        history.add("/a", List.of(call(800, 1200), call(1200, 1700), call(2900, 3100)));
        history.add("/b", List.of(call(1300, 2100)));
        history.add("/other", List.of(call(1300, 1400)));

        assertThat(history.answersPerSecond(BOTH, WINDOW)).isEqualTo(1.5);
        assertThat(history.answersPerSecond(Set.of("/unused"), WINDOW)).isZero();
        assertThat(history.curve(BOTH, WINDOW, 0.5))
                .containsExactly(
                        new double[] {0.25, 2}, new double[] {0.75, 2}, new double[] {1.25, 2}, new double[] {1.75, 0});
    }

    @Test
    void longestCallMayOverlapWindowBoundaries() {
        history.add("/a", List.of(call(0, 1100), call(1500, 1510)));
        history.add("/b", List.of(call(2500, 4000), call(4000, 9000)));

        assertThat(history.longestMillis(Set.of("/a"), WINDOW)).isEqualTo(1100);
        assertThat(history.longestMillis(BOTH, WINDOW)).isEqualTo(1500);
        assertThat(history.longestMillis(Set.of("/unused"), WINDOW)).isZero();
    }

    private static Call call(long beganMillis, long answeredMillis) {
        return new Call(millis(beganMillis), millis(answeredMillis));
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
