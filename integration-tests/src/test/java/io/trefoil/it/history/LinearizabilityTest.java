/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import static io.trefoil.it.history.ClientAnswer.NO;
import static io.trefoil.it.history.ClientAnswer.YES;
import static io.trefoil.it.history.Operation.answered;
import static io.trefoil.it.history.Operation.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.history.HistoryRequest.Kind;
import io.trefoil.it.history.NamespaceModel.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    private static final HistoryRequest CREATE = HistoryRequest.create("a", "1");
    private static final HistoryRequest DELETE = HistoryRequest.delete("a");
    private static final HistoryRequest RENAME = HistoryRequest.rename("a", "b");
    private static final HistoryRequest MKDIRS = HistoryRequest.mkdirs("a");
    private static final HistoryRequest READ = HistoryRequest.read("a");
    private static final ClientAnswer THERE = ClientAnswer.found("1");
    private static final ClientAnswer GONE = ClientAnswer.found(NamespaceModel.NOTHING);

    private static boolean isLinearizable(Operation... operations) {
        return Linearizability.findContradiction(List.of(operations)).isEmpty();
    }

    @Test
    void sequentialHistoryIsLinearizable() {
        assertThat(isLinearizable(
                        answered(1, CREATE, YES, 0, 1),
                        answered(2, READ, THERE, 2, 3),
                        answered(2, RENAME, YES, 4, 5),
                        answered(1, READ, GONE, 6, 7),
                        answered(1, HistoryRequest.read("b"), THERE, 8, 9),
                        answered(1, DELETE, NO, 10, 11),
                        answered(1, MKDIRS, YES, 12, 13),
                        answered(1, RENAME, NO, 14, 15),
                        answered(2, READ, ClientAnswer.found(NamespaceModel.DIRECTORY), 16, 17)))
                .isTrue();
    }

    @Test
    void findsLostUpdate() {
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 1), answered(2, READ, GONE, 2, 3)))
                .isFalse();
    }

    @Test
    void findsStaleRead() {
        assertThat(isLinearizable(
                        answered(1, CREATE, YES, 0, 1), answered(1, DELETE, YES, 2, 3), answered(2, READ, THERE, 4, 5)))
                .isFalse();
    }

    @Test
    void concurrentOperationsMayTakeEitherOrder() {
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 9), answered(2, READ, GONE, 3, 4)))
                .isTrue();
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 9), answered(2, READ, THERE, 3, 4)))
                .isTrue();
        assertThat(isLinearizable(answered(1, CREATE, YES, 0, 9), answered(2, CREATE, YES, 0, 9)))
                .isFalse();
    }

    @Test
    void unknownOutcomeMayApplyLateOrNeverButNotTwice() {
        Operation lost = unknown(1, CREATE, 0);
        assertThat(isLinearizable(lost, answered(2, READ, GONE, 1, 2), answered(2, READ, THERE, 3, 4)))
                .isTrue();
        assertThat(isLinearizable(lost, answered(2, READ, GONE, 1, 2))).isTrue();
        assertThat(isLinearizable(lost, answered(2, DELETE, YES, 1, 2), answered(2, READ, THERE, 3, 4)))
                .isFalse();
    }

    /** The fault that the retry cache prevents: a repeated call is executed again. */
    @Test
    void findsSecondExecution() {
        Operation created = answered(1, CREATE, YES, 0, 1);
        assertThat(isLinearizable(created, answered(1, DELETE, NO, 2, 9))).isFalse();
        assertThat(isLinearizable(created, answered(1, RENAME, NO, 2, 9))).isFalse();
        assertThat(isLinearizable(
                        created,
                        answered(1, DELETE, YES, 2, 9),
                        answered(2, CREATE, YES, 3, 4),
                        answered(2, READ, GONE, 10, 11)))
                .as("the repetition took away what another client had made in between")
                .isFalse();
    }

    @Test
    void onlyMkdirsMayRepeatAndOnlyBeforeAnswer() {
        ClientAnswer directory = ClientAnswer.found(NamespaceModel.DIRECTORY);
        Operation made = answered(1, MKDIRS, YES, 0, 9);
        Operation deleted = answered(2, DELETE, YES, 3, 4);
        assertThat(isLinearizable(made, deleted, answered(2, READ, directory, 10, 11)))
                .isTrue();
        assertThat(isLinearizable(made, answered(2, DELETE, YES, 10, 11), answered(2, READ, directory, 12, 13)))
                .isFalse();
    }

    /** Histories of a correct model, by many random clients; and the same with planted second executions. */
    @Test
    void randomHistoriesPassUnlessExecutedTwice() {
        int found = 0;
        int planted = 0;
        for (int seed = 0; seed < 300; seed++) {
            SimulatedClients clean = new SimulatedClients(seed);
            assertThat(Linearizability.findContradiction(clean.history(0)))
                    .as("seed %d", seed)
                    .isEmpty();
            SimulatedClients twice = new SimulatedClients(seed);
            List<Operation> history = twice.history(3);
            if (twice.showed) {
                planted++;
                found += Linearizability.findContradiction(history).isPresent() ? 1 : 0;
            }
        }
        // Some other order explains the rest, rightly: no client could have noticed.
        assertThat(found).isGreaterThan(planted / 2);
        assertThat(planted).isGreaterThan(50);
    }

    private static final class SimulatedClients {
        private static final int CLIENTS = 4;
        private static final int STEPS = 120;

        private final Random random;
        private final List<Operation> history = new ArrayList<>();
        private NamespaceModel names = NamespaceModel.NONE;
        /** Whether a second execution changed something. */
        boolean showed;

        SimulatedClients(int seed) {
            random = new Random(seed);
        }

        /** @param inHundred how many percent of the operations take effect a second time */
        List<Operation> history(int inHundred) {
            long now = 0;
            long[] askedAt = new long[CLIENTS];
            List<HistoryRequest> again = new ArrayList<>();
            for (int number = 0; number < STEPS; number++) {
                int client = random.nextInt(CLIENTS);
                HistoryRequest request = RandomRequests.next(random, "file " + number);
                long executed = ++now;
                Step step = names.execute(request);
                names = step.after();
                long from = Math.max(askedAt[client], executed - random.nextInt(6));
                // A client that got no answer goes on under another name, so that its operation stays open.
                if (random.nextInt(20) == 0) {
                    history.add(unknown(CLIENTS + number, request, from));
                } else {
                    now += random.nextInt(3);
                    history.add(answered(client, request, step.answer(), from, now));
                    askedAt[client] = ++now;
                }
                if (random.nextInt(100) < inHundred && request.kind() != Kind.READ && request.kind() != Kind.MKDIRS) {
                    again.add(request);
                }
                if (!again.isEmpty() && random.nextInt(4) == 0) {
                    NamespaceModel before = names;
                    names = names.execute(again.remove(0)).after();
                    showed |= !before.equals(names);
                }
            }
            return history;
        }
    }
}
