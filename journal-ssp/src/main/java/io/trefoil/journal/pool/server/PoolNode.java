/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.LogThread;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.DiskStallLogger;
import io.trefoil.journal.pool.image.NodeImages;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.replica.UnappliedEdit;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import io.trefoil.journal.storage.device.SyncedDevice;
import io.trefoil.journal.storage.device.UnsyncedDevice;
import io.trefoil.journal.storage.device.UnsyncedMark;
import io.trefoil.journal.storage.log.RecentMemory;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.NodeSessionAcceptor;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.SessionRefusedException.Reason;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.access.NetworkAccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.trace.ReplicaTraceFile;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of the pool: keeps replicas of journals, one directory each, and serves them on one port. Runs in a NameNode
 * or stand-alone (paper §4.1.1). Thread-safe.
 */
public final class PoolNode implements NodeSessionAcceptor, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolNode.class);

    private final NodeSettings settings;
    private final Transport transport;
    private final HostedReplicas replicas;
    private final List<JoinRequester> joinRequesters = new ArrayList<>();
    private final NodeImages images;
    private final CommitSubscriptions commitSubscriptions;
    private final NetworkAccessController accessController;
    /** Logging for the transport's thread, which must not wait for a disk. */
    private final LogThread log;

    /** Decides on callers for the server: {@link #accessController}, with what {@link #replaceAccess} set last. */
    private volatile AccessController guard;

    private NettyPoolServer server;
    /** The executors of forwarded calls, by their journal: a caller that forwards calls is trusted for one journal only. */
    private final Map<JournalId, ForwardedCalls> calls = new ConcurrentHashMap<>();
    /** The namespaces of the NameNodes in this process, by the journal that each tails or writes. */
    private final Map<JournalId, LocalNamespace> namespaces = new ConcurrentHashMap<>();

    /** Starts no thread but the access controller's, as the last thing: if this fails, nothing is left running. */
    private PoolNode(
            NodeSettings settings,
            Function<JournalId, StorageDevice> devices,
            PoolObserver observer,
            Transport transport) {
        this.settings = settings;
        settings.localNamespaces().forEach(journal -> namespaces.put(journal, LocalNamespace.UNKNOWN));
        this.replicas = new HostedReplicas(
                settings.address(),
                devices,
                journal -> UnappliedEdit.inFile(settings.directory().resolve(journal + ".unapplied")),
                journal -> openTrace(settings, journal),
                observer,
                (journal, incarnation) -> localNamespace(journal).mayEnter(incarnation));
        this.transport = transport;
        this.commitSubscriptions = new CommitSubscriptions(transport);
        this.log = new LogThread("ssp-log " + settings.address());
        this.images = new NodeImages(settings.address(), settings.directory(), settings.images(), this::replica);
        KnownHosts hosts = new KnownHosts(settings.directory(), HostResolver.ofProcess());
        hosts.restore();
        this.accessController = NetworkAccessController.start(
                settings.address().toString(),
                settings.access(),
                replicas::memberHosts,
                HostResolver.ofProcess(),
                hosts);
    }

    /**
     * Begins to serve; each journal is opened for its first caller.
     *
     * @throws IOException if the port is taken or the directory cannot be used; nothing is left running
     */
    public static PoolNode start(NodeSettings settings) throws IOException {
        return start(settings, PoolObserver.NONE);
    }

    /** Starts a node as {@link #start(NodeSettings)} does, and notifies an observer of the node and its journals. */
    public static PoolNode start(NodeSettings settings, PoolObserver observer) throws IOException {
        RecentMemory memory = new RecentMemory(settings.totalRecentEntriesBytes());
        return start(settings, journal -> newDevice(settings, journal, memory), observer);
    }

    private static StorageDevice newDevice(NodeSettings settings, JournalId journal, RecentMemory memory) {
        FileStorageDevice device = new FileStorageDevice(
                settings.directory().resolve(journal.text()),
                StorageSizes.DEFAULT
                        .withLogFileBytes(settings.logFileBytes())
                        .withRecentBytes(settings.recentEntriesBytes()),
                memory);
        UnsyncedMark mark = device.unsyncedMark();
        return settings.fsync() ? new SyncedDevice(device, mark) : new UnsyncedDevice(device, mark);
    }

    private static ReplicaTrace openTrace(NodeSettings settings, JournalId journal) {
        return settings.traceDirectory()
                .<ReplicaTrace>map(directory -> new ReplicaTraceFile(
                        directory,
                        settings.address().host() + "-" + settings.address().port() + "-" + journal + "-"))
                .orElse(ReplicaTrace.NONE);
    }

    /** Starts a node as {@link #start(NodeSettings)} does, with the journals on storage devices other than directories of files. */
    public static PoolNode start(
            NodeSettings settings, Function<JournalId, StorageDevice> devices, PoolObserver observer)
            throws IOException {
        PoolNode node = create(settings, devices, observer);
        try {
            node.begin(observer);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw new IOException(
                    "Pool node " + settings.address() + " in " + settings.directory() + " did not start: "
                            + e.getMessage(),
                    e);
        } catch (Error e) {
            // No thread, for instance, or a library that is missing: a process that survives that may start the node
            // again.
            node.close();
            throw e;
        }
        return node;
    }

    private static PoolNode create(
            NodeSettings settings, Function<JournalId, StorageDevice> devices, PoolObserver observer)
            throws IOException {
        Transport transport =
                NettyTransport.start("node-" + settings.address().port(), settings.authentication(), settings.tls());
        try {
            return new PoolNode(settings, devices, observer, transport);
        } catch (RuntimeException | Error e) {
            transport.close();
            throw e;
        }
    }

    /**
     * Makes the directory, unless it exists. One that is empty and cannot be written would only fail when it is formatted, with the name
     * directories formatted already; one with a journal is left to the replica, which says how it fares.
     */
    private static void createDataDirectory(Path directory) throws IOException {
        String user = System.getProperty("user.name");
        try {
            PrivateFiles.createDirectory(directory);
        } catch (FileSystemException e) {
            throw new IOException(
                    user + " cannot make the directory; as root: install -d -o " + user + " -m 700 " + directory, e);
        }
        if (!Files.isWritable(directory) && isEmpty(directory)) {
            throw new IOException(user + " may not write in the directory, which belongs to "
                    + Files.getOwner(directory).getName() + "; as root: chown " + user + " " + directory);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            return !files.iterator().hasNext();
        } catch (AccessDeniedException e) {
            // Nor may its journals be read.
            return true;
        }
    }

    private void begin(PoolObserver observer) throws IOException {
        guard = settings.authentication().wrapAccessController(accessController);
        createDataDirectory(settings.directory());
        server = NettyPoolServer.start(
                settings.bindHost(),
                settings.address().port(),
                this,
                new CurrentAccessController(),
                settings.authentication(),
                ServerLimits.USUAL,
                settings.tls());
        requestToJoin();
        images.start();
        watchDisks();
        observer.nodeStarted(this);
        LOG.info("Pool node started: node={} directory={}", settings.address(), settings.directory());
        logAdmittedCallers();
        logAuthentication();
        if (!settings.fsync()) {
            LOG.warn(
                    "node={} does not sync its log (trefoil.journal.fsync=false): if its host loses power, "
                            + "entries that it acknowledged are lost; if several hosts lose power at once, acknowledged "
                            + "edits may be lost; do: set it to true if that is not intended",
                    settings.address());
        }
    }

    /**
     * Serves the callers named in the new settings from now on, after the cluster has gained or lost a NameNode.
     * Existing sessions stay; those whose rights come from an address are judged by the new settings.
     *
     * @param authentication by which callers are judged; this node still authenticates itself as before
     * @throws IOException if it fits no login of this process; the node then serves the same callers as before
     */
    public void replaceAccess(AccessSettings access, Authentication authentication) throws IOException {
        guard = authentication.wrapAccessController(accessController);
        accessController.replaceSettings(access);
        LOG.info("Reloaded the cluster's hosts: node={} hosts={}", settings.address(), access.hosts());
    }

    /** The access controller for the server, which keeps one for life; delegates to the newest. */
    private final class CurrentAccessController implements AccessController {
        @Override
        public boolean expectsCallsFrom(InetAddress address) {
            return guard.expectsCallsFrom(address);
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
            return guard.admit(hello, credentials);
        }

        @Override
        public Object rightsVersion() {
            return guard.rightsVersion();
        }

        @Override
        public Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
            return guard.recheck(hello, credentials, admitted);
        }
    }

    private void logAdmittedCallers() {
        AccessSettings access = settings.access();
        if (!settings.authentication().mechanism().equals(Hello.NO_AUTHENTICATION)) {
            LOG.info(
                    "node={} serves NameNodes, pool nodes and administrators that authenticate by "
                            + "mechanism={}, from any address",
                    settings.address(),
                    settings.authentication().mechanism());
        } else {
            LOG.info(
                    "node={} authorizes callers by address: its own host, the members of its journals, hosts={} "
                            + "and networks={} have full access; operatorNetworks={} may read and administer; all others "
                            + "are refused",
                    settings.address(),
                    access.hosts(),
                    access.nodes(),
                    access.operators());
        }
    }

    private void logAuthentication() {
        switch (settings.tls().policy()) {
            case OFF:
                break;
            case OPTIONAL:
                LOG.warn(
                        "node={} serves callers with TLS and without it (trefoil.journal.tls=optional): this "
                                + "protects nothing until it is required on all hosts"
                                + "; do: set it to required when all hosts have keys",
                        settings.address());
                break;
            case REQUIRED:
                LOG.info(
                        "node={} accepts only TLS callers whose certificate names a trusted host or one of "
                                + "certificates={}, or, for operators, one of operatorCertificates={}",
                        settings.address(),
                        settings.access().nodeCertificates(),
                        settings.access().operatorCertificates());
                break;
        }
    }

    private void requestToJoin() {
        settings.journalsToJoin().forEach((journal, places) -> {
            JoinRequester joinRequester = new JoinRequester(
                    journal, address(), replica(journal), places, transport, () -> localNamespace(journal));
            joinRequesters.add(joinRequester);
            joinRequester.begin();
        });
    }

    /** Checks the disks on the transport's thread, as the check itself waits for no disk. */
    private void watchDisks() {
        if (replicas.isClosed()) {
            return;
        }
        try {
            replicas.checkDisks();
        } finally {
            // Also if this failed for lack of memory.
            transport.schedule(this::watchDisks, DiskStallLogger.EVERY);
        }
    }

    public NodeAddress address() {
        return settings.address();
    }

    /** Open connections of all kinds. Thread-safe. */
    public int connectionCount() {
        return server.connectionCount();
    }

    /** Returns the number of connections that were refused or closed since the start, by the name of the cause. Thread-safe. */
    public Map<String, Long> refusalCounts() {
        return server.refusals().countsByCause();
    }

    /** The earliest expiry of the certificates that the node presents; empty without TLS. Thread-safe. */
    public Optional<Instant> certificateExpiry() {
        return server.certificateExpiry();
    }

    /** The directory in which the node keeps its journals. */
    public Path directory() {
        return settings.directory();
    }

    /** Returns how many readers' requests wait for a commit. Thread-safe. */
    int commitWaitCount() {
        return commitSubscriptions.count();
    }

    /** Returns how many images of namespaces the node holds. Thread-safe. */
    public long imageCount() {
        return images.imageCount();
    }

    /** Returns how many bytes of images the node has served since the start. Thread-safe. */
    public long imageBytesServed() {
        return images.bytesServed();
    }

    /**
     * The replica of a journal on this node; an empty one, without storage, if the journal is new here. The first
     * caller waits until the replica is open, but not long if the disk hangs: then the replica says so. After the node
     * is closed, its replicas say that.
     *
     * @throws IllegalStateException if the node is closed and had no replica of the journal
     */
    public JournalReplica replica(JournalId journal) {
        return replicas.keep(journal);
    }

    /**
     * Sets the executor of calls that NameNodes forward in sessions of a journal: the NameNode of this process, for its
     * own journal. Until then, such calls are refused. Thread-safe.
     */
    public void setCallExecutor(JournalId journal, ForwardedCalls executor) {
        calls.put(journal, executor);
    }

    /**
     * Sets what is known of the namespace of the NameNode in this process, in place of what was known before. Until it is in
     * use, the node does not ask to join the journal; it never changes to an incarnation that the namespace does not belong
     * to. Thread-safe.
     */
    public void setLocalNamespace(JournalId journal, LocalNamespace namespace) {
        namespaces.put(journal, namespace);
    }

    private LocalNamespace localNamespace(JournalId journal) {
        return namespaces.getOrDefault(journal, LocalNamespace.NONE);
    }

    @Override
    public CompletionStage<Void> prepare(JournalId journal) {
        return replicas.findOrOpen(journal)
                .map(hosted -> hosted.openFuture().thenRun(() -> replicas.report(hosted)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** A new id for a writer in a node's process; after a restart, that node recognizes by it that the writer is dead. */
    public static WriterId newWriterId(NodeAddress node) {
        return WriterId.of(UUID.randomUUID() + "@" + node);
    }

    @Override
    public NodeSession accept(Hello hello, String remote) throws SessionRefusedException {
        HostedReplica hosted = replicas.beginSession(hello.journal())
                .orElseThrow(() -> new SessionRefusedException(
                        Reason.JOURNAL_LIMIT,
                        "Pool node " + settings.address() + " keeps no journal " + hello.journal()
                                + ", and is asked for " + HostedReplicas.MAX_NEW_JOURNALS
                                + " others that it does not keep either"));
        boolean begun = false;
        try {
            NodeSession session = accept(hello, hosted);
            begun = true;
            return session;
        } finally {
            if (!begun) {
                replicas.endSession(hosted);
            }
        }
    }

    private NodeSession accept(Hello hello, HostedReplica hosted) throws SessionRefusedException {
        JournalReplica replica = hosted.replica();
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
        Welcome welcome =
                Welcome.of(replica.node(), replica.isFormatted(), replica.namespace(), replica.promisedEpoch());
        return hello.role() == Hello.CallerRole.WRITER
                ? new WriterSession(hello, hosted, welcome, replicas, transport, log)
                : new ReaderSession(hosted, welcome, replicas, commitSubscriptions, images, calls::get);
    }

    @Override
    public void close() throws IOException {
        List<HostedReplica> open = replicas.beginClose();
        if (server != null) {
            server.close();
        }
        accessController.close();
        images.close();
        joinRequesters.forEach(JoinRequester::close);
        transport.close();
        log.shutDown();
        for (HostedReplica hosted : open) {
            HostedReplicas.close(hosted.replica());
        }
    }
}
