/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.warmup;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.format.JournalFormatter;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Becomes the writer of a small pool within this process, and writes a few entries. Its only effect: the JVM has loaded
 * and linked the classes it needs to become the writer of the real pool, and its first takeover does not take several
 * times as long as the next.
 *
 * <p>The replicas are on disk, in a temporary directory that is deleted afterwards, or by the next warm-up if the
 * process is killed meanwhile; nothing goes over the network.
 */
public final class TakeoverWarmUp implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverWarmUp.class);

    private static final JournalId JOURNAL = JournalId.of("warm-up");
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-warm-up", 1);
    private static final int NODES = 3;
    private static final int ENTRIES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final StorageSizes SIZES =
            StorageSizes.DEFAULT.withLogFileBytes(64 << 10).withRecentBytes(64 << 10);

    private final WarmUpDirectory directory;
    private final ScheduledExecutorService network =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("ssp-warm-up"));
    private final ExecutorService worker =
            Executors.newSingleThreadExecutor(DaemonThreads.newFactory("ssp-warm-up-worker"));
    private final Map<NodeAddress, JournalReplica> nodes = new LinkedHashMap<>();

    private TakeoverWarmUp(WarmUpDirectory directory) {
        this.directory = directory;
    }

    /**
     * Warms up once; takes about 100 ms.
     *
     * @throws IOException if there is no room for it, or it did not go as expected; nothing is lost then
     */
    public static void run() throws IOException {
        runIn(Paths.get(System.getProperty("java.io.tmpdir")));
    }

    static void runIn(Path temporary) throws IOException {
        try (WarmUpDirectory directory = WarmUpDirectory.createIn(temporary);
                TakeoverWarmUp warmUp = new TakeoverWarmUp(directory)) {
            warmUp.format();
            warmUp.write();
        }
    }

    private void format() throws IOException {
        Map<NodeAddress, PoolReply> statuses = new LinkedHashMap<>();
        for (int i = 1; i <= NODES; i++) {
            NodeAddress address = NodeAddress.of("warm-up-" + i, i);
            JournalReplica replica = new JournalReplica(
                    address.toString(),
                    new FileStorageDevice(directory.path().resolve(address.host()), SIZES),
                    System::nanoTime,
                    () -> NodeId.of(UUID.randomUUID().toString()),
                    writer -> false);
            nodes.put(address, replica);
            replica.open();
            statuses.put(address, query(address, StatusRequest.create()));
        }
        new JournalFormatter(JOURNAL, NAMESPACE, StorageRecord.Version.of(0, 0), false, Members.NONE)
                .run(statuses, Optional.<NodeAddress>empty(), this::query, LocalNamespace.NONE::expectFormat);
    }

    private PoolReply query(NodeAddress address, PoolRequest request) throws IOException {
        return nodes.get(address).perform(request).orElseThrow(() -> new IOException(address + " did not answer"));
    }

    private void write() throws IOException {
        NodeAddress local = nodes.keySet().iterator().next();
        WriterSettings settings = WriterSettings.builder()
                .writer(PoolNode.newWriterId(local))
                .namespace(NAMESPACE)
                .addresses(new ArrayList<>(nodes.keySet()))
                .localNode(local)
                .build();
        Hello hello = Hello.of(JOURNAL, NAMESPACE, Hello.CallerRole.WRITER, local.toString(), Optional.of(local));
        PoolWriter writer = PoolWriter.connect(
                WriterMachine.REAL,
                new InProcessTransport(),
                hello,
                Optional.of(nodes.get(local)),
                this::refuseFetch,
                worker,
                settings);
        try {
            writer.begin();
            writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("0"));
            for (int i = 1; i <= ENTRIES; i++) {
                writer.append(EntryKind.EDITS, TxRange.of(i, i), Bytes.wrap(new byte[64]));
            }
            writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, ENTRIES), Bytes.EMPTY);
            writer.awaitAllCommitted(TIMEOUT);
        } finally {
            writer.close();
        }
    }

    private List<Entry> refuseFetch(NodeAddress from, FetchRequest request) throws IOException {
        throw new IOException("Entry " + request.firstSn() + " is asked for, though no node is behind");
    }

    @Override
    public void close() throws IOException {
        network.shutdownNow();
        worker.shutdownNow();
        for (JournalReplica replica : nodes.values()) {
            replica.close();
        }
    }

    /** Carries requests to the replicas and answers back, within this process. */
    private final class InProcessTransport implements Transport {
        private volatile Thread thread;

        @Override
        public Link connect(NodeAddress address, Hello hello, LinkListener listener) {
            InProcessLink link = new InProcessLink(address, listener);
            JournalReplica replica = nodes.get(address);
            execute(() -> listener.onUp(
                    link, Welcome.of(replica.node(), replica.isFormatted(), NAMESPACE, replica.promisedEpoch())));
            return link;
        }

        @Override
        public void probe(NodeAddress address, Duration timeout, ProbeListener listener) {
            execute(() -> listener.onOutcome(Probe.ACCEPTED));
        }

        @Override
        public void execute(Runnable task) {
            schedule(task, Duration.ZERO);
        }

        @Override
        public void schedule(Runnable task, Duration delay) {
            try {
                network.schedule(
                        () -> {
                            thread = Thread.currentThread();
                            task.run();
                        },
                        delay.toNanos(),
                        TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("The warm-up has ended");
            }
        }

        @Override
        public boolean isTransportThread() {
            return Thread.currentThread() == thread;
        }

        @Override
        public void close() {
            network.shutdownNow();
        }
    }

    /** A link to one replica. */
    private final class InProcessLink implements Link {
        private final NodeAddress address;
        private final LinkListener listener;

        InProcessLink(NodeAddress address, LinkListener listener) {
            this.address = address;
            this.listener = listener;
        }

        @Override
        public NodeAddress address() {
            return address;
        }

        @Override
        public void send(PoolRequest request) {
            long sentNanos = System.nanoTime();
            Optional<PoolReply> reply = nodes.get(address).perform(request);
            if (reply.isPresent()) {
                network.execute(() -> {
                    listener.onReply(this, request, reply.get(), sentNanos);
                    listener.onReadCompleted(this);
                });
            }
        }

        @Override
        public void flush() {
            // Requests are delivered when they are sent.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
