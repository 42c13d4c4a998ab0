/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.NodeAddress;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FetchPlanTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);

    @Test
    void requestsDifferentPartsFromEachNode() {
        FetchPlan plan = plan(3);

        assertThat(plan.nextPart(A)).hasValue(0);
        assertThat(plan.nextPart(B)).hasValue(1);
        assertThat(plan.nextPart(A)).hasValue(2);
    }

    @Test
    void requestsFailedPartFromDifferentNodeOnly() {
        FetchPlan plan = plan(1);
        plan.nextPart(A);

        plan.recordFailure(A, 0, "gone");

        assertThat(plan.nextPart(A)).isEmpty();
        assertThat(plan.isStuck()).isFalse();
        assertThat(plan.nextPart(B)).hasValue(0);
        plan.recordFailure(B, 0, "gone too");
        assertThat(plan.isStuck()).isTrue();
        assertThat(plan.failuresByNode()).containsEntry(A, List.of("gone")).containsEntry(B, List.of("gone too"));
    }

    @Test
    void abandonsNodeAfterThreeConsecutiveFailures() {
        FetchPlan plan = plan(10);
        for (int i = 0; i < 3; i++) {
            plan.recordFailure(A, plan.nextPart(A).getAsInt(), "gone");
        }

        assertThat(plan.nextPart(A)).isEmpty();
        assertThat(plan.nextPart(B)).hasValue(0);
    }

    @Test
    void idleNodeHelpsSlowNodeAtEnd() {
        FetchPlan plan = plan(1);
        plan.nextPart(A);

        OptionalInt same = plan.nextPart(B);

        assertThat(same).hasValue(0);
        assertThat(plan.recordArrival(B, 0)).isTrue();
        assertThat(plan.isDone()).isTrue();
        assertThat(plan.recordArrival(A, 0)).as("it is there already").isFalse();
    }

    @Test
    void skipsPreviouslyFetchedParts() {
        BitSet have = new BitSet();
        have.set(0, 4);

        FetchPlan plan = new FetchPlan(5, have, List.of(A));

        assertThat(plan.presentPartCount()).isEqualTo(4);
        assertThat(plan.nextPart(A)).hasValue(4);
        assertThat(plan.nextPart(A)).isEmpty();
    }

    @Test
    void unrequestedAnswerCountsAsBug() {
        FetchPlan plan = plan(2);

        assertThatThrownBy(() -> plan.recordArrival(A, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> plan.nextPart(NodeAddress.of("stranger", 1)))
                .hasMessageContaining("holds no such image");
    }

    private static FetchPlan plan(int parts) {
        return new FetchPlan(parts, new BitSet(), List.of(A, B));
    }
}
