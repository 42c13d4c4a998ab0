/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.DiskAlarm;
import io.trefoil.journal.pool.disk.DiskThreads;
import io.trefoil.journal.pool.image.NodeImages;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import io.trefoil.journal.storage.device.SyncedDevice;
import io.trefoil.journal.storage.device.UnsyncedDevice;
import io.trefoil.journal.storage.device.UnsyncedMark;
import io.trefoil.journal.storage.log.RecentMemory;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Inbound;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.NodeSessionAcceptor;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.SessionRefusedException.Reason;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.AddressDoorkeeper;
import io.trefoil.journal.transport.access.Doorkeeper;
import io.trefoil.journal.transport.access.Networks;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * One server of the pool: keeps replicas of journals, one directory each, and serves them on one port. Runs in a
 * NameNode or stand-alone (paper §4.1.1). Thread-safe.
 */
public final class PoolNode implements NodeSessionAcceptor, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolNode.class);

    /** How long it may take to open a replica until those who ask for it are told that it is not open yet. */
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
    private final Map<JournalId, HostedReplica> replicas = new HashMap<>();
    private final List<JoinRequester> joinRequesters = new ArrayList<>();
    private final NodeImages images;
    private final CommitWaits commitWaits;
    private final AddressDoorkeeper doorkeeper;
    /** For the transport's thread, which waits for no disk. */
    private final LogThread log;

    private NettyPoolServer server;
    private volatile boolean closed;

    private PoolNode(NodeSettings settings, Function<JournalId, StorageDevice> devices, PoolObserver observer) {
        this.settings = settings;
        this.devices = devices;
        this.observer = observer;
        this.transport = NettyTransport.start("node-" + settings.address().port(), settings.authentication());
        this.commitWaits = new CommitWaits(transport);
        this.log = new LogThread("ssp-log " + settings.address());
        this.doorkeeper = AddressDoorkeeper.start(settings.address().toString(), settings.access(), this::memberHosts);
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
            Doorkeeper doorkeeper = settings.authentication().guard(node.doorkeeper);
            Files.createDirectories(settings.directory());
            node.server = NettyPoolServer.start(
                    settings.bindHost(),
                    settings.address().port(),
                    node,
                    doorkeeper,
                    settings.authentication(),
                    ServerLimits.USUAL);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw new IOException(
                    "Pool node " + settings.address() + " in " + settings.directory() + " did not start: "
                            + e.getMessage(),
                    e);
        }
        node.requestToJoin();
        node.images.start();
        node.watchDisks();
        observer.nodeStarted(node);
        LOG.info("Pool node {} serves {}", settings.address(), settings.directory());
        node.sayWhomItServes();
        if (!settings.fsync()) {
            LOG.warn(
                    "Pool node {} does not sync (trefoil.journal.fsync=false): a machine that loses its power forgets what this node"
                            + " acknowledged, and several at once what was acknowledged to clients",
                    settings.address());
        }
        return node;
    }

    private void sayWhomItServes() {
        AccessSettings access = settings.access();
        if (!settings.authentication().mechanism().equals(Hello.NO_AUTHENTICATION)) {
            LOG.info(
                    "Pool node {} serves NameNodes, pool nodes and administrators who prove by {} who they are, from any address",
                    settings.address(),
                    settings.authentication().mechanism());
        } else if (access.nodes().equals(Networks.EVERYWHERE)) {
            LOG.warn(
                    "Pool node {} lets anybody at any address read, write and delete its journals"
                            + " (trefoil.journal.insecure.any-address=true)",
                    settings.address());
        } else {
            LOG.info(
                    "Pool node {} trusts addresses: its own host, the members of its journals, hosts {} and networks {} may do"
                            + " everything, networks {} may read and administer, nobody else is served",
                    settings.address(),
                    access.hosts(),
                    access.nodes(),
                    access.operators());
        }
    }

    /** The hosts of the members of all journals that are kept here, as the log has them at present. */
    private Set<String> memberHosts() {
        List<HostedReplica> open;
        synchronized (this) {
            open = new ArrayList<>(replicas.values());
        }
        Set<String> hosts = new LinkedHashSet<>();
        for (HostedReplica hosted : open) {
            for (Member member : hosted.replica.members().list()) {
                hosts.add(member.address().host());
            }
        }
        return hosts;
    }

    private void requestToJoin() {
        settings.joins().forEach((journal, places) -> {
            JoinRequester joinRequester = new JoinRequester(journal, address(), replica(journal), places, transport);
            joinRequesters.add(joinRequester);
            joinRequester.begin();
        });
    }

    /** On the transport's thread, as nothing here waits for a disk. */
    private void watchDisks() {
        if (closed) {
            return;
        }
        try {
            List<HostedReplica> open;
            synchronized (this) {
                open = new ArrayList<>(replicas.values());
            }
            for (HostedReplica hosted : open) {
                hosted.alarm.look(hosted.replica.diskSilent());
            }
        } finally {
            // Also if there was no memory for it.
            transport.schedule(this::watchDisks, DiskAlarm.EVERY);
        }
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

    /** How many readers' questions wait for a commit. Thread-safe. */
    int commitWaits() {
        return commitWaits.count();
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
     * This node's replica of a journal; an empty one, without storage, if the journal is new here. Who is the first to
     * ask waits until it is open, but not long for a disk that hangs: then the replica says so. When the node is
     * closed, the replicas that it had say that.
     *
     * @throws IllegalStateException if the node is closed and had no replica of the journal
     */
    public JournalReplica replica(JournalId journal) {
        HostedReplica hosted;
        synchronized (this) {
            hosted = replicas.get(journal);
            if (hosted == null) {
                if (closed) {
                    throw new IllegalStateException("Pool node " + settings.address()
                            + " is closed, and opens no journal " + journal + " any more");
                }
                hosted = openReplica(journal);
                replicas.put(journal, hosted);
            }
            hosted.kept = true;
        }
        hosted.awaitOpened();
        show(hosted);
        return hosted.replica;
    }

    /** The replica that a caller named; empty if too many name journals that are not kept here, or nothing is opened any more. */
    private synchronized Optional<HostedReplica> replicaFor(JournalId journal) {
        if (closed) {
            return Optional.ofNullable(replicas.get(journal));
        }
        if (!replicas.containsKey(journal)) {
            forgetTheUnknown();
            long unknown =
                    replicas.values().stream().filter(HostedReplica::isUnknown).count();
            if (unknown >= MAX_NEW_JOURNALS) {
                return Optional.empty();
            }
        }
        return Optional.of(replicas.computeIfAbsent(journal, this::openReplica));
    }

    /** What was named only, and nobody asks for any more. */
    private void forgetTheUnknown() {
        for (Iterator<HostedReplica> all = replicas.values().iterator(); all.hasNext(); ) {
            HostedReplica hosted = all.next();
            if (hosted.isUnknown() && hosted.sessions == 0 && hosted.opened.isDone()) {
                all.remove();
                close(hosted.replica);
            }
        }
    }

    private synchronized Optional<HostedReplica> beginSession(JournalId journal) {
        Optional<HostedReplica> hosted = replicaFor(journal);
        hosted.ifPresent(one -> one.sessions++);
        return hosted;
    }

    private synchronized void endSession(HostedReplica hosted) {
        hosted.sessions--;
    }

    private HostedReplica openReplica(JournalId journal) {
        JournalReplica replica = new JournalReplica(
                settings.address() + "/" + journal,
                devices.apply(journal),
                System::nanoTime,
                () -> NodeId.of(UUID.randomUUID().toString()),
                this::wasInThisProcessBefore,
                new DiskThreads(journal.text()));
        DiskAlarm alarm = new DiskAlarm(settings.address() + "/" + journal);
        return new HostedReplica(journal, replica, replica.open(), alarm);
    }

    /** Of a journal that is kept here, metrics are shown; not of one that somebody made up. */
    private void show(HostedReplica hosted) {
        if (!hosted.isUnknown() && hosted.shown.compareAndSet(false, true)) {
            hosted.replica.observedBy(
                    observer.replicaOpened(settings.address(), hosted.journal, hosted.replica::replicaStatus));
        }
    }

    @Override
    public CompletionStage<Void> prepare(JournalId journal) {
        return replicaFor(journal)
                .map(hosted -> hosted.opened.thenRun(() -> show(hosted)))
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
    public NodeSession accept(Hello hello, String remote) throws SessionRefusedException {
        HostedReplica hosted = beginSession(hello.journal())
                .orElseThrow(() -> new SessionRefusedException(
                        Reason.JOURNAL_LIMIT,
                        "Pool node " + settings.address() + " keeps no journal " + hello.journal()
                                + ", and is asked for " + MAX_NEW_JOURNALS + " others that it does not keep either"));
        boolean begun = false;
        try {
            NodeSession session = accept(hello, hosted);
            begun = true;
            return session;
        } finally {
            if (!begun) {
                endSession(hosted);
            }
        }
    }

    private NodeSession accept(Hello hello, HostedReplica hosted) throws SessionRefusedException {
        JournalReplica replica = hosted.replica;
        boolean foreign = hello.namespace().isKnown()
                && replica.namespace().isKnown()
                && !hello.namespace().equals(replica.namespace());
        if (foreign) {
            throw new SessionRefusedException(
                    Reason.WRONG_CLUSTER,
                    "Journal " + hello.journal() + " on pool node " + settings.address() + " belongs to "
                            + replica.namespace() + ", the caller " + hello.caller() + " to " + hello.namespace(),
                    Optional.of(replica.incarnation()).filter(Incarnation::isKnown));
        }
        Welcome welcome = Welcome.of(replica.node(), replica.isFormatted(), replica.namespace(), replica.promised());
        return hello.role() == Hello.CallerRole.WRITER
                ? new WriterSession(hello, hosted, welcome)
                : new ReaderSession(hosted, welcome);
    }

    @Override
    public void close() throws IOException {
        List<HostedReplica> open = closing();
        if (server != null) {
            server.close();
        }
        doorkeeper.close();
        images.close();
        joinRequesters.forEach(JoinRequester::close);
        transport.close();
        log.end();
        for (HostedReplica hosted : open) {
            close(hosted.replica);
        }
    }

    /**
     * No other replica is opened from now on. Those that there are stay known: who asks for one is not given another on
     * its files.
     */
    private synchronized List<HostedReplica> closing() {
        List<HostedReplica> open = closed ? Collections.<HostedReplica>emptyList() : new ArrayList<>(replicas.values());
        closed = true;
        return open;
    }

    /** One that cannot be closed keeps none of the others open. */
    private static void close(JournalReplica replica) {
        try {
            replica.close();
        } catch (IOException e) {
            LOG.warn("A replica was not closed: {}", e.toString());
        }
    }

    /** A replica, and whether it is known what it has. */
    private static final class HostedReplica {
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

        HostedReplica(JournalId journal, JournalReplica replica, CompletableFuture<Void> opened, DiskAlarm alarm) {
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
                LOG.warn("The disk has not opened a replica within {} ms", OPENING_PATIENCE.toMillis());
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A writer's session: everything that was read together is one group for the disk. */
    private final class WriterSession implements NodeSession {
        private final Hello hello;
        private final HostedReplica hosted;
        private final JournalReplica replica;
        private final Welcome welcome;
        private Optional<WriterId> writer = Optional.empty();

        WriterSession(Hello hello, HostedReplica hosted, Welcome welcome) {
            this.hello = hello;
            this.hosted = hosted;
            this.replica = hosted.replica;
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
            show(hosted);
            for (int i = 0; i < inbound.size(); i++) {
                if (replies.get(i).isPresent()) {
                    inbound.get(i).answer(replies.get(i).get());
                }
            }
        }

        @Override
        public void closed() {
            endSession(hosted);
            if (hello.callerNode().isPresent() && writer.isPresent()) {
                new GoneWatch(replica, writer.get(), hello.callerNode().get()).look();
            }
        }
    }

    /** A reader's session: one question after the other, none of them on the commit path. */
    private final class ReaderSession implements NodeSession {
        private final HostedReplica hosted;
        private final JournalReplica replica;
        private final Welcome welcome;

        ReaderSession(HostedReplica hosted, Welcome welcome) {
            this.hosted = hosted;
            this.replica = hosted.replica;
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
                    commitWaits.begin(this, replica, (AwaitCommitRequest) one.request(), one);
                } else if (one.request() instanceof FetchRequest) {
                    one.answer(replica.fetch((FetchRequest) one.request()));
                } else if (one.request() instanceof ImagesRequest) {
                    one.answer(images.held(hosted.journal, replica));
                } else if (one.request() instanceof ImagePartRequest) {
                    images.serve(hosted.journal, replica, (ImagePartRequest) one.request(), one);
                } else {
                    Optional<PoolReply> reply = replica.perform(one.request());
                    show(hosted);
                    reply.ifPresent(one::answer);
                }
            }
        }

        @Override
        public void closed() {
            commitWaits.end(this);
            endSession(hosted);
        }
    }

    /** Finds out whether a writer whose session broke appears to be down, as long as its lease runs. */
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
                log.write(() -> LOG.info(
                        "Writer {} at {} appears to be down: its session broke and nobody listens there",
                        writer,
                        writerNode));
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
