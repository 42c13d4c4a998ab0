/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.TestManifests;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One nameservice, whose answer to the order to freeze a test plants. */
@Timeout(120)
class CoordinatorRunnerTest {
    private static final String NAMESERVICE = "ns1";
    private static final CheckpointPlan PLAN = CheckpointPlan.builder()
            .id(CheckpointId.of("nightly", "00000001"))
            .nameservices(Set.of(NAMESERVICE))
            .timeServer(NAMESERVICE)
            .freezeMillis(10_000)
            .answerMillis(10_000)
            .build();

    @Test
    void completesCheckpoint() throws InterruptedIOException {
        CheckpointOutcome outcome = CoordinatorRunner.run(PLAN, new OneNameservice(() -> Grant.of("run", 1)));
        assertThat(outcome.kind()).isEqualTo(CheckpointOutcome.Kind.COMPLETE);
    }

    @Test
    void reportsFailureWithoutMessage() throws InterruptedIOException {
        CheckpointOutcome outcome = CoordinatorRunner.run(PLAN, new OneNameservice(() -> {
            throw new ArrayIndexOutOfBoundsException();
        }));
        assertThat(outcome.kind()).isEqualTo(CheckpointOutcome.Kind.FAILED);
        assertThat(outcome.reason()).contains("ns1: java.lang.ArrayIndexOutOfBoundsException");
    }

    @Test
    void reportsErrorImmediatelyInsteadOfTimingOut() throws InterruptedIOException {
        CheckpointOutcome outcome = CoordinatorRunner.run(PLAN, new OneNameservice(() -> {
            throw new OutOfMemoryError("unable to create native thread");
        }));
        assertThat(outcome.kind()).isEqualTo(CheckpointOutcome.Kind.FAILED);
        assertThat(outcome.reason()).contains("ns1: unable to create native thread");
    }

    private static final class OneNameservice implements Participants {
        private final Supplier<Grant> freezing;

        OneNameservice(Supplier<Grant> freezing) {
            this.freezing = freezing;
        }

        @Override
        public void prepare(String nameservice, FreezeOrder order) {}

        @Override
        public long clock(String nameservice) {
            return 1_000;
        }

        @Override
        public Grant freeze(String nameservice, FreezeOrder order) {
            return freezing.get();
        }

        @Override
        public Cut cut(String nameservice, Grant grant, Agreement agreement) {
            return TestManifests.cut(nameservice, 10);
        }

        @Override
        public void abandon(String nameservice, CheckpointId id) {}
    }
}
