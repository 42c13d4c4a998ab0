/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a checkpoint costs the more nameservices there are; docs/benchmarks/many-groups.md. */
class FederationTrafficTest {
    /** The clock, the freeze, the cut: a question and an answer each. */
    private static final int MESSAGES_PER_NAMESERVICE = 6;

    /** Of these six together, without the names of all nameservices, which the order to cut lists. */
    private static final int BYTES_FOR_EACH = 1_000;

    /** A short name with its quotes and comma, in the order to each. */
    private static final int BYTES_FOR_EACH_NAME = 12;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 30})
    void checkpointTakesThreeExchangesPerNameservice(int nameservices) {
        FederationSimulation.Traffic traffic =
                FederationSimulation.withoutFaults(nameservices).trafficOfOneCheckpoint();
        System.out.printf(
                "%d nameservices: %d messages and %,d bytes per checkpoint%n",
                nameservices, traffic.messages(), traffic.bytes());
        assertThat(traffic.messages()).isLessThanOrEqualTo((long) MESSAGES_PER_NAMESERVICE * nameservices);
        assertThat(traffic.bytes())
                .isLessThanOrEqualTo((long) nameservices * (BYTES_FOR_EACH + BYTES_FOR_EACH_NAME * nameservices));
    }
}
