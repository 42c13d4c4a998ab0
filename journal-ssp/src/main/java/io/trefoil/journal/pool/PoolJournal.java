/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.client.LeaseInquiry;
import io.trefoil.journal.pool.client.LeaseSurvey;
import io.trefoil.journal.pool.client.PoolClients;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.pool.replica.CommitSignal;
import io.trefoil.journal.pool.replica.HeardTerm;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.OwnTerm;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.WriterMachine;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.writer.AckPolicy;
import io.trefoil.journal.writer.WriterSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A journal kept by a pool of nodes, one of them perhaps in this process. Thread-safe. */
public final class PoolJournal implements Journal, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    /** How long a question to the others may take once they are connected; who is silent longer is left out. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** So long may a writer with nothing to append take to tell of a commit. */
    private static final long ANNOUNCING_MILLIS = 2;

    /** A format writes a whole log file, on whatever disk. */
    private static final Duration FORMAT_PATIENCE = Duration.ofMinutes(1);

    private final PoolSettings settings;
    private final Optional<PoolNode> node;
    private final PoolObserver observer;
    private final Transport transport;
    private final ExecutorService worker;
    /** For reading: only from nodes that keep this very namespace. */
    private final PoolClients clients;
    /** For formatting: whatever the nodes hold now. */
    private final PoolClients formatClients;

    private final AtomicReference<PoolWriter> prepared = new AtomicReference<>();
    /** The highest log that was heard of: its members are asked, too. The URI only names the places to ask first. */
    private volatile LogSummary newest = LogSummary.ORIGIN;

    private volatile PoolWriter writer;
    private volatile Optional<NodeAddress> lastSource = Optional.empty();
    /** What segments were shown of; entries are read of the same (rule R11). */
    private volatile Incarnation lastIncarnation = Incarnation.NONE;

    public PoolJournal(PoolSettings settings, Optional<PoolNode> node, PoolObserver observer) {
        this.settings = settings;
        this.node = node;
        this.observer = observer;
        this.transport = NettyTransport.start(settings.journal().text());
        this.worker = Executors.newSingleThreadExecutor(DaemonThreads.named("ssp-worker-" + settings.journal()));
        this.clients = new PoolClients(transport, hello(settings.namespace(), Hello.CallerRole.READER));
        this.formatClients = new PoolClients(transport, hello(NamespaceId.UNKNOWN, Hello.CallerRole.READER));
    }

    private Hello hello(NamespaceId namespace, Hello.CallerRole role) {
        return Hello.of(
                settings.journal(),
                namespace,
                role,
                ManagementFactory.getRuntimeMXBean().getName(),
                node.map(PoolNode::address));
    }

    @Override
    public JournalId id() {
        return settings.journal();
    }

    private Optional<JournalReplica> local() {
        return node.map(own -> own.replica(settings.journal()));
    }

    /** Everybody to ask but the node in this process. */
    private List<NodeAddress> others() {
        List<NodeAddress> others = new ArrayList<>(everybody());
        node.ifPresent(own -> others.remove(own.address()));
        return others;
    }

    /** The places of the URI, and the members that it does not name, as the newest answer had them. */
    private Set<NodeAddress> everybody() {
        Set<NodeAddress> everybody = new LinkedHashSet<>(settings.addresses());
        PoolWriter writing = writer;
        if (writing != null) {
            learn(writing.end());
        }
        for (Member member : newest.members().list()) {
            everybody.add(member.address());
        }
        return everybody;
    }

    private synchronized void learn(LogSummary end) {
        if (end.isAheadOf(newest)) {
            newest = end;
        }
    }

    private void learn(Collection<PoolReply> statuses) {
        for (PoolReply reply : statuses) {
            if (reply instanceof StatusReply) {
                StatusReply status = (StatusReply) reply;
                boolean ours =
                        !settings.namespace().isKnown() || status.namespace().equals(settings.namespace());
                if (ours) {
                    learn(status.end());
                }
            }
        }
    }

    /** Asks the node in this process and all others; by address, without those that do not answer. */
    private Map<NodeAddress, PoolReply> askAll(PoolRequest request) throws IOException {
        return askAll(clients, request);
    }

    private Map<NodeAddress, PoolReply> askAll(PoolClients asking, PoolRequest request) throws IOException {
        Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
        if (node.isPresent()) {
            try {
                local().get()
                        .perform(request, PATIENCE)
                        .ifPresent(reply -> answers.put(node.get().address(), reply));
            } catch (IOException e) {
                LOG.info("Journal {}: left out is {}", settings.journal(), e.toString());
            }
        }
        learn(answers.values());
        Set<NodeAddress> asked = new LinkedHashSet<>();
        List<NodeAddress> next = others();
        while (!next.isEmpty()) {
            Map<NodeAddress, PoolReply> more = asking.askAll(next, request, PATIENCE);
            learn(more.values());
            answers.putAll(more);
            asked.addAll(next);
            // Who answers may know of members that the URI does not name.
            next = others();
            next.removeAll(asked);
        }
        return answers;
    }

    @Override
    public boolean hasSomeData() throws IOException {
        Map<NodeAddress, PoolReply> answers = askAll(formatClients, StatusRequest.create());
        if (answers.isEmpty()) {
            throw unreachable("to ask whether there is data");
        }
        return answers.values().stream()
                .anyMatch(reply -> reply instanceof StatusReply || reply instanceof FailedReply);
    }

    private IOException unreachable(String purpose) {
        StringBuilder text = new StringBuilder("Journal " + settings.journal() + ": no pool node can be reached "
                + purpose + " (an answer may take " + PATIENCE.toMillis() + " ms, a first connection "
                + PoolClients.CONNECTING.toMillis() + " ms); start at least one of them:");
        for (NodeAddress other : others()) {
            text.append(' ')
                    .append(other)
                    .append(" (")
                    .append(clients.troubleOf(other))
                    .append(')');
        }
        return new IOException(text.toString());
    }

    @Override
    public void format(NamespaceId namespace, StorageRecord.Version version, boolean force) throws IOException {
        Map<NodeAddress, PoolReply> answers = askAll(formatClients, StatusRequest.create());
        new Formatting(settings.journal(), namespace, version, force)
                .run(answers, node.map(PoolNode::address), this::askToFormat);
    }

    private PoolReply askToFormat(NodeAddress address, PoolRequest request) throws IOException {
        if (node.isPresent() && node.get().address().equals(address)) {
            return local().get().perform(request, FORMAT_PATIENCE).get();
        }
        return formatClients.ask(address, request, FORMAT_PATIENCE);
    }

    @Override
    public JournalWriter openWriter(int minReplicas) throws IOException {
        PoolWriter ready = prepared.getAndSet(null);
        if (ready != null && !ready.isClosed()) {
            // Fenced since: the first append says so, and nobody fights the new writer with yet another epoch.
            return ready;
        }
        return newWriter(minReplicas);
    }

    @Override
    public JournalWriter prepareWriter(int minReplicas) throws IOException {
        PoolWriter opened = newWriter(minReplicas);
        prepared.set(opened);
        return opened;
    }

    @Override
    public Optional<OwnTerm> ownTerm() {
        PoolWriter writing = writer;
        return writing == null || writing.isClosed() ? Optional.<OwnTerm>empty() : Optional.of(writing.term());
    }

    @Override
    public Duration diskSilent() {
        return local().map(JournalReplica::diskSilent).orElse(Duration.ZERO);
    }

    @Override
    public Optional<HeardTerm> heardTerm() {
        return local().flatMap(JournalReplica::heardTerm);
    }

    @Override
    public void onLeaseFreed(Runnable watcher) {
        local().ifPresent(replica -> replica.onLeaseFreed(watcher));
    }

    @Override
    public Optional<CommitSignal> ownCommits() {
        return local().map(JournalReplica::commits);
    }

    @Override
    public LeaseSurvey surveyLease(Duration patience) throws IOException {
        Optional<PoolReply> own = local().flatMap(replica -> replica.perform(StatusRequest.create()));
        return new LeaseInquiry(node.map(PoolNode::address), clients, transport).run(own, others(), patience);
    }

    private PoolWriter newWriter(int minReplicas) throws IOException {
        PoolWriter before = writer;
        if (before != null) {
            before.close();
        }
        NamespaceId namespace = namespace();
        WriterId id = node.isPresent()
                ? PoolNode.writerIn(node.get().address())
                : WriterId.of(UUID.randomUUID().toString());
        WriterSettings.Builder rules = WriterSettings.builder()
                .writer(id)
                .namespace(namespace)
                .addresses(new ArrayList<>(everybody()))
                .leaseMillis(settings.lease().toMillis())
                .ackTimeoutMillis(settings.ackTimeout().toMillis())
                .minReplicas(minReplicas)
                .ack(settings.ack())
                .catchUpBytesPerSecond(settings.catchUpBytesPerSecond());
        node.ifPresent(own -> rules.local(own.address()));
        if (settings.ack() == AckPolicy.ONE) {
            LOG.warn(
                    "Journal {} is written with trefoil.journal.ack.policy=one: clients are told that a change is done that one node has; up to 256"
                            + " batches of them are lost with that node",
                    settings.journal());
        }
        PoolWriter opened = PoolWriter.open(
                WriterMachine.REAL,
                transport,
                hello(namespace, Hello.CallerRole.WRITER),
                local(),
                this::readAt,
                worker,
                rules.build());
        opened.observedBy(observer.writerOpened(settings.journal(), opened::status));
        writer = opened;
        return opened;
    }

    private NamespaceId namespace() throws IOException {
        local().flatMap(own -> own.perform(StatusRequest.create()))
                .ifPresent(reply -> learn(Collections.singletonList(reply)));
        if (settings.namespace().isKnown()) {
            return settings.namespace();
        }
        for (PoolReply reply : askAll(formatClients, StatusRequest.create()).values()) {
            if (reply instanceof StatusReply) {
                return ((StatusReply) reply).namespace();
            }
        }
        return NamespaceId.UNKNOWN;
    }

    @Override
    public void awaitWritten(Duration limit) throws IOException {
        Optional<JournalReplica> own = local();
        try {
            if (own.isPresent() && own.get().isAbreast(settings.lease()) && !isHanging(own.get())) {
                own.get().awaitWritten(limit);
            } else {
                awaitWrittenElsewhere(limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    "Journal " + settings.journal() + ": interrupted while what is written was being committed");
        }
    }

    private void awaitWrittenElsewhere(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Collection<PoolReply> statuses = askAll(StatusRequest.create()).values();
        LogSummary written = LogSummary.ORIGIN;
        for (PoolReply reply : statuses) {
            if (reply instanceof StatusReply && ((StatusReply) reply).end().isAheadOf(written)) {
                written = ((StatusReply) reply).end();
            }
        }
        while (!isCommitted(written, statuses) && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(ANNOUNCING_MILLIS);
            statuses = askAll(StatusRequest.create()).values();
        }
    }

    private static boolean isCommitted(LogSummary written, Collection<PoolReply> statuses) {
        return statuses.stream()
                .filter(StatusReply.class::isInstance)
                .map(StatusReply.class::cast)
                .filter(status -> status.end().isOfSameJournal(written))
                .anyMatch(status ->
                        status.committed().position().sn() >= written.position().sn());
    }

    @Override
    public List<SegmentInfo> segments(long fromTxId) throws IOException {
        SegmentsRequest request = SegmentsRequest.of(fromTxId);
        Incarnation ownIncarnation = local().map(JournalReplica::incarnation).orElse(Incarnation.NONE);
        Optional<SegmentsReply> own = ownSegments(request, ownIncarnation);
        if (own.isPresent()) {
            return chosen(node.get().address(), ownIncarnation, own.get());
        }
        PoolWriter writing = writer;
        boolean isWriter = writing != null && !writing.isOver();
        Collection<PoolReply> statuses = askAll(StatusRequest.create()).values();
        Map<NodeAddress, PoolReply> answers = askAll(request);
        ReadQuorum quorum = ReadQuorum.of(statuses, answers);
        if (!quorum.furthest().isPresent()) {
            throw answers.isEmpty()
                    ? unreachable("to read edits")
                    : new IOException("Journal " + settings.journal() + ": no pool node has edits to read: " + answers);
        }
        NodeAddress best = quorum.furthest().get();
        if (isWriter && !writing.isOver()) {
            refuseBelow(writing.committedSn(), answers.get(best));
        } else if (!quorum.isMajority()) {
            throw new IOException("Journal " + settings.journal() + ": edits can be read when " + quorum);
        }
        return chosen(best, quorum.incarnation(), (SegmentsReply) answers.get(best));
    }

    private void refuseBelow(long committedSn, PoolReply best) throws IOException {
        if (committed(best) < committedSn) {
            throw new IOException("Journal " + settings.journal() + ": entry " + committedSn
                    + " is committed, and the nodes that answer show readers no more than up to " + committed(best)
                    + " yet");
        }
    }

    private static long committed(PoolReply reply) {
        return ((SegmentsReply) reply).committedSn();
    }

    private List<SegmentInfo> chosen(NodeAddress from, Incarnation incarnation, SegmentsReply reply) {
        lastIncarnation = incarnation;
        lastSource = Optional.of(from);
        return reply.segments();
    }

    /** What the local replica shows if it is known to be about as far as any: it was a moment ago, or the writer is here. */
    private Optional<SegmentsReply> ownSegments(SegmentsRequest request, Incarnation incarnation) {
        if (!local().isPresent() || isHanging(local().get())) {
            return Optional.empty();
        }
        PoolWriter writing = writer;
        boolean isWriter = writing != null && !writing.isOver();
        long wantedSn = isWriter ? writing.committedSn() : 0;
        JournalReplica own = local().get();
        if (isWriter && !incarnation.equals(writing.end().incarnation())) {
            return Optional.empty();
        }
        return (isWriter ? own.perform(request) : own.performIfAbreast(request, settings.lease()))
                .filter(SegmentsReply.class::isInstance)
                .map(SegmentsReply.class::cast)
                // Of a journal that was initialized again meanwhile they would be taken for segments of the one before.
                .filter(reply -> own.incarnation().equals(incarnation))
                .filter(reply -> reply.committedSn() >= wantedSn);
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        FetchRequest request = FetchRequest.of(firstSn, maxBytes, Epoch.NONE).in(lastIncarnation);
        IOException failed = null;
        for (NodeAddress address : sources(firstSn)) {
            try {
                List<Entry> entries = readAt(address, request);
                if (!entries.isEmpty()) {
                    return entries;
                }
            } catch (IOException e) {
                if (failed != null) {
                    e.addSuppressed(failed);
                }
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return new ArrayList<>();
    }

    /** Whom to ask for an entry: the local replica if it has it, then who named it last, then everybody. */
    private List<NodeAddress> sources(long firstSn) {
        List<NodeAddress> sources = new ArrayList<>();
        boolean ownHas = local().isPresent()
                && local().get().failure().isEmpty()
                && local().get().incarnation().equals(lastIncarnation)
                && local().get().commits().committedSn() >= firstSn;
        boolean ownHangs = ownHas && isHanging(local().get());
        if (ownHas && !ownHangs) {
            sources.add(node.get().address());
        }
        lastSource.filter(address -> !sources.contains(address)).ifPresent(sources::add);
        for (NodeAddress other : others()) {
            if (!sources.contains(other)) {
                sources.add(other);
            }
        }
        if (ownHangs) {
            // What is wanted may be in its memory.
            sources.remove(node.get().address());
            sources.add(node.get().address());
        }
        return sources;
    }

    /** Whether a disk takes so long that a node of another host would be dropped from the in-sync set. */
    private boolean isHanging(JournalReplica own) {
        return own.diskSilent().compareTo(settings.ackTimeout()) > 0;
    }

    /** Reads at one node, in this process or not: what is asked for says of which incarnation (rule R11). */
    private List<Entry> readAt(NodeAddress address, FetchRequest request) throws IOException {
        if (node.isPresent() && node.get().address().equals(address)) {
            return local().get().read(request, PATIENCE);
        }
        PoolReply reply = clients.ask(address, request, PATIENCE.multipliedBy(5));
        if (reply instanceof EntriesReply) {
            return ((EntriesReply) reply).entries();
        }
        if (reply instanceof PurgedReply) {
            throw new PurgedException(request.firstSn(), ((PurgedReply) reply).base());
        }
        throw new IOException("Pool node " + address + " gives no entries from " + request.firstSn() + ": " + reply);
    }

    @Override
    public Optional<StorageRecord> storage() throws IOException {
        PoolWriter writing = writer;
        if (writing != null && !writing.isOver()) {
            return writing.end().storage();
        }
        Map<NodeAddress, PoolReply> answers = askAll(StatusRequest.create());
        if (answers.isEmpty()) {
            throw unreachable("to ask for the storage version");
        }
        return furthest(answers.values()).storage();
    }

    /** The longest that a node knows to be committed. */
    private static LogSummary furthest(Collection<PoolReply> statuses) {
        LogSummary best = LogSummary.ORIGIN;
        for (PoolReply reply : statuses) {
            if (reply instanceof StatusReply) {
                LogSummary committed = ((StatusReply) reply).committed();
                best = committed.isAheadOf(best) ? committed : best;
            }
        }
        return best;
    }

    @Override
    public long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException, IOException {
        Optional<JournalReplica> own = local();
        long deadline = System.nanoTime() + timeout.toNanos();
        while (own.isPresent() && own.get().isFormatted() && own.get().failure().isEmpty() && !isHanging(own.get())) {
            // If its disk hangs it hears of nothing more, so others have to be asked in the end.
            long leftMillis = Math.max(0, (deadline - System.nanoTime()) / 1_000_000L);
            long committed = own.get()
                    .commits()
                    .awaitTxId(
                            knownTxId,
                            Math.min(leftMillis, settings.ackTimeout().toMillis()));
            if (committed > knownTxId || leftMillis <= settings.ackTimeout().toMillis()) {
                return committed;
            }
        }
        // Of which journal others may tell (rule R11); waits for no disk.
        own.flatMap(replica -> replica.perform(StatusRequest.create()))
                .ifPresent(reply -> learn(Collections.singletonList(reply)));
        for (NodeAddress other : others()) {
            Duration left = Duration.ofNanos(Math.max(1_000_000L, deadline - System.nanoTime()));
            try {
                return awaitAt(other, knownTxId, left);
            } catch (IOException e) {
                LOG.debug("Journal {}: {} does not tell of commits: {}", settings.journal(), other, e.toString());
            }
        }
        throw unreachable("to wait for edits");
    }

    private long awaitAt(NodeAddress other, long knownTxId, Duration left) throws IOException {
        long deadline = System.nanoTime() + left.toNanos();
        PoolReply reply = clients.ask(other, StatusRequest.create(), left.plus(PATIENCE));
        while (reply instanceof StatusReply) {
            LogSummary committed = ((StatusReply) reply).committed();
            if (!committed.isOfSameJournal(newest)) {
                throw new IOException("Pool node " + other + " holds incarnation " + committed.incarnation()
                        + " of the journal, this process knows of " + newest.incarnation());
            }
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000L;
            if (committed.lastTxId() > knownTxId || leftMillis <= 0) {
                return committed.lastTxId();
            }
            reply = clients.ask(
                    other, AwaitCommitRequest.of(committed.position().sn(), leftMillis), left.plus(PATIENCE));
        }
        throw new IOException("Pool node " + other + " cannot tell: " + reply);
    }

    @Override
    public void addBarrier(Barrier barrier) throws IOException {
        ownWriter("a barrier is added").addBarrier(barrier);
    }

    @Override
    public void releaseBarrier(String name) throws IOException {
        ownWriter("a barrier is released").releaseBarrier(name);
    }

    private PoolWriter ownWriter(String what) throws IOException {
        PoolWriter writing = writer;
        if (writing == null || writing.isClosed()) {
            throw new IOException("Journal " + settings.journal() + ": " + what
                    + " by the process that writes the journal, the active NameNode; this one does not");
        }
        return writing;
    }

    @Override
    public Barriers barriers() throws IOException {
        return committedOfMajority().barriers();
    }

    @Override
    public LogPosition committed() throws IOException {
        return committedOfMajority().position();
    }

    private LogSummary committedOfMajority() throws IOException {
        Collection<PoolReply> statuses = askAll(StatusRequest.create()).values();
        ReadQuorum quorum = ReadQuorum.of(statuses, askAll(SegmentsRequest.of(Long.MAX_VALUE)));
        if (statuses.isEmpty()) {
            throw unreachable("to ask for what is committed");
        }
        if (!quorum.isMajority()) {
            throw new IOException("Journal " + settings.journal() + ": what is committed can be read when " + quorum);
        }
        return furthest(statuses);
    }

    @Override
    public void purge(long minTxId) {
        PoolWriter writing = writer;
        if (writing != null && !writing.isOver()) {
            writing.purge(minTxId);
        }
    }

    @Override
    public void close() {
        PoolWriter writing = writer;
        if (writing != null) {
            writing.close();
        }
        clients.close();
        formatClients.close();
        worker.shutdown();
        transport.close();
    }
}
