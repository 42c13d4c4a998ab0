/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/** Which of what fails in ZooKeeper is to alarm an operator. */
class SetbackTest {

    /** A healthy failover has this in the log of each standby but one. */
    @Test
    void staysQuietWhenAnotherMemberWasFaster() {
        assertThat(Setback.of(new KeeperException.BadVersionException())).isEqualTo(Setback.RACE);
        assertThat(Setback.of(new KeeperException.NodeExistsException("/lock"))).isEqualTo(Setback.RACE);
        assertThat(Setback.of(new IllegalStateException("the last ballot is 5")))
                .isEqualTo(Setback.RACE);
    }

    @Test
    void operatorIsToldWhenZooKeeperFails() {
        assertThat(Setback.of(new KeeperException.ConnectionLossException())).isEqualTo(Setback.TROUBLE);
        assertThat(Setback.of(new KeeperException.NoAuthException())).isEqualTo(Setback.TROUBLE);
        assertThat(Setback.of(new OutOfMemoryError())).isEqualTo(Setback.TROUBLE);
    }

    @Test
    void traceIsLoggedWhenCodeDoesNotFit() {
        assertThat(Setback.of(new NoSuchMethodError())).isEqualTo(Setback.BUG);
        assertThat(Setback.of(new NullPointerException())).isEqualTo(Setback.BUG);
    }
}
