/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private static final Duration CALL = Duration.ofMinutes(2);
    private static final Duration CONNECTION = Duration.ofSeconds(20);

    private final Configuration conf = new Configuration(false);

    private RetryBudget retryBudget() {
        return new RetryBudget(conf, "group", 3);
    }

    @Test
    void searchIsAsShortAsOfStockClient() {
        // 1, 2, 4, 8 and ten times 15 s, and half as much again.
        assertThat(Duration.ofNanos(retryBudget().searchNanos())).isEqualTo(Duration.ofMillis(247_500));
        assertThat(retryBudget().allowsRetry(15)).isTrue();
        assertThat(retryBudget().allowsRetry(16)).isFalse();
    }

    @Test
    void clientWithSingleFailoverAttemptStillSearches() {
        conf.setInt("dfs.client.failover.max.attempts", 1);
        assertThat(Duration.ofNanos(retryBudget().searchNanos())).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void searchLastsLongerWhenMembersAreUnresponsive() {
        // Sixteen calls in turn to three NameNodes.
        assertThat(retryBudget().extraSearchNanos(0, true)).isZero();
        assertThat(retryBudget().extraSearchNanos(1, false))
                .isEqualTo(CONNECTION.multipliedBy(6).toNanos());
        assertThat(retryBudget().extraSearchNanos(1, true))
                .isEqualTo(CALL.multipliedBy(6).toNanos());
        assertThat(retryBudget().extraSearchNanos(3, true))
                .isEqualTo(CALL.multipliedBy(16).toNanos());
    }

    @Test
    void keepsConfiguredTimeout() {
        conf.set("trefoil.client.failover.timeout", "2s");
        assertThat(Duration.ofNanos(retryBudget().searchNanos())).isEqualTo(Duration.ofSeconds(2));
        assertThat(Duration.ofNanos(retryBudget().hangNanos())).isEqualTo(Duration.ofSeconds(2));
        assertThat(retryBudget().extraSearchNanos(3, true)).isZero();
    }

    @Test
    void thirdFailureBacksOffLikeStockClient() {
        assertThat(retryBudget().nanosAfter(1, 0)).isZero();
        assertThat(Duration.ofNanos(retryBudget().nanosAfter(2, 0))).isLessThan(Duration.ofSeconds(1));
        assertThat(Duration.ofNanos(retryBudget().nanosAfter(3, 0)))
                .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
        assertThat(Duration.ofNanos(retryBudget().nanosAfter(12, 0)))
                .isBetween(Duration.ofMillis(7_500), Duration.ofMillis(22_500));
    }
}
