/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.DiskAlarm;
import io.trefoil.journal.pool.disk.DiskThreads;
import io.trefoil.journal.pool.image.NodeImages;
import io.trefoil.journal.pool.replica.CommitSignal;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import io.trefoil.journal.storage.device.SyncedDevice;
import io.trefoil.journal.storage.device.UnsyncedDevice;
import io.trefoil.journal.storage.device.UnsyncedMark;
import io.trefoil.journal.storage.log.RecentMemory;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Inbound;
import io.trefoil.journal.transport.Session;
import io.trefoil.journal.transport.SessionAcceptor;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.SessionRefusedException.Reason;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server of the pool: keeps copies of journals, one directory each, and serves them on one port. Lives in a
 * NameNode or alone (paper §4.1.1). Thread-safe.
 */
public final class PoolNode implements SessionAcceptor, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolNode.class);

    /** How long it may take to open a copy until those who ask for it are told that it is not open yet. */
    private static final Duration OPENING_PATIENCE = Duration.ofSeconds(5);

    /**
     * Journals that a node has no storage of and that callers name all the same, as for a format: at once, so many. Names are
     * nobody's property, and each takes memory and threads.
     */
    private static final int MAX_NEW_JOURNALS = 64;

    private final NodeSettings settings;
    private final Function<JournalId, StorageDevice> devices;
    private final PoolObserver observer;
    private final Transport transport;
    private final Map<JournalId, Copy> copies = new HashMap<>();
    private final List<Announcer> announcers = new ArrayList<>();
    private final NodeImages images;
    private NettyPoolServer server;
    private volatile boolean closed;

    private PoolNode(NodeSettings settings, Function<JournalId, StorageDevice> devices, PoolObserver observer) {
        this.settings = settings;
        this.devices = devices;
        this.observer = observer;
        this.transport = NettyTransport.start("node-" + settings.address().port());
        this.images = new NodeImages(settings.address(), settings.directory(), settings.images(), this::replica);
    }

    /**
     * Opens the journals that are there and begins to serve.
     *
     * @throws IOException if the port is taken or the directory cannot be used; nothing is left running
     */
    public static PoolNode start(NodeSettings settings) throws IOException {
        return start(settings, PoolObserver.NONE);
    }

    /** As {@link #start(NodeSettings)}, and tells somebody of itself and of its journals. */
    public static PoolNode start(NodeSettings settings, PoolObserver observer) throws IOException {
        RecentMemory memory = new RecentMemory(settings.recentEntriesBytesOfAll());
        return start(settings, journal -> device(settings, journal, memory), observer);
    }

    private static StorageDevice device(NodeSettings settings, JournalId journal, RecentMemory memory) {
        FileStorageDevice device = new FileStorageDevice(
                settings.directory().resolve(journal.text()),
                StorageSizes.DEFAULT
                        .withLogFileBytes(settings.logFileBytes())
                        .withRecentBytes(settings.recentEntriesBytes()),
                memory);
        UnsyncedMark mark = device.unsyncedMark();
        return settings.fsync() ? new SyncedDevice(device, mark) : new UnsyncedDevice(device, mark);
    }

    /** As {@link #start(NodeSettings)}, with the journals on other devices than directories of files. */
    public static PoolNode start(
            NodeSettings settings, Function<JournalId, StorageDevice> devices, PoolObserver observer)
            throws IOException {
        PoolNode node = new PoolNode(settings, devices, observer);
        try {
            Files.createDirectories(settings.directory());
            node.server = NettyPoolServer.start(
                    settings.bindHost(), settings.address().port(), node, ServerLimits.USUAL);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw new IOException(
                    "Pool node " + settings.address() + " in " + settings.directory() + " did not start: "
                            + e.getMessage(),
                    e);
        }
        node.announce();
        node.images.start();
        node.watchDisks();
        observer.nodeStarted(node);
        LOG.info("Pool node {} serves {}", settings.address(), settings.directory());
        if (!settings.fsync()) {
            LOG.warn(
                    "Pool node {} does not sync (dfs.ssp.fsync=false): a machine that loses its power forgets what this node"
                            + " acknowledged, and several at once what was acknowledged to clients",
                    settings.address());
        }
        return node;
    }

    private void announce() {
        settings.joins().forEach((journal, places) -> {
            Announcer announcer = new Announcer(journal, address(), replica(journal), places, transport);
            announcers.add(announcer);
            announcer.begin();
        });
    }

    /** On the transport's thread, as nothing here waits for a disk. */
    private void watchDisks() {
        if (closed) {
            return;
        }
        List<Copy> open;
        synchronized (this) {
            open = new ArrayList<>(copies.values());
        }
        for (Copy copy : open) {
            copy.alarm.look(copy.replica.diskSilent());
        }
        transport.schedule(this::watchDisks, DiskAlarm.EVERY);
    }

    public NodeAddress address() {
        return settings.address();
    }

    /** Open connections of all kinds. Thread-safe. */
    public int connectionCount() {
        return server.connectionCount();
    }

    /** How many connections were refused or closed since the start, by the name of the cause. Thread-safe. */
    public Map<String, Long> refusals() {
        return server.refusals().byName();
    }

    /** How many images of namespaces it holds. Thread-safe. */
    public long imageCount() {
        return images.count();
    }

    /** How many bytes of images it gave to others since the start. Thread-safe. */
    public long imageBytesServed() {
        return images.bytesServed();
    }

    /**
     * This node's copy of a journal; an empty one, without storage, if the journal is new here. Who is the first to ask waits until it
     * is open, but not long for a disk that hangs: then the copy says so. When the node is closed, the copies that it had say that.
     *
     * @throws IllegalStateException if the node is closed and had no copy of the journal
     */
    public JournalReplica replica(JournalId journal) {
        Copy copy;
        synchronized (this) {
            copy = copies.get(journal);
            if (copy == null) {
                if (closed) {
                    throw new IllegalStateException("Pool node " + settings.address()
                            + " is closed, and opens no journal " + journal + " any more");
                }
                copy = openCopy(journal);
                copies.put(journal, copy);
            }
            copy.kept = true;
        }
        copy.awaitOpened();
        show(copy);
        return copy.replica;
    }

    /** The copy that a caller named; empty if too many name journals that are not kept here, or nothing is opened any more. */
    private synchronized Optional<Copy> copyFor(JournalId journal) {
        if (closed) {
            return Optional.ofNullable(copies.get(journal));
        }
        if (!copies.containsKey(journal)) {
            forgetTheUnknown();
            long unknown = copies.values().stream().filter(Copy::isUnknown).count();
            if (unknown >= MAX_NEW_JOURNALS) {
                return Optional.empty();
            }
        }
        return Optional.of(copies.computeIfAbsent(journal, this::openCopy));
    }

    /** What was named only, and nobody asks for any more. */
    private void forgetTheUnknown() {
        for (Iterator<Copy> all = copies.values().iterator(); all.hasNext(); ) {
            Copy copy = all.next();
            if (copy.isUnknown() && copy.sessions == 0 && copy.opened.isDone()) {
                all.remove();
                close(copy.replica);
            }
        }
    }

    private synchronized Optional<Copy> beginSession(JournalId journal) {
        Optional<Copy> copy = copyFor(journal);
        copy.ifPresent(one -> one.sessions++);
        return copy;
    }

    private synchronized void endSession(Copy copy) {
        copy.sessions--;
    }

    private Copy openCopy(JournalId journal) {
        JournalReplica replica = new JournalReplica(
                settings.address() + "/" + journal,
                devices.apply(journal),
                System::nanoTime,
                () -> NodeId.of(UUID.randomUUID().toString()),
                this::wasInThisProcessBefore,
                new DiskThreads(journal.text()));
        DiskAlarm alarm = new DiskAlarm(settings.address() + "/" + journal);
        return new Copy(journal, replica, replica.open(), alarm);
    }

    /** Of a journal that is kept here, metrics are shown; not of one that somebody made up. */
    private void show(Copy copy) {
        if (!copy.isUnknown() && copy.shown.compareAndSet(false, true)) {
            copy.replica.observedBy(observer.copyOpened(settings.address(), copy.journal, copy.replica::copyStatus));
        }
    }

    @Override
    public CompletionStage<Void> prepare(JournalId journal) {
        return copyFor(journal)
                .map(copy -> copy.opened.thenRun(() -> show(copy)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** The id of a writer in the process of a node; tells that node after a restart that this writer is dead. */
    public static WriterId writerIn(NodeAddress node) {
        return WriterId.of(UUID.randomUUID() + "@" + node);
    }

    /** The directory's lock is held by this process, so a writer that lived beside this node before is gone. */
    private boolean wasInThisProcessBefore(WriterId writer) {
        return writer.text().endsWith("@" + settings.address());
    }

    @Override
    public Session accept(Hello hello, String remote) throws SessionRefusedException {
        if (!hello.authentication().equals(Hello.NO_AUTHENTICATION)) {
            throw new SessionRefusedException(
                    Reason.AUTHENTICATION,
                    "Pool node " + settings.address() + " knows no authentication '" + hello.authentication()
                            + "', only '" + Hello.NO_AUTHENTICATION + "'");
        }
        Copy copy = beginSession(hello.journal())
                .orElseThrow(() -> new SessionRefusedException(
                        Reason.JOURNAL_LIMIT,
                        "Pool node " + settings.address() + " keeps no journal " + hello.journal()
                                + ", and is asked for " + MAX_NEW_JOURNALS + " others that it does not keep either"));
        boolean begun = false;
        try {
            Session session = accept(hello, copy);
            begun = true;
            return session;
        } finally {
            if (!begun) {
                endSession(copy);
            }
        }
    }

    private Session accept(Hello hello, Copy copy) throws SessionRefusedException {
        JournalReplica replica = copy.replica;
        boolean foreign = hello.namespace().isKnown()
                && replica.namespace().isKnown()
                && !hello.namespace().equals(replica.namespace());
        if (foreign) {
            throw new SessionRefusedException(
                    Reason.WRONG_CLUSTER,
                    "Journal " + hello.journal() + " on pool node " + settings.address() + " belongs to "
                            + replica.namespace() + ", the caller " + hello.caller() + " to " + hello.namespace());
        }
        Welcome welcome = Welcome.of(replica.node(), replica.isFormatted(), replica.namespace(), replica.promised());
        return hello.role() == Hello.Role.WRITER
                ? new WriterSession(hello, copy, welcome)
                : new ReaderSession(copy, welcome);
    }

    @Override
    public void close() throws IOException {
        List<Copy> open = closing();
        if (server != null) {
            server.close();
        }
        images.close();
        announcers.forEach(Announcer::close);
        transport.close();
        for (Copy copy : open) {
            close(copy.replica);
        }
    }

    /** No other copy is opened from now on. Those that there are stay known: who asks for one is not given another on its files. */
    private synchronized List<Copy> closing() {
        List<Copy> open = closed ? Collections.<Copy>emptyList() : new ArrayList<>(copies.values());
        closed = true;
        return open;
    }

    /** One that cannot be closed keeps none of the others open. */
    private static void close(JournalReplica replica) {
        try {
            replica.close();
        } catch (IOException e) {
            LOG.warn("A copy was not closed: {}", e.toString());
        }
    }

    /** A copy, and whether it is known what it has. */
    private static final class Copy {
        private final JournalId journal;
        private final JournalReplica replica;
        private final AtomicBoolean shown = new AtomicBoolean();
        /** Somebody in this process has it for good. */
        private volatile boolean kept;

        private int sessions;
        /** Done when it is open, or has failed. */
        private final CompletableFuture<Void> opened;

        private volatile boolean tooLate;

        private final DiskAlarm alarm;

        Copy(JournalId journal, JournalReplica replica, CompletableFuture<Void> opened, DiskAlarm alarm) {
            this.journal = journal;
            this.replica = replica;
            this.opened = opened;
            this.alarm = alarm;
        }

        boolean isUnknown() {
            return !kept && !replica.isFormatted();
        }

        /** Only once for as long as that: who comes later finds out that it is not open. */
        void awaitOpened() {
            if (tooLate || opened.isDone()) {
                return;
            }
            try {
                opened.get(OPENING_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException e) {
                tooLate = true;
                LOG.warn("The disk has not opened a copy within {} ms", OPENING_PATIENCE.toMillis());
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A writer's session: everything that was read together is one group for the disk. */
    private final class WriterSession implements Session {
        private final Hello hello;
        private final Copy copy;
        private final JournalReplica replica;
        private final Welcome welcome;
        private Optional<WriterId> writer = Optional.empty();

        WriterSession(Hello hello, Copy copy, Welcome welcome) {
            this.hello = hello;
            this.copy = copy;
            this.replica = copy.replica;
            this.welcome = welcome;
        }

        @Override
        public Welcome welcome() {
            return welcome;
        }

        @Override
        public void requests(List<Inbound> inbound) {
            List<PoolRequest> requests = new ArrayList<>(inbound.size());
            for (Inbound one : inbound) {
                requests.add(one.request());
                if (one.request() instanceof AppendRequest) {
                    writer = Optional.of(((AppendRequest) one.request()).writer());
                }
            }
            List<Optional<PoolReply>> replies = replica.perform(requests);
            show(copy);
            for (int i = 0; i < inbound.size(); i++) {
                if (replies.get(i).isPresent()) {
                    inbound.get(i).answer(replies.get(i).get());
                }
            }
        }

        @Override
        public void closed() {
            endSession(copy);
            if (hello.callerNode().isPresent() && writer.isPresent()) {
                new GoneWatch(replica, writer.get(), hello.callerNode().get()).look();
            }
        }
    }

    /** A reader's session: one question after the other, none of them on the commit path. */
    private final class ReaderSession implements Session {
        private final Copy copy;
        private final JournalReplica replica;
        private final Welcome welcome;

        ReaderSession(Copy copy, Welcome welcome) {
            this.copy = copy;
            this.replica = copy.replica;
            this.welcome = welcome;
        }

        @Override
        public Welcome welcome() {
            return welcome;
        }

        @Override
        public boolean mayWait(PoolRequest request) {
            return !JournalReplica.isQuestion(request);
        }

        @Override
        public void requests(List<Inbound> inbound) {
            for (Inbound one : inbound) {
                if (one.request() instanceof AwaitCommitRequest) {
                    new CommitWait(replica, (AwaitCommitRequest) one.request(), one).begin();
                } else if (one.request() instanceof FetchRequest) {
                    one.answer(replica.fetch((FetchRequest) one.request()));
                } else if (one.request() instanceof ImagesRequest) {
                    one.answer(images.held(copy.journal, replica));
                } else if (one.request() instanceof ImagePartRequest) {
                    images.serve(copy.journal, replica, (ImagePartRequest) one.request(), one);
                } else {
                    Optional<PoolReply> reply = replica.perform(one.request());
                    show(copy);
                    reply.ifPresent(one::answer);
                }
            }
        }

        @Override
        public void closed() {
            // Who waits for a commit here is answered in time, and the answer is dropped.
            endSession(copy);
        }
    }

    /** Answers one long question when something was committed or its time is up. */
    private final class CommitWait implements CommitSignal.Listener {
        private final JournalReplica replica;
        private final AwaitCommitRequest request;
        private final Inbound inbound;
        private final AtomicBoolean answered = new AtomicBoolean();

        CommitWait(JournalReplica replica, AwaitCommitRequest request, Inbound inbound) {
            this.replica = replica;
            this.request = request;
            this.inbound = inbound;
        }

        void begin() {
            replica.commits().add(this);
            if (replica.commits().committedSn() > request.knownSn()) {
                answer();
                return;
            }
            transport.schedule(this::answer, Duration.ofMillis(request.timeoutMillis()));
        }

        @Override
        public void advanced() {
            if (replica.commits().committedSn() > request.knownSn()) {
                // Not here: the thread that committed has more important things to do.
                transport.execute(this::answer);
            }
        }

        private void answer() {
            if (answered.compareAndSet(false, true)) {
                replica.commits().remove(this);
                replica.perform(StatusRequest.create()).ifPresent(inbound::answer);
            }
        }
    }

    /** Finds out whether a writer whose session broke seems to be gone for good, as long as its lease runs. */
    private final class GoneWatch {
        private final JournalReplica replica;
        private final WriterId writer;
        private final NodeAddress writerNode;
        private final Optional<Long> heardNanos;

        GoneWatch(JournalReplica replica, WriterId writer, NodeAddress writerNode) {
            this.replica = replica;
            this.writer = writer;
            this.writerNode = writerNode;
            this.heardNanos = replica.heardNanos();
        }

        void look() {
            if (isSilent() && replica.isLeaseHeld(writer)) {
                transport.probe(writerNode, Duration.ofMillis(500), this::outcome);
            }
        }

        private boolean isSilent() {
            return replica.heardNanos().equals(heardNanos);
        }

        private void outcome(Transport.Probe probe) {
            if (probe == Transport.Probe.REFUSED) {
                LOG.info("Writer {} at {} seems to be gone: its session broke and nobody listens", writer, writerNode);
                seemsGone();
            } else {
                transport.schedule(this::look, Duration.ofMillis(50));
            }
        }

        /** Again when the rest of its lease is over, so that who waits for that hears of it. */
        private void seemsGone() {
            Duration left = isSilent() ? replica.writerGone(writer) : Duration.ZERO;
            if (!left.isZero()) {
                transport.schedule(this::seemsGone, left);
            }
        }
    }
}
