/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveRecord.Phase;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.move.progress.ProgressReports;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Moves one subtree. The next version of the table is the instant at which the owner changes: before it everything can be undone, after it
 * only completed ({@link MoveCompletion}). At that instant clients can use neither folder, and the target has what the source has.
 */
public final class SubtreeMove {

    /** Rounds of copying that have a name instead of a number. */
    private static final String LAST = "Last round";

    private static final String PAUSE = "Pause";

    private static final String AGAIN = "Round after a pause";

    private final TableStore table;
    private final MoveRecord connected;
    private final OwnerByTable owner;
    private final MoveStore store;
    private final MoveSource source;
    private final MoveTarget target;
    private final MoveLimits limits;
    private final Pace pace;
    private final MoveCounts counts;
    private final Waits waits;
    private final Consumer<String> progress;
    private final MoveCompletion completion;

    /** @param connected the move that has begun, or one that has not, for which the source and the target are */
    public SubtreeMove(
            TableStore table,
            MoveRecord connected,
            MoveStore store,
            MoveSource source,
            MoveTarget target,
            MoveLimits limits,
            Pace pace,
            MoveCounts counts,
            Waits waits,
            Consumer<String> progress) {
        this.table = table;
        this.connected = connected;
        this.owner = new OwnerByTable(table);
        this.store = store;
        this.source = source;
        this.target = target;
        this.limits = limits;
        this.pace = pace;
        this.counts = counts;
        this.waits = waits;
        this.progress = progress;
        this.completion = new MoveCompletion(table, store, source, target, limits, counts, waits, progress);
    }

    /**
     * The change of the table that gives a subtree to a nameservice.
     *
     * @throws TableRefusedException if the table does not allow it
     */
    public static TableChange change(TableStore table, SubtreeTable newest, SubtreePath path, String to)
            throws IOException {
        TableChange change = TableChange.give(newest, path, to);
        change.applyTo(newest, table.nameservices(), table.kept());
        return change;
    }

    public SubtreeSize size() throws IOException {
        return source.size();
    }

    /** Whether clients would wait in the pause now; otherwise they are refused. Changes nothing. */
    public boolean clientsWait() throws IOException {
        return source.canFreeze();
    }

    /** Why a move that deletes the source cannot begin; changes nothing. */
    public List<MoveBlocker> blockers(SubtreeSize size) throws IOException {
        return blockers(size, Afterwards.DELETE_SOURCE);
    }

    /** Why the move cannot begin; what is no blocker because the source is kept, is only said. Changes nothing. */
    public List<MoveBlocker> blockers(SubtreeSize size, Afterwards afterwards) throws IOException {
        counts.begin("Checks", MoveStep.CHECKING, size.inside());
        List<MoveBlocker> blockers = new ArrayList<>();
        size.tooLargeFor(limits.heapBytes()).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.addAll(source.blockers());
        blockers.addAll(target.blockers(size));
        source.patienceExceedsFreeze(limits.patience()).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.stream()
                .filter(one -> one.allows(afterwards))
                .map(MoveBlocker::text)
                .forEach(progress);
        blockers.removeIf(one -> one.allows(afterwards));
        return blockers;
    }

    /**
     * How the subtree can get its new owner without a move, a line each, with commands indented; empty if nothing in the subtree itself is in
     * the way.
     */
    public List<String> copyingWay(MoveRecord record, List<MoveBlocker> blockers) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        String where = " --table hdfs://" + table.keeper() + table.kept();
        String change = TableChange.give(newest, record.path(), record.target()).text();
        String routers = MoveRecord.typed(record.routers());
        List<String> changes = new ArrayList<>();
        changes.add("hdfs trefoil table " + change + where);
        if (!routers.isEmpty()) {
            changes.add("hdfs trefoil table mirror" + where + routers);
        }
        return new CopyingWay(
                        record,
                        blockers,
                        "hdfs trefoil subtree move " + record.path() + " --to " + record.target() + where + routers,
                        changes)
                .lines();
    }

    /** How far the move is; any thread. */
    public MoveProgress now() {
        return counts.now();
    }

    /** Reports how far the move is, until it is closed. */
    public ProgressReports reports(Duration period) {
        return ProgressReports.every(period, counts, store::keep, progress);
    }

    /**
     * Moves the subtree, or carries on where an earlier attempt ended. No Routers follow.
     *
     * @return what there is to say of it
     * @throws TableRefusedException if it cannot be moved, or not now; clients work at the source then
     * @throws IOException if something failed; repeating it carries on
     */
    public MoveRecord run(Afterwards afterwards) throws IOException {
        return run(afterwards, Optional::empty);
    }

    /**
     * The same with Routers.
     *
     * @throws TableRefusedException also if the subtree has moved, and a Router does not follow; repeating it does what is left
     */
    public MoveRecord run(Afterwards afterwards, Routes routes) throws IOException {
        try (Closeable ignored = store.lock();
                Closeable measured = waits.measure()) {
            try {
                return locked(afterwards, routes);
            } finally {
                counts.begin(MoveCompletion.AFTERWARDS, MoveStep.ENDED, Amount.none());
            }
        }
    }

    private MoveRecord locked(Afterwards afterwards, Routes routes) throws IOException {
        MoveRecord record = begun(afterwards);
        boolean isResumed = withdrawUnlessSwitched(record);
        if (isResumed) {
            record = completion.resumed(record);
        } else {
            owner.requireUnswitched(record);
            record = openSource(record);
            requirePatience();
            TargetTree staged = new TargetTree(target, counts, source.size().inside());
            target.prepare(record);
            copy(staged);
            record = switchOwner(record, staged, afterwards);
        }
        // Not in the pause: a Router whose calls wait at the source may answer nobody, and may wait for it itself.
        routes.follow().ifPresent(why -> progress.accept("Routers do not follow yet: " + why));
        if (!isResumed) {
            record = completion.checked(record, source.contradictions(record));
        }
        return completion.complete(record, afterwards, routes);
    }

    /**
     * Undoes the move that has begun.
     *
     * @throws TableRefusedException if none has, or its subtree has its new owner already
     */
    public void abort() throws IOException {
        try (Closeable ignored = store.lock()) {
            MoveRecord record =
                    store.current().orElseThrow(() -> new TableRefusedException("No subtree is being moved"));
            requireConnected(record);
            if (withdrawUnlessSwitched(record)) {
                throw new TableRefusedException(record.path() + " belongs to " + record.target()
                        + " already; complete the move instead: hdfs trefoil subtree move " + record.path() + " --to "
                        + record.target());
            }
            owner.requireUnswitched(record);
            MoveRecord opened = openSource(record);
            target.giveUp(opened);
            store.end(opened);
        }
    }

    /**
     * Keeps a version that has not come from coming any more. Needs the lock: a process that had it before may have sent the version, which
     * must not come after the answer.
     *
     * @return whether it had come
     */
    private boolean withdrawUnlessSwitched(MoveRecord record) throws IOException {
        table.withdraw(record.change());
        return hasSwitched(record);
    }

    private boolean hasSwitched(MoveRecord record) throws IOException {
        return record.hasSwitched(table.history());
    }

    private MoveRecord begun(Afterwards afterwards) throws IOException {
        Optional<MoveRecord> current = store.current();
        if (current.isPresent()) {
            MoveRecord record = current.get().requireFor(connected.path(), connected.target(), table.history());
            requireConnected(record);
            MoveRecord limited = record.limitedAs(connected);
            if (!limited.equals(record)) {
                store.update(limited);
            }
            return limited;
        }
        if (store.hasEnded(connected)) {
            throw new TableRefusedException("The move of " + connected.path() + " to " + connected.target()
                    + " has ended meanwhile; if it is not where it should be, repeat the command");
        }
        owner.requireSource(table.requireNewest().table(), connected);
        List<MoveBlocker> blockers = blockers(source.size(), afterwards);
        List<String> lines = blockers.stream().map(MoveBlocker::text).collect(Collectors.toList());
        lines.addAll(copyingWay(connected, blockers));
        TableRefusedException.requireNone(lines);
        MoveRecord record = connected.onto(target.state());
        if (!store.begin(record)) {
            throw new TableRefusedException("Another move has begun meanwhile");
        }
        return record;
    }

    /** By the connections for one move nothing may be done for another: its source may be another nameservice. */
    private void requireConnected(MoveRecord current) throws TableRefusedException {
        if (!current.id().equals(connected.id())) {
            throw new TableRefusedException("A move of " + current.path() + " from " + current.source() + " to "
                    + current.target() + " has begun meanwhile; repeat the command to go on with that one");
        }
    }

    private void requirePatience() throws IOException {
        Optional<String> patienceExceedsFreeze = source.patienceExceedsFreeze(limits.patience());
        if (patienceExceedsFreeze.isPresent()) {
            throw new TableRefusedException(patienceExceedsFreeze.get());
        }
    }

    /** Copies while clients work, until little is left. */
    private void copy(TargetTree staged) throws IOException {
        for (int round = 1; round <= limits.rounds(); round++) {
            // Who has lost it must not go on for hours beside somebody who undoes the move.
            store.requireLock();
            String name = "Round " + round;
            counts.begin(name, MoveStep.READING, staged.known());
            int copies = staged.copy(name, source.scan());
            progress.accept("Round " + round + ": " + copies + " files copied");
            if (copies <= limits.fewFiles()) {
                return;
            }
        }
    }

    private MoveRecord switchOwner(MoveRecord copied, TargetTree staged, Afterwards afterwards) throws IOException {
        for (int attempt = 1; ; attempt++) {
            MoveRecord before = copied.paused(source.state());
            store.update(before);
            Pause pause = pauseOrOpen(before, staged, afterwards);
            MoveRecord record = pause.record;
            // If the answer to the first attempt was lost, the version that is in the way of the second is its own.
            if (pause.isReady() && (makeVersion(pause.next, record) || hasSwitched(record))) {
                return completion.opened(record, pause.next.version(), pause.clientsWait, pause.beganNanos);
            }
            owner.requireUnswitched(record);
            openSource(record);
            pace.restore();
            String why = pause.isReady()
                    ? "Somebody else changed the table meanwhile"
                    : "Clients are still writing " + pause.open.size() + " files in " + record.path() + ", as "
                            + pause.open.get(0);
            progress.accept(why);
            if (attempt == limits.pauses()) {
                throw new TableRefusedException(why + "; clients work at the source again. Repeat the command"
                        + (pause.isReady() ? "" : " when they have been closed"));
            }
            target.undoReady(record);
            if (!pause.isReady()) {
                // Writers may have left much to copy.
                counts.begin(AGAIN, MoveStep.READING, staged.known());
                staged.copy(AGAIN, source.scan());
            }
        }
    }

    /** What a pause came to, with the source still closed or frozen. */
    private static final class Pause {
        final MoveRecord record;
        final SubtreeTable next;
        final boolean clientsWait;
        final long beganNanos;
        final List<String> open;

        /**
         * @param next the version that may be made
         * @param open the files that clients went on writing; the target is as the source only if there are none
         */
        Pause(MoveRecord record, SubtreeTable next, boolean clientsWait, long beganNanos, List<String> open) {
            this.record = record;
            this.next = next;
            this.clientsWait = clientsWait;
            this.beganNanos = beganNanos;
            this.open = open;
        }

        boolean isReady() {
            return open.isEmpty();
        }
    }

    private Pause pauseOrOpen(MoveRecord record, TargetTree staged, Afterwards afterwards) throws IOException {
        try {
            return pause(record, staged, afterwards);
        } catch (IOException e) {
            openAgain(e);
            throw e;
        }
    }

    /** What grows with the subtree comes before the pause: reading all of both trees, and making the one like the other. */
    private Pause pause(MoveRecord before, TargetTree staged, Afterwards afterwards) throws IOException {
        counts.begin(LAST, MoveStep.READING, staged.known());
        SortedMap<String, TreeNode> first = source.snapshotScan(before);
        progress.accept(LAST + ": " + staged.copy(LAST, first) + " files copied");
        counts.begin(LAST, MoveStep.COMPARING, staged.known());
        SortedMap<String, TreeNode> compared = staged.compared(before);
        if (afterwards == Afterwards.DELETE_SOURCE) {
            completion.requireReplicas(
                    before, Long.MAX_VALUE, "Clients work at hdfs://" + before.source() + before.path() + " again");
        }
        SubtreeTable next = nextVersion(before);
        staged.sumUp();
        source.follow();
        target.follow();
        completion.requireNoUpgrade("clients work at hdfs://" + before.source() + before.path() + " again");
        pace.lift();
        counts.begin(PAUSE, MoveStep.PAUSED, Amount.none());
        long beganNanos = limits.nanos();
        boolean clientsWait = source.freeze();
        MoveRecord record = clientsWait ? before : closed(before);
        List<String> open = limits.awaitNone(source::openFiles);
        if (open.isEmpty()) {
            staged.copyLast(PAUSE, record, first, compared, source.finalScan(record, first));
            target.makeReady(record);
            if (clientsWait) {
                // From here on what was copied stays, even if the freeze does not.
                record = closed(record);
            }
            MoveCompletion.requireUnchanged(
                    source.changedInPause(record), record, "Clients work there again. Repeat the command");
            // Whoever carries on after the version must not delete what was not moved.
            record = record.moving(staged.sum(), target.newestBlock());
            store.update(record);
            source.requireFrozen();
        }
        return new Pause(record, next, clientsWait, beganNanos, open);
    }

    /** Closes the source's folder; its state may have changed since it was recorded. */
    private MoveRecord closed(MoveRecord record) throws IOException {
        MoveRecord now = recorded(record, source.state());
        now = recorded(now, source.fence(now));
        source.close();
        return now;
    }

    private MoveRecord recorded(MoveRecord record, Map<String, String> state) throws IOException {
        MoveRecord now = record.paused(state);
        if (!now.equals(record)) {
            store.update(now);
        }
        return now;
    }

    /** The record that a later process would find is the newest. One who has lost the lock leaves all to whoever has it. */
    private void openAgain(IOException reason) {
        try {
            store.requireLock();
            Optional<MoveRecord> record = store.current();
            if (record.isPresent()) {
                owner.requireUnswitched(record.get());
                openSource(record.get());
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** The version that may be written: if somebody else makes another one before, this one is refused. */
    private SubtreeTable nextVersion(MoveRecord record) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        owner.requireSource(newest, record);
        return change(table, newest, record.path(), record.target())
                .applyTo(newest, table.nameservices(), table.kept());
    }

    /**
     * Makes the version, unless somebody else has made another one of that number. If this fails it is unknown whether it is there, so the
     * source stays closed until somebody looks.
     */
    private boolean makeVersion(SubtreeTable next, MoveRecord record) throws IOException {
        if (!table.append(TableRecord.of(next, record.change(), record.by(), limits.now()), store::requireLock)) {
            return false;
        }
        progress.accept("Version " + next.version() + ": " + record.path() + " belongs to " + record.target());
        return true;
    }

    /** Lets clients work at the source again if it is closed. */
    private MoveRecord openSource(MoveRecord record) throws IOException {
        if (record.phase() == Phase.COPYING) {
            return record;
        }
        source.open(record);
        MoveRecord opened = record.in(Phase.COPYING);
        store.update(opened);
        return opened;
    }

    /** What becomes of the source's files after the owner has changed. */
    public enum Afterwards {
        DELETE_SOURCE,
        KEEP_SOURCE
    }

    /** Those who send clients to owners by a table of their own: Routers. */
    public interface Routes {

        /**
         * Has them send clients to the owners that the newest version has; repeated, it asks those that did not.
         *
         * @return which do not, and why; empty if all do
         */
        Optional<String> follow();
    }

    /**
     * How fast a move deals with files and folders while clients work. In the pause clients would wait for it, so there it is lifted.
     * Thread-safe.
     */
    public static final class Pace {

        private final Limiter limiter;
        private volatile boolean isLifted;

        public Pace(Limiter limiter) {
            this.limiter = limiter;
        }

        /** As fast as servers answer. */
        public static Pace unlimited() {
            return new Pace(() -> {});
        }

        /** Returns when one more file or folder may be dealt with; any thread. */
        public void await() {
            if (!isLifted) {
                limiter.await();
            }
        }

        void lift() {
            isLifted = true;
        }

        void restore() {
            isLifted = false;
        }

        /** Lets so many through in a second. */
        public interface Limiter {

            /** Returns when it is the turn of the caller; any thread. */
            void await();
        }
    }
}
