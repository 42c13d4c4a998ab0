/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.federation.move.rules.MoveEnd.Kind;
import io.trefoil.federation.move.rules.MoveOrder.Goal;
import io.trefoil.federation.move.rules.RecordedMove.RecordOwner;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The rules by which one process moves a subtree, carries a move on, or undoes it ({@code
 * docs/design/subtree-moves.md}). It has the lock of moves, but may lose it at any time.
 *
 * <p>A pure function of state and event. The next version of the table is the instant at which the owner changes:
 * before it everything can be undone, after it only completed. At that instant clients can use neither folder, and the
 * target has what the source has. The table alone tells whether it was made, so it is read before the source is opened
 * and before anything at the source is deleted.
 */
public final class MoveRules {

    private MoveRules() {}

    /** The next state and the effects of an event. */
    public static Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
        if (state.stage() == MoveStage.ENDED) {
            throw new IllegalStateException("The move has ended, but " + event);
        }
        MoveStep step = new MoveStep(state);
        event.dispatch(step);
        return Step.of(step.state, step.effects);
    }

    /** A single step in progress. */
    private static final class MoveStep implements MoveEventHandler<RuntimeException> {

        private final List<MoveEffect> effects = new ArrayList<>();
        private MoveState state;

        MoveStep(MoveState state) {
            this.state = state;
        }

        // ---- What each stage does, in its order ----

        private void takeOver() {
            enter(MoveStage.TAKING_OVER);
            perform(MoveEffect.adoptRecord(), MoveEffect.withdrawVersion(), MoveEffect.readTable());
        }

        /** The source may be closed or frozen. Who has lost the lock leaves all to whoever has it. */
        private void reopen(MoveEnd why) {
            become(state.entering(MoveStage.REOPENING).end(why));
            perform(MoveEffect.confirmLock(), MoveEffect.readRecord());
        }

        private void openSource() {
            perform(MoveEffect.openSource(), MoveEffect.recordCopying(), MoveEffect.report());
        }

        private void prepare() {
            enter(MoveStage.PREPARING);
            perform(MoveEffect.checkPatience(), MoveEffect.prepareTarget(), MoveEffect.report());
        }

        private void copy() {
            become(state.toBuilder().round(state.round() + 1));
            perform(MoveEffect.copyRound());
        }

        /**
         * Copies the last round before the pause: work that grows with the subtree, reading all of both trees, and
         * making one like the other.
         */
        private void copyLast() {
            become(state.entering(MoveStage.LAST_ROUND).phase(MovePhase.PAUSED));
            perform(MoveEffect.recordPaused(), MoveEffect.copySnapshot(), MoveEffect.compareTarget());
            perform(state.order().goal() == Goal.MOVE ? MoveEffect.awaitReplicas() : MoveEffect.planVersion());
        }

        private void pause() {
            become(state.entering(MoveStage.PAUSING).pauses(state.pauses() + 1));
            perform(MoveEffect.freezeSource());
        }

        /** Closes the source; records its state before, which may have changed, as it has to be opened with the last one. */
        private void closeSource() {
            perform(
                    MoveEffect.recordSource(),
                    MoveEffect.fenceSource(),
                    MoveEffect.recordFence(),
                    MoveEffect.closeSource());
        }

        private void match() {
            enter(MoveStage.MATCHING);
            perform(MoveEffect.copyChanges(), MoveEffect.readyTarget());
            if (state.isWaitedFor()) {
                // From here on what was copied stays, even if the freeze does not.
                closeSource();
            }
            perform(MoveEffect.checkPause());
        }

        private void openTarget() {
            enter(MoveStage.OPENING);
            perform(MoveEffect.openTarget(), MoveEffect.report());
        }

        private void notifyClients() {
            enter(MoveStage.TELLING);
            perform(MoveEffect.leaveSource(), MoveEffect.confirmLock(), MoveEffect.report());
        }

        /** Releases the target before the record says {@code OPENED}: a process that carries on afterwards does not release it any more. */
        private void releaseTarget() {
            enter(MoveStage.RELEASING);
            perform(MoveEffect.thawSource());
            if (!state.isResumed()) {
                perform(MoveEffect.measurePause());
            }
            perform(MoveEffect.releaseTarget(), MoveEffect.recordOpened(), MoveEffect.report());
        }

        /**
         * Begins the checks after the pause, not in it: a Router whose calls wait at the source may answer no call, and
         * may wait for it itself.
         */
        private void check() {
            enter(MoveStage.CHECKING);
            perform(MoveEffect.followRouters());
        }

        private void emptySource() {
            if (state.phase() != MovePhase.EMPTYING) {
                perform(MoveEffect.recordEmptying());
            }
            become(state.entering(MoveStage.EMPTYING).phase(MovePhase.EMPTYING));
            perform(MoveEffect.emptySource(), MoveEffect.report());
        }

        /** Makes Routers follow while the move has not ended, so that repeating the command can have them follow. */
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

        /** An order to keep the source comes too late when an earlier process has begun to delete it. */
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
        public void moveRead(RecordedMove found) {
            if (state.stage() == MoveStage.REOPENING) {
                become(state.toBuilder().phase(found.phase()));
                if (found.standing() == RecordOwner.OURS) {
                    perform(MoveEffect.readOwner());
                } else {
                    // Nothing of ours is closed.
                    end(state.end());
                }
                return;
            }
            requireStage(MoveStage.STARTING);
            switch (found.standing()) {
                case OURS:
                    become(state.toBuilder()
                            .phase(found.phase())
                            .isChecked(found.isChecked())
                            .contradiction(found.contradiction()));
                    takeOver();
                    break;
                case NONE:
                case ENDED:
                    if (isAborting()) {
                        end(Kind.NOTHING_TO_ABORT);
                    } else if (found.standing() == RecordOwner.ENDED) {
                        end(Kind.ENDED_MEANWHILE);
                    } else {
                        perform(MoveEffect.readOwner());
                    }
                    break;
                default:
                    // By the connections for one move nothing may be done for another: its source may be another one.
                    end(
                            found.standing() == RecordOwner.OTHER && !isAborting()
                                    ? Kind.OTHER_MOVE
                                    : Kind.BEGUN_MEANWHILE);
                    break;
            }
        }

        @Override
        public void tableRead(boolean isSwitched, Ownership owner) {
            if (state.stage() == MoveStage.TAKING_OVER) {
                if (isSwitched) {
                    complete(owner);
                } else {
                    carryOn(owner);
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

        /** An earlier process has made the version. */
        private void complete(Ownership owner) {
            if (isAborting()) {
                end(Kind.SWITCHED_ALREADY);
            } else if (requireSwitched(owner)) {
                become(state.toBuilder().isResumed(true));
                if (state.phase() == MovePhase.PAUSED) {
                    openTarget();
                } else {
                    check();
                }
            }
        }

        /** Carries on a move whose version no process has made, and none that had the lock before will. */
        private void carryOn(Ownership owner) {
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
                        end(isRetry() ? refused : state.end().but(refused));
                    } else if (state.phase() == MovePhase.COPYING) {
                        reopened();
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
                    if (requireSwitched(owner)) {
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

        /** Whether the source may be opened: the table must say that it is the owner, and this move must not have been further. */
        private boolean mayOpenSource(Ownership owner) {
            return isSourceOwner(owner) && !hasOpened();
        }

        private boolean hasOpened() {
            return state.phase() == MovePhase.OPENED || state.phase() == MovePhase.EMPTYING;
        }

        /**
         * Checks, before anything is deleted, that the table says that the target is the owner, and that clients have
         * not worked at the source since.
         */
        private boolean requireSwitched(Ownership owner) {
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

        /** Whether the move goes on when the source is open. */
        private boolean isRetry() {
            Kind kind = state.end().kind();
            return kind == Kind.GOES_ON || kind == Kind.CLIENTS_WRITE || kind == Kind.TABLE_CHANGED;
        }

        /** Clients work at the source. */
        private void reopened() {
            MoveEnd why = state.end();
            if (why.kind() == Kind.GOES_ON) {
                if (isAborting()) {
                    undo();
                } else {
                    prepare();
                }
                return;
            }
            if (!isRetry()) {
                end(why);
                return;
            }
            perform(MoveEffect.reportRetry());
            if (state.pauses() >= state.order().pauses()) {
                end(why);
                return;
            }
            perform(MoveEffect.undoReady());
            if (why.kind() == Kind.CLIENTS_WRITE) {
                // Writers may have left much to copy.
                enter(MoveStage.COPYING);
                copy();
            } else {
                copyLast();
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
                        match();
                    } else {
                        reopen(MoveEnd.of(Kind.CLIENTS_WRITE, found));
                    }
                    break;
                case CHANGES:
                    changesChecked(found);
                    break;
                case CONTRADICTIONS:
                    requireStage(MoveStage.CHECKING);
                    become(state.toBuilder().isChecked(true).contradiction(isFree ? "" : found.get(0)));
                    perform(MoveEffect.recordChecked());
                    if (state.isResumed()) {
                        requireDeletable();
                    } else {
                        perform(MoveEffect.readOwner());
                    }
                    break;
                default:
                    routersFollowed(found);
                    break;
            }
        }

        private void changesChecked(List<String> found) {
            boolean isInPause = state.stage() == MoveStage.MATCHING;
            if (!found.isEmpty()) {
                refuse(MoveEnd.of(isInPause ? Kind.CHANGED_IN_PAUSE : Kind.CHANGED_SINCE, found));
            } else if (isInPause) {
                // Whoever carries on after the version must not delete what was not moved.
                perform(MoveEffect.recordMoved(), MoveEffect.renewFreeze(), MoveEffect.report());
            } else {
                requireStage(MoveStage.CHECKING);
                emptySource();
            }
        }

        private void routersFollowed(List<String> behind) {
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
                    || files <= state.order().fewFiles()
                    || state.round() >= state.order().rounds();
            if (isLast) {
                copyLast();
            } else {
                copy();
            }
        }

        @Override
        public void sourceFrozen(boolean isWaitedFor) {
            requireStage(MoveStage.PAUSING);
            become(state.toBuilder().isWaitedFor(isWaitedFor));
            if (!isWaitedFor) {
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
            become(state.toBuilder().isSourceEmpty(isEmpty));
            // Once an operator has dealt with what was not moved, and removed all, nothing is left to protect.
            if (state.phase() == MovePhase.OPENED && !isEmpty && !state.isChecked()) {
                perform(MoveEffect.rescanSource());
            } else {
                requireDeletable();
            }
        }

        /** An earlier process may have ended while it deleted, perhaps long ago. */
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
                    become(state.toBuilder().phase(MovePhase.COPYING));
                    reopened();
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
                    become(state.toBuilder().phase(MovePhase.OPENED));
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
                    end(isRetry() ? failed : state.end());
                    break;
                case TELLING:
                    if (state.end().kind() == Kind.FAILED) {
                        end(failed);
                    } else {
                        // If others have moved the subtree back since, NameNodes would send clients away from its
                        // owner.
                        become(state.toBuilder().end(failed));
                        perform(MoveEffect.readOwner());
                    }
                    break;
                default:
                    // A version may be there or not: the source stays closed until somebody looks.
                    end(failed);
                    break;
            }
        }

        // ---- Steps ----

        /** Ends, with clients working where they did before the pause. */
        private void refuse(MoveEnd why) {
            if (state.stage() == MoveStage.LAST_ROUND || state.stage() == MoveStage.MATCHING) {
                reopen(why);
            } else {
                requireStage(MoveStage.CHECKING);
                end(why);
            }
        }

        private void end(Kind kind, String... details) {
            end(MoveEnd.of(kind, details));
        }

        private void end(Kind kind, List<String> details) {
            end(MoveEnd.of(kind, details));
        }

        private void end(MoveEnd end) {
            become(state.entering(MoveStage.ENDED).end(end));
            perform(MoveEffect.finish());
        }

        private void enter(MoveStage stage) {
            become(state.entering(stage));
        }

        private void become(MoveState.Builder next) {
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
