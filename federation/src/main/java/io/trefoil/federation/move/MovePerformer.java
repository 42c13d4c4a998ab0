/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.SubtreeMover.RouterUpdater;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.move.rules.MoveCheck;
import io.trefoil.federation.move.rules.MoveEffect;
import io.trefoil.federation.move.rules.MoveEffectHandler;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.move.rules.MoveState;
import io.trefoil.federation.move.rules.Ownership;
import io.trefoil.federation.move.rules.RecordCheck;
import io.trefoil.federation.move.rules.RecordCheck.RecordOwner;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.foundation.RuleDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Performs the effects of a move's rules on the two nameservices, the table and the record, and answers with an event.
 * Decides nothing. Keeps what is too large for a state: the trees. Not thread-safe.
 */
final class MovePerformer implements MoveEffectHandler<IOException> {

    /** The names of the rounds of copying that have no number. */
    private static final String LAST = "Last round";

    private static final String PAUSE = "Pause";

    private static final String AGAIN = "Round after a pause";

    /** The name of the step after the rounds of copying. */
    static final String AFTERWARDS = "Afterwards";

    private final MovePorts ports;
    private final MoveSource source;
    private final MoveTarget target;
    private final MoveCounts counts;
    private final MoveRecord connected;
    private final SourceCleanup cleanup;
    private final RouterUpdater routes;
    private final List<IOException> failures = new ArrayList<>();
    private RuleDriver<MoveState, MoveEvent, MoveEffect, RuntimeException> driver;
    private MoveRecord record;
    private boolean isDropping;
    private TargetTree staged;
    private SortedMap<String, TreeNode> sourceTree;
    private SortedMap<String, TreeNode> targetTree;
    private Map<String, String> fenced;
    private SubtreeTable next;
    private int version;
    private long pauseBeganNanos;

    MovePerformer(MovePorts ports, MoveRecord connected, SourceCleanup cleanup, RouterUpdater routes) {
        this.ports = ports;
        this.source = ports.source();
        this.target = ports.target();
        this.counts = ports.counts();
        this.connected = connected;
        this.record = connected;
        this.cleanup = cleanup;
        this.routes = routes;
    }

    /** Sets the driver that gets the outcome of each effect. */
    void setDriver(RuleDriver<MoveState, MoveEvent, MoveEffect, RuntimeException> rules) {
        driver = rules;
    }

    /** Begins a step, in which nothing has failed yet. */
    void beginStep() {
        isDropping = false;
    }

    /** Performs an effect, unless one before it in the step has failed, in which case it is dropped. */
    void perform(MoveEffect effect) {
        if (isDropping) {
            return;
        }
        try {
            effect.dispatch(this);
        } catch (IOException e) {
            failures.add(e);
            isDropping = true;
            driver.handle(MoveEvent.failed());
        }
    }

    /** The record as last written. */
    MoveRecord record() {
        return record;
    }

    /** The exceptions that effects have thrown, in order. */
    List<IOException> failures() {
        return failures;
    }

    private void reportCheck(MoveCheck check, List<String> found) {
        driver.handle(MoveEvent.checked(check, found));
    }

    private void updateRecord(MoveRecord currentRecord) throws IOException {
        ports.store().update(currentRecord);
        record = currentRecord;
    }

    private void updateRecordIfChanged(MoveRecord currentRecord) throws IOException {
        if (!currentRecord.equals(record)) {
            updateRecord(currentRecord);
        }
    }

    private void report(String line) {
        ports.progress().accept(line);
    }

    // ---- The record and the table ----

    @Override
    public void readRecord() throws IOException {
        Optional<MoveRecord> current = ports.store().current();
        if (!current.isPresent()) {
            driver.handle(MoveEvent.moveRead(
                    RecordCheck.of(ports.store().hasEnded(connected) ? RecordOwner.ENDED : RecordOwner.NONE)));
            return;
        }
        record = current.get();
        driver.handle(MoveEvent.moveRead(classifyRecord()));
    }

    private RecordCheck classifyRecord() {
        if (!record.path().equals(connected.path()) || !record.target().equals(connected.target())) {
            return RecordCheck.of(RecordOwner.OTHER);
        }
        if (!record.id().equals(connected.id())) {
            return RecordCheck.of(RecordOwner.BEGUN_MEANWHILE);
        }
        return record.uncheckedTree().isPresent()
                ? RecordCheck.ofUncheckedTree(record.phase())
                : RecordCheck.ofCheckedTree(
                        record.phase(), record.contradiction().orElse(""));
    }

    @Override
    public void adoptRecord() throws IOException {
        updateRecord(record.withLimitsOf(connected));
    }

    @Override
    public void checkBlockers() throws IOException {
        List<MoveBlocker> blockers = MoveChecks.blockers(ports, source.size(), cleanup);
        List<String> lines = new ArrayList<>();
        blockers.forEach(blocker -> lines.add(blocker.text()));
        lines.addAll(MoveChecks.copyInstructions(ports.table(), connected, blockers));
        reportCheck(MoveCheck.BLOCKERS, lines);
    }

    @Override
    public void beginRecord() throws IOException {
        MoveRecord begun = connected.withTargetBefore(target.captureOriginalAttributes());
        boolean isOurs = ports.store().begin(begun);
        if (isOurs) {
            record = begun;
        }
        driver.handle(MoveEvent.recordBegun(isOurs));
    }

    @Override
    public void withdrawVersion() throws IOException {
        ports.table().withdrawDrafts(record.tableChange());
    }

    @Override
    public void readTable() throws IOException {
        List<TableRecord> history = ports.table().history();
        boolean isSwitched = record.hasSwitched(history);
        if (isSwitched) {
            version = record.findVersion(history);
        }
        driver.handle(MoveEvent.tableRead(
                isSwitched, currentOwnership(ports.table().requireNewest().table())));
    }

    @Override
    public void readOwner() throws IOException {
        driver.handle(MoveEvent.ownerRead(
                currentOwnership(ports.table().requireNewest().table())));
    }

    private Ownership currentOwnership(SubtreeTable newestTable) {
        return Ownership.of(newestTable.ownerOf(record.path()), newestTable.version());
    }

    @Override
    public void planVersion() throws IOException {
        SubtreeTable newestTable = ports.table().requireNewest().table();
        if (newestTable.ownerOf(record.path()).equals(record.source())) {
            next = SubtreeMover.change(ports.table(), newestTable, record.path(), record.target())
                    .applyTo(
                            newestTable,
                            ports.table().nameservices(),
                            ports.table().tableDirectory());
        }
        driver.handle(MoveEvent.ownerRead(currentOwnership(newestTable)));
    }

    @Override
    public void recordCopying() throws IOException {
        updateRecord(record.withPhase(MovePhase.COPYING));
    }

    @Override
    public void recordPaused() throws IOException {
        updateRecord(record.withSourceBefore(source.captureOriginalAttributes()));
    }

    @Override
    public void recordSource() throws IOException {
        updateRecordIfChanged(record.withSourceBefore(source.captureOriginalAttributes()));
    }

    @Override
    public void recordFence() throws IOException {
        updateRecordIfChanged(record.withSourceBefore(fenced));
    }

    @Override
    public void recordMoved() throws IOException {
        updateRecord(record.withMovedTree(staged.checksum(), target.newestBlock()));
    }

    @Override
    public void recordOpened() throws IOException {
        updateRecord(record.withPhase(MovePhase.OPENED));
    }

    @Override
    public void recordChecked() throws IOException {
        String contradiction = driver.state().contradiction();
        if (contradiction.isEmpty()) {
            updateRecord(record.withTreeChecked());
        } else {
            report("Snapshots of hdfs://" + record.source() + record.path() + " contradict what was moved: "
                    + contradiction);
            updateRecord(record.withContradiction(contradiction));
        }
    }

    @Override
    public void recordEmptying() throws IOException {
        updateRecord(record.withPhase(MovePhase.EMPTYING));
    }

    @Override
    public void recordWaits() throws IOException {
        updateRecord(record.withLongestWaits(ports.waits().longestMillis()));
    }

    @Override
    public void endRecord() throws IOException {
        ports.store().end(record);
    }

    @Override
    public void confirmLock() throws IOException {
        ports.store().requireLock();
    }

    /** Appends the new version of the table; if this fails, it is unknown whether the version exists. */
    @Override
    public void appendVersion() throws IOException {
        boolean isMade = ports.table()
                .append(
                        TableRecord.of(
                                next,
                                record.tableChange(),
                                record.startedBy(),
                                ports.limits().now()),
                        ports.store()::requireLock);
        if (isMade) {
            version = next.version();
            report("Version " + next.version() + ": " + record.path() + " belongs to " + record.target());
        }
        driver.handle(MoveEvent.versionAppended(isMade));
    }

    // ---- Copying ----

    @Override
    public void checkTimeout() throws IOException {
        MoveChecks.requireValidOpenFileTimeout(ports);
    }

    @Override
    public void prepareTarget() throws IOException {
        staged = new TargetTree(target, counts, source.size().contentAmount());
        target.prepare(record);
    }

    @Override
    public void copyRound() throws IOException {
        // A process that has lost the lock must not continue for hours while another process undoes the move.
        ports.store().requireLock();
        String name =
                driver.state().pauses() > 0 ? AGAIN : "Round " + driver.state().round();
        counts.beginStep(name, MoveStep.READING, staged.sourceAmount());
        int copies = staged.copy(name, source.scan());
        report(name + ": " + copies + " files copied");
        driver.handle(MoveEvent.roundCopied(copies));
    }

    @Override
    public void copySnapshot() throws IOException {
        counts.beginStep(LAST, MoveStep.READING, staged.sourceAmount());
        sourceTree = source.snapshotScan(record);
        report(LAST + ": " + staged.copy(LAST, sourceTree) + " files copied");
    }

    @Override
    public void compareTarget() throws IOException {
        counts.beginStep(LAST, MoveStep.COMPARING, staged.sourceAmount());
        targetTree = staged.verifiedTree(record);
    }

    @Override
    public void followChanges() throws IOException {
        staged.computeChecksum();
        source.followChanges();
        target.followChanges();
    }

    @Override
    public void copyChanges() throws IOException {
        staged.copyFinal(PAUSE, record, sourceTree, targetTree, source.finalScan(record, sourceTree));
    }

    // ---- The source ----

    @Override
    public void freezeSource() throws IOException {
        ports.pace().suspendLimit();
        counts.beginStep(PAUSE, MoveStep.PAUSED, Amount.zero());
        pauseBeganNanos = ports.limits().nanos();
        driver.handle(MoveEvent.sourceFrozen(source.freeze()));
    }

    @Override
    public void fenceSource() throws IOException {
        fenced = source.fence(record);
    }

    @Override
    public void closeSource() throws IOException {
        source.close();
    }

    @Override
    public void awaitOpenFiles() throws IOException {
        reportCheck(MoveCheck.OPEN_FILES, ports.limits().awaitNone(source::openFiles));
    }

    @Override
    public void checkForChangesInPause() throws IOException {
        reportCheck(MoveCheck.CHANGES, source.changedInPause(record));
    }

    @Override
    public void renewFreeze() throws IOException {
        source.requireFrozen();
    }

    @Override
    public void openSource() throws IOException {
        source.open(record);
        ports.pace().restoreLimit();
    }

    @Override
    public void leaveSource() throws IOException {
        source.redirectClients(record, version);
    }

    @Override
    public void undoLeaveSource() throws IOException {
        source.undoRedirect();
    }

    @Override
    public void thawSource() throws IOException {
        source.thaw();
    }

    @Override
    public void checkMoved() throws IOException {
        reportCheck(MoveCheck.CONTRADICTIONS, source.contradictions(record));
    }

    /** Reads the whole source and compares it with the moved tree, for a process that did not watch it and so has no edits. */
    @Override
    public void rescanSource() throws IOException {
        report("The process that began the move did not check what it moved; all of hdfs://" + record.source()
                + record.path() + " is read");
        boolean isSame = TreeChecksum.of(source.rescan(record))
                .toString()
                .equals(record.uncheckedTree().orElse(""));
        reportCheck(
                MoveCheck.CONTRADICTIONS,
                isSame
                        ? Collections.emptyList()
                        : Collections.singletonList("its last snapshot is not what was moved"));
    }

    @Override
    public void inspectSource() throws IOException {
        driver.handle(MoveEvent.sourceInspected(source.isEmpty()));
    }

    /** Checks for changes since the pause, as late as possible: later changes of a superuser are deleted. */
    @Override
    public void checkChanges() throws IOException {
        reportCheck(MoveCheck.CHANGES, source.changedSince(record));
    }

    @Override
    public void emptySource() throws IOException {
        counts.beginStep(AFTERWARDS, MoveStep.DELETING, Amount.zero());
        source.deleteContents(record);
    }

    // ---- The target ----

    @Override
    public void readyTarget() throws IOException {
        target.prepareOpening(record);
    }

    @Override
    public void undoReady() throws IOException {
        target.undoOpening(record);
    }

    @Override
    public void awaitReplicas() throws IOException {
        awaitReplicas(Long.MAX_VALUE);
    }

    @Override
    public void awaitMovedReplicas() throws IOException {
        awaitReplicas(record.newestBlock());
    }

    private void awaitReplicas(long newestBlockId) throws IOException {
        counts.beginStep(AFTERWARDS, MoveStep.COMPARING, Amount.zero());
        reportCheck(MoveCheck.REPLICAS, ports.limits().awaitReplicas(target.missingReplicasQuery(newestBlockId)));
    }

    @Override
    public void checkUpgrades() throws IOException {
        List<String> upgrades = new ArrayList<>();
        source.upgradeBlocker().map(MoveBlocker::text).ifPresent(upgrades::add);
        target.upgradeBlocker().map(MoveBlocker::text).ifPresent(upgrades::add);
        reportCheck(MoveCheck.UPGRADES, upgrades);
    }

    @Override
    public void openTarget() throws IOException {
        target.open(record);
    }

    @Override
    public void releaseTarget() throws IOException {
        target.release();
    }

    @Override
    public void discardTarget() throws IOException {
        target.discard(record);
    }

    // ---- Waiting clients, Routers and users ----

    /** Adds a measurement, which the record contains from its next write on. */
    @Override
    public void measurePause() {
        Map<String, String> pause = new TreeMap<>();
        pause.put(
                MoveRecord.MILLIS,
                Long.toString(TimeUnit.NANOSECONDS.toMillis(ports.limits().nanos() - pauseBeganNanos)));
        pause.put(MoveRecord.CLIENTS, driver.state().areClientsWaiting() ? "waited" : "were refused");
        record = record.withPauseMeasurements(pause);
    }

    @Override
    public void followRouters() throws IOException {
        Optional<String> behind = routes.updateRouters();
        behind.ifPresent(reason -> report("Routers do not follow yet: " + reason));
        reportCheck(MoveCheck.ROUTERS, behind.map(Collections::singletonList).orElse(Collections.emptyList()));
    }

    @Override
    public void reportRetry() {
        report(MoveMessages.retryReason(driver.state().end(), record));
    }

    @Override
    public void report() {
        driver.handle(MoveEvent.performed());
    }

    @Override
    public void finish() {}
}
