/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeasurementTest {

    @Test
    void commandLineLoadIsNamedLikeMeasurement() {
        assertThat(Measurement.writerArguments("rate 1000 1024"))
                .isEqualTo(Measurement.ofRate(1000).name());
        assertThat(Measurement.writerArguments("writers 32 1024")).isEqualTo(Measurement.WRITERS_32.name());
        assertThat(Measurement.writerArguments("writers 4 500")).isEqualTo("4 writers of 500 B");
    }
}
