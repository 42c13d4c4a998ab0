/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateSamplesTest {

    @ParameterizedTest
    @CsvSource({
        "A, 0", // it was active before
        "SA, 1",
        "JSASA, 2",
        "A-A, 0", // stood still, and resumed
        "A-S-A, 1",
        "S-A, 1"
    })
    void countsActivationOnlyAfterAnotherState(String states, int activations) {
        assertThat(StateSamples.countActivations(changes(states), 0, 100)).isEqualTo(activations);
    }

    @Test
    void activationsOutsideTimeRangeDoNotCount() {
        assertThat(StateSamples.countActivations(changes("SASASA"), 2, 4)).isOne();
    }

    /** One change at each time from 0 on. */
    private static List<StateSamples.Change> changes(String states) {
        List<StateSamples.Change> changes = new ArrayList<>();
        for (int i = 0; i < states.length(); i++) {
            changes.add(new StateSamples.Change(i, states.charAt(i)));
        }
        return changes;
    }
}
