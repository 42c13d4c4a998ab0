/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightCallLimitTest {
    private static final int SHARE = InFlightCallLimit.MAX_CALLS / 4;
    private static final int MIB = 1 << 20;

    private final InFlightCallLimit room = new InFlightCallLimit();

    private List<InFlightCallLimit.Slot> acquireAll(String user, int size) {
        List<InFlightCallLimit.Slot> places = new ArrayList<>();
        while (room.tryAcquire(user, size).map(places::add).isPresent()) {
            assertThat(places).hasSizeLessThanOrEqualTo(InFlightCallLimit.MAX_CALLS);
        }
        return places;
    }

    @Test
    void userIsLimitedToShareOfCalls() {
        List<InFlightCallLimit.Slot> places = acquireAll("alice", 10);
        assertThat(places).hasSize(SHARE);
        assertThat(room.tryAcquire("bob", 10)).isPresent();
        places.get(0).release();
        assertThat(room.tryAcquire("alice", 10)).isPresent();
        assertThat(room.tryAcquire("alice", 10)).isEmpty();
    }

    @Test
    void userIsLimitedToShareOfBytes() {
        assertThat(acquireAll("alice", MIB)).hasSize(8);
        assertThat(acquireAll("bob", MIB)).hasSize(8);
    }

    @Test
    void allUsersTogetherStayWithinLimit() {
        for (String user : List.of("a", "b", "c", "d")) {
            assertThat(acquireAll(user, 10)).hasSize(SHARE);
        }
        assertThat(room.tryAcquire("e", 10)).isEmpty();
        assertThat(room.acquiredCount()).isEqualTo(InFlightCallLimit.MAX_CALLS);
    }

    @Test
    void permitIsReleasedOnlyOnce() {
        List<InFlightCallLimit.Slot> places = acquireAll("alice", 10);
        places.forEach(InFlightCallLimit.Slot::release);
        places.forEach(InFlightCallLimit.Slot::release);
        assertThat(room.acquiredCount()).isZero();
        assertThat(acquireAll("alice", 10)).hasSize(SHARE);
    }
}
