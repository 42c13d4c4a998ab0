/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two jugs, of 3 and 5 litres, are the small world here. */
class ExplorerTest {

    private static final int SMALL = 3;
    private static final int LARGE = 5;

    /** @param forbidden how much must never be in the larger jug */
    private static Exploration explored(int forbidden, long maxStates) {
        SmallWorld jugs = new SmallWorld() {
            @Override
            public int[] begin() {
                return new int[] {0, 0};
            }

            @Override
            public void successors(int[] state, Sink sink) {
                sink.then(new int[] {SMALL, state[1]}, () -> "fill the smaller");
                sink.then(new int[] {state[0], LARGE}, () -> "fill the larger");
                sink.then(new int[] {0, state[1]}, () -> "empty the smaller");
                sink.then(new int[] {state[0], 0}, () -> "empty the larger");
                int right = Math.min(state[0], LARGE - state[1]);
                sink.then(new int[] {state[0] - right, state[1] + right}, () -> "pour into the larger");
                int left = Math.min(state[1], SMALL - state[0]);
                sink.then(new int[] {state[0] + left, state[1] - left}, () -> "pour into the smaller");
            }

            @Override
            public long fingerprint(int[] state) {
                return Fingerprints.both(state[0], state[1]);
            }

            @Override
            public Optional<String> violation(int[] state) {
                return state[1] == forbidden ? Optional.of(forbidden + " litres") : Optional.empty();
            }
        };
        return new Explorer(jugs, maxStates, line -> {}).explore();
    }

    @Test
    void visitsEveryStateOnce() {
        Exploration found = explored(LARGE + 1, Long.MAX_VALUE);

        assertThat(found.closed()).isTrue();
        assertThat(found.violation()).isEmpty();
        assertThat(found.states()).isEqualTo(16);
        assertThat(found.steps()).isEqualTo(16 * 6);
    }

    @Test
    void reportsShortestTraceToWrongState() {
        Exploration found = explored(4, Long.MAX_VALUE);

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
        assertThat(explored(LARGE + 1, 5).closed()).isFalse();
    }

    @Test
    void remembersFingerprintsWhenTableGrows() {
        Fingerprints known = new Fingerprints();
        for (long i = 0; i < 200_000; i++) {
            assertThat(known.add(Fingerprints.mixed(i))).isTrue();
        }

        assertThat(known.add(Fingerprints.mixed(0))).isFalse();
        assertThat(known.add(Fingerprints.mixed(199_999))).isFalse();
        assertThat(known.size()).isEqualTo(200_000);
    }
}
