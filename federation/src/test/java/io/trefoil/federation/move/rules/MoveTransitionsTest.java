/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.rules.MoveEnd.Kind;
import io.trefoil.federation.move.rules.MoveOrder.Goal;
import io.trefoil.federation.move.rules.RecordCheck.RecordOwner;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each edge between a move's stages is taken, and no other can be; and what it does there. */
class MoveTransitionsTest {

    private static final Ownership SOURCE = Ownership.of("ns1", 1);
    private static final Ownership TARGET = Ownership.of("ns2", 2);
    private static final MoveEvent FAILED = MoveEvent.failed();
    private static final MoveEvent DONE = MoveEvent.performed();
    private static final MoveEvent NOT_SWITCHED = MoveEvent.tableRead(false, SOURCE);
    private static final MoveEvent SWITCHED = MoveEvent.tableRead(true, TARGET);
    private static final MoveEvent SOURCE_OWNER_READ = MoveEvent.ownerRead(SOURCE);
    private static final MoveEvent TARGET_OWNER_READ = MoveEvent.ownerRead(TARGET);

    private final Set<String> taken = new TreeSet<>();
    private final List<MoveEffect> last = new ArrayList<>();

    private static MoveEvent foundEvent(MovePhase phase) {
        return MoveEvent.moveRead(RecordCheck.ofCheckedTree(phase, ""));
    }

    private static MoveEvent passedEvent(MoveCheck check) {
        return MoveEvent.checked(check, List.of());
    }

    private static MoveEvent foundEvent(MoveCheck check) {
        return MoveEvent.checked(check, List.of("one"));
    }

    private static MoveEvent[] concat(MoveEvent[] events, MoveEvent... more) {
        MoveEvent[] all = Arrays.copyOf(events, events.length + more.length);
        System.arraycopy(more, 0, all, events.length, more.length);
        return all;
    }

    private MoveState runRules(Goal goal, MoveEvent... events) {
        MoveState state = MoveState.of(MoveOrder.of(goal, "ns1", "ns2").withMaxPauses(2));
        for (MoveEvent event : concat(new MoveEvent[] {MoveEvent.begun()}, events)) {
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

    private static final MoveEvent[] CARRIED_ON = {foundEvent(MovePhase.COPYING), NOT_SWITCHED};
    private static final MoveEvent[] COPYING = concat(CARRIED_ON, DONE);
    private static final MoveEvent[] LAST_ROUND = concat(COPYING, MoveEvent.roundCopied(0));
    private static final MoveEvent[] PAUSING =
            concat(LAST_ROUND, passedEvent(MoveCheck.REPLICAS), SOURCE_OWNER_READ, passedEvent(MoveCheck.UPGRADES));
    private static final MoveEvent[] MATCHING =
            concat(PAUSING, MoveEvent.sourceFrozen(true), passedEvent(MoveCheck.OPEN_FILES));
    private static final MoveEvent[] SWITCHING = concat(MATCHING, passedEvent(MoveCheck.CHANGES), DONE);
    private static final MoveEvent[] OPENING = concat(SWITCHING, MoveEvent.versionAppended(true));
    private static final MoveEvent[] TELLING = concat(OPENING, DONE);
    private static final MoveEvent[] RELEASING = concat(TELLING, DONE);
    private static final MoveEvent[] CHECKING = concat(RELEASING, DONE);
    private static final MoveEvent[] EMPTYING = concat(
            CHECKING,
            foundEvent(MoveCheck.ROUTERS),
            passedEvent(MoveCheck.CONTRADICTIONS),
            TARGET_OWNER_READ,
            MoveEvent.sourceInspected(false),
            passedEvent(MoveCheck.UPGRADES),
            passedEvent(MoveCheck.REPLICAS),
            passedEvent(MoveCheck.CHANGES));
    private static final MoveEvent[] FINISHING = concat(EMPTYING, DONE);
    private static final MoveEvent[] UNDOING = {foundEvent(MovePhase.COPYING), NOT_SWITCHED};
    private static final MoveEvent[] REOPENED = {foundEvent(MovePhase.PAUSED), SOURCE_OWNER_READ, DONE};

    @Test
    void everyStageTransitionOccurs() {
        runRules(Goal.MOVE, concat(FINISHING, passedEvent(MoveCheck.ROUTERS), DONE));
        runRules(Goal.MOVE, MoveEvent.moveRead(RecordCheck.of(RecordOwner.ENDED)));
        runRules(Goal.ABORT, concat(UNDOING, DONE));
        runRules(Goal.ABORT, foundEvent(MovePhase.PAUSED), NOT_SWITCHED, DONE);
        runRules(Goal.ABORT, foundEvent(MovePhase.PAUSED), SWITCHED);
        runRules(Goal.MOVE, foundEvent(MovePhase.PAUSED), NOT_SWITCHED, DONE);
        runRules(Goal.MOVE, foundEvent(MovePhase.PAUSED), SWITCHED);
        runRules(
                Goal.MOVE_AND_KEEP,
                foundEvent(MovePhase.OPENED),
                SWITCHED,
                passedEvent(MoveCheck.ROUTERS),
                TARGET_OWNER_READ);
        runRules(
                Goal.MOVE_AND_KEEP,
                foundEvent(MovePhase.OPENED),
                SWITCHED,
                passedEvent(MoveCheck.ROUTERS),
                TARGET_OWNER_READ,
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
            runRules(Goal.MOVE, concat(stage, FAILED));
        }
        runRules(Goal.MOVE, concat(LAST_ROUND, FAILED, FAILED));
        runRules(Goal.MOVE, concat(TELLING, FAILED, FAILED));
        runRules(
                Goal.MOVE,
                concat(concat(PAUSING, MoveEvent.sourceFrozen(false), foundEvent(MoveCheck.OPEN_FILES)), REOPENED));
        runRules(Goal.MOVE, concat(concat(SWITCHING, MoveEvent.versionAppended(false), NOT_SWITCHED), REOPENED));
        Set<String> edges = new TreeSet<>();
        for (MoveStage from : MoveStage.values()) {
            for (MoveStage to : MoveStage.values()) {
                if (MoveStage.EDGES.allows(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        assertThat(taken).isEqualTo(edges);
    }

    @Test
    void rejectsUndeclaredTransitions() {
        MoveState begin = MoveState.of(MoveOrder.of(Goal.MOVE, "ns1", "ns2"));
        for (MoveStage from : MoveStage.values()) {
            for (MoveStage to : MoveStage.values()) {
                MoveState state = begin.toBuilder().stage(from).build();
                if (MoveStage.EDGES.allows(from, to)) {
                    assertThat(state.transitionTo(to).build().stage()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> state.transitionTo(to)).isInstanceOf(IllegalStateException.class);
                }
            }
        }
    }

    @Test
    void rejectsEventAfterEnd() {
        MoveState ended = runRules(Goal.ABORT, MoveEvent.moveRead(RecordCheck.of(RecordOwner.NONE)));
        assertThat(ended.end().kind()).isEqualTo(Kind.NOTHING_TO_ABORT);
        assertThatThrownBy(() -> MoveRules.step(ended, FAILED)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void moveRecordsSourceBeforeItCloses() {
        runRules(Goal.MOVE, MATCHING);
        assertThat(last)
                .containsExactly(
                        MoveEffect.copyChanges(),
                        MoveEffect.readyTarget(),
                        MoveEffect.recordSource(),
                        MoveEffect.fenceSource(),
                        MoveEffect.recordFence(),
                        MoveEffect.closeSource(),
                        MoveEffect.checkForChangesInPause());
    }

    @Test
    void sourceStaysClosedWhenVersionHasNoAnswer() {
        assertThat(runRules(Goal.MOVE, concat(SWITCHING, FAILED)).end().kind()).isEqualTo(Kind.FAILED);
        assertThat(last).containsExactly(MoveEffect.finish());
    }

    @Test
    void recognizesVersionItAppendedWhenAnswerIsLost() {
        assertThat(runRules(Goal.MOVE, concat(SWITCHING, MoveEvent.versionAppended(false), SWITCHED))
                        .stage())
                .isEqualTo(MoveStage.OPENING);
    }

    @Test
    void sourceIsNotReopenedWhenTargetIsOwner() {
        MoveState end = runRules(Goal.MOVE, concat(PAUSING, FAILED, foundEvent(MovePhase.PAUSED), TARGET_OWNER_READ));
        assertThat(end.end().kind()).isEqualTo(Kind.FAILED);
        assertThat(end.end().suppressed()).containsExactly(MoveEnd.of(Kind.NOT_UNSWITCHED, "ns2", "2"));
        assertThat(last).containsExactly(MoveEffect.finish());
    }

    @Test
    void sourceIsNotDeletedWhenItWasGivenBack() {
        MoveState end = runRules(
                Goal.MOVE, foundEvent(MovePhase.EMPTYING), SWITCHED, passedEvent(MoveCheck.ROUTERS), SOURCE_OWNER_READ);
        assertThat(end.end()).isEqualTo(MoveEnd.of(Kind.NOT_SWITCHED, "ns1", "1"));
    }

    @Test
    void sourceIsNotDeletedWhenCopyingFollowedVersion() {
        assertThat(runRules(Goal.MOVE, foundEvent(MovePhase.COPYING), SWITCHED)
                        .end()
                        .kind())
                .isEqualTo(Kind.COPIED_AFTER_VERSION);
    }

    @Test
    void sourceIsKeptWhenMovedTreeDiffers() {
        MoveState end = runRules(
                Goal.MOVE,
                MoveEvent.moveRead(RecordCheck.ofUncheckedTree(MovePhase.OPENED)),
                SWITCHED,
                passedEvent(MoveCheck.ROUTERS),
                TARGET_OWNER_READ,
                MoveEvent.sourceInspected(false),
                foundEvent(MoveCheck.CONTRADICTIONS),
                passedEvent(MoveCheck.UPGRADES));
        assertThat(end.end()).isEqualTo(MoveEnd.of(Kind.CONTRADICTED, "one"));
    }

    @Test
    void removesMarkWhenLockIsLost() {
        runRules(Goal.MOVE, concat(TELLING, FAILED, SOURCE_OWNER_READ));
        assertThat(last).containsExactly(MoveEffect.undoLeaveSource(), MoveEffect.report());
        assertThat(runRules(Goal.MOVE, concat(TELLING, FAILED, TARGET_OWNER_READ))
                        .end()
                        .kind())
                .isEqualTo(Kind.FAILED);
    }

    @Test
    void endsMoveAfterLastPause() {
        MoveEvent[] busy = {MoveEvent.sourceFrozen(true), foundEvent(MoveCheck.OPEN_FILES)};
        MoveState again = runRules(Goal.MOVE, concat(concat(PAUSING, busy), REOPENED));
        assertThat(again.stage()).isEqualTo(MoveStage.COPYING);
        MoveEvent[] second = concat(
                concat(concat(PAUSING, busy), REOPENED),
                MoveEvent.roundCopied(9),
                passedEvent(MoveCheck.REPLICAS),
                SOURCE_OWNER_READ,
                passedEvent(MoveCheck.UPGRADES));
        MoveState ended = runRules(Goal.MOVE, concat(concat(second, busy), REOPENED));
        assertThat(ended.end()).isEqualTo(MoveEnd.of(Kind.CLIENTS_WRITE, "one"));
    }
}
