/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.client.LeaseQuery;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.format.FormatRefusals;
import io.trefoil.journal.pool.format.JournalFormatter;
import io.trefoil.journal.pool.lease.LeaseChoice;
import io.trefoil.journal.pool.lease.PauseMeter;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.replica.ObservedTerm;
import io.trefoil.journal.pool.replica.UnappliedEdit;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.LocalTerm;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.client.NettyTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal kept by a pool of nodes, possibly including one in this process. This class is the entry point for users;
 * it delegates membership, questions, reading, waiting and the writer of this process to classes of their own.
 * Thread-safe.
 */
public final class PoolJournal implements Journal, AutoCloseable {

    private final PoolSettings settings;
    private final LocalNode own;
    private final Transport transport;
    private final ExecutorService worker;
    private final LocalWriters writer = new LocalWriters();
    private final AtomicReference<Incarnation> followed = new AtomicReference<>(Incarnation.NONE);
    private final PoolMembers members;
    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    /** Allows for each node measuring a lease by its own clock. */
    private static final long LEASE_SLACK_MILLIS = 200;

    private final PoolQueryClient questions;
    private final PoolReader reader;
    private final PoolCommitWatcher commits;
    private final WriterOpener opening;
    /** Empty if the lease is not derived. */
    private final Optional<PauseMeter> pauses;

    private volatile LocalNamespace namespace = LocalNamespace.UNKNOWN;

    /** @throws IOException if connections use TLS and the keys cannot be used */
    public PoolJournal(PoolSettings settings, Optional<PoolNode> node, PoolObserver observer) throws IOException {
        this.settings = settings;
        this.own = new LocalNode(node, settings.journal(), settings.ackTimeout());
        this.transport = NettyTransport.start(settings.journal().text(), settings.authentication(), settings.tls());
        this.worker = Executors.newSingleThreadExecutor(DaemonThreads.newFactory("ssp-worker-" + settings.journal()));
        this.members = new PoolMembers(settings, own, writer::end);
        this.questions = new PoolQueryClient(settings, own, members, transport);
        this.reader = new PoolReader(settings, own, writer, members, questions);
        this.commits = new PoolCommitWatcher(settings, own, members, questions);
        this.pauses = settings.leaseDerived()
                ? Optional.of(new PauseMeter(System::nanoTime, this::diskStallTime, this::lengthenLease))
                : Optional.<PauseMeter>empty();
        this.opening = new WriterOpener(
                settings, own, members, questions, observer, transport, reader::readAt, worker, this::nextLease);
        pauses.ifPresent(PauseMeter::start);
    }

    private Duration nextLease() {
        return pauses.map(meter -> meter.choice().length()).orElse(settings.lease());
    }

    /** Has the term in this process ask for a longer lease, if pauses have got longer. */
    private void lengthenLease(LeaseChoice leaseChoice) {
        writer.activeWriter()
                .filter(writing -> writing.lease().compareTo(leaseChoice.length()) < 0)
                .ifPresent(writing -> {
                    LOG.info(
                            "Extending the lease of this term: journal={} leaseMillis={} reason={}",
                            id(),
                            leaseChoice.length().toMillis(),
                            leaseChoice.reason());
                    writing.lengthenLease(leaseChoice.length());
                });
    }

    @Override
    public Optional<LeaseChoice> derivedLease() {
        return pauses.flatMap(
                meter -> writer.openWriter().map(writing -> meter.choice().forTermWith(writing.lease())));
    }

    @Override
    public JournalId id() {
        return settings.journal();
    }

    @Override
    public boolean hasSomeData() throws IOException {
        Map<NodeAddress, PoolReply> answers = questions.queryAllOfAnyNamespace(StatusRequest.create());
        if (answers.isEmpty()) {
            throw questions.newUnreachableException("to ask whether there is data");
        }
        return answers.values().stream()
                .anyMatch(reply -> reply instanceof StatusReply || reply instanceof FailedReply);
    }

    @Override
    public void requireFormattable(FormatOrder order) throws IOException {
        queryFormattable(order);
    }

    /** Asks all nodes for their state, and requires that no journal there is in use. */
    private Map<NodeAddress, PoolReply> queryFormattable(FormatOrder order) throws IOException {
        Map<NodeAddress, PoolReply> answers = questions.queryAllOfAnyNamespace(StatusRequest.create());
        FormatRefusals refusals = new FormatRefusals(order, settings.addresses(), answers);
        if (refusals.leaseMillis() > 0) {
            LOG.info("Waiting for the writer's lease: journal={} remainingMillis={}", id(), refusals.leaseMillis());
            pause(refusals.leaseMillis() + LEASE_SLACK_MILLIS);
            answers = questions.queryAllOfAnyNamespace(StatusRequest.create());
            refusals = new FormatRefusals(order, settings.addresses(), answers);
        }
        refusals.throwIfAny();
        return answers;
    }

    private static void pause(long millis) throws IOException {
        Pause.sleepMillis(millis, "Interrupted while the lease of a writer ran out");
    }

    @Override
    public Incarnation format(FormatOrder order) throws IOException {
        Map<NodeAddress, PoolReply> answers = queryFormattable(order);
        Members inherited = new FormatRefusals(order, settings.addresses(), answers).inherited();
        return new JournalFormatter(settings.journal(), order.namespace(), order.version(), order.force(), inherited)
                .run(answers, own.address(), questions::requestFormat, namespace::expectFormat);
    }

    @Override
    public void declareAnswersHeld() {
        opening.declareAnswersHeld();
    }

    @Override
    public void setLocalNamespace(LocalNamespace newNamespace) {
        namespace = newNamespace;
        own.setLocalNamespace(newNamespace);
    }

    @Override
    public LocalNamespace localNamespace() {
        return namespace;
    }

    @Override
    public JournalWriter openWriter(int minReplicas) throws IOException {
        return writer.open(() -> opening.openSessions(minReplicas), opening::begin);
    }

    @Override
    public JournalWriter prepareWriter(int minReplicas) throws IOException {
        return writer.prepare(() -> opening.openSessions(minReplicas), opening::begin);
    }

    @Override
    public void openSessions(int minReplicas) throws IOException {
        writer.openSessions(() -> opening.openSessions(minReplicas));
    }

    @Override
    public void closeSessions() {
        writer.closeSessions();
    }

    @Override
    public Optional<LocalTerm> localTerm() {
        return writer.localTerm();
    }

    @Override
    public Optional<WriterStatus> writerStatus() {
        return writer.status();
    }

    @Override
    public Duration diskStallTime() {
        return own.replica().map(JournalReplica::diskStallTime).orElse(Duration.ZERO);
    }

    @Override
    public Optional<UnappliedEdit> unappliedEdit() {
        return own.replica().map(JournalReplica::unappliedEdit);
    }

    @Override
    public Optional<ObservedTerm> observedTerm() {
        return own.replica().flatMap(replica -> replica.promisedWriter().observedTerm());
    }

    @Override
    public Optional<AcknowledgedLog> acknowledgedLog() {
        return own.replica().flatMap(JournalReplica::acknowledgedLog);
    }

    @Override
    public void setLeaseFreedWatcher(Runnable watcher) {
        own.replica().ifPresent(replica -> replica.promisedWriter().setLeaseFreedWatcher(watcher));
    }

    @Override
    public Optional<CommitSignal> localCommitSignal() {
        return own.replica().map(JournalReplica::commitSignal);
    }

    @Override
    public PoolLeaseStatus queryLease(Duration timeout) throws IOException {
        Optional<PoolReply> ownStatus = own.replica().flatMap(replica -> replica.perform(StatusRequest.create()));
        return new LeaseQuery(own.address(), writer.localTerm().map(LocalTerm::epoch), questions.clients(), transport)
                .run(ownStatus, members.otherAddresses(), timeout);
    }

    @Override
    public void awaitWritten(Duration limit) throws IOException {
        commits.awaitWritten(limit);
    }

    @Override
    public List<SegmentInfo> segments(long fromTxId) throws IOException {
        return reader.segments(fromTxId);
    }

    @Override
    public Incarnation lastShownIncarnation() {
        return reader.lastShownIncarnation();
    }

    @Override
    public AtomicReference<Incarnation> followedIncarnation() {
        return followed;
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        return reader.read(firstSn, maxBytes);
    }

    @Override
    public Optional<StorageRecord> storageRecord() throws IOException {
        Optional<PoolWriter> writing = writer.activeWriter();
        if (writing.isPresent()) {
            return writing.get().end().storage();
        }
        Map<NodeAddress, PoolReply> statuses = questions.queryStatuses();
        if (statuses.isEmpty()) {
            throw questions.newUnreachableException("to ask for the storage version");
        }
        return PoolQueryClient.highestCommitted(statuses).storage();
    }

    @Override
    public long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException, IOException {
        return commits.awaitCommitted(knownTxId, timeout);
    }

    @Override
    public void addBarrier(Barrier barrier) throws IOException {
        writerFor("a barrier is added").addBarrier(barrier);
    }

    @Override
    public void releaseBarrier(String name) throws IOException {
        writerFor("a barrier is released").releaseBarrier(name);
    }

    private PoolWriter writerFor(String operation) throws IOException {
        return writer.openWriter()
                .orElseThrow(() -> new IOException("Journal " + settings.journal() + ": " + operation
                        + " by the process that writes the journal, the active NameNode; this one does not"));
    }

    @Override
    public Barriers barriers() throws IOException {
        return commits.committedByMajority().barriers();
    }

    @Override
    public List<VoidRange> lostRanges() throws IOException {
        return commits.committedByMajority().members().lostRanges();
    }

    @Override
    public LogPosition committedPosition() throws IOException {
        return commits.committedByMajority().position();
    }

    @Override
    public void purge(long minTxId) {
        writer.activeWriter().ifPresent(writing -> writing.purge(minTxId));
    }

    @Override
    public void close() {
        pauses.ifPresent(PauseMeter::close);
        writer.close();
        questions.close();
        worker.shutdown();
        transport.close();
    }
}
