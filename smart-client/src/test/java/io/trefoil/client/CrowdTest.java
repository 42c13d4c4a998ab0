/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.CrowdSimulation.Kind;
import io.trefoil.client.CrowdSimulation.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What 100,000 clients do to a NameNode when its group loses the active, in a simulation; docs/benchmarks/many-groups.md. */
class CrowdTest {
    /** Of a NameNode; a lower bound of what is said of HDFS's reads. */
    private static final int REQUESTS_PER_SECOND = 20_000;

    private static final long GAP_MILLIS = 700;

    @ParameterizedTest
    @ValueSource(ints = {100, 1_000, 3_333, 10_000, 100_000})
    void probesDoNotOverloadNameNode(int clients) {
        Outcome ours = CrowdSimulation.simulate(Kind.OURS, clients, REQUESTS_PER_SECOND, GAP_MILLIS);
        Outcome stock = CrowdSimulation.simulate(Kind.STOCK, clients, REQUESTS_PER_SECOND, GAP_MILLIS);
        System.out.printf("%,d clients: ours %s%n%,d clients: stock %s%n", clients, ours, clients, stock);

        // One question that is answered by "active", and the call itself.
        long leastMillis = 2_000L * clients / REQUESTS_PER_SECOND;
        assertThat(ours.allServedMillis()).isLessThan(GAP_MILLIS + 400 + leastMillis);
        assertThat(ours.allServedMillis()).isLessThan(stock.allServedMillis());
        assertThat(ours.requests()).isLessThan(18L * clients);
    }
}
