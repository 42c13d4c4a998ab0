/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which lease follows from which pauses (protocol page, "A derived lease"). */
class LeaseRuleTest {

    @ParameterizedTest(name = "process {0} ms, disk {1} ms: {2} s")
    @CsvSource({
        "0, 0, 1",
        "200, 0, 1",
        "0, 200, 1",
        "200, 200, 1",
        "201, 0, 2",
        "0, 201, 2",
        "400, 10, 2",
        "401, 10, 5",
        "10, 401, 5",
        "1000, 0, 5",
        "60000, 0, 5",
        "0, 86400000, 5"
    })
    void leaseLastsFiveTimesLongestPause(long processMillis, long diskMillis, long seconds) {
        LeaseChoice choice = LeaseRule.choose(processMillis, diskMillis);

        assertThat(choice.length()).hasSeconds(seconds);
        assertThat(choice.reason()).contains(processMillis + " ms").contains(diskMillis + " ms");
    }

    @Test
    void reasonSaysWhyTermKeepsLongerLease() {
        LeaseChoice calm = LeaseRule.choose(1, 2);

        assertThat(calm.forTermWith(LeaseRule.SHORTEST)).isEqualTo(calm);
        LeaseChoice kept = calm.forTermWith(LeaseRule.LONGEST);
        assertThat(kept.length()).isEqualTo(LeaseRule.LONGEST);
        assertThat(kept.reason()).startsWith(calm.reason()).endsWith("a term's lease gets no shorter");
    }
}
