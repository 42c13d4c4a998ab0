/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.rules.MoveEnd.Kind;
import io.trefoil.federation.move.rules.MoveOrder.Goal;
import io.trefoil.federation.move.rules.RecordedMove.RecordOwner;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each edge between a move's stages is taken, and no other can be; and what it does there. */
class MoveEdgesTest {

    private static final Ownership SOURCE = Ownership.of("ns1", 1);
    private static final Ownership TARGET = Ownership.of("ns2", 2);
    private static final MoveEvent FAILED = MoveEvent.failed();
    private static final MoveEvent DONE = MoveEvent.performed();
    private static final MoveEvent NOT_SWITCHED = MoveEvent.tableRead(false, SOURCE);
    private static final MoveEvent SWITCHED = MoveEvent.tableRead(true, TARGET);
    private static final MoveEvent OF_SOURCE = MoveEvent.ownerRead(SOURCE);
    private static final MoveEvent OF_TARGET = MoveEvent.ownerRead(TARGET);

    private final Set<String> taken = new TreeSet<>();
    private final List<MoveEffect> last = new ArrayList<>();

    private static MoveEvent found(MovePhase phase) {
        return MoveEvent.moveRead(RecordedMove.checked(phase, ""));
    }

    private static MoveEvent free(MoveCheck check) {
        return MoveEvent.checked(check, List.of());
    }

    private static MoveEvent found(MoveCheck check) {
        return MoveEvent.checked(check, List.of("one"));
    }

    private static MoveEvent[] with(MoveEvent[] events, MoveEvent... more) {
        MoveEvent[] all = Arrays.copyOf(events, events.length + more.length);
        System.arraycopy(more, 0, all, events.length, more.length);
        return all;
    }

    private MoveState lead(Goal goal, MoveEvent... events) {
        MoveState state = MoveState.of(MoveOrder.of(goal, "ns1", "ns2").pausing(2));
        for (MoveEvent event : with(new MoveEvent[] {MoveEvent.begun()}, events)) {
            Step<MoveState, MoveEffect> step = MoveRules.step(state, event);
            if (step.next().stage() != state.stage()) {
                taken.add(state.stage() + " -> " + step.next().stage());
            }
            state = step.next();
            last.clear();
            last.addAll(step.effects());
        }
        return state;
    }

    private static final MoveEvent[] CARRIED_ON = {found(MovePhase.COPYING), NOT_SWITCHED};
    private static final MoveEvent[] COPYING = with(CARRIED_ON, DONE);
    private static final MoveEvent[] LAST_ROUND = with(COPYING, MoveEvent.roundCopied(0));
    private static final MoveEvent[] PAUSING =
            with(LAST_ROUND, free(MoveCheck.REPLICAS), OF_SOURCE, free(MoveCheck.UPGRADES));
    private static final MoveEvent[] MATCHING = with(PAUSING, MoveEvent.sourceFrozen(true), free(MoveCheck.OPEN_FILES));
    private static final MoveEvent[] SWITCHING = with(MATCHING, free(MoveCheck.CHANGES), DONE);
    private static final MoveEvent[] OPENING = with(SWITCHING, MoveEvent.versionAppended(true));
    private static final MoveEvent[] TELLING = with(OPENING, DONE);
    private static final MoveEvent[] RELEASING = with(TELLING, DONE);
    private static final MoveEvent[] CHECKING = with(RELEASING, DONE);
    private static final MoveEvent[] EMPTYING = with(
            CHECKING,
            found(MoveCheck.ROUTERS),
            free(MoveCheck.CONTRADICTIONS),
            OF_TARGET,
            MoveEvent.sourceInspected(false),
            free(MoveCheck.UPGRADES),
            free(MoveCheck.REPLICAS),
            free(MoveCheck.CHANGES));
    private static final MoveEvent[] FINISHING = with(EMPTYING, DONE);
    private static final MoveEvent[] UNDOING = {found(MovePhase.COPYING), NOT_SWITCHED};
    private static final MoveEvent[] REOPENED = {found(MovePhase.PAUSED), OF_SOURCE, DONE};

    @Test
    void everyStageTransitionOccurs() {
        lead(Goal.MOVE, with(FINISHING, free(MoveCheck.ROUTERS), DONE));
        lead(Goal.MOVE, MoveEvent.moveRead(RecordedMove.of(RecordOwner.ENDED)));
        lead(Goal.ABORT, with(UNDOING, DONE));
        lead(Goal.ABORT, found(MovePhase.PAUSED), NOT_SWITCHED, DONE);
        lead(Goal.ABORT, found(MovePhase.PAUSED), SWITCHED);
        lead(Goal.MOVE, found(MovePhase.PAUSED), NOT_SWITCHED, DONE);
        lead(Goal.MOVE, found(MovePhase.PAUSED), SWITCHED);
        lead(Goal.MOVE_AND_KEEP, found(MovePhase.OPENED), SWITCHED, free(MoveCheck.ROUTERS), OF_TARGET);
        lead(
                Goal.MOVE_AND_KEEP,
                found(MovePhase.OPENED),
                SWITCHED,
                free(MoveCheck.ROUTERS),
                OF_TARGET,
                MoveEvent.sourceInspected(false));
        for (MoveEvent[] stage : List.of(
                CARRIED_ON,
                COPYING,
                LAST_ROUND,
                PAUSING,
                MATCHING,
                SWITCHING,
                OPENING,
                RELEASING,
                CHECKING,
                EMPTYING,
                FINISHING)) {
            lead(Goal.MOVE, with(stage, FAILED));
        }
        lead(Goal.MOVE, with(LAST_ROUND, FAILED, FAILED));
        lead(Goal.MOVE, with(TELLING, FAILED, FAILED));
        lead(Goal.MOVE, with(with(PAUSING, MoveEvent.sourceFrozen(false), found(MoveCheck.OPEN_FILES)), REOPENED));
        lead(Goal.MOVE, with(with(SWITCHING, MoveEvent.versionAppended(false), NOT_SWITCHED), REOPENED));
        Set<String> edges = new TreeSet<>();
        for (MoveStage from : MoveStage.values()) {
            for (MoveStage to : MoveStage.values()) {
                if (MoveStage.EDGES.has(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        assertThat(taken).isEqualTo(edges);
    }

    @Test
    void otherEdgesAreRefused() {
        MoveState begin = MoveState.of(MoveOrder.of(Goal.MOVE, "ns1", "ns2"));
        for (MoveStage from : MoveStage.values()) {
            for (MoveStage to : MoveStage.values()) {
                MoveState state = begin.toBuilder().stage(from).build();
                if (MoveStage.EDGES.has(from, to)) {
                    assertThat(state.entering(to).build().stage()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> state.entering(to)).isInstanceOf(IllegalStateException.class);
                }
            }
        }
    }

    @Test
    void rulesRefuseEventAfterEnd() {
        MoveState ended = lead(Goal.ABORT, MoveEvent.moveRead(RecordedMove.of(RecordOwner.NONE)));
        assertThat(ended.end().kind()).isEqualTo(Kind.NOTHING_TO_ABORT);
        assertThatThrownBy(() -> MoveRules.step(ended, FAILED)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void moveRecordsSourceBeforeItCloses() {
        lead(Goal.MOVE, MATCHING);
        assertThat(last)
                .containsExactly(
                        MoveEffect.copyChanges(),
                        MoveEffect.readyTarget(),
                        MoveEffect.recordSource(),
                        MoveEffect.fenceSource(),
                        MoveEffect.recordFence(),
                        MoveEffect.closeSource(),
                        MoveEffect.checkPause());
    }

    @Test
    void sourceStaysClosedWhenVersionHasNoAnswer() {
        assertThat(lead(Goal.MOVE, with(SWITCHING, FAILED)).end().kind()).isEqualTo(Kind.FAILED);
        assertThat(last).containsExactly(MoveEffect.finish());
    }

    @Test
    void recognizesVersionItAppendedWhenAnswerIsLost() {
        assertThat(lead(Goal.MOVE, with(SWITCHING, MoveEvent.versionAppended(false), SWITCHED))
                        .stage())
                .isEqualTo(MoveStage.OPENING);
    }

    @Test
    void sourceIsNotOpenedWhenTargetOwns() {
        MoveState end = lead(Goal.MOVE, with(PAUSING, FAILED, found(MovePhase.PAUSED), OF_TARGET));
        assertThat(end.end().kind()).isEqualTo(Kind.FAILED);
        assertThat(end.end().suppressed()).containsExactly(MoveEnd.of(Kind.NOT_UNSWITCHED, "ns2", "2"));
        assertThat(last).containsExactly(MoveEffect.finish());
    }

    @Test
    void sourceIsNotDeletedWhenItWasGivenBack() {
        MoveState end = lead(Goal.MOVE, found(MovePhase.EMPTYING), SWITCHED, free(MoveCheck.ROUTERS), OF_SOURCE);
        assertThat(end.end()).isEqualTo(MoveEnd.of(Kind.NOT_SWITCHED, "ns1", "1"));
    }

    @Test
    void sourceIsNotDeletedWhenCopyingFollowedVersion() {
        assertThat(lead(Goal.MOVE, found(MovePhase.COPYING), SWITCHED).end().kind())
                .isEqualTo(Kind.COPIED_AFTER_VERSION);
    }

    @Test
    void sourceIsKeptWhenMovedTreeContradicts() {
        MoveState end = lead(
                Goal.MOVE,
                MoveEvent.moveRead(RecordedMove.unchecked(MovePhase.OPENED)),
                SWITCHED,
                free(MoveCheck.ROUTERS),
                OF_TARGET,
                MoveEvent.sourceInspected(false),
                found(MoveCheck.CONTRADICTIONS),
                free(MoveCheck.UPGRADES));
        assertThat(end.end()).isEqualTo(MoveEnd.of(Kind.CONTRADICTED, "one"));
    }

    @Test
    void markIsTakenBackWhenLockIsLost() {
        lead(Goal.MOVE, with(TELLING, FAILED, OF_SOURCE));
        assertThat(last).containsExactly(MoveEffect.undoLeaveSource(), MoveEffect.report());
        assertThat(lead(Goal.MOVE, with(TELLING, FAILED, OF_TARGET)).end().kind())
                .isEqualTo(Kind.FAILED);
    }

    @Test
    void lastPauseEndsMove() {
        MoveEvent[] busy = {MoveEvent.sourceFrozen(true), found(MoveCheck.OPEN_FILES)};
        MoveState again = lead(Goal.MOVE, with(with(PAUSING, busy), REOPENED));
        assertThat(again.stage()).isEqualTo(MoveStage.COPYING);
        MoveEvent[] second = with(
                with(with(PAUSING, busy), REOPENED),
                MoveEvent.roundCopied(9),
                free(MoveCheck.REPLICAS),
                OF_SOURCE,
                free(MoveCheck.UPGRADES));
        MoveState ended = lead(Goal.MOVE, with(with(second, busy), REOPENED));
        assertThat(ended.end()).isEqualTo(MoveEnd.of(Kind.CLIENTS_WRITE, "one"));
    }
}
