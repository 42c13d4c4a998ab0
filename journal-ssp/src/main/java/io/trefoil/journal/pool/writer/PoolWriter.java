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
import io.trefoil.journal.pool.writer.term.WriterLog;
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
 * A writer at work: carries out what the rules of {@link Writer} decide. This class puts the parts together and is the
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
    private final WriterLog log;
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
        this.log = new WriterLog(hello.journal().toString());
        this.end = new TermEnd(name, this::state, log, machine.trace());
        this.progress = new TermProgress(new CommitWaiters(end, machine), machine.trace());
        this.sender = new RequestSender(
                new Outbox(transport, machine.trace()),
                localReplica.map(replica -> local(replica, settings.local().get(), machine)));
        RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules =
                new RuleDriver<>("the writer of " + name, begun(settings), this::decide, log::stepped, this::perform);
        this.driver = new WriterDriver(rules, sender, progress, end, lag);
        this.sessions = new NodeSessions(driver, sender, progress, transport, hello, log);
        this.alone = new WriterExclusivity(driver, machine);
        this.timers = new WriterTimers(driver, transport, progress, end, alone);
        this.appender = new Appender(driver, sender, progress, end, machine);
        this.report = new WriterReport(driver, sender, window, lag, end, machine);
        PartLoader loader = new PartLoader(driver, new PartReader(source, settings.partBytes()), worker, log);
        this.effects = new WriterEffects(this::state, window, sender, progress, end, loader, sessions, timers, log);
    }

    private LocalReplica local(JournalReplica replica, NodeAddress address, WriterMachine machine) {
        return new LocalReplica(
                address,
                replica.disk(),
                replica::perform,
                (replies, sentNanos) -> sessions.localReplied(address, replies, sentNanos),
                machine::nanoTime,
                machine.trace());
    }

    private WriterState begun(WriterSettings settings) {
        long nowNanos = machine.nanoTime();
        WriterState state = WriterState.connecting(settings, nowNanos);
        machine.trace().began(state, nowNanos);
        return state;
    }

    private Step<WriterState, WriterEffect> decide(WriterState state, WriterEvent event) {
        long nowNanos = machine.nanoTime();
        machine.trace().saw(state, event, nowNanos);
        return machine.step(state, event, nowNanos);
    }

    private WriterState state() {
        return driver.state();
    }

    private void perform(WriterEffect effect) {
        effect.dispatch(effects);
    }

    /**
     * Opens sessions with all nodes and asks them for nothing; see {@link Journal#openSessions}. Waits for none of them.
     * {@link #begin} comes next, or {@link #close}.
     */
    public static PoolWriter meet(
            WriterMachine machine,
            Transport transport,
            Hello hello,
            Optional<JournalReplica> localReplica,
            PartReader.Source source,
            Executor worker,
            WriterSettings settings) {
        PoolWriter writer = new PoolWriter(machine, transport, hello, localReplica, source, worker, settings);
        try {
            settings.addresses().forEach(writer.sessions::meet);
            localReplica.ifPresent(
                    replica -> writer.sessions.meetLocal(settings.local().get(), replica));
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
            log.ready(state());
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
    public boolean wasAloneAt(long nanos) {
        return !isOver() && alone.wasAloneAt(nanos);
    }

    @Override
    public boolean isMajorityHeardSince(long nanos) {
        return !isOver()
                && state().leaseFromNanos().filter(from -> from - nanos >= 0).isPresent();
    }

    @Override
    public void wantAnswers() {
        alone.wantAnswers();
    }

    @Override
    public boolean grantReads(NodeId node) {
        alone.wantAnswers();
        long wantedNanos = machine.nanoTime();
        driver.handle(WriterEvent.readsWanted(node));
        // A replaced writer grants nothing: the next one waits for what was granted before it had its promises.
        boolean granted = state().grantsReads(node, wantedNanos) && wasAloneAt(machine.nanoTime());
        if (granted) {
            machine.trace().grantedReads(node, wantedNanos);
        }
        return granted;
    }

    @Override
    public void onAdvance(Runnable watcher) {
        progress.onAdvance(watcher);
    }

    /** Sets the observer that is notified of commits from now on. */
    public void observedBy(JournalObserver observer) {
        appender.observedBy(observer);
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
    public boolean isOver() {
        return end.isOver();
    }

    @Override
    public long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return appender.append(kind, txIds, payload, state -> Optional.<String>empty());
    }

    @Override
    public long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return appender.appendAhead(kind, txIds, payload);
    }

    /** Adds a barrier behind what has been appended; see {@link Journal#addBarrier}. By any thread. */
    public void addBarrier(Barrier barrier) throws IOException {
        appender.append(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload(), state -> state.refusalOf(barrier));
    }

    /** Releases a barrier; see {@link Journal#releaseBarrier}. By any thread. */
    public void releaseBarrier(String barrier) throws IOException {
        append(EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8(Barrier.requireName(barrier)));
    }

    @Override
    public boolean settle(Duration patience) {
        return appender.settle(patience);
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
        log.end();
    }
}
