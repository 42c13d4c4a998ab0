/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.SubtreeMove.Routes;
import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
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
import io.trefoil.federation.move.rules.RecordedMove;
import io.trefoil.federation.move.rules.RecordedMove.RecordOwner;
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
 * Performs what the rules of a move want at the two nameservices, the table and the record, and answers with an event.
 * Decides nothing. Keeps what is too large for a state: the trees. Not thread-safe.
 */
final class MovePerformer implements MoveEffectHandler<IOException> {

    /** Rounds of copying that have a name instead of a number. */
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
    private final SourceCleanup afterwards;
    private final Routes routes;
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

    MovePerformer(MovePorts ports, MoveRecord connected, SourceCleanup afterwards, Routes routes) {
        this.ports = ports;
        this.source = ports.source();
        this.target = ports.target();
        this.counts = ports.counts();
        this.connected = connected;
        this.record = connected;
        this.afterwards = afterwards;
        this.routes = routes;
    }

    /** Sets the driver that is told the outcome of each effect. */
    void answerTo(RuleDriver<MoveState, MoveEvent, MoveEffect, RuntimeException> rules) {
        driver = rules;
    }

    /** A step begins: nothing of it has failed. */
    void begin() {
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

    /** The record as it was written last. */
    MoveRecord record() {
        return record;
    }

    /** The exceptions that effects have thrown, in their order. */
    List<IOException> failures() {
        return failures;
    }

    private void checked(MoveCheck check, List<String> found) {
        driver.handle(MoveEvent.checked(check, found));
    }

    private void update(MoveRecord now) throws IOException {
        ports.store().update(now);
        record = now;
    }

    private void updateIfChanged(MoveRecord now) throws IOException {
        if (!now.equals(record)) {
            update(now);
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
                    RecordedMove.of(ports.store().hasEnded(connected) ? RecordOwner.ENDED : RecordOwner.NONE)));
            return;
        }
        record = current.get();
        driver.handle(MoveEvent.moveRead(found()));
    }

    private RecordedMove found() {
        if (!record.path().equals(connected.path()) || !record.target().equals(connected.target())) {
            return RecordedMove.of(RecordOwner.OTHER);
        }
        if (!record.id().equals(connected.id())) {
            return RecordedMove.of(RecordOwner.BEGUN_MEANWHILE);
        }
        return record.unchecked().isPresent()
                ? RecordedMove.unchecked(record.phase())
                : RecordedMove.checked(record.phase(), record.contradiction().orElse(""));
    }

    @Override
    public void adoptRecord() throws IOException {
        update(record.limitedAs(connected));
    }

    @Override
    public void checkBlockers() throws IOException {
        List<MoveBlocker> blockers = MoveChecks.blockers(ports, source.size(), afterwards);
        List<String> lines = new ArrayList<>();
        blockers.forEach(one -> lines.add(one.text()));
        lines.addAll(MoveChecks.copyingWay(ports.table(), connected, blockers));
        checked(MoveCheck.BLOCKERS, lines);
    }

    @Override
    public void beginRecord() throws IOException {
        MoveRecord begun = connected.onto(target.state());
        boolean isOurs = ports.store().begin(begun);
        if (isOurs) {
            record = begun;
        }
        driver.handle(MoveEvent.recordBegun(isOurs));
    }

    @Override
    public void withdrawVersion() throws IOException {
        ports.table().withdraw(record.change());
    }

    @Override
    public void readTable() throws IOException {
        List<TableRecord> history = ports.table().history();
        boolean isSwitched = record.hasSwitched(history);
        if (isSwitched) {
            version = record.versionIn(history);
        }
        driver.handle(MoveEvent.tableRead(
                isSwitched, owner(ports.table().requireNewest().table())));
    }

    @Override
    public void readOwner() throws IOException {
        driver.handle(MoveEvent.ownerRead(owner(ports.table().requireNewest().table())));
    }

    private Ownership owner(SubtreeTable newest) {
        return Ownership.of(newest.ownerOf(record.path()), newest.version());
    }

    @Override
    public void planVersion() throws IOException {
        SubtreeTable newest = ports.table().requireNewest().table();
        if (newest.ownerOf(record.path()).equals(record.source())) {
            next = SubtreeMove.change(ports.table(), newest, record.path(), record.target())
                    .applyTo(newest, ports.table().nameservices(), ports.table().kept());
        }
        driver.handle(MoveEvent.ownerRead(owner(newest)));
    }

    @Override
    public void recordCopying() throws IOException {
        update(record.in(MovePhase.COPYING));
    }

    @Override
    public void recordPaused() throws IOException {
        update(record.paused(source.state()));
    }

    @Override
    public void recordSource() throws IOException {
        updateIfChanged(record.paused(source.state()));
    }

    @Override
    public void recordFence() throws IOException {
        updateIfChanged(record.paused(fenced));
    }

    @Override
    public void recordMoved() throws IOException {
        update(record.moving(staged.sum(), target.newestBlock()));
    }

    @Override
    public void recordOpened() throws IOException {
        update(record.in(MovePhase.OPENED));
    }

    @Override
    public void recordChecked() throws IOException {
        String contradiction = driver.state().contradiction();
        if (contradiction.isEmpty()) {
            update(record.checked());
        } else {
            report("Snapshots of hdfs://" + record.source() + record.path() + " contradict what was moved: "
                    + contradiction);
            update(record.contradicted(contradiction));
        }
    }

    @Override
    public void recordEmptying() throws IOException {
        update(record.in(MovePhase.EMPTYING));
    }

    @Override
    public void recordWaits() throws IOException {
        update(record.waited(ports.waits().longestMillis()));
    }

    @Override
    public void endRecord() throws IOException {
        ports.store().end(record);
    }

    @Override
    public void confirmLock() throws IOException {
        ports.store().requireLock();
    }

    /** Appends the version; if this fails, whether the version is there is unknown. */
    @Override
    public void appendVersion() throws IOException {
        boolean isMade = ports.table()
                .append(
                        TableRecord.of(
                                next,
                                record.change(),
                                record.by(),
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
    public void checkPatience() throws IOException {
        MoveChecks.requirePatience(ports);
    }

    @Override
    public void prepareTarget() throws IOException {
        staged = new TargetTree(target, counts, source.size().inside());
        target.prepare(record);
    }

    @Override
    public void copyRound() throws IOException {
        // Who has lost it must not go on for hours beside somebody who undoes the move.
        ports.store().requireLock();
        String name =
                driver.state().pauses() > 0 ? AGAIN : "Round " + driver.state().round();
        counts.begin(name, MoveStep.READING, staged.known());
        int copies = staged.copy(name, source.scan());
        report(name + ": " + copies + " files copied");
        driver.handle(MoveEvent.roundCopied(copies));
    }

    @Override
    public void copySnapshot() throws IOException {
        counts.begin(LAST, MoveStep.READING, staged.known());
        sourceTree = source.snapshotScan(record);
        report(LAST + ": " + staged.copy(LAST, sourceTree) + " files copied");
    }

    @Override
    public void compareTarget() throws IOException {
        counts.begin(LAST, MoveStep.COMPARING, staged.known());
        targetTree = staged.compared(record);
    }

    @Override
    public void followChanges() throws IOException {
        staged.sumUp();
        source.follow();
        target.follow();
    }

    @Override
    public void copyChanges() throws IOException {
        staged.copyLast(PAUSE, record, sourceTree, targetTree, source.finalScan(record, sourceTree));
    }

    // ---- The source ----

    @Override
    public void freezeSource() throws IOException {
        ports.pace().lift();
        counts.begin(PAUSE, MoveStep.PAUSED, Amount.none());
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
        checked(MoveCheck.OPEN_FILES, ports.limits().awaitNone(source::openFiles));
    }

    @Override
    public void checkPause() throws IOException {
        checked(MoveCheck.CHANGES, source.changedInPause(record));
    }

    @Override
    public void renewFreeze() throws IOException {
        source.requireFrozen();
    }

    @Override
    public void openSource() throws IOException {
        source.open(record);
        ports.pace().restore();
    }

    @Override
    public void leaveSource() throws IOException {
        source.leave(record, version);
    }

    @Override
    public void undoLeaveSource() throws IOException {
        source.undoLeave();
    }

    @Override
    public void thawSource() throws IOException {
        source.thaw();
    }

    @Override
    public void checkMoved() throws IOException {
        checked(MoveCheck.CONTRADICTIONS, source.contradictions(record));
    }

    /** Reads all of the source and compares it with the moved tree: a process that did not look itself has no edits. */
    @Override
    public void rescanSource() throws IOException {
        report("Whoever began the move did not check what it moved; all of hdfs://" + record.source() + record.path()
                + " is read");
        boolean isSame = TreeChecksum.of(source.rescan(record))
                .toString()
                .equals(record.unchecked().orElse(""));
        checked(
                MoveCheck.CONTRADICTIONS,
                isSame
                        ? Collections.emptyList()
                        : Collections.singletonList("its last snapshot is not what was moved"));
    }

    @Override
    public void inspectSource() throws IOException {
        driver.handle(MoveEvent.sourceInspected(source.isEmpty()));
    }

    /** Checks for changes since the pause, as late as possible: what a superuser changes afterwards is deleted. */
    @Override
    public void checkChanges() throws IOException {
        checked(MoveCheck.CHANGES, source.changedSince(record));
    }

    @Override
    public void emptySource() throws IOException {
        counts.begin(AFTERWARDS, MoveStep.DELETING, Amount.none());
        source.empty(record);
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

    private void awaitReplicas(long newest) throws IOException {
        counts.begin(AFTERWARDS, MoveStep.COMPARING, Amount.none());
        checked(MoveCheck.REPLICAS, ports.limits().awaitReplicas(target.lackingReplicas(newest)));
    }

    @Override
    public void checkUpgrades() throws IOException {
        List<String> upgrades = new ArrayList<>();
        source.upgrade().map(MoveBlocker::text).ifPresent(upgrades::add);
        target.upgrade().map(MoveBlocker::text).ifPresent(upgrades::add);
        checked(MoveCheck.UPGRADES, upgrades);
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

    // ---- Whoever waits for it ----

    /** The record has it with the next write. */
    @Override
    public void measurePause() {
        Map<String, String> pause = new TreeMap<>();
        pause.put(
                MoveRecord.MILLIS,
                Long.toString(TimeUnit.NANOSECONDS.toMillis(ports.limits().nanos() - pauseBeganNanos)));
        pause.put(MoveRecord.CLIENTS, driver.state().isWaitedFor() ? "waited" : "were refused");
        record = record.measured(pause);
    }

    @Override
    public void followRouters() throws IOException {
        Optional<String> behind = routes.follow();
        behind.ifPresent(why -> report("Routers do not follow yet: " + why));
        checked(MoveCheck.ROUTERS, behind.map(Collections::singletonList).orElse(Collections.emptyList()));
    }

    @Override
    public void reportRetry() {
        report(MoveMessages.retry(driver.state().end(), record));
    }

    @Override
    public void report() {
        driver.handle(MoveEvent.performed());
    }

    @Override
    public void finish() {}
}
