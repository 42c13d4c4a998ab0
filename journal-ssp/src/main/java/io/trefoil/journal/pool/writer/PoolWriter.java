/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.foundation.RuleDriver;
import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.writer.delivery.EntryWindow;
import io.trefoil.journal.pool.writer.delivery.LocalReplica;
import io.trefoil.journal.pool.writer.delivery.Outbox;
import io.trefoil.journal.pool.writer.delivery.PartReader;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.pool.writer.events.NodeSessions;
import io.trefoil.journal.pool.writer.events.PartLoader;
import io.trefoil.journal.pool.writer.events.WriterExclusivity;
import io.trefoil.journal.pool.writer.events.WriterTimers;
import io.trefoil.journal.pool.writer.term.CommitWaiters;
import io.trefoil.journal.pool.writer.term.LagMeter;
import io.trefoil.journal.pool.writer.term.TermEnd;
import io.trefoil.journal.pool.writer.term.TermProgress;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.pool.writer.term.WriterLogger;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.writer.Writer;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A running writer: carries out what the rules of {@link Writer} decide. This class puts the parts together and is the
 * entry point for users; each part has its own class.
 *
 * <p>The appending thread itself steps the rules, hands requests to the transport's thread with one wake-up and to the
 * local disk's thread with another, and parks once until any majority has the entry ({@link Appender}). Answers are
 * stepped on the transport's thread and on the disk's ({@link NodeSessions}). {@link WriterDriver} alone has the lock under
 * which the rules are stepped; each part that several threads use has its own.
 */
public final class PoolWriter implements JournalWriter {

    private final TermEnd end;
    private final TermProgress progress;
    private final WriterDriver driver;
    private final WriterEffects effects;
    private final RequestSender sender;
    private final NodeSessions sessions;
    private final Appender appender;
    private final WriterExclusivity alone;
    private final WriterTimers timers;
    private final WriterReport report;
    private final WriterLogger log;
    private final WriterMachine machine;

    private PoolWriter(
            WriterMachine machine,
            Transport transport,
            Hello hello,
            Optional<JournalReplica> localReplica,
            PartReader.Source source,
            Executor worker,
            WriterSettings settings) {
        String name = "journal " + hello.journal();
        this.machine = machine;
        LagMeter lag = new LagMeter(0, machine.nanoTime());
        EntryWindow window = new EntryWindow();
        this.log = new WriterLogger(hello.journal().toString());
        this.end = new TermEnd(name, this::state, log, machine.trace());
        this.progress = new TermProgress(new CommitWaiters(end, machine), machine.trace());
        this.sender = new RequestSender(
                new Outbox(transport, machine.trace()),
                localReplica.map(
                        replica -> newLocalReplica(replica, settings.localNode().get(), machine)));
        RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules = new RuleDriver<>(
                "the writer of " + name, initialState(settings), this::decide, log::logStep, this::perform);
        this.driver = new WriterDriver(rules, sender, progress, end, lag);
        this.sessions = new NodeSessions(driver, sender, progress, transport, hello, log);
        this.alone = new WriterExclusivity(driver, machine);
        this.timers = new WriterTimers(driver, transport, progress, end, alone);
        this.appender = new Appender(driver, sender, progress, end, machine);
        this.report = new WriterReport(driver, sender, window, lag, end, machine);
        PartLoader loader = new PartLoader(driver, new PartReader(source, settings.partBytes()), worker, log);
        this.effects = new WriterEffects(this::state, window, sender, progress, end, loader, sessions, timers, log);
    }

    private LocalReplica newLocalReplica(JournalReplica replica, NodeAddress address, WriterMachine machine) {
        return new LocalReplica(
                address,
                replica.diskExecutor(),
                replica::perform,
                (requests, replies, sentNanos) -> sessions.handleLocalReplies(address, requests, replies, sentNanos),
                machine::nanoTime,
                machine.trace());
    }

    private WriterState initialState(WriterSettings settings) {
        long nowNanos = machine.nanoTime();
        WriterState state = WriterState.newConnecting(settings, nowNanos);
        machine.trace().recordStart(state, nowNanos);
        return state;
    }

    private Step<WriterState, WriterEffect> decide(WriterState state, WriterEvent event) {
        long nowNanos = machine.nanoTime();
        machine.trace().recordEvent(state, event, nowNanos);
        return machine.step(state, event, nowNanos);
    }

    private WriterState state() {
        return driver.state();
    }

    private void perform(WriterEffect effect) {
        effect.dispatch(effects);
    }

    /**
     * Opens sessions with all nodes and sends no requests yet; see {@link Journal#openSessions}. Waits for none of them.
     * {@link #begin} comes next, or {@link #close}.
     */
    public static PoolWriter connect(
            WriterMachine machine,
            Transport transport,
            Hello hello,
            Optional<JournalReplica> localReplica,
            PartReader.Source source,
            Executor worker,
            WriterSettings settings) {
        PoolWriter writer = new PoolWriter(machine, transport, hello, localReplica, source, worker, settings);
        try {
            settings.addresses().forEach(writer.sessions::openSession);
            localReplica.ifPresent(replica ->
                    writer.sessions.addLocalReplica(settings.localNode().get(), replica));
            return writer;
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /**
     * Becomes the writer, once; see {@link Journal#openWriter}. The sessions that are not open yet are used when they are.
     *
     * @throws IOException if that fails or is given up; the writer is closed then
     */
    public void begin() throws IOException {
        try {
            driver.handle(WriterEvent.termRequested());
            timers.tick();
            progress.awaitReady(report::missingCondition);
            log.logReady(state());
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public Epoch epoch() {
        return state().epoch();
    }

    @Override
    public LogSummary end() {
        return state().end();
    }

    @Override
    public long committedSn() {
        return progress.committedSn();
    }

    @Override
    public boolean wasSoleWriterAt(long nanos) {
        return !hasEnded() && alone.wasSoleWriterAt(nanos);
    }

    @Override
    public boolean hasMajorityAnsweredSince(long nanos) {
        return !hasEnded()
                && state().leaseFromNanos().filter(from -> from - nanos >= 0).isPresent();
    }

    @Override
    public void trackExclusivity() {
        alone.trackExclusivity();
    }

    @Override
    public boolean grantReads(NodeId node) {
        alone.trackExclusivity();
        long wantedNanos = machine.nanoTime();
        driver.handle(WriterEvent.readsWanted(node));
        // A replaced writer grants nothing: the next one waits for what was granted before it had its promises.
        boolean granted = state().grantsReads(node, wantedNanos) && wasSoleWriterAt(machine.nanoTime());
        if (granted) {
            machine.trace().recordGrantedReads(node, wantedNanos);
        }
        return granted;
    }

    @Override
    public void setAdvanceWatcher(Runnable watcher) {
        progress.setAdvanceWatcher(watcher);
    }

    /** Sets the observer that is notified of commits from now on. */
    public void setObserver(JournalObserver observer) {
        appender.setObserver(observer);
    }

    /** The status of this writer and its nodes. Thread-safe. */
    public WriterStatus status() {
        return report.status();
    }

    /** The term at this moment. Thread-safe. */
    public LocalTerm term() {
        return report.term();
    }

    /** A short line for logs and status. */
    public String describe() {
        return state().describe();
    }

    @Override
    public String toString() {
        return end.toString();
    }

    @Override
    public boolean isFenced() {
        return end.isFenced();
    }

    public boolean isClosed() {
        return end.isClosed();
    }

    @Override
    public boolean hasEnded() {
        return end.hasEnded();
    }

    @Override
    public long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return appender.append(kind, txIds, payload, state -> Optional.<String>empty());
    }

    @Override
    public long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return appender.appendAhead(kind, txIds, payload);
    }

    /** Adds a barrier after everything appended so far; see {@link Journal#addBarrier}. By any thread. */
    public void addBarrier(Barrier barrier) throws IOException {
        appender.append(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload(), state -> state.refusalReason(barrier));
    }

    /** Releases a barrier; see {@link Journal#releaseBarrier}. By any thread. */
    public void releaseBarrier(String barrier) throws IOException {
        append(EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8(Barrier.requireName(barrier)));
    }

    @Override
    public boolean awaitAllCommitted(Duration timeout) {
        return appender.awaitAllCommitted(timeout);
    }

    /** Asks for a lease of this length from now on, if it is longer than that of the term so far. By any thread. */
    public void lengthenLease(Duration wanted) {
        driver.handle(WriterEvent.leaseWanted(wanted.toMillis()));
    }

    /** The lease that the term asks for. */
    public Duration lease() {
        return Duration.ofMillis(state().leaseMillis());
    }

    /** Lets all nodes purge transactions below {@code minTxId}, except what barriers keep. */
    public void purge(long minTxId) {
        driver.handle(WriterEvent.purgeRequested(minTxId));
    }

    @Override
    public void close() {
        if (isClosed()) {
            return;
        }
        driver.close();
        sender.close();
        progress.wakeAll();
        log.shutDown();
    }
}
