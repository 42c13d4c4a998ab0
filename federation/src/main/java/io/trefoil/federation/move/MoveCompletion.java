/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveRecord.Phase;
import io.trefoil.federation.move.SubtreeMove.Afterwards;
import io.trefoil.federation.move.SubtreeMove.Routes;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What follows the version by which a subtree has its new owner: clients get in there, those who come to the source are told so, what was
 * moved is checked, and the source is deleted, only after it was seen not to have changed since. None of it can be undone, and all may be
 * repeated. To be used with the lock of moves.
 */
final class MoveCompletion {

    /** What comes after the rounds of copying has this name. */
    static final String AFTERWARDS = "Afterwards";

    /** Of many changes, those that are named. */
    private static final int NAMED = 10;

    private final TableStore table;
    private final OwnerByTable owner;
    private final MoveStore store;
    private final MoveSource source;
    private final MoveTarget target;
    private final MoveLimits limits;
    private final MoveCounts counts;
    private final Waits waits;
    private final Consumer<String> progress;

    MoveCompletion(
            TableStore table,
            MoveStore store,
            MoveSource source,
            MoveTarget target,
            MoveLimits limits,
            MoveCounts counts,
            Waits waits,
            Consumer<String> progress) {
        this.table = table;
        this.owner = new OwnerByTable(table);
        this.store = store;
        this.source = source;
        this.target = target;
        this.limits = limits;
        this.counts = counts;
        this.waits = waits;
        this.progress = progress;
    }

    /**
     * Opens the target just after its version was made: the end of the pause.
     *
     * @param beganNanos when the pause began, by the clock of the limits
     * @throws IOException if something failed; repeating the command completes the move
     */
    MoveRecord opened(MoveRecord record, int version, boolean clientsWaited, long beganNanos) throws IOException {
        openTarget(record, version);
        long millis = TimeUnit.NANOSECONDS.toMillis(limits.nanos() - beganNanos);
        Map<String, String> pause = new TreeMap<>();
        pause.put(MoveRecord.MILLIS, Long.toString(millis));
        pause.put(MoveRecord.CLIENTS, clientsWaited ? "waited" : "were refused");
        return released(record.in(Phase.OPENED).measured(pause));
    }

    private void openTarget(MoveRecord record, int version) throws IOException {
        target.open(record);
        leave(record, version);
        source.thaw();
    }

    /**
     * Whoever stood still since the version was made may come when others have moved the subtree back, and then NameNodes would send clients
     * away from its owner.
     */
    private void leave(MoveRecord record, int version) throws IOException {
        try {
            source.leave(record, version);
            store.requireLock();
        } catch (IOException e) {
            takeBackLeave(record, e);
            throw e;
        }
    }

    private void takeBackLeave(MoveRecord record, IOException reason) {
        try {
            if (table.requireNewest().table().ownerOf(record.path()).equals(record.source())) {
                source.takeBackLeave();
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** Whoever carries on after the record says {@code OPENED} does not release the target any more. */
    private MoveRecord released(MoveRecord opened) throws IOException {
        target.release();
        store.update(opened);
        return opened;
    }

    /** What was moved by edits alone must be what the snapshots have. If it is not, all who carry on have to know. */
    MoveRecord checked(MoveRecord record, List<String> contradictions) throws IOException {
        if (contradictions.isEmpty()) {
            MoveRecord checked = record.checked();
            store.update(checked);
            return checked;
        }
        progress.accept("Snapshots of hdfs://" + record.source() + record.path() + " contradict what was moved: "
                + contradictions);
        MoveRecord contradicted = record.contradicted(contradictions.get(0));
        store.update(contradicted);
        return contradicted;
    }

    /**
     * Opens the target, if the process that made the version may have not.
     *
     * @throws TableRefusedException if the subtree has another owner by now
     */
    MoveRecord resumed(MoveRecord record) throws IOException {
        owner.requireSwitched(record);
        if (record.phase() != Phase.PAUSED) {
            return record;
        }
        openTarget(record, record.versionIn(table.history()));
        return released(record.in(Phase.OPENED));
    }

    /**
     * Does what is left when the target is open, whichever process began the move and however far it got.
     *
     * @throws TableRefusedException if the source has to be kept, clients worked elsewhere since, or Routers do not follow, which is left then
     */
    MoveRecord complete(MoveRecord record, Afterwards afterwards, Routes routes) throws IOException {
        owner.requireSwitched(record);
        if (record.phase() == Phase.OPENED) {
            // Once an operator has dealt with what was not moved, and removed all, nothing is left to protect.
            boolean isEmpty = source.isEmpty();
            if (!isEmpty && record.unchecked().isPresent()) {
                record = checked(
                        record, otherThanMoved(record, record.unchecked().get()));
            }
            if (afterwards == Afterwards.KEEP_SOURCE) {
                progress.accept("hdfs://" + record.source() + record.path() + " is closed and kept");
                requireFollowed(record, routes);
                return waited(record);
            }
            requireNoUpgrade("hdfs://" + record.source() + record.path() + " is kept");
            if (!isEmpty) {
                requireNoContradiction(record);
                requireReplicas(record, record.newestBlock(), "hdfs://" + record.source() + record.path() + " is kept");
                requireSourceUnchanged(record);
            }
            record = record.in(Phase.EMPTYING);
            store.update(record);
        } else if (!source.isEmpty()) {
            // An earlier process ended while it deleted, perhaps long ago.
            requireReplicas(
                    record, record.newestBlock(), "The rest of hdfs://" + record.source() + record.path() + " is kept");
            requireSourceUnchanged(record);
        }
        counts.begin(AFTERWARDS, MoveStep.DELETING, Amount.none());
        source.empty(record);
        // As long as the move has not ended, the same command has them follow.
        requireFollowed(record, routes);
        record = waited(record);
        store.end(record);
        return record;
    }

    /** Keeps how long others waited, for the audit. */
    private MoveRecord waited(MoveRecord record) throws IOException {
        MoveRecord measured = record.waited(waits.longestMillis());
        store.update(measured);
        return measured;
    }

    private static void requireFollowed(MoveRecord record, Routes routes) throws TableRefusedException {
        Optional<String> behind = routes.follow();
        if (behind.isPresent()) {
            throw new TableRefusedException(record.path() + " belongs to " + record.target()
                    + " and is open there, but not all Routers follow: " + behind.get()
                    + ". Their clients wait, and then fail. Repair or stop these Routers, and repeat the"
                    + " command, or name the others in it with --router, or none of them: --router none; until"
                    + " then the move has not ended");
        }
    }

    /** Who did not look itself has no edits, so it reads everything and compares. */
    private List<String> otherThanMoved(MoveRecord record, String moved) throws IOException {
        progress.accept("Whoever began the move did not check what it moved; all of hdfs://" + record.source()
                + record.path() + " is read");
        return TreeSum.of(source.rescan(record)).toString().equals(moved)
                ? Collections.emptyList()
                : Collections.singletonList("its last snapshot is not what was moved");
    }

    private static void requireNoContradiction(MoveRecord record) throws TableRefusedException {
        if (record.contradiction().isPresent()) {
            throw new TableRefusedException("hdfs://" + record.source() + record.path() + " is kept, because "
                    + record.contradiction().get() + "; compare it with hdfs://" + record.target() + record.path()
                    + ", and delete everything in it before the command is repeated");
        }
    }

    /** To be asked as late as possible: what a superuser changes afterwards is deleted. */
    private void requireSourceUnchanged(MoveRecord record) throws IOException {
        requireUnchanged(
                source.changedSince(record),
                record,
                "It is kept. Do the same at hdfs://" + record.target() + record.path()
                        + " if it is wanted, delete everything in hdfs://" + record.source() + record.path()
                        + " with hdfs dfs -rm -r -skipTrash, and repeat the command");
    }

    /**
     * What was changed since must not be lost, nor hidden by the version.
     *
     * @param advice what is to be done then
     */
    static void requireUnchanged(List<String> changed, MoveRecord record, String advice) throws TableRefusedException {
        if (!changed.isEmpty()) {
            List<String> some = changed.subList(0, Math.min(NAMED, changed.size()));
            String others = some.size() < changed.size() ? " and " + (changed.size() - some.size()) + " more" : "";
            throw new TableRefusedException("A superuser changed hdfs://" + record.source() + record.path()
                    + " although it was closed: " + some + others + ". " + advice);
        }
    }

    /**
     * Replicas that could not be linked are deleted with the source, and the target has only those that it knows. To be asked before the
     * version as well.
     *
     * @param newest the number of the last block that counts
     * @param meanwhile what the text says of the state until then
     */
    void requireReplicas(MoveRecord record, long newest, String meanwhile) throws IOException {
        counts.begin(AFTERWARDS, MoveStep.COMPARING, Amount.none());
        List<String> lacking = limits.awaitReplicas(target.lackingReplicas(newest));
        if (!lacking.isEmpty()) {
            throw new TableRefusedException("Replicas are missing at hdfs://" + record.target() + ": "
                    + String.join("; ", lacking) + ". " + meanwhile
                    + ". Bring DataNodes back that are down or in maintenance, and repeat the command when HDFS has"
                    + " copied what is missing");
        }
    }

    /**
     * Whoever rolls the target back loses what was moved there, unless the source has it still. To be asked before the version as well.
     *
     * @param meanwhile what the text says of the state until then
     */
    void requireNoUpgrade(String meanwhile) throws IOException {
        List<String> upgrades = new ArrayList<>();
        source.upgrade().map(MoveBlocker::text).ifPresent(upgrades::add);
        target.upgrade().map(MoveBlocker::text).ifPresent(upgrades::add);
        if (!upgrades.isEmpty()) {
            throw new TableRefusedException(String.join(", ", upgrades) + ", and a rollback would lose what was moved; "
                    + meanwhile + ". Repeat the command when it is finalized");
        }
    }
}
