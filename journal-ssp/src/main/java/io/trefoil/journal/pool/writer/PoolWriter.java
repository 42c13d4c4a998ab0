/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.writer.AckPolicy;
import io.trefoil.journal.writer.AppendTerms;
import io.trefoil.journal.writer.EntryRange;
import io.trefoil.journal.writer.NodeProgress;
import io.trefoil.journal.writer.Writer;
import io.trefoil.journal.writer.WriterEffect;
import io.trefoil.journal.writer.WriterEvent;
import io.trefoil.journal.writer.WriterSettings;
import io.trefoil.journal.writer.WriterState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A writer at work: carries out what the rules of {@link Writer} decide.
 *
 * <p>The appending thread itself steps the rules, hands what is to be sent to the transport's thread with one wake-up and to
 * the local disk's with another, and parks once until a majority has it, whoever that is. Answers are stepped on the
 * transport's thread and on the disk's. All under one lock, which is held for a step and never over I/O.
 */
public final class PoolWriter implements JournalWriter, Waiters.Writing {

    private static final Duration TICK = Duration.ofMillis(10);
    /**
     * A standby hears of a commit at the latest after twice this, if no append tells it before. Well above the time of a
     * batch: while batches follow one another, each tells of the one before, and a message more would only cost.
     */
    private static final Duration ANNOUNCE_AFTER = Duration.ofMillis(2);

    /** How often the rules are told that readers are answered: they go by it for longer. */
    private static final long ANSWERS_WANTED_NANOS = 500_000_000L;

    private static final long LARGEST_REQUEST_BYTES = 32L << 20;

    private final WriterMachine machine;
    private final Transport transport;
    private final Hello hello;
    private final PartReader parts;
    private final Executor worker;
    private final String name;
    private final WriterLog log;

    private final Object lock = new Object();
    private final EntryWindow window = new EntryWindow();
    private final Outbox outbox;
    private final Waiters waiters;
    private final Optional<LocalReplica> local;
    private final ClockWatch clocks;
    private final LagMeter lag;
    private WriterState state;
    private boolean announceWanted;
    private boolean applying;

    private volatile long committedSn;
    private volatile long ackedSn;
    private volatile boolean ready;
    private volatile Optional<Supplier<FencedException>> fenced = Optional.empty();
    private volatile Optional<Throwable> brokenBy = Optional.empty();
    private volatile boolean closed;
    private volatile Alone alone = Alone.NEVER;
    private volatile long answersWantedNanos;
    private volatile Runnable watcher = () -> {};
    private volatile JournalObserver observer = JournalObserver.NONE;

    private PoolWriter(
            WriterMachine machine,
            Transport transport,
            Hello hello,
            Optional<JournalReplica> localReplica,
            PartReader.Source source,
            Executor worker,
            WriterSettings settings) {
        this.machine = machine;
        this.waiters = new Waiters(this, machine);
        this.clocks = new ClockWatch(machine::nanoTime, machine::wallMillis);
        this.answersWantedNanos = machine.nanoTime() - 2 * ANSWERS_WANTED_NANOS;
        this.lag = new LagMeter(0, machine.nanoTime());
        this.transport = transport;
        this.hello = hello;
        this.parts = new PartReader(source, settings.partBytes());
        this.worker = worker;
        this.name = "journal " + hello.journal();
        this.log = new WriterLog(name);
        this.outbox = new Outbox(lock, transport);
        this.local = localReplica.map(replica -> new LocalReplica(
                lock, settings.local().get(), replica.disk(), replica::perform, this::localReplied, machine::nanoTime));
        this.state = WriterState.begin(settings, machine.nanoTime());
    }

    /** Becomes the writer; see {@link Journal#openWriter}. */
    public static PoolWriter open(
            WriterMachine machine,
            Transport transport,
            Hello hello,
            Optional<JournalReplica> localReplica,
            PartReader.Source source,
            Executor worker,
            WriterSettings settings)
            throws IOException {
        PoolWriter writer = new PoolWriter(machine, transport, hello, localReplica, source, worker, settings);
        try {
            writer.begin(settings, localReplica);
            writer.awaitReady();
            return writer;
        } catch (IOException | RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    private void begin(WriterSettings settings, Optional<JournalReplica> localReplica) {
        for (NodeAddress address : settings.addresses()) {
            meet(address);
        }
        if (localReplica.isPresent()) {
            JournalReplica replica = localReplica.get();
            handle(WriterEvent.peerUp(
                    settings.local().get(), replica.node(), replica.isFormatted(), replica.promised()));
        }
        tick();
    }

    private void awaitReady() throws IOException {
        waiters.awaitInterruptibly(() -> ready, this::whatMakesReady);
        synchronized (lock) {
            log.ready(state);
        }
    }

    private String whatMakesReady() {
        synchronized (lock) {
            return state.whatIsMissing()
                    .map(missing -> "a node that has what others lost: " + missing + "; start the nodes that are down"
                            + " (docs/operating/members.md)")
                    .orElse("a majority of promises and " + state.settings().minReplicas() + " voters in sync");
        }
    }

    @Override
    public Epoch epoch() {
        synchronized (lock) {
            return state.epoch();
        }
    }

    @Override
    public LogSummary end() {
        synchronized (lock) {
            return state.end();
        }
    }

    @Override
    public long committedSn() {
        return committedSn;
    }

    @Override
    public boolean wasAloneAt(long nanos) {
        if (isOver()) {
            return false;
        }
        long trustedSinceNanos = clocks.trustedSinceNanos();
        if (alone.covers(nanos, trustedSinceNanos)) {
            return true;
        }
        synchronized (lock) {
            alone = Alone.of(state);
        }
        return alone.covers(nanos, trustedSinceNanos);
    }

    @Override
    public void wantAnswers() {
        long nowNanos = machine.nanoTime();
        if (nowNanos - answersWantedNanos > ANSWERS_WANTED_NANOS) {
            answersWantedNanos = nowNanos;
            handle(WriterEvent.answersWanted());
        }
    }

    @Override
    public void onAdvance(Runnable newWatcher) {
        watcher = newWatcher;
    }

    /** Who hears of commits from now on. */
    public void observedBy(JournalObserver newObserver) {
        observer = newObserver;
    }

    /** How this writer and its nodes are. Thread-safe. */
    public WriterStatus status() {
        synchronized (lock) {
            long nowNanos = machine.nanoTime();
            List<WriterStatus.NodeLag> nodes = new ArrayList<>();
            for (NodeProgress progress : state.progress()) {
                long sn = progress.matchedSn();
                nodes.add(WriterStatus.NodeLag.of(
                        progress,
                        Math.max(0, state.lastSn() - sn),
                        lag.bytesBehind(sn),
                        Duration.ofNanos(lag.nanosBehind(sn, nowNanos))));
            }
            Optional<Duration> lease = state.leaseUntilNanos()
                    .map(until -> Duration.ofNanos(until - nowNanos))
                    .filter(remaining -> !remaining.isNegative() && !state.isOver());
            WriterStatus.Queues queues =
                    WriterStatus.Queues.of(outbox.size() + localSize(), window.size(), window.bytes());
            return WriterStatus.of(
                    state.stage(), state.epoch(), state.lastSn(), state.committedSn(), lease, queues, nodes);
        }
    }

    /** A short line for logs and status. */
    public String describe() {
        synchronized (lock) {
            return state.describe();
        }
    }

    @Override
    public void stillWaiting(String what) {
        synchronized (lock) {
            log.stillWaiting(what, state);
        }
    }

    @Override
    public boolean isFenced() {
        return fenced.isPresent();
    }

    /** The term at this moment. Thread-safe. */
    public OwnTerm term() {
        synchronized (lock) {
            long nowNanos = machine.nanoTime();
            Duration left = state.leaseUntilNanos()
                    .map(until -> Duration.ofNanos(until - nowNanos))
                    .orElse(Duration.ZERO);
            return OwnTerm.of(state.epoch(), isFenced(), state.isRefusedByVoter(), left);
        }
    }

    @Override
    public String toString() {
        return name;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isOver() {
        return closed || isFenced() || brokenBy.isPresent();
    }

    @Override
    public long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return append(kind, txIds, payload, writing -> Optional.<String>empty());
    }

    /** Adds a barrier behind what is appended by now; see {@link Journal#addBarrier}. By any thread. */
    public void addBarrier(Barrier barrier) throws IOException {
        append(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload(), writing -> writing.refusalOf(barrier));
    }

    /** Releases a barrier; see {@link Journal#releaseBarrier}. By any thread. */
    public void releaseBarrier(String barrier) throws IOException {
        append(
                EntryKind.BARRIER_RELEASE,
                TxRange.NONE,
                Bytes.ofUtf8(Barrier.requireName(barrier)),
                writing -> Optional.<String>empty());
    }

    private long append(EntryKind kind, TxRange txIds, Bytes payload, Function<WriterState, Optional<String>> refusal)
            throws IOException {
        long begunNanos = machine.nanoTime();
        long sn = add(kind, txIds, payload, refusal, begunNanos);
        send();
        if (kind == EntryKind.EDITS) {
            waiters.await(() -> ackedSn >= sn, () -> "entry " + sn + " to be acknowledged");
        } else {
            // What storage, members and barriers are is decided by a majority, whatever edits wait for.
            waiters.await(() -> ackedSn >= sn && committedSn >= sn, () -> "entry " + sn + " to be committed");
        }
        observer.committed(machine.nanoTime() - begunNanos, payload.size());
        return sn;
    }

    @Override
    public long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return add(kind, txIds, payload, writing -> Optional.<String>empty(), machine.nanoTime());
    }

    /** Puts an entry at the end of the log; who sends next sends it. */
    private long add(
            EntryKind kind,
            TxRange txIds,
            Bytes payload,
            Function<WriterState, Optional<String>> refusal,
            long begunNanos)
            throws IOException {
        refuseIfOver();
        if (payload.size() > EntryCodec.MAX_PAYLOAD_SIZE) {
            // Once it is at the end of the log nobody could write it, nor anything behind it.
            throw new EntryTooLargeException(name, kind, txIds, payload.size());
        }
        synchronized (lock) {
            if (state.isOver()) {
                refuseIfOver();
                throw new IOException(name + ": the writer of epoch " + state.epoch() + " is " + state.stage());
            }
            Optional<String> refused = refusal.apply(state);
            if (refused.isPresent()) {
                throw new BarrierRefusedException(name + ": " + refused.get());
            }
            apply(WriterEvent.appendAsked(kind, txIds, payload));
            lag.appended(state.lastSn(), payload.size(), begunNanos);
            return state.lastSn();
        }
    }

    @Override
    public boolean settle(Duration patience) {
        if (isOver()) {
            return false;
        }
        long sn;
        synchronized (lock) {
            sn = state.lastSn();
        }
        send();
        waiters.await(() -> committedSn >= sn, patience);
        return committedSn >= sn;
    }

    /** Lets all nodes forget transactions below {@code minTxId}, except what barriers keep. */
    public void purge(long minTxId) {
        handle(WriterEvent.purgeAsked(minTxId));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        synchronized (lock) {
            apply(WriterEvent.stepDownAsked());
            closed = true;
        }
        local.ifPresent(LocalReplica::send);
        outbox.close();
        waiters.wakeAll();
        log.end();
    }

    @Override
    public void refuseIfOver() throws IOException {
        if (isFenced()) {
            throw fenced.get().get();
        }
        if (brokenBy.isPresent()) {
            throw new IOException(
                    name + ": the writer of epoch " + epoch()
                            + " is broken and cannot go on: whether what was appended last is in"
                            + " the journal is unknown, the next writer finds out",
                    brokenBy.get());
        }
        if (closed) {
            throw new IOException(name + ": the writer of epoch " + epoch() + " was closed");
        }
    }

    private void tick() {
        if (isOver()) {
            return;
        }
        try {
            clocks.trustedSinceNanos();
            handle(WriterEvent.ticked());
            watcher.run();
        } finally {
            schedule(this::tick, TICK);
        }
    }

    /** Without ticks no late node is dropped from the in-sync set, and without announcements standbys hear of a commit by the next batch only. */
    private void schedule(Runnable task, Duration delay) {
        try {
            transport.schedule(task, delay);
        } catch (RuntimeException | Error e) {
            broke(e);
        }
    }

    /** One timer for all commits: it goes on while there are new ones. */
    private void announceLater(long sn) {
        schedule(
                () -> {
                    handle(WriterEvent.announceDue(sn));
                    long newestSn;
                    synchronized (lock) {
                        newestSn = committedSn;
                        announceWanted = newestSn > sn;
                    }
                    if (newestSn > sn) {
                        announceLater(newestSn);
                    }
                },
                ANNOUNCE_AFTER);
    }

    private void meet(NodeAddress address) {
        synchronized (lock) {
            if (!isLocal(address) && !closed) {
                outbox.connect(address, hello, new NodeEvents(address));
            }
        }
    }

    /** Steps the rules and sees to it that what follows is done; by any thread. */
    private void handle(WriterEvent event) {
        synchronized (lock) {
            if (closed || brokenBy.isPresent()) {
                return;
            }
            apply(event);
        }
        send();
    }

    /** Lets everything go where it goes; waits for neither network nor disk. */
    private void send() {
        outbox.send();
        local.ifPresent(LocalReplica::send);
    }

    /**
     * Steps the rules; under the lock. If what follows from a step cannot be done, for want of memory or by a bug, the rules take for
     * sent and told what is not: somebody may wait for it for ever. So nobody goes on from there; the lease runs out, and the
     * process of the active, which is told, ends. Effects are only performed: none steps the rules.
     */
    private void apply(WriterEvent event) {
        if (applying) {
            throw new IllegalStateException(
                    name + ": " + event + " came while effects of another event were performed");
        }
        Step<WriterState, WriterEffect> step = machine.step(state, event);
        log.stepped(state, step.next());
        state = step.next();
        applying = true;
        try {
            Effects effects = new Effects();
            for (WriterEffect effect : step.effects()) {
                effect.performedBy(effects);
            }
        } catch (RuntimeException | Error e) {
            broke(e);
            throw e;
        } finally {
            applying = false;
        }
    }

    private void broke(Throwable cause) {
        if (!closed) {
            brokenBy = Optional.of(cause);
            waiters.wakeAll();
            log.broken(epoch(), cause);
        }
    }

    private void localReplied(List<Optional<PoolReply>> replies, long sentNanos) {
        synchronized (lock) {
            for (Optional<PoolReply> reply : replies) {
                if (reply.isPresent()) {
                    apply(WriterEvent.replied(local.get().address(), reply.get(), sentNanos));
                }
            }
        }
        outbox.send();
        watcher.run();
    }

    private boolean isLocal(NodeAddress address) {
        return local.isPresent() && local.get().address().equals(address);
    }

    /** How many requests wait for the replica of this process; under the lock. */
    private int localSize() {
        return local.isPresent() ? local.get().size() : 0;
    }

    private void onWorker(Runnable work) {
        try {
            worker.execute(work);
        } catch (RejectedExecutionException e) {
            log.tooLateToRead();
        }
    }

    /** Puts a request where it goes; under the lock. */
    private void post(NodeAddress to, PoolRequest request) {
        if (isLocal(to)) {
            local.get().add(request);
        } else {
            outbox.add(to, request);
        }
    }

    /** Reads entries that are not in memory and sends them; on the worker. */
    private void load(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        AppendRequest part;
        try {
            part = parts.read(from, range, terms, epoch());
        } catch (PurgedException e) {
            handle(WriterEvent.loadPurged(to, e.base()));
            return;
        } catch (IOException e) {
            log.unreadable(to, from, e);
            handle(WriterEvent.loadFailed(to, from));
            return;
        }
        long bytes = 0;
        for (Entry entry : part.entries()) {
            bytes += entry.payload().size();
        }
        synchronized (lock) {
            post(to, part);
            apply(WriterEvent.partSent(to, part.prev().sn() + part.entries().size(), bytes));
        }
        send();
    }

    /** A time in which nobody else can become the writer. Immutable. */
    private static final class Alone {
        private static final Alone NEVER = new Alone(0, 0);

        private final long renewedNanos;
        private final long untilNanos;

        private Alone(long renewedNanos, long untilNanos) {
            this.renewedNanos = renewedNanos;
            this.untilNanos = untilNanos;
        }

        static Alone of(WriterState state) {
            return state.leaseFromNanos().isPresent()
                    ? new Alone(
                            state.leaseFromNanos().get(),
                            state.aloneUntilNanos().get())
                    : NEVER;
        }

        /** What was renewed before the clocks could be trusted may be over. */
        boolean covers(long nanos, long trustedSinceNanos) {
            return untilNanos != renewedNanos && untilNanos - nanos > 0 && renewedNanos - trustedSinceNanos >= 0;
        }
    }

    /** Carries out effects; under the lock, so it only puts things where others find them. */
    private final class Effects implements WriterEffect.Handler<RuntimeException> {

        @Override
        public void remember(Entry entry) {
            if (entry.sn() != window.lastSn() + 1
                    || entry.sn() == state.chosenLast().sn() + 1) {
                window.restart(state.chosenLast());
            }
            window.add(entry);
        }

        @Override
        public void forget(long firstSn) {
            window.dropBelow(firstSn);
        }

        @Override
        public void send(NodeAddress to, PoolRequest request) {
            post(to, request);
        }

        @Override
        public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
            post(to, terms.request(window.prev(range), window.slice(range, LARGEST_REQUEST_BYTES)));
        }

        @Override
        public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
            onWorker(() -> load(to, from, range, terms));
        }

        @Override
        public void meet(NodeAddress address) {
            transport.execute(() -> PoolWriter.this.meet(address));
        }

        @Override
        public void ready() {
            ready = true;
            waiters.wakeAll();
        }

        @Override
        public void committed(long sn) {
            committedSn = sn;
            if (state.settings().ack() == AckPolicy.ONE) {
                // Else who waits is woken once, when it is acknowledged too.
                waiters.wakeAll();
            }
            if (!announceWanted) {
                announceWanted = true;
                announceLater(sn);
            }
        }

        @Override
        public void acknowledged(long sn) {
            ackedSn = sn;
            waiters.wakeAll();
        }

        @Override
        public void droppedFromInSync(NodeAddress address, long sn) {
            log.droppedFromInSync(address, sn, state);
        }

        @Override
        public void inSyncAgain(NodeAddress address) {
            log.inSyncAgain(address);
        }

        @Override
        public void fenced(Epoch by) {
            Epoch own = state.epoch();
            log.fenced(own, by);
            over(() -> new FencedException(own, by));
        }

        @Override
        public void beganAnew(Incarnation by) {
            Epoch epoch = state.epoch();
            Incarnation own = state.end().incarnation();
            log.beganAnew(epoch, own, by);
            over(() -> FencedException.beganAnew(epoch, own, by));
        }

        private void over(Supplier<FencedException> why) {
            fenced = Optional.of(why);
            waiters.wakeAll();
        }
    }

    /** What happens on the session with one node; on the transport's thread. */
    private final class NodeEvents implements LinkListener {
        private final NodeAddress address;
        private String lastRefusal = "";

        NodeEvents(NodeAddress address) {
            this.address = address;
        }

        @Override
        public void up(Link link, Welcome welcome) {
            lastRefusal = "";
            handle(WriterEvent.peerUp(address, welcome.node(), welcome.formatted(), welcome.promised()));
        }

        @Override
        public void down(Link link, String why) {
            log.sessionBroke(address, why);
            handle(WriterEvent.peerDown(address));
        }

        @Override
        public void strange(Link link, Incarnation kept) {
            handle(WriterEvent.peerStrange(address, kept));
        }

        @Override
        public void refused(Link link, String why) {
            if (!why.equals(lastRefusal)) {
                log.refused(address, why);
                lastRefusal = why;
            }
            handle(WriterEvent.peerDown(address));
        }

        @Override
        public void replied(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            handle(WriterEvent.replied(address, reply, sentNanos));
            watcher.run();
        }

        @Override
        public void turnEnded(Link link) {
            // What follows from the answers is already on its way to the links.
        }
    }
}
