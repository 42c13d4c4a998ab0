/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExplorerTest {

    /** @param forbidden how much must never be in the larger jug */
    private static Exploration explore(int forbidden, long maxStates) {
        return new Explorer(new Jugs(forbidden), maxStates, line -> {}).explore();
    }

    @Test
    void visitsEveryStateOnce() {
        Exploration found = explore(Jugs.LARGE + 1, Long.MAX_VALUE);

        assertThat(found.closed()).isTrue();
        assertThat(found.violation()).isEmpty();
        assertThat(found.states()).isEqualTo(16);
        assertThat(found.steps()).isEqualTo(16 * 6);
    }

    @Test
    void reportsShortestTraceToWrongState() {
        Exploration found = explore(4, Long.MAX_VALUE);

        assertThat(found.closed()).isFalse();
        assertThat(found.violation()).contains("4 litres");
        assertThat(found.story())
                .containsExactly(
                        "1. fill the larger",
                        "2. pour into the smaller",
                        "3. empty the smaller",
                        "4. pour into the smaller",
                        "5. fill the larger",
                        "6. pour into the smaller");
    }

    @Test
    void reportsIncompleteExplorationWhenStateLimitIsReached() {
        assertThat(explore(Jugs.LARGE + 1, 5).closed()).isFalse();
    }

    @Test
    void remembersFingerprintsWhenTableGrows() {
        Fingerprints known = new Fingerprints();
        for (long i = 0; i < 200_000; i++) {
            assertThat(known.add(Fingerprints.mix(i))).isTrue();
        }

        assertThat(known.add(Fingerprints.mix(0))).isFalse();
        assertThat(known.add(Fingerprints.mix(199_999))).isFalse();
        assertThat(known.size()).isEqualTo(200_000);
    }
}
