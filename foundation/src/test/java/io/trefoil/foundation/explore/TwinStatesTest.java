/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TwinStatesTest {

    /**
     * Two jugs that are one whichever stands first.
     *
     * @param isFirstChosen whether of two that are not full the first one is filled
     */
    private record TwoJugs(boolean isFirstChosen) implements SmallWorld {

        private static final int FULL = 2;

        @Override
        public int[] begin() {
            return new int[] {0, 0};
        }

        @Override
        public void successors(int[] state, Sink sink) {
            for (int jug = 0; jug < state.length; jug++) {
                int[] emptied = state.clone();
                emptied[jug] = 0;
                sink.accept(emptied, () -> "empty one");
            }
            int[] filled = state.clone();
            filled[isFirstChosen || state[0] <= state[1] ? 0 : 1] = FULL;
            sink.accept(filled, () -> "fill one");
            sink.accept(new int[] {state[1], state[0]}, () -> "change places");
        }

        @Override
        public long fingerprint(int[] state) {
            return Fingerprints.mix(state[0]) + Fingerprints.mix(state[1]);
        }

        @Override
        public Optional<String> violation(int[] state) {
            return Optional.empty();
        }
    }

    @Test
    void acceptsEqualStatesWithSameSuccessors() {
        assertThat(TwinStates.findUnequal(new TwoJugs(false), 100)).isEmpty();
    }

    @Test
    void reportsStepOfOnlyOneEqualState() {
        assertThat(TwinStates.findUnequal(new TwoJugs(true), 100))
                .hasValueSatisfying(what -> assertThat(what).contains("fill one"));
    }
}
