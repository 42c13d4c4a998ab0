/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.federation.move.rules.MoveEnd.Kind;
import io.trefoil.federation.move.rules.MoveOrder.Goal;
import io.trefoil.federation.move.rules.RecordCheck.RecordOwner;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The rules by which one process moves a subtree, continues a move, or undoes it ({@code
 * docs/design/subtree-moves.md}). It has the lock of moves, but may lose it at any time.
 *
 * <p>A pure function of state and event. The next version of the table is the instant at which the owner changes:
 * before it everything can be undone, after it only completed. At that instant clients can use neither directory, and the
 * target has what the source has. The table alone tells whether it was made, so it is read before the source is opened
 * and before anything at the source is deleted.
 */
public final class MoveRules {

    private MoveRules() {}

    /** Computes the next state and the effects of an event. */
    public static Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
        if (state.stage() == MoveStage.ENDED) {
            throw new IllegalStateException("The move has ended, but " + event);
        }
        EventStep step = new EventStep(state);
        event.dispatch(step);
        return Step.of(step.state, step.effects);
    }

    /** A single step in progress. */
    private static final class EventStep implements MoveEventHandler<RuntimeException> {

        private final List<MoveEffect> effects = new ArrayList<>();
        private MoveState state;

        EventStep(MoveState state) {
            this.state = state;
        }

        // ---- What each stage does, in its order ----

        private void takeOver() {
            enter(MoveStage.TAKING_OVER);
            perform(MoveEffect.adoptRecord(), MoveEffect.withdrawVersion(), MoveEffect.readTable());
        }

        /** Reopens the source, which may be closed or frozen. A process that has lost the lock leaves all to the one that has it. */
        private void reopen(MoveEnd reason) {
            setState(state.transitionTo(MoveStage.REOPENING).end(reason));
            perform(MoveEffect.confirmLock(), MoveEffect.readRecord());
        }

        private void openSource() {
            perform(MoveEffect.openSource(), MoveEffect.recordCopying(), MoveEffect.report());
        }

        private void prepare() {
            enter(MoveStage.PREPARING);
            perform(MoveEffect.checkTimeout(), MoveEffect.prepareTarget(), MoveEffect.report());
        }

        private void copy() {
            setState(state.toBuilder().round(state.round() + 1));
            perform(MoveEffect.copyRound());
        }

        /**
         * Copies the last round before the pause, including all work that grows with the subtree: reading both trees in full, and making
         * one equal to the other.
         */
        private void copyFinal() {
            setState(state.transitionTo(MoveStage.LAST_ROUND).phase(MovePhase.PAUSED));
            perform(MoveEffect.recordPaused(), MoveEffect.copySnapshot(), MoveEffect.compareTarget());
            perform(state.order().goal() == Goal.MOVE ? MoveEffect.awaitReplicas() : MoveEffect.planVersion());
        }

        private void pause() {
            setState(state.transitionTo(MoveStage.PAUSING).pauses(state.pauses() + 1));
            perform(MoveEffect.freezeSource());
        }

        /** Closes the source; first records its state, which may have changed, as it must be reopened with the latest one. */
        private void closeSource() {
            perform(
                    MoveEffect.recordSource(),
                    MoveEffect.fenceSource(),
                    MoveEffect.recordFence(),
                    MoveEffect.closeSource());
        }

        private void copyChanges() {
            enter(MoveStage.MATCHING);
            perform(MoveEffect.copyChanges(), MoveEffect.readyTarget());
            if (state.areClientsWaiting()) {
                // From here on what was copied stays, even if the freeze does not.
                closeSource();
            }
            perform(MoveEffect.checkForChangesInPause());
        }

        private void openTarget() {
            enter(MoveStage.OPENING);
            perform(MoveEffect.openTarget(), MoveEffect.report());
        }

        private void notifyClients() {
            enter(MoveStage.TELLING);
            perform(MoveEffect.leaveSource(), MoveEffect.confirmLock(), MoveEffect.report());
        }

        /** Releases the target before the record says {@code OPENED}: a process that continues afterwards no longer releases it. */
        private void releaseTarget() {
            enter(MoveStage.RELEASING);
            perform(MoveEffect.thawSource());
            if (!state.isResumed()) {
                perform(MoveEffect.measurePause());
            }
            perform(MoveEffect.releaseTarget(), MoveEffect.recordOpened(), MoveEffect.report());
        }

        /**
         * Begins the checks after the pause rather than in it: a Router whose calls wait at the source may be unable to answer any call.
         */
        private void check() {
            enter(MoveStage.CHECKING);
            perform(MoveEffect.followRouters());
        }

        private void emptySource() {
            if (state.phase() != MovePhase.EMPTYING) {
                perform(MoveEffect.recordEmptying());
            }
            setState(state.transitionTo(MoveStage.EMPTYING).phase(MovePhase.EMPTYING));
            perform(MoveEffect.emptySource(), MoveEffect.report());
        }

        /** Makes Routers follow before the move has ended, so that repeating the command can have them follow. */
        private void followRouters() {
            enter(MoveStage.FINISHING);
            perform(MoveEffect.followRouters());
        }

        private void endRecord() {
            perform(MoveEffect.recordWaits());
            if (!isSourceKept()) {
                perform(MoveEffect.endRecord());
            }
            perform(MoveEffect.report());
        }

        /** Whether the source is kept: an order to keep it comes too late once an earlier process has begun to delete it. */
        private boolean isSourceKept() {
            return state.order().goal() == Goal.MOVE_AND_KEEP && state.phase() != MovePhase.EMPTYING;
        }

        private void undo() {
            enter(MoveStage.UNDOING);
            perform(MoveEffect.discardTarget(), MoveEffect.endRecord(), MoveEffect.report());
        }

        // ---- What follows what ----

        @Override
        public void begun() {
            perform(MoveEffect.readRecord());
        }

        @Override
        public void moveRead(RecordCheck found) {
            if (state.stage() == MoveStage.REOPENING) {
                setState(state.toBuilder().phase(found.phase()));
                if (found.recordOwner() == RecordOwner.OURS) {
                    perform(MoveEffect.readOwner());
                } else {
                    // Nothing of ours is closed.
                    end(state.end());
                }
                return;
            }
            requireStage(MoveStage.STARTING);
            switch (found.recordOwner()) {
                case OURS:
                    setState(state.toBuilder()
                            .phase(found.phase())
                            .isChecked(found.isChecked())
                            .contradiction(found.contradiction()));
                    takeOver();
                    break;
                case NONE:
                case ENDED:
                    if (isAborting()) {
                        end(Kind.NOTHING_TO_ABORT);
                    } else if (found.recordOwner() == RecordOwner.ENDED) {
                        end(Kind.ENDED_MEANWHILE);
                    } else {
                        perform(MoveEffect.readOwner());
                    }
                    break;
                default:
                    // By the connections for one move nothing may be done for another: its source may be another one.
                    end(
                            found.recordOwner() == RecordOwner.OTHER && !isAborting()
                                    ? Kind.OTHER_MOVE
                                    : Kind.BEGUN_MEANWHILE);
                    break;
            }
        }

        @Override
        public void tableRead(boolean isSwitched, Ownership owner) {
            if (state.stage() == MoveStage.TAKING_OVER) {
                if (isSwitched) {
                    completeSwitchedMove(owner);
                } else {
                    resumeMove(owner);
                }
                return;
            }
            requireStage(MoveStage.SWITCHING);
            // If the answer to a first attempt was lost, the version that is in the way of the second is its own.
            if (isSwitched) {
                openTarget();
            } else {
                reopen(MoveEnd.of(Kind.TABLE_CHANGED));
            }
        }

        /** Continues a move whose version an earlier process made. */
        private void completeSwitchedMove(Ownership owner) {
            if (isAborting()) {
                end(Kind.SWITCHED_ALREADY);
            } else if (endUnlessSwitched(owner)) {
                setState(state.toBuilder().isResumed(true));
                if (state.phase() == MovePhase.PAUSED) {
                    openTarget();
                } else {
                    check();
                }
            }
        }

        /** Continues a move whose version no process has made, and which no earlier holder of the lock will make. */
        private void resumeMove(Ownership owner) {
            if (!mayOpenSource(owner)) {
                end(Kind.NOT_UNSWITCHED, details(owner));
            } else if (state.phase() == MovePhase.PAUSED) {
                enter(MoveStage.REOPENING);
                openSource();
            } else if (isAborting()) {
                undo();
            } else {
                prepare();
            }
        }

        @Override
        public void ownerRead(Ownership owner) {
            switch (state.stage()) {
                case STARTING:
                    if (isSourceOwner(owner)) {
                        perform(MoveEffect.checkBlockers());
                    } else {
                        end(Kind.NOT_OF_SOURCE, owner.owner());
                    }
                    break;
                case LAST_ROUND:
                    if (isSourceOwner(owner)) {
                        perform(MoveEffect.followChanges(), MoveEffect.checkUpgrades());
                    } else {
                        reopen(MoveEnd.of(Kind.NOT_OF_SOURCE, owner.owner()));
                    }
                    break;
                case REOPENING:
                    if (!mayOpenSource(owner)) {
                        MoveEnd refused = MoveEnd.of(Kind.NOT_UNSWITCHED, details(owner));
                        end(continuesAfterReopening() ? refused : state.end().withSuppressed(refused));
                    } else if (state.phase() == MovePhase.COPYING) {
                        handleSourceReopened();
                    } else {
                        openSource();
                    }
                    break;
                case TELLING:
                    if (isSourceOwner(owner)) {
                        perform(MoveEffect.undoLeaveSource(), MoveEffect.report());
                    } else {
                        end(state.end());
                    }
                    break;
                default:
                    requireStage(MoveStage.CHECKING);
                    if (endUnlessSwitched(owner)) {
                        perform(MoveEffect.inspectSource());
                    }
                    break;
            }
        }

        private boolean isAborting() {
            return state.order().goal() == Goal.ABORT;
        }

        private boolean isSourceOwner(Ownership owner) {
            return owner.owner().equals(state.order().source());
        }

        /**
         * Whether the source may be opened: it must be the owner according to the table, and this move must not have progressed further.
         */
        private boolean mayOpenSource(Ownership owner) {
            return isSourceOwner(owner) && !hasOpened();
        }

        private boolean hasOpened() {
            return state.phase() == MovePhase.OPENED || state.phase() == MovePhase.EMPTYING;
        }

        /**
         * Ends the move unless the target is the owner according to the table and clients have not worked at the source since; returns
         * whether the move goes on. Called before anything is deleted.
         */
        private boolean endUnlessSwitched(Ownership owner) {
            if (!owner.owner().equals(state.order().target())) {
                end(Kind.NOT_SWITCHED, details(owner));
                return false;
            }
            if (state.phase() == MovePhase.COPYING) {
                end(Kind.COPIED_AFTER_VERSION);
                return false;
            }
            return true;
        }

        private static List<String> details(Ownership owner) {
            return Arrays.asList(owner.owner(), Integer.toString(owner.version()));
        }

        /** Whether the move continues once the source is open. */
        private boolean continuesAfterReopening() {
            Kind kind = state.end().kind();
            return kind == Kind.GOES_ON || kind == Kind.CLIENTS_WRITE || kind == Kind.TABLE_CHANGED;
        }

        /** Handles the state in which clients work at the source again. */
        private void handleSourceReopened() {
            MoveEnd reason = state.end();
            if (reason.kind() == Kind.GOES_ON) {
                if (isAborting()) {
                    undo();
                } else {
                    prepare();
                }
                return;
            }
            if (!continuesAfterReopening()) {
                end(reason);
                return;
            }
            perform(MoveEffect.reportRetry());
            if (state.pauses() >= state.order().maxPauses()) {
                end(reason);
                return;
            }
            perform(MoveEffect.undoReady());
            if (reason.kind() == Kind.CLIENTS_WRITE) {
                // Writers may have left much to copy.
                enter(MoveStage.COPYING);
                copy();
            } else {
                copyFinal();
            }
        }

        @Override
        public void checked(MoveCheck check, List<String> found) {
            boolean isFree = found.isEmpty();
            switch (check) {
                case BLOCKERS:
                    requireStage(MoveStage.STARTING);
                    if (isFree) {
                        perform(MoveEffect.beginRecord());
                    } else {
                        end(MoveEnd.of(Kind.BLOCKED, found));
                    }
                    break;
                case REPLICAS:
                    if (!isFree) {
                        refuse(MoveEnd.of(Kind.REPLICAS_MISSING, found));
                    } else if (state.stage() == MoveStage.LAST_ROUND) {
                        perform(MoveEffect.planVersion());
                    } else {
                        requireStage(MoveStage.CHECKING);
                        perform(MoveEffect.checkChanges());
                    }
                    break;
                case UPGRADES:
                    if (!isFree) {
                        refuse(MoveEnd.of(Kind.UPGRADING, found));
                    } else if (state.stage() == MoveStage.LAST_ROUND) {
                        pause();
                    } else {
                        requireStage(MoveStage.CHECKING);
                        requireSameTree();
                    }
                    break;
                case OPEN_FILES:
                    requireStage(MoveStage.PAUSING);
                    if (isFree) {
                        copyChanges();
                    } else {
                        reopen(MoveEnd.of(Kind.CLIENTS_WRITE, found));
                    }
                    break;
                case CHANGES:
                    handleChangesChecked(found);
                    break;
                case CONTRADICTIONS:
                    requireStage(MoveStage.CHECKING);
                    setState(state.toBuilder().isChecked(true).contradiction(isFree ? "" : found.get(0)));
                    perform(MoveEffect.recordChecked());
                    if (state.isResumed()) {
                        requireDeletable();
                    } else {
                        perform(MoveEffect.readOwner());
                    }
                    break;
                default:
                    handleRoutersFollowed(found);
                    break;
            }
        }

        private void handleChangesChecked(List<String> found) {
            boolean isInPause = state.stage() == MoveStage.MATCHING;
            if (!found.isEmpty()) {
                refuse(MoveEnd.of(isInPause ? Kind.CHANGED_IN_PAUSE : Kind.CHANGED_SINCE, found));
            } else if (isInPause) {
                // A process that carries on once the new version is written must not delete what was not moved.
                perform(MoveEffect.recordMoved(), MoveEffect.renewFreeze(), MoveEffect.report());
            } else {
                requireStage(MoveStage.CHECKING);
                emptySource();
            }
        }

        private void handleRoutersFollowed(List<String> behind) {
            if (state.stage() == MoveStage.CHECKING) {
                // Those that do not follow yet are asked again at the end.
                perform(state.isResumed() ? MoveEffect.readOwner() : MoveEffect.checkMoved());
                return;
            }
            requireStage(MoveStage.FINISHING);
            if (behind.isEmpty()) {
                endRecord();
            } else {
                end(MoveEnd.of(Kind.ROUTERS_BEHIND, behind));
            }
        }

        @Override
        public void recordBegun(boolean isOurs) {
            requireStage(MoveStage.STARTING);
            if (isOurs) {
                takeOver();
            } else {
                end(Kind.RECORD_TAKEN);
            }
        }

        @Override
        public void roundCopied(int files) {
            requireStage(MoveStage.COPYING);
            boolean isLast = state.pauses() > 0
                    || files <= state.order().fewFilesThreshold()
                    || state.round() >= state.order().maxRounds();
            if (isLast) {
                copyFinal();
            } else {
                copy();
            }
        }

        @Override
        public void sourceFrozen(boolean areClientsWaiting) {
            requireStage(MoveStage.PAUSING);
            setState(state.toBuilder().areClientsWaiting(areClientsWaiting));
            if (!areClientsWaiting) {
                closeSource();
            }
            perform(MoveEffect.awaitOpenFiles());
        }

        @Override
        public void versionAppended(boolean isMade) {
            requireStage(MoveStage.SWITCHING);
            if (isMade) {
                openTarget();
            } else {
                perform(MoveEffect.readTable());
            }
        }

        @Override
        public void sourceInspected(boolean isEmpty) {
            requireStage(MoveStage.CHECKING);
            setState(state.toBuilder().isSourceEmpty(isEmpty));
            // Once an operator has dealt with what was not moved, and removed all, nothing is left to protect.
            if (state.phase() == MovePhase.OPENED && !isEmpty && !state.isChecked()) {
                perform(MoveEffect.rescanSource());
            } else {
                requireDeletable();
            }
        }

        /** Checks that the source may be deleted; an earlier process may have exited during the deletion, perhaps long ago. */
        private void requireDeletable() {
            if (state.phase() == MovePhase.EMPTYING) {
                requireSameTree();
            } else if (state.order().goal() == Goal.MOVE_AND_KEEP) {
                followRouters();
            } else {
                perform(MoveEffect.checkUpgrades());
            }
        }

        private void requireSameTree() {
            if (state.isSourceEmpty()) {
                emptySource();
            } else if (state.phase() == MovePhase.OPENED
                    && !state.contradiction().isEmpty()) {
                end(Kind.CONTRADICTED, state.contradiction());
            } else {
                perform(MoveEffect.awaitMovedReplicas());
            }
        }

        @Override
        public void performed() {
            switch (state.stage()) {
                case REOPENING:
                    setState(state.toBuilder().phase(MovePhase.COPYING));
                    handleSourceReopened();
                    break;
                case PREPARING:
                    enter(MoveStage.COPYING);
                    copy();
                    break;
                case MATCHING:
                    enter(MoveStage.SWITCHING);
                    perform(MoveEffect.appendVersion());
                    break;
                case OPENING:
                    notifyClients();
                    break;
                case TELLING:
                    if (state.end().kind() == Kind.FAILED) {
                        end(state.end());
                    } else {
                        releaseTarget();
                    }
                    break;
                case RELEASING:
                    setState(state.toBuilder().phase(MovePhase.OPENED));
                    check();
                    break;
                case EMPTYING:
                    followRouters();
                    break;
                case FINISHING:
                    end(isSourceKept() ? Kind.SOURCE_KEPT : Kind.COMPLETED);
                    break;
                default:
                    requireStage(MoveStage.UNDOING);
                    end(Kind.ABORTED);
                    break;
            }
        }

        @Override
        public void failed() {
            MoveEnd failed = MoveEnd.of(Kind.FAILED);
            switch (state.stage()) {
                case LAST_ROUND:
                case PAUSING:
                case MATCHING:
                    reopen(failed);
                    break;
                case REOPENING:
                    end(continuesAfterReopening() ? failed : state.end());
                    break;
                case TELLING:
                    if (state.end().kind() == Kind.FAILED) {
                        end(failed);
                    } else {
                        // If others have moved the subtree back since, NameNodes would send clients away from its
                        // owner.
                        setState(state.toBuilder().end(failed));
                        perform(MoveEffect.readOwner());
                    }
                    break;
                default:
                    // The new version may be written or not: the source stays closed until that is known.
                    end(failed);
                    break;
            }
        }

        // ---- Steps ----

        /** Ends the work, with clients working where they did before the pause. */
        private void refuse(MoveEnd reason) {
            if (state.stage() == MoveStage.LAST_ROUND || state.stage() == MoveStage.MATCHING) {
                reopen(reason);
            } else {
                requireStage(MoveStage.CHECKING);
                end(reason);
            }
        }

        private void end(Kind kind, String... details) {
            end(MoveEnd.of(kind, details));
        }

        private void end(Kind kind, List<String> details) {
            end(MoveEnd.of(kind, details));
        }

        private void end(MoveEnd end) {
            setState(state.transitionTo(MoveStage.ENDED).end(end));
            perform(MoveEffect.finish());
        }

        private void enter(MoveStage stage) {
            setState(state.transitionTo(stage));
        }

        private void setState(MoveState.Builder next) {
            state = next.build();
        }

        private void perform(MoveEffect... some) {
            Collections.addAll(effects, some);
        }

        private void requireStage(MoveStage stage) {
            if (state.stage() != stage) {
                throw new IllegalStateException("Wanted " + stage + ", found " + state);
            }
        }
    }
}
