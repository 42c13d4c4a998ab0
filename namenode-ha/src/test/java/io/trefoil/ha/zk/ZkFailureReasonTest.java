/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/** Which of what fails in ZooKeeper is to alarm an operator. */
class ZkFailureReasonTest {

    /** A healthy failover has this in the log of each standby but one. */
    @Test
    void lostRaceIsNotFailure() {
        assertThat(ZkFailureReason.of(new KeeperException.BadVersionException()))
                .isEqualTo(ZkFailureReason.RACE);
        assertThat(ZkFailureReason.of(new KeeperException.NodeExistsException("/lock")))
                .isEqualTo(ZkFailureReason.RACE);
        assertThat(ZkFailureReason.of(new IllegalStateException("the last ballot is 5")))
                .isEqualTo(ZkFailureReason.RACE);
    }

    @Test
    void logsZooKeeperFailureForOperator() {
        assertThat(ZkFailureReason.of(new KeeperException.ConnectionLossException()))
                .isEqualTo(ZkFailureReason.TROUBLE);
        assertThat(ZkFailureReason.of(new KeeperException.NoAuthException())).isEqualTo(ZkFailureReason.TROUBLE);
        assertThat(ZkFailureReason.of(new OutOfMemoryError())).isEqualTo(ZkFailureReason.TROUBLE);
    }

    @Test
    void logsStackTraceForUnexpectedErrorCode() {
        assertThat(ZkFailureReason.of(new NoSuchMethodError())).isEqualTo(ZkFailureReason.BUG);
        assertThat(ZkFailureReason.of(new NullPointerException())).isEqualTo(ZkFailureReason.BUG);
    }
}
