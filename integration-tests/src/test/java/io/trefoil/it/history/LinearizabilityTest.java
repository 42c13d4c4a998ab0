/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import static io.trefoil.it.history.Operation.Kind.CREATE;
import static io.trefoil.it.history.Operation.Kind.DELETE;
import static io.trefoil.it.history.Operation.Kind.EXISTS;
import static io.trefoil.it.history.Operation.Outcome.NO;
import static io.trefoil.it.history.Operation.Outcome.YES;
import static io.trefoil.it.history.Operation.answered;
import static io.trefoil.it.history.Operation.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {

    private static boolean isLinearizable(Operation... operations) {
        return Linearizability.contradictionIn(List.of(operations)).isEmpty();
    }

    @Test
    void whatHappensInTurnIsFine() {
        assertThat(isLinearizable(
                        answered(1, CREATE, YES, 0, 1),
                        answered(2, EXISTS, YES, 2, 3),
                        answered(2, DELETE, YES, 4, 5),
                        answered(1, EXISTS, NO, 6, 7)))
                .isTrue();
    }

    @Test
    void aLostUpdateIsFound() {
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 1), answered(2, EXISTS, NO, 2, 3)))
                .isFalse();
    }

    @Test
    void aStaleReadIsFound() {
        assertThat(isLinearizable(
                        answered(1, CREATE, YES, 0, 1), answered(1, DELETE, YES, 2, 3), answered(2, EXISTS, YES, 4, 5)))
                .isFalse();
    }

    @Test
    void ofTwoAtTheSameTimeEitherMayComeFirst() {
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 9), answered(2, EXISTS, NO, 3, 4)))
                .isTrue();
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 9), answered(2, EXISTS, YES, 3, 4)))
                .isTrue();
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 9), answered(2, CREATE, YES, 0, 9)))
                .isFalse();
    }

    @Test
    void anUnknownOutcomeMayComeLateOrNeverButNotTwice() {
        Operation lost = unknown(1, CREATE, 0);
        assertThat(isLinearizable(lost, answered(2, EXISTS, NO, 1, 2), answered(2, EXISTS, YES, 3, 4)))
                .isTrue();
        assertThat(isLinearizable(lost, answered(2, EXISTS, NO, 1, 2))).isTrue();
        assertThat(isLinearizable(lost, answered(2, DELETE, YES, 1, 2), answered(2, EXISTS, YES, 3, 4)))
                .isFalse();
    }

    /** The fault that the retry cache is there against: the repetition of a delete is executed, and finds nothing. */
    @Test
    void aDeleteThatIsExecutedTwiceIsFound() {
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 1), answered(1, DELETE, NO, 2, 9)))
                .isFalse();
        assertThat(isLinearizable(
                        answered(1, CREATE, YES, 0, 1),
                        answered(1, DELETE, YES, 2, 9),
                        answered(2, CREATE, YES, 3, 4),
                        answered(2, EXISTS, NO, 10, 11)))
                .as("the repetition took away what another client had made in between")
                .isFalse();
    }

    /** A register that really is one, driven by many clients at random; and the same with a second execution planted. */
    @Test
    void randomHistoriesOfARealRegisterPassAndThoseWithADoubleExecutionDoNot() {
        int found = 0;
        int planted = 0;
        for (int seed = 0; seed < 300; seed++) {
            SimulatedRegister clean = new SimulatedRegister(seed);
            assertThat(Linearizability.contradictionIn(clean.history(0)))
                    .as("seed %d", seed)
                    .isEmpty();
            SimulatedRegister twice = new SimulatedRegister(seed);
            List<Operation> history = twice.history(3);
            if (twice.showed) {
                planted++;
                found += Linearizability.contradictionIn(history).isPresent() ? 1 : 0;
            }
        }
        // The rest is explained by some other order, which is right: nobody could have noticed.
        assertThat(found).isGreaterThan(planted / 2);
        assertThat(planted).isGreaterThan(50);
    }

    private static final class SimulatedRegister {
        private static final int CLIENTS = 4;
        private static final int STEPS = 120;
        private static final List<Kind> KINDS = List.of(CREATE, DELETE, EXISTS);

        private final Random random;
        private final List<Operation> history = new ArrayList<>();
        private boolean there;
        /** Whether a second execution changed something. */
        boolean showed;

        SimulatedRegister(int seed) {
            random = new Random(seed);
        }

        /** @param inHundred of how many in a hundred operations the effect comes a second time */
        List<Operation> history(int inHundred) {
            long now = 0;
            long[] askedAt = new long[CLIENTS];
            List<Kind> again = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                int client = random.nextInt(CLIENTS);
                Kind kind = KINDS.get(random.nextInt(3));
                long executed = ++now;
                boolean yes = kind == CREATE ? !there : there;
                execute(kind);
                long from = Math.max(askedAt[client], executed - random.nextInt(6));
                // Whoever got no answer goes on under another name, so that its operation stays open.
                if (random.nextInt(20) == 0) {
                    history.add(unknown(CLIENTS + step, kind, from));
                } else {
                    now += random.nextInt(3);
                    history.add(answered(client, kind, yes ? YES : NO, from, now));
                    askedAt[client] = ++now;
                }
                if (random.nextInt(100) < inHundred && kind != EXISTS) {
                    again.add(kind);
                }
                if (!again.isEmpty() && random.nextInt(4) == 0) {
                    boolean before = there;
                    execute(again.remove(0));
                    showed |= before != there;
                }
            }
            return history;
        }

        private void execute(Kind kind) {
            there = kind == CREATE || (kind != DELETE && there);
        }
    }
}
