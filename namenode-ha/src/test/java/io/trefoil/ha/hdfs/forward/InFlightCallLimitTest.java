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

    private List<InFlightCallLimit.Place> fill(String user, int size) {
        List<InFlightCallLimit.Place> places = new ArrayList<>();
        while (room.take(user, size).map(places::add).isPresent()) {
            assertThat(places).hasSizeLessThanOrEqualTo(InFlightCallLimit.MAX_CALLS);
        }
        return places;
    }

    @Test
    void userIsLimitedToShareOfCalls() {
        List<InFlightCallLimit.Place> places = fill("alice", 10);
        assertThat(places).hasSize(SHARE);
        assertThat(room.take("bob", 10)).isPresent();
        places.get(0).leave();
        assertThat(room.take("alice", 10)).isPresent();
        assertThat(room.take("alice", 10)).isEmpty();
    }

    @Test
    void userIsLimitedToShareOfBytes() {
        assertThat(fill("alice", MIB)).hasSize(8);
        assertThat(fill("bob", MIB)).hasSize(8);
    }

    @Test
    void allUsersTogetherStayWithinLimit() {
        for (String user : List.of("a", "b", "c", "d")) {
            assertThat(fill(user, 10)).hasSize(SHARE);
        }
        assertThat(room.take("e", 10)).isEmpty();
        assertThat(room.taken()).isEqualTo(InFlightCallLimit.MAX_CALLS);
    }

    @Test
    void placeIsReleasedOnce() {
        List<InFlightCallLimit.Place> places = fill("alice", 10);
        places.forEach(InFlightCallLimit.Place::leave);
        places.forEach(InFlightCallLimit.Place::leave);
        assertThat(room.taken()).isZero();
        assertThat(fill("alice", 10)).hasSize(SHARE);
    }
}
