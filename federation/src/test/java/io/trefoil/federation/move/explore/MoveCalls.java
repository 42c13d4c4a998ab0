/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MoveCheck;
import io.trefoil.federation.move.rules.MoveEffectHandler;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.move.rules.Ownership;
import io.trefoil.federation.move.rules.RecordCheck;
import io.trefoil.federation.move.rules.RecordCheck.RecordOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The calls that each effect takes, as the performer and its ports make them ({@code docs/design/subtree-moves.md}, "A call that arrives
 * late"): which need the lock, and which may arrive when it is lost.
 */
final class MoveCalls implements MoveEffectHandler<RuntimeException> {

    /** How a call gets through. */
    enum DeliveryKind {
        /** Needs no lock, and changes nothing, or goes by a number, so that it may arrive at any time. */
        FREE,
        /** Is executed when the lock was asked for. */
        LOCKED,
        /** Leaves when the lock was asked for, and may arrive late. */
        LATE
    }

    /** What one call does. */
    interface Action {
        void perform(MoverStep turn) throws CallFailedException;
    }

    /** A call that is answered by an exception. */
    static final class CallFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        CallFailedException(String reason) {
            super(reason, null, false, false);
        }
    }

    /** One call. */
    record Call(String name, DeliveryKind kind, Action action) {}

    /** One mover's step: what it changes. */
    static final class MoverStep {
        final Places places;
        final Mover mover;
        final boolean hasLock;
        final List<Mover> otherMovers;

        MoverStep(Places places, Mover mover, boolean hasLock, List<Mover> otherMovers) {
            this.places = places;
            this.mover = mover;
            this.hasLock = hasLock;
            this.otherMovers = otherMovers;
        }

        ExploredDirectory source() {
            return places.directories[mover.record.source()];
        }

        ExploredDirectory target() {
            return places.directories[mover.record.target()];
        }

        void requireLock() throws CallFailedException {
            require(hasLock, "the lock is lost");
        }

        void require(boolean condition, String message) throws CallFailedException {
            if (!condition) {
                throw new CallFailedException(message);
            }
        }

        /** Fails if the target is not what was copied. */
        void requireCopied() throws CallFailedException {
            require(target().content == mover.copied, "the target differs");
        }

        /** No process's call that was about the record before is about this one. */
        void write(WrittenMove record) {
            places.record = Optional.of(record);
            otherMovers.forEach(other -> other.isCurrent = false);
            mover.record = record;
        }
    }

    private static final String FIRST = "first ";
    private static final String LAST = "last ";

    private final boolean hasGates;
    private final List<Call> calls = new ArrayList<>();

    MoveCalls(boolean hasGates) {
        this.hasGates = hasGates;
    }

    /** What the effects that were dispatched to it take. */
    List<Call> pendingCalls() {
        return List.copyOf(calls);
    }

    private void addUnguarded(String name, Action action) {
        calls.add(new Call(name, DeliveryKind.FREE, action));
    }

    private void addLocked(String name, Action action) {
        calls.add(new Call(name, DeliveryKind.LOCKED, action));
    }

    private void addDelayable(String name, Action action) {
        calls.add(new Call(name, DeliveryKind.LATE, action));
    }

    private void addInDirectory(String name, Action action) {
        addUnguarded(name, turn -> {
            turn.require(turn.target().number == turn.mover.staged, "there is no directory with this number");
            action.perform(turn);
        });
    }

    private static void requireFrozen(MoverStep turn) throws CallFailedException {
        turn.require(!turn.mover.hasFrozen || turn.source().frozenFor == turn.mover.record.id(), "nothing is frozen");
    }

    /** A call for frozen directories may arrive late, as it finds the freeze over then. */
    private void addFrozen(String name, Action action) {
        calls.add(new Call(name, hasGates ? DeliveryKind.LATE : DeliveryKind.LOCKED, turn -> {
            requireFrozen(turn);
            action.perform(turn);
        }));
    }

    private static void finishCheck(MoverStep turn, MoveCheck check, boolean isFree) {
        turn.mover.answer(MoveEvent.checked(check, isFree ? List.of() : List.of("found")));
    }

    private void addCheck(MoveCheck check) {
        addUnguarded("check " + check, turn -> finishCheck(turn, check, true));
    }

    // ---- The record and the table ----

    @Override
    public void readRecord() {
        addUnguarded("read record", turn -> {
            WrittenMove connected = turn.mover.record;
            if (turn.places.record.isEmpty()) {
                boolean isEnded = turn.places.ended.contains(connected.id());
                turn.mover.answer(MoveEvent.moveRead(RecordCheck.of(isEnded ? RecordOwner.ENDED : RecordOwner.NONE)));
                return;
            }
            WrittenMove found = turn.places.record.get();
            if (found.target() != connected.target()) {
                turn.mover.answer(MoveEvent.moveRead(RecordCheck.of(RecordOwner.OTHER)));
            } else if (found.id() != connected.id()) {
                turn.mover.answer(MoveEvent.moveRead(RecordCheck.of(RecordOwner.BEGUN_MEANWHILE)));
            } else {
                turn.mover.record = found;
                turn.mover.answer(MoveEvent.moveRead(
                        found.unchecked() == WrittenMove.NOTHING
                                ? RecordCheck.ofCheckedTree(found.phase(), found.contradiction())
                                : RecordCheck.ofUncheckedTree(found.phase())));
            }
        });
    }

    @Override
    public void adoptRecord() {
        addRecordUpdate("adopted", turn -> turn.mover.record);
    }

    @Override
    public void checkBlockers() {
        addCheck(MoveCheck.BLOCKERS);
    }

    @Override
    public void beginRecord() {
        addUnguarded("read target", turn -> {
            ExploredDirectory target = turn.target();
            turn.mover.record = turn.mover.record.withFormerTarget(
                    new WrittenMove.FormerTarget(target.isThere, target.isSealed, target.movedTo, target.permission));
        });
        addDelayable("begin record", turn -> {
            turn.requireLock();
            boolean isOurs = turn.places.record.isEmpty();
            if (isOurs) {
                turn.write(turn.mover.record);
            }
            turn.mover.answer(MoveEvent.recordBegun(isOurs));
        });
    }

    @Override
    public void withdrawVersion() {
        addLocked("withdraw version", turn -> {
            turn.mover.hasDraft = false;
            turn.otherMovers.forEach(other -> other.hasDraft = false);
        });
    }

    @Override
    public void readTable() {
        addUnguarded("read table", turn -> {
            WrittenMove record = turn.mover.record;
            boolean isSwitched = turn.places.table.stream().anyMatch(version -> version.move() == record.id());
            turn.mover.answer(MoveEvent.tableRead(isSwitched, ownership(turn)));
        });
    }

    private static String nameserviceName(int nameservice) {
        return "ns" + nameservice;
    }

    private static Ownership ownership(MoverStep turn) {
        return Ownership.of(nameserviceName(turn.places.owner()), 0);
    }

    @Override
    public void readOwner() {
        addUnguarded("read owner", turn -> turn.mover.answer(MoveEvent.ownerRead(ownership(turn))));
    }

    @Override
    public void planVersion() {
        addUnguarded("plan version", turn -> {
            turn.mover.planned = turn.places.table.size();
            turn.mover.answer(MoveEvent.ownerRead(ownership(turn)));
        });
    }

    @Override
    public void appendVersion() {
        addUnguarded("draft version", turn -> turn.mover.hasDraft = true);
        addDelayable("append version", turn -> {
            turn.require(turn.mover.hasDraft, "the draft of the version is gone");
            turn.mover.hasDraft = false;
            boolean isMade = turn.places.table.size() == turn.mover.planned;
            if (isMade) {
                turn.places.append(new Places.Version(turn.mover.record.target(), turn.mover.record.id()));
            }
            turn.mover.answer(MoveEvent.versionAppended(isMade));
        });
    }

    private interface Change {
        WrittenMove apply(MoverStep turn);
    }

    private void addRecordUpdate(String name, Change change) {
        addDelayable("record " + name, turn -> {
            turn.requireLock();
            WrittenMove record = change.apply(turn);
            turn.require(
                    turn.places.record.filter(one -> one.id() == record.id()).isPresent(), "there is no such record");
            turn.write(record);
        });
    }

    @Override
    public void recordCopying() {
        addRecordUpdate("COPYING", turn -> turn.mover.record.withPhase(MovePhase.COPYING));
    }

    private void recordSourceAs(String name) {
        addUnguarded(
                "read source",
                turn -> turn.mover.fenced =
                        turn.source().isClosed ? turn.mover.record.sourceWas() : turn.source().permission);
        addRecordUpdate(name, turn -> turn.mover.record.withPause(turn.mover.fenced));
    }

    @Override
    public void recordPaused() {
        recordSourceAs("PAUSED");
    }

    @Override
    public void recordSource() {
        recordSourceAs("source");
    }

    @Override
    public void recordFence() {
        addRecordUpdate("fence", turn -> turn.mover.record.withPause(turn.mover.fenced));
    }

    @Override
    public void recordMoved() {
        addRecordUpdate("moved", turn -> turn.mover.record.withMovedContent(turn.mover.copied));
    }

    @Override
    public void recordOpened() {
        addRecordUpdate("OPENED", turn -> turn.mover.record.withPhase(MovePhase.OPENED));
    }

    @Override
    public void recordChecked() {
        addRecordUpdate("checked", turn -> turn.mover.record.withCheck(turn.mover.state.contradiction()));
    }

    @Override
    public void recordEmptying() {
        addRecordUpdate("EMPTYING", turn -> turn.mover.record.withPhase(MovePhase.EMPTYING));
    }

    @Override
    public void recordWaits() {}

    @Override
    public void endRecord() {
        addDelayable("end record", turn -> {
            turn.require(turn.mover.isCurrent && turn.places.record.isPresent(), "there is no such record");
            turn.places.record = Optional.empty();
            turn.places.ended.add(turn.mover.record.id());
            turn.otherMovers.forEach(other -> other.isCurrent = false);
        });
    }

    @Override
    public void confirmLock() {
        addUnguarded("confirm lock", MoverStep::requireLock);
    }

    // ---- Copying ----

    @Override
    public void checkTimeout() {}

    @Override
    public void prepareTarget() {
        addDelayable("prepare target", turn -> {
            turn.require(turn.mover.isCurrent, "another directory is there");
            replaceTarget(turn, turn.mover.record.targetWas().movedTo());
            turn.target().staging = turn.mover.record.id();
            turn.mover.staged = turn.target().number;
            turn.mover.copied = ExploredDirectory.NO_FILE;
        });
    }

    /** Puts an empty directory in the place of the target's. */
    private static void replaceTarget(MoverStep turn, int movedTo) {
        ExploredDirectory target = turn.target();
        target.number++;
        target.content = ExploredDirectory.NO_FILE;
        target.isOpen = false;
        target.isThere = true;
        target.isSealed = false;
        target.movedTo = movedTo;
        turn.otherMovers.forEach(other -> {
            other.isCurrent = false;
            other.hasVictim = other.hasVictim && other.record.source() != turn.mover.record.target();
        });
    }

    /** Makes the target like what was seen; a file that has changed since is left out. */
    private void addCopy(String name) {
        addInDirectory("copy " + name, turn -> {
            if (turn.mover.copied != turn.mover.seen) {
                boolean isThere = turn.source().closedContent() == turn.mover.seen;
                turn.mover.copied = isThere ? turn.mover.seen : ExploredDirectory.NO_FILE;
                turn.target().content = turn.mover.copied;
            }
        });
    }

    @Override
    public void copyRound() {
        addUnguarded("scan source", turn -> {
            turn.requireLock();
            turn.mover.seen = turn.source().closedContent();
        });
        addCopy("round");
        addUnguarded("end round", turn -> turn.mover.answer(MoveEvent.roundCopied(0)));
    }

    private static int snapshot(MoverStep turn, String name) {
        return turn.source().snapshots.computeIfAbsent(name + turn.mover.record.id(), ignored -> turn.source()
                .closedContent());
    }

    @Override
    public void copySnapshot() {
        addLocked("first snapshot", turn -> turn.mover.seen = snapshot(turn, FIRST));
        addCopy("snapshot");
    }

    @Override
    public void compareTarget() {
        addUnguarded("compare target", MoverStep::requireCopied);
    }

    @Override
    public void followChanges() {}

    @Override
    public void copyChanges() {
        addFrozen("last snapshot", turn -> {
            int last = snapshot(turn, LAST);
            turn.require(!turn.source().isOpen, "a superuser is writing");
            turn.mover.seen = last;
        });
        addCopy("changes");
        addUnguarded("compare changes", turn -> {
            turn.require(turn.mover.copied == turn.mover.seen, "a file was left out");
            turn.requireCopied();
        });
    }

    // ---- The source ----

    @Override
    public void freezeSource() {
        if (hasGates) {
            addDelayable("freeze", turn -> {
                turn.source().frozenFor = turn.mover.record.id();
                turn.source().holdsReads = false;
            });
            addUnguarded("confirm freeze", turn -> {
                turn.requireLock();
                turn.mover.hasFrozen = true;
                turn.mover.answer(MoveEvent.sourceFrozen(true));
            });
        } else {
            addUnguarded("do not freeze", turn -> turn.mover.answer(MoveEvent.sourceFrozen(false)));
        }
    }

    @Override
    public void fenceSource() {
        addFrozen("fence", turn -> {
            turn.source().holdsReads = turn.mover.hasFrozen;
            turn.source().isFenced = true;
            turn.mover.fenced = turn.source().isClosed ? turn.mover.record.sourceWas() : turn.source().permission;
        });
    }

    @Override
    public void closeSource() {
        addFrozen("close", turn -> {
            turn.source().isClosed = true;
            turn.source().permission = 0;
        });
    }

    @Override
    public void awaitOpenFiles() {
        addUnguarded("await open files", turn -> finishCheck(turn, MoveCheck.OPEN_FILES, !turn.source().isOpen));
    }

    private static int lastSnapshot(MoverStep turn) throws CallFailedException {
        Integer last = turn.source().snapshots.get(LAST + turn.mover.record.id());
        turn.require(last != null, "there is no last snapshot");
        return last;
    }

    @Override
    public void checkForChangesInPause() {
        addUnguarded(
                "check pause",
                turn -> finishCheck(turn, MoveCheck.CHANGES, lastSnapshot(turn) == turn.source().content));
    }

    @Override
    public void renewFreeze() {
        addLocked("renew freeze", MoveCalls::requireFrozen);
    }

    @Override
    public void openSource() {
        addLocked("open source", turn -> {
            ExploredDirectory source = turn.source();
            if (source.isClosed) {
                source.permission = turn.mover.record.sourceWas();
                source.isClosed = false;
            }
            source.isFenced = false;
            source.unfreeze();
            deleteSnapshots(turn);
        });
    }

    private static void deleteSnapshots(MoverStep turn) {
        turn.source().snapshots.remove(FIRST + turn.mover.record.id());
        turn.source().snapshots.remove(LAST + turn.mover.record.id());
    }

    @Override
    public void leaveSource() {
        addDelayable("leave", turn -> {
            turn.require(turn.mover.isCurrent, "there is no such directory");
            if (hasGates) {
                turn.source().movedTo = turn.mover.record.target();
            }
        });
    }

    @Override
    public void undoLeaveSource() {
        addUnguarded("undo leave", turn -> turn.source().movedTo = ExploredDirectory.NOBODY);
    }

    @Override
    public void thawSource() {
        addDelayable("thaw", turn -> {
            if (turn.source().frozenFor == turn.mover.record.id()) {
                turn.source().unfreeze();
            }
        });
    }

    @Override
    public void checkMoved() {
        addCheck(MoveCheck.CONTRADICTIONS);
    }

    @Override
    public void rescanSource() {
        addUnguarded(
                "rescan",
                turn -> finishCheck(
                        turn, MoveCheck.CONTRADICTIONS, lastSnapshot(turn) == turn.mover.record.unchecked()));
    }

    @Override
    public void inspectSource() {
        addUnguarded(
                "inspect",
                turn -> turn.mover.answer(
                        MoveEvent.sourceInspected(turn.source().content == ExploredDirectory.NO_FILE)));
    }

    @Override
    public void checkChanges() {
        addUnguarded("check changes", turn -> {
            int now = turn.source().content;
            boolean isDeletion = now == ExploredDirectory.NO_FILE && turn.mover.record.phase() == MovePhase.EMPTYING;
            finishCheck(turn, MoveCheck.CHANGES, lastSnapshot(turn) == now || isDeletion);
        });
    }

    @Override
    public void emptySource() {
        addUnguarded("list files", turn -> turn.mover.hasVictim = turn.source().content != ExploredDirectory.NO_FILE);
        addDelayable("delete files", turn -> {
            if (turn.mover.hasVictim) {
                turn.source().content = ExploredDirectory.NO_FILE;
                turn.source().isOpen = false;
                turn.mover.hasVictim = false;
            }
        });
        addLocked("seal source", turn -> {
            ExploredDirectory source = turn.source();
            turn.require(source.content == ExploredDirectory.NO_FILE, "it is not empty");
            source.isSealed = true;
            source.isFenced = false;
            deleteSnapshots(turn);
            source.isClosed = false;
            source.permission = turn.mover.record.sourceWas();
        });
    }

    // ---- The target ----

    @Override
    public void readyTarget() {
        addInDirectory("ready target", turn -> turn.target().movedTo = ExploredDirectory.NOBODY);
    }

    @Override
    public void undoReady() {
        addInDirectory(
                "undo ready",
                turn -> turn.target().movedTo = turn.mover.record.targetWas().movedTo());
    }

    @Override
    public void awaitReplicas() {
        addCheck(MoveCheck.REPLICAS);
    }

    @Override
    public void awaitMovedReplicas() {
        addCheck(MoveCheck.REPLICAS);
    }

    @Override
    public void checkUpgrades() {
        addCheck(MoveCheck.UPGRADES);
    }

    @Override
    public void openTarget() {
        addInDirectory("open target", turn -> {
            ExploredDirectory target = turn.target();
            if (target.staging == turn.mover.record.id()) {
                target.permission = turn.mover.record.sourceWas();
                target.isFenced = false;
                target.isClosed = false;
                target.staging = 0;
            }
        });
    }

    @Override
    public void releaseTarget() {
        addInDirectory("release target", turn -> {});
    }

    @Override
    public void discardTarget() {
        addDelayable("discard target", turn -> {
            turn.require(turn.mover.isCurrent, "another directory is there");
            WrittenMove.FormerTarget was = turn.mover.record.targetWas();
            replaceTarget(turn, was.movedTo());
            ExploredDirectory target = turn.target();
            target.isThere = was.isThere();
            target.isSealed = was.isSealed();
            target.permission = was.permission();
            target.staging = 0;
        });
    }

    // ---- Waiting clients, Routers and users ----

    @Override
    public void measurePause() {}

    @Override
    public void followRouters() {
        addCheck(MoveCheck.ROUTERS);
    }

    @Override
    public void reportRetry() {}

    @Override
    public void report() {
        addUnguarded("report", turn -> turn.mover.answer(MoveEvent.performed()));
    }

    @Override
    public void finish() {}
}
