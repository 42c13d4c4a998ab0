/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RandomWalksTest {

    private static final int STEPS = 200;

    @Test
    void visitsAllStatesOfSmallWorld() {
        Exploration found = new RandomWalks(new Jugs(Jugs.LARGE + 1), STEPS).take(1, 5_000);

        assertThat(found.violation()).isEmpty();
        assertThat(found.states()).isEqualTo(16);
        assertThat(found.steps()).isEqualTo(5_000 * STEPS);
        assertThat(found.depth()).isEqualTo(STEPS);
    }

    @Test
    void reportsOwnTraceToWrongState() {
        Exploration found = new RandomWalks(new Jugs(4), STEPS).take(1, 100);

        assertThat(found.violation()).contains("4 litres");
        assertThat(found.story()).hasSizeGreaterThanOrEqualTo(6);
        assertThat(found.story().get(found.story().size() - 1)).endsWith("pour into the smaller");
    }

    @Test
    void takesSameWalkWhenSeedIsSame() {
        assertThat(new RandomWalks(new Jugs(4), STEPS).take(7, 100))
                .isEqualTo(new RandomWalks(new Jugs(4), STEPS).take(7, 100));
    }
}
