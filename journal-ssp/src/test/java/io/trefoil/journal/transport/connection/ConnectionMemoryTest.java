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
        ConnectionMemory.Share stuck = memory.openShare(one);
        ConnectionMemory.Share reads = memory.openShare(other);
        memory.openShare(third);
        reads.reserve(30);
        nowNanos++;
        stuck.reserve(40);
        nowNanos += 2; // Past the end of the clock's range.
        reads.release(10);
        reads.reserve(40);
        assertThat(memory.heldBytes()).isEqualTo(100);

        reads.reserve(1);

        assertThat(one.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
        assertThat(memory.heldBytes()).isEqualTo(61);
        assertThat(refusals.count(RefusalCause.MEMORY_LIMIT)).isEqualTo(1);
    }

    @Test
    void closesConnectionHoldingTooMuchMemory() {
        ConnectionMemory.Share share = memory.openShare(one);
        share.reserve(101);

        assertThat(one.isOpen()).isFalse();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void formerlyIdleConnectionIsNotConsideredStuck() {
        ConnectionMemory.Share idle = memory.openShare(one);
        nowNanos++;
        ConnectionMemory.Share stuck = memory.openShare(other);
        stuck.reserve(60);
        nowNanos++;
        idle.reserve(60);

        assertThat(one.isOpen()).isTrue();
        assertThat(other.isOpen()).isFalse();
    }

    @Test
    void closedConnectionReleasesMemoryOnce() {
        ConnectionMemory.Share share = memory.openShare(one);
        share.reserve(60);
        one.close();
        share.release(60);
        share.reserve(60);

        assertThat(memory.heldBytes()).isZero();
    }
}
