/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MoveCheck;
import io.trefoil.federation.move.rules.MoveEffectHandler;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.move.rules.Ownership;
import io.trefoil.federation.move.rules.RecordedMove;
import io.trefoil.federation.move.rules.RecordedMove.RecordOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The calls that each effect takes, as the performer and its ports make them ({@code docs/design/subtree-moves.md}, "A call that arrives
 * late"): which need the lock, and which may arrive when it is lost.
 */
final class MoveCalls implements MoveEffectHandler<RuntimeException> {

    /** How a call gets through. */
    enum Kind {
        /** Needs no lock, and changes nothing, or goes by a number, so that it may arrive at any time. */
        FREE,
        /** Is executed when the lock was asked for. */
        LOCKED,
        /** Leaves when the lock was asked for, and may arrive late. */
        LATE
    }

    /** What one call does. */
    interface Action {
        void perform(Turn turn) throws CallFailedException;
    }

    /** A call that is answered by an exception. */
    static final class CallFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        CallFailedException(String why) {
            super(why, null, false, false);
        }
    }

    /** One call. */
    record Call(String name, Kind kind, Action action) {}

    /** One mover's step: what it changes. */
    static final class Turn {
        final Places places;
        final Mover mover;
        final boolean hasLock;
        final List<Mover> others;

        Turn(Places places, Mover mover, boolean hasLock, List<Mover> others) {
            this.places = places;
            this.mover = mover;
            this.hasLock = hasLock;
            this.others = others;
        }

        Folder source() {
            return places.folders[mover.record.source()];
        }

        Folder target() {
            return places.folders[mover.record.target()];
        }

        void requireLock() throws CallFailedException {
            require(hasLock, "the lock is lost");
        }

        void require(boolean is, String otherwise) throws CallFailedException {
            if (!is) {
                throw new CallFailedException(otherwise);
            }
        }

        /** Fails if the target is not what was copied. */
        void requireCopied() throws CallFailedException {
            require(target().content == mover.copied, "the target differs");
        }

        /** Nobody's call that was about the record before is about this one. */
        void write(WrittenMove record) {
            places.record = Optional.of(record);
            others.forEach(other -> other.isCurrent = false);
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
    List<Call> calls() {
        return List.copyOf(calls);
    }

    private void free(String name, Action action) {
        calls.add(new Call(name, Kind.FREE, action));
    }

    private void locked(String name, Action action) {
        calls.add(new Call(name, Kind.LOCKED, action));
    }

    private void late(String name, Action action) {
        calls.add(new Call(name, Kind.LATE, action));
    }

    private void inFolder(String name, Action action) {
        free(name, turn -> {
            turn.require(turn.target().number == turn.mover.staged, "there is no folder with this number");
            action.perform(turn);
        });
    }

    private static void requireFrozen(Turn turn) throws CallFailedException {
        turn.require(!turn.mover.hasFrozen || turn.source().frozenFor == turn.mover.record.id(), "nothing is frozen");
    }

    /** A call for frozen folders may arrive late, as it finds the freeze over then. */
    private void inFreeze(String name, Action action) {
        calls.add(new Call(name, hasGates ? Kind.LATE : Kind.LOCKED, turn -> {
            requireFrozen(turn);
            action.perform(turn);
        }));
    }

    private static void checked(Turn turn, MoveCheck check, boolean isFree) {
        turn.mover.answer(MoveEvent.checked(check, isFree ? List.of() : List.of("found")));
    }

    private void clear(MoveCheck check) {
        free("check " + check, turn -> checked(turn, check, true));
    }

    // ---- The record and the table ----

    @Override
    public void readRecord() {
        free("read record", turn -> {
            WrittenMove connected = turn.mover.record;
            if (turn.places.record.isEmpty()) {
                boolean isEnded = turn.places.ended.contains(connected.id());
                turn.mover.answer(MoveEvent.moveRead(RecordedMove.of(isEnded ? RecordOwner.ENDED : RecordOwner.NONE)));
                return;
            }
            WrittenMove found = turn.places.record.get();
            if (found.target() != connected.target()) {
                turn.mover.answer(MoveEvent.moveRead(RecordedMove.of(RecordOwner.OTHER)));
            } else if (found.id() != connected.id()) {
                turn.mover.answer(MoveEvent.moveRead(RecordedMove.of(RecordOwner.BEGUN_MEANWHILE)));
            } else {
                turn.mover.record = found;
                turn.mover.answer(MoveEvent.moveRead(
                        found.unchecked() == WrittenMove.NOTHING
                                ? RecordedMove.checked(found.phase(), found.contradiction())
                                : RecordedMove.unchecked(found.phase())));
            }
        });
    }

    @Override
    public void adoptRecord() {
        update("adopted", turn -> turn.mover.record);
    }

    @Override
    public void checkBlockers() {
        clear(MoveCheck.BLOCKERS);
    }

    @Override
    public void beginRecord() {
        free("read target", turn -> {
            Folder target = turn.target();
            turn.mover.record = turn.mover.record.onto(
                    new WrittenMove.Was(target.isThere, target.isSealed, target.movedTo, target.permission));
        });
        late("begin record", turn -> {
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
        locked("withdraw version", turn -> {
            turn.mover.hasDraft = false;
            turn.others.forEach(other -> other.hasDraft = false);
        });
    }

    @Override
    public void readTable() {
        free("read table", turn -> {
            WrittenMove record = turn.mover.record;
            boolean isSwitched = turn.places.table.stream().anyMatch(version -> version.move() == record.id());
            turn.mover.answer(MoveEvent.tableRead(isSwitched, owner(turn)));
        });
    }

    private static String name(int nameservice) {
        return "ns" + nameservice;
    }

    private static Ownership owner(Turn turn) {
        return Ownership.of(name(turn.places.owner()), 0);
    }

    @Override
    public void readOwner() {
        free("read owner", turn -> turn.mover.answer(MoveEvent.ownerRead(owner(turn))));
    }

    @Override
    public void planVersion() {
        free("plan version", turn -> {
            turn.mover.planned = turn.places.table.size();
            turn.mover.answer(MoveEvent.ownerRead(owner(turn)));
        });
    }

    @Override
    public void appendVersion() {
        free("draft version", turn -> turn.mover.hasDraft = true);
        late("append version", turn -> {
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
        WrittenMove of(Turn turn);
    }

    private void update(String name, Change change) {
        late("record " + name, turn -> {
            turn.requireLock();
            WrittenMove record = change.of(turn);
            turn.require(
                    turn.places.record.filter(one -> one.id() == record.id()).isPresent(), "there is no such record");
            turn.write(record);
        });
    }

    @Override
    public void recordCopying() {
        update("COPYING", turn -> turn.mover.record.in(MovePhase.COPYING));
    }

    private void recordSourceAs(String name) {
        free(
                "read source",
                turn -> turn.mover.fenced =
                        turn.source().isClosed ? turn.mover.record.sourceWas() : turn.source().permission);
        update(name, turn -> turn.mover.record.paused(turn.mover.fenced));
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
        update("fence", turn -> turn.mover.record.paused(turn.mover.fenced));
    }

    @Override
    public void recordMoved() {
        update("moved", turn -> turn.mover.record.moving(turn.mover.copied));
    }

    @Override
    public void recordOpened() {
        update("OPENED", turn -> turn.mover.record.in(MovePhase.OPENED));
    }

    @Override
    public void recordChecked() {
        update("checked", turn -> turn.mover.record.checked(turn.mover.state.contradiction()));
    }

    @Override
    public void recordEmptying() {
        update("EMPTYING", turn -> turn.mover.record.in(MovePhase.EMPTYING));
    }

    @Override
    public void recordWaits() {}

    @Override
    public void endRecord() {
        late("end record", turn -> {
            turn.require(turn.mover.isCurrent && turn.places.record.isPresent(), "there is no such record");
            turn.places.record = Optional.empty();
            turn.places.ended.add(turn.mover.record.id());
            turn.others.forEach(other -> other.isCurrent = false);
        });
    }

    @Override
    public void confirmLock() {
        free("confirm lock", Turn::requireLock);
    }

    // ---- Copying ----

    @Override
    public void checkPatience() {}

    @Override
    public void prepareTarget() {
        late("prepare target", turn -> {
            turn.require(turn.mover.isCurrent, "another folder is there");
            replace(turn, turn.mover.record.targetWas().movedTo());
            turn.target().staging = turn.mover.record.id();
            turn.mover.staged = turn.target().number;
            turn.mover.copied = Folder.NO_FILE;
        });
    }

    /** Puts an empty folder in the place of the target's. */
    private static void replace(Turn turn, int movedTo) {
        Folder target = turn.target();
        target.number++;
        target.content = Folder.NO_FILE;
        target.isOpen = false;
        target.isThere = true;
        target.isSealed = false;
        target.movedTo = movedTo;
        turn.others.forEach(other -> {
            other.isCurrent = false;
            other.hasVictim = other.hasVictim && other.record.source() != turn.mover.record.target();
        });
    }

    /** Makes the target like what was seen; a file that has changed since is left out. */
    private void copy(String name) {
        inFolder("copy " + name, turn -> {
            if (turn.mover.copied != turn.mover.seen) {
                boolean isThere = turn.source().closedContent() == turn.mover.seen;
                turn.mover.copied = isThere ? turn.mover.seen : Folder.NO_FILE;
                turn.target().content = turn.mover.copied;
            }
        });
    }

    @Override
    public void copyRound() {
        free("scan source", turn -> {
            turn.requireLock();
            turn.mover.seen = turn.source().closedContent();
        });
        copy("round");
        free("end round", turn -> turn.mover.answer(MoveEvent.roundCopied(0)));
    }

    private static int snapshot(Turn turn, String name) {
        return turn.source().snapshots.computeIfAbsent(name + turn.mover.record.id(), ignored -> turn.source()
                .closedContent());
    }

    @Override
    public void copySnapshot() {
        locked("first snapshot", turn -> turn.mover.seen = snapshot(turn, FIRST));
        copy("snapshot");
    }

    @Override
    public void compareTarget() {
        free("compare target", Turn::requireCopied);
    }

    @Override
    public void followChanges() {}

    @Override
    public void copyChanges() {
        inFreeze("last snapshot", turn -> {
            int last = snapshot(turn, LAST);
            turn.require(!turn.source().isOpen, "a superuser is writing");
            turn.mover.seen = last;
        });
        copy("changes");
        free("compare changes", turn -> {
            turn.require(turn.mover.copied == turn.mover.seen, "a file was left out");
            turn.requireCopied();
        });
    }

    // ---- The source ----

    @Override
    public void freezeSource() {
        if (hasGates) {
            late("freeze", turn -> {
                turn.source().frozenFor = turn.mover.record.id();
                turn.source().holdsReads = false;
            });
            free("confirm freeze", turn -> {
                turn.requireLock();
                turn.mover.hasFrozen = true;
                turn.mover.answer(MoveEvent.sourceFrozen(true));
            });
        } else {
            free("do not freeze", turn -> turn.mover.answer(MoveEvent.sourceFrozen(false)));
        }
    }

    @Override
    public void fenceSource() {
        inFreeze("fence", turn -> {
            turn.source().holdsReads = turn.mover.hasFrozen;
            turn.source().isFenced = true;
            turn.mover.fenced = turn.source().isClosed ? turn.mover.record.sourceWas() : turn.source().permission;
        });
    }

    @Override
    public void closeSource() {
        inFreeze("close", turn -> {
            turn.source().isClosed = true;
            turn.source().permission = 0;
        });
    }

    @Override
    public void awaitOpenFiles() {
        free("await open files", turn -> checked(turn, MoveCheck.OPEN_FILES, !turn.source().isOpen));
    }

    private static int last(Turn turn) throws CallFailedException {
        Integer last = turn.source().snapshots.get(LAST + turn.mover.record.id());
        turn.require(last != null, "there is no last snapshot");
        return last;
    }

    @Override
    public void checkPause() {
        free("check pause", turn -> checked(turn, MoveCheck.CHANGES, last(turn) == turn.source().content));
    }

    @Override
    public void renewFreeze() {
        locked("renew freeze", MoveCalls::requireFrozen);
    }

    @Override
    public void openSource() {
        locked("open source", turn -> {
            Folder source = turn.source();
            if (source.isClosed) {
                source.permission = turn.mover.record.sourceWas();
                source.isClosed = false;
            }
            source.isFenced = false;
            source.thaw();
            deleteSnapshots(turn);
        });
    }

    private static void deleteSnapshots(Turn turn) {
        turn.source().snapshots.remove(FIRST + turn.mover.record.id());
        turn.source().snapshots.remove(LAST + turn.mover.record.id());
    }

    @Override
    public void leaveSource() {
        late("leave", turn -> {
            turn.require(turn.mover.isCurrent, "there is no such folder");
            if (hasGates) {
                turn.source().movedTo = turn.mover.record.target();
            }
        });
    }

    @Override
    public void undoLeaveSource() {
        free("undo leave", turn -> turn.source().movedTo = Folder.NOBODY);
    }

    @Override
    public void thawSource() {
        late("thaw", turn -> {
            if (turn.source().frozenFor == turn.mover.record.id()) {
                turn.source().thaw();
            }
        });
    }

    @Override
    public void checkMoved() {
        clear(MoveCheck.CONTRADICTIONS);
    }

    @Override
    public void rescanSource() {
        free("rescan", turn -> checked(turn, MoveCheck.CONTRADICTIONS, last(turn) == turn.mover.record.unchecked()));
    }

    @Override
    public void inspectSource() {
        free("inspect", turn -> turn.mover.answer(MoveEvent.sourceInspected(turn.source().content == Folder.NO_FILE)));
    }

    @Override
    public void checkChanges() {
        free("check changes", turn -> {
            int now = turn.source().content;
            boolean isDeletion = now == Folder.NO_FILE && turn.mover.record.phase() == MovePhase.EMPTYING;
            checked(turn, MoveCheck.CHANGES, last(turn) == now || isDeletion);
        });
    }

    @Override
    public void emptySource() {
        free("list files", turn -> turn.mover.hasVictim = turn.source().content != Folder.NO_FILE);
        late("delete files", turn -> {
            if (turn.mover.hasVictim) {
                turn.source().content = Folder.NO_FILE;
                turn.source().isOpen = false;
                turn.mover.hasVictim = false;
            }
        });
        locked("seal source", turn -> {
            Folder source = turn.source();
            turn.require(source.content == Folder.NO_FILE, "it is not empty");
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
        inFolder("ready target", turn -> turn.target().movedTo = Folder.NOBODY);
    }

    @Override
    public void undoReady() {
        inFolder(
                "undo ready",
                turn -> turn.target().movedTo = turn.mover.record.targetWas().movedTo());
    }

    @Override
    public void awaitReplicas() {
        clear(MoveCheck.REPLICAS);
    }

    @Override
    public void awaitMovedReplicas() {
        clear(MoveCheck.REPLICAS);
    }

    @Override
    public void checkUpgrades() {
        clear(MoveCheck.UPGRADES);
    }

    @Override
    public void openTarget() {
        inFolder("open target", turn -> {
            Folder target = turn.target();
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
        inFolder("release target", turn -> {});
    }

    @Override
    public void discardTarget() {
        late("discard target", turn -> {
            turn.require(turn.mover.isCurrent, "another folder is there");
            WrittenMove.Was was = turn.mover.record.targetWas();
            replace(turn, was.movedTo());
            Folder target = turn.target();
            target.isThere = was.isThere();
            target.isSealed = was.isSealed();
            target.permission = was.permission();
            target.staging = 0;
        });
    }

    // ---- Whoever waits for it ----

    @Override
    public void measurePause() {}

    @Override
    public void followRouters() {
        clear(MoveCheck.ROUTERS);
    }

    @Override
    public void reportRetry() {}

    @Override
    public void report() {
        free("report", turn -> turn.mover.answer(MoveEvent.performed()));
    }

    @Override
    public void finish() {}
}
