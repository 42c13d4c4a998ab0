/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class FreezeOrderTest {
    private static final CheckpointId ID = CheckpointId.of("c", "00000001");

    @Test
    void limitsFreezeToOneMinute() {
        assertThat(FreezeOrder.of(ID, 60_000, false).holdMillis()).isEqualTo(60_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FreezeOrder.of(ID, 60_001, false))
                .withMessage("A freeze lasts 1 to 60000 ms, wanted 60001");
        assertThatIllegalArgumentException().isThrownBy(() -> FreezeOrder.of(ID, 0, false));
    }
}
