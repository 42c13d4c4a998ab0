/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailLagMeterTest {
    private final TailLagMeter lag = new TailLagMeter();
    private final List<Long> lags = new ArrayList<>();

    @Test
    void measuresLagFromKnownCommitUntilApplied() {
        lag.startFollowing(10);
        lag.recordCommitted(12, 1_000);
        lag.recordCommitted(15, 1_500);

        lag.recordApplied(15, 4_000, lags::add);

        assertThat(lags).containsExactly(3_000L, 2_500L);
        assertThat(lag.nanosBehind(9_000)).isZero();
    }

    @Test
    void partlyAppliedCommitCountsOnceFullyApplied() {
        lag.startFollowing(10);
        lag.recordCommitted(20, 1_000);

        lag.recordApplied(19, 2_000, lags::add);
        assertThat(lags).isEmpty();
        assertThat(lag.nanosBehind(2_500)).isEqualTo(1_500);

        lag.recordApplied(20, 3_000, lags::add);
        assertThat(lags).containsExactly(2_000L);
    }

    @Test
    void ignoresRepeatedAndAlreadyAppliedCommits() {
        lag.startFollowing(10);
        lag.recordCommitted(10, 500);
        lag.recordCommitted(12, 1_000);
        lag.recordCommitted(12, 2_000);
        lag.recordCommitted(11, 2_000);

        lag.recordApplied(12, 3_000, lags::add);

        assertThat(lags).containsExactly(2_000L);
    }

    @Test
    void activeOmitsTailLag() {
        lag.startFollowing(10);
        lag.recordCommitted(12, 1_000);
        lag.pauseTracking();
        lag.recordCommitted(14, 2_000);
        assertThat(lag.nanosBehind(5_000)).isZero();

        // A standby again, which holds all that it wrote.
        lag.startFollowing(14);
        lag.recordCommitted(14, 6_000);
        lag.recordApplied(14, 7_000, lags::add);

        assertThat(lags).isEmpty();
    }

    @Test
    void neverUnderstatesLagWhenFarBehind() {
        int commits = 1_000_000;
        lag.startFollowing(0);
        for (int txId = 1; txId <= commits; txId++) {
            lag.recordCommitted(txId, txId);
        }

        assertThat(lag.nanosBehind(commits)).isEqualTo(commits - 1);
        long now = 2L * commits;
        for (int txId = 1; txId <= commits; txId++) {
            lag.recordApplied(txId, now, lags::add);
            assertThat(lag.nanosBehind(now)).isGreaterThanOrEqualTo(txId == commits ? 0 : now - txId - 1);
        }
        assertThat(lags).hasSizeLessThan(4096).allMatch(nanos -> nanos >= commits);
        assertThat(lag.nanosBehind(now)).isZero();
    }
}
