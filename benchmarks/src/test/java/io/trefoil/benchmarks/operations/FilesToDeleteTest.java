/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilesToDeleteTest {
    private final ClientLoad.FilesToDelete files = new ClientLoad.FilesToDelete();

    @Test
    void smallSampleEstimatesClientSpeed() {
        assertThat(files.isKnown(8)).isFalse();
        assertThat(files.ofEach(8, 3)).isEqualTo(50);
    }

    @Test
    void addsQuarterToExpectedDeletions() {
        files.learn(8, 1000);

        assertThat(files.ofEach(8, 3)).as("for 3 s of 1000/s, and a quarter").isEqualTo(3750);
        assertThat(files.isEnough(2.5, 3)).isTrue();
        assertThat(files.isEnough(2.3, 3)).isFalse();
    }

    @Test
    void estimateAppliesToOneClientCountOnly() {
        files.learn(8, 1000);

        assertThat(files.isKnown(32)).isFalse();
    }
}
