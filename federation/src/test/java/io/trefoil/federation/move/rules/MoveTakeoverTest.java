/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.rules.MoveOrder.Goal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process goes on with a move that another one has begun, and that one may live. */
class MoveTakeoverTest {

    /** The late end of the record finds another number then, so no process goes on without a record. */
    @ParameterizedTest
    @EnumSource
    void processRewritesRecordWhenItTakesOver(Goal goal) {
        MoveState begun = MoveRules.step(MoveState.of(MoveOrder.of(goal, "ns1", "ns2")), MoveEvent.begun())
                .next();

        assertThat(MoveRules.step(begun, MoveEvent.moveRead(RecordCheck.ofCheckedTree(MovePhase.COPYING, "")))
                        .effects())
                .containsExactly(MoveEffect.adoptRecord(), MoveEffect.withdrawVersion(), MoveEffect.readTable());
    }
}
