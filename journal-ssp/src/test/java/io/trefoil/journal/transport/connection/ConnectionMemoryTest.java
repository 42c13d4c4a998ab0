/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import org.junit.jupiter.api.Test;

class ConnectionMemoryTest {

    private final RefusalCounters refusals = new RefusalCounters();
    private long nowNanos = Long.MAX_VALUE - 2;
    private final ConnectionMemory memory = new ConnectionMemory(100, refusals, () -> nowNanos);
    private final EmbeddedChannel one = new EmbeddedChannel();
    private final EmbeddedChannel other = new EmbeddedChannel();
    private final EmbeddedChannel third = new EmbeddedChannel();

    @Test
    void closesConnectionStuckForLongest() {
        ConnectionMemory.Share stuck = memory.shareOf(one);
        ConnectionMemory.Share reads = memory.shareOf(other);
        memory.shareOf(third);
        reads.take(30);
        nowNanos++;
        stuck.take(40);
        nowNanos += 2; // Past the end of the clock's range.
        reads.give(10);
        reads.take(40);
        assertThat(memory.heldBytes()).isEqualTo(100);

        reads.take(1);

        assertThat(one.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
        assertThat(memory.heldBytes()).isEqualTo(61);
        assertThat(refusals.count(RefusalCause.MEMORY_LIMIT)).isEqualTo(1);
    }

    @Test
    void closesConnectionHoldingTooMuchMemory() {
        ConnectionMemory.Share share = memory.shareOf(one);
        share.take(101);

        assertThat(one.isOpen()).isFalse();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void formerlyIdleConnectionIsNotConsideredStuck() {
        ConnectionMemory.Share idle = memory.shareOf(one);
        nowNanos++;
        ConnectionMemory.Share stuck = memory.shareOf(other);
        stuck.take(60);
        nowNanos++;
        idle.take(60);

        assertThat(one.isOpen()).isTrue();
        assertThat(other.isOpen()).isFalse();
    }

    @Test
    void closedConnectionReleasesMemoryOnce() {
        ConnectionMemory.Share share = memory.shareOf(one);
        share.take(60);
        one.close();
        share.give(60);
        share.take(60);

        assertThat(memory.heldBytes()).isZero();
    }
}
