/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private final List<CreationStep> performed = new ArrayList<>();

    private Plan.Step step(CreationStep name, boolean goesOn) {
        return () -> {
            performed.add(name);
            return goesOn;
        };
    }

    @Test
    void planPerformsStepsInOrder() throws IOException {
        boolean isDone = Plan.of(CreationStep.class)
                .withStep(CreationStep.STAGE_DIRECTORY, step(CreationStep.STAGE_DIRECTORY, true))
                .withStep(CreationStep.GIVE_NAME, step(CreationStep.GIVE_NAME, true))
                .tryPerform();
        assertThat(isDone).isTrue();
        assertThat(performed).containsExactly(CreationStep.STAGE_DIRECTORY, CreationStep.GIVE_NAME);
    }

    @Test
    void planEndsWithStepThatCannotProceed() throws IOException {
        boolean isDone = Plan.of(CreationStep.class)
                .withStep(CreationStep.STAGE_COPIES, step(CreationStep.STAGE_COPIES, false))
                .withStep(CreationStep.GIVE_NAME, step(CreationStep.GIVE_NAME, true))
                .tryPerform();
        assertThat(isDone).isFalse();
        assertThat(performed).containsExactly(CreationStep.STAGE_COPIES);
    }

    @Test
    void planRejectsMisplacedStep() {
        Plan<CreationStep> plan =
                Plan.of(CreationStep.class).withStep(CreationStep.GIVE_NAME, step(CreationStep.GIVE_NAME, true));
        assertThatThrownBy(() -> plan.withStep(CreationStep.STAGE_COPIES, step(CreationStep.STAGE_COPIES, true)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("STAGE_COPIES comes before GIVE_NAME");
    }
}
