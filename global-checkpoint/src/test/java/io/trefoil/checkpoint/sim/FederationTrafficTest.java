/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a checkpoint costs the more nameservices there are; docs/benchmarks/many-groups.md. */
class FederationTrafficTest {
    /** The clock, the freeze, the cut: a question and an answer each. */
    private static final int FOR_EACH = 6;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 30})
    void aCheckpointTakesThreeExchangesWithEachNameservice(int nameservices) {
        long messages = FederationSimulation.calm(nameservices).messagesOfOne();
        System.out.printf("%d nameservices: %d messages per checkpoint%n", nameservices, messages);
        assertThat(messages).isLessThanOrEqualTo((long) FOR_EACH * nameservices);
    }
}
