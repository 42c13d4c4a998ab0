/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.move.progress.ProgressReporter;
import io.trefoil.federation.move.rules.MoveEffect;
import io.trefoil.federation.move.rules.MoveEnd;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MoveOrder;
import io.trefoil.federation.move.rules.MoveOrder.Goal;
import io.trefoil.federation.move.rules.MoveRules;
import io.trefoil.federation.move.rules.MoveState;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.foundation.RuleDriver;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Moves one subtree: takes the lock of moves, and drives the {@linkplain MoveRules rules} until this process is done with the move. Not
 * thread-safe.
 */
public final class SubtreeMover {

    private final MoveRecord connected;
    private final MovePorts ports;
    private final RuleDriver.Rules<MoveState, MoveEvent, MoveEffect> rules;

    /** @param connected the move that has begun, or one that has not, for which the source and the target are */
    public SubtreeMover(MoveRecord connected, MovePorts ports) {
        this(connected, ports, MoveRules::step);
    }

    /** Creates a move by other rules, for tests. */
    SubtreeMover(MoveRecord connected, MovePorts ports, RuleDriver.Rules<MoveState, MoveEvent, MoveEffect> rules) {
        this.connected = connected;
        this.ports = ports;
        this.rules = rules;
    }

    /**
     * The change of the table that assigns a subtree to a nameservice.
     *
     * @throws TableRefusedException if the table does not allow it
     */
    public static TableChange change(TableStore table, SubtreeTable newestTable, SubtreePath path, String to)
            throws IOException {
        TableChange change = TableChange.assignOwner(newestTable, path, to);
        change.applyTo(newestTable, table.nameservices(), table.tableDirectory());
        return change;
    }

    public SubtreeSize size() throws IOException {
        return ports.source().size();
    }

    /** Whether clients would wait in the pause now; otherwise they are refused. Changes nothing. */
    public boolean canHoldClients() throws IOException {
        return ports.source().canFreeze();
    }

    /** Returns why a move that deletes the source cannot begin; changes nothing. */
    public List<MoveBlocker> blockers(SubtreeSize size) throws IOException {
        return blockers(size, SourceCleanup.DELETE_SOURCE);
    }

    /**
     * Returns why the move cannot begin; problems that do not block it because the source is kept are only reported. Changes
     * nothing.
     */
    public List<MoveBlocker> blockers(SubtreeSize size, SourceCleanup cleanup) throws IOException {
        return MoveChecks.blockers(ports, size, cleanup);
    }

    /**
     * The commands by which the subtree can get its new owner without a move, one per line, indented; empty if nothing in the subtree
     * itself prevents a move.
     */
    public List<String> copyInstructions(MoveRecord record, List<MoveBlocker> blockers) throws IOException {
        return MoveChecks.copyInstructions(ports.table(), record, blockers);
    }

    /** The current progress of the move; may be called by any thread. */
    public MoveProgress currentProgress() {
        return ports.counts().currentProgress();
    }

    /** Reports the progress of the move, until it is closed. */
    public ProgressReporter startReports(Duration period) {
        return ProgressReporter.startEvery(period, ports.counts(), ports.store()::saveProgress, ports.progress());
    }

    /**
     * Moves the subtree, or continues where an earlier attempt ended. No Routers follow.
     *
     * @return what there is to say of it
     * @throws TableRefusedException if it cannot be moved, or not now; clients work at the source then
     * @throws IOException if something failed; repeating it carries on
     */
    public MoveRecord run(SourceCleanup cleanup) throws IOException {
        return run(cleanup, Optional::empty);
    }

    /**
     * Runs the move and makes Routers follow.
     *
     * @throws TableRefusedException also if the subtree has moved, and a Router does not follow; repeating it does what is left
     */
    public MoveRecord run(SourceCleanup cleanup, RouterUpdater routes) throws IOException {
        try (Closeable ignored = ports.store().lock();
                Closeable measured = ports.waits().measure()) {
            try {
                Goal goal = cleanup == SourceCleanup.DELETE_SOURCE ? Goal.MOVE : Goal.MOVE_AND_KEEP;
                return runRules(goal, new MovePerformer(ports, connected, cleanup, routes));
            } finally {
                ports.counts().beginStep(MovePerformer.AFTERWARDS, MoveStep.ENDED, Amount.zero());
            }
        }
    }

    /**
     * Undoes the move that has begun.
     *
     * @throws TableRefusedException if none has, or its subtree has its new owner already
     */
    public void abort() throws IOException {
        try (Closeable ignored = ports.store().lock()) {
            runRules(Goal.ABORT, new MovePerformer(ports, connected, SourceCleanup.DELETE_SOURCE, Optional::empty));
        }
    }

    private MoveRecord runRules(Goal goal, MovePerformer performer) throws IOException {
        MoveLimits limits = ports.limits();
        MoveOrder order = MoveOrder.of(goal, connected.source(), connected.target());
        if (goal != Goal.ABORT) {
            order = order.withCopyLimits(limits.maxRounds(), limits.fewFilesThreshold())
                    .withMaxPauses(limits.maxPauses());
        }
        RuleDriver<MoveState, MoveEvent, MoveEffect, RuntimeException> driver = new RuleDriver<>(
                "move " + connected.id(),
                MoveState.of(order),
                rules,
                (before, after) -> performer.beginStep(),
                performer::perform);
        performer.setDriver(driver);
        driver.handle(MoveEvent.begun());
        MoveEnd end = driver.state().end();
        switch (end.kind()) {
            case COMPLETED:
            case ABORTED:
                return performer.record();
            case SOURCE_KEPT:
                ports.progress().accept(MoveMessages.sourceKeptText(performer.record()));
                return performer.record();
            default:
                throw toFailure(end, performer);
        }
    }

    private IOException toFailure(MoveEnd end, MovePerformer performer) throws IOException {
        List<IOException> failures = performer.failures();
        boolean isOfCall = end.kind() == MoveEnd.Kind.FAILED;
        IOException failure = isOfCall ? failures.get(0) : toRefusal(end, performer.record());
        failures.subList(isOfCall ? 1 : 0, failures.size()).forEach(failure::addSuppressed);
        for (MoveEnd other : end.suppressed()) {
            failure.addSuppressed(toRefusal(other, performer.record()));
        }
        return failure;
    }

    private TableRefusedException toRefusal(MoveEnd end, MoveRecord record) throws IOException {
        MoveMessages texts = new MoveMessages(ports.table(), connected, record);
        return new TableRefusedException(texts.refusalText(end));
    }

    /** How the source's files are treated after the owner has changed. */
    public enum SourceCleanup {
        DELETE_SOURCE,
        KEEP_SOURCE
    }

    /** The Routers, which send clients to owners according to their own table. */
    public interface RouterUpdater {

        /**
         * Makes the Routers send clients to the owners in the newest version; a repeated call asks those that did not.
         *
         * @return which do not, and why; empty if all do
         */
        Optional<String> updateRouters();
    }

    /**
     * The rate at which a move processes files and directories while clients work. In the pause clients would wait for it,
     * so there it is lifted. Thread-safe.
     */
    public static final class Pace {

        private final Limiter limiter;
        private volatile boolean isLifted;

        public Pace(Limiter limiter) {
            this.limiter = limiter;
        }

        /** A rate without a limit: as fast as servers answer. */
        public static Pace unlimited() {
            return new Pace(() -> {});
        }

        /** Blocks until one more file or directory may be processed; may be called by any thread. */
        public void await() {
            if (!isLifted) {
                limiter.await();
            }
        }

        void suspendLimit() {
            isLifted = true;
        }

        void restoreLimit() {
            isLifted = false;
        }

        /** Limits how many calls are made per second. */
        public interface Limiter {

            /** Blocks until it is the caller's turn; may be called by any thread. */
            void await();
        }
    }
}
