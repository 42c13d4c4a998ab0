/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilesToDeleteTest {
    private final ClientLoad.FilesToDelete files = new ClientLoad.FilesToDelete();

    @Test
    void smallSampleEstimatesClientSpeed() {
        assertThat(files.hasEstimate(8)).isFalse();
        assertThat(files.filesPerClient(8, 3)).isEqualTo(50);
    }

    @Test
    void addsQuarterToExpectedDeletions() {
        files.recordRate(8, 1000);

        assertThat(files.filesPerClient(8, 3))
                .as("for 3 s of 1000/s, and a quarter")
                .isEqualTo(3750);
        assertThat(files.isLongEnough(2.5, 3)).isTrue();
        assertThat(files.isLongEnough(2.3, 3)).isFalse();
    }

    @Test
    void estimateAppliesToOneClientCountOnly() {
        files.recordRate(8, 1000);

        assertThat(files.hasEstimate(32)).isFalse();
    }
}
