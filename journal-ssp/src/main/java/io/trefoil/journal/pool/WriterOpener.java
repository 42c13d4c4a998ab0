/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.delivery.PartReader;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.trace.WriterTraceFile;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens writers of a journal in this process, according to the settings and the members. Thread-safe. */
final class WriterOpener {
    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    private final PoolSettings settings;
    private final LocalNode localNode;
    private final PoolMembers members;
    private final PoolQueryClient questions;
    private final PoolObserver observer;
    private final Transport transport;
    private final PartReader.Source source;
    private final Executor worker;
    private final Supplier<Duration> lease;
    private volatile boolean holdsAnswersUntilCommitted;

    /**
     * @param source read by {@code worker} for nodes that lack what is no longer in the writer's memory
     * @param lease gives the length of the lease that a term which begins now asks for
     */
    WriterOpener(
            PoolSettings settings,
            LocalNode localNode,
            PoolMembers members,
            PoolQueryClient questions,
            PoolObserver observer,
            Transport transport,
            PartReader.Source source,
            Executor worker,
            Supplier<Duration> lease) {
        this.settings = settings;
        this.localNode = localNode;
        this.members = members;
        this.questions = questions;
        this.observer = observer;
        this.transport = transport;
        this.source = source;
        this.worker = worker;
        this.lease = lease;
    }

    /** Makes the next writers assume that answers to users are held until the edits they reveal are committed. */
    void declareAnswersHeld() {
        holdsAnswersUntilCommitted = true;
    }

    /** Opens the sessions of a writer that may not send requests yet. */
    PoolWriter openSessions(int minReplicas) throws IOException {
        NamespaceId namespace = namespace();
        return PoolWriter.connect(
                WriterMachine.withTrace(openTrace()),
                transport,
                questions.newHello(namespace, Hello.CallerRole.WRITER),
                localNode.replica(),
                source,
                worker,
                newWriterSettings(namespace, minReplicas));
    }

    /** Returns when the writer is ready, however long a majority takes to promise; an interrupt ends the wait. */
    void begin(PoolWriter met) throws IOException {
        warnIfUnsafe();
        met.begin();
        met.setObserver(observer.writerOpened(settings.journal(), met::status));
    }

    private WriterTrace openTrace() {
        return settings.traceDirectory()
                .<WriterTrace>map(directory -> new WriterTraceFile(directory, settings.journal() + "-"))
                .orElse(WriterTrace.NONE);
    }

    private NamespaceId namespace() throws IOException {
        members.learnFromLocal();
        if (settings.namespace().isKnown()) {
            return settings.namespace();
        }
        for (PoolReply reply :
                questions.queryAllOfAnyNamespace(StatusRequest.create()).values()) {
            if (reply instanceof StatusReply) {
                return ((StatusReply) reply).namespace();
            }
        }
        return NamespaceId.UNKNOWN;
    }

    private WriterSettings newWriterSettings(NamespaceId namespace, int minReplicas) {
        WriterSettings.Builder rules = WriterSettings.builder()
                .writer(localNode
                        .address()
                        .map(PoolNode::newWriterId)
                        .orElseGet(() -> WriterId.of(UUID.randomUUID().toString())))
                .namespace(namespace)
                .addresses(new ArrayList<>(members.allAddresses()))
                .addressSource(settings.addressSource())
                .leaseMillis(lease.get().toMillis())
                .ackTimeoutMillis(settings.ackTimeout().toMillis())
                .minReplicas(minReplicas)
                .ackPolicy(settings.ackPolicy())
                .holdsAnswersUntilCommitted(holdsAnswersUntilCommitted)
                .catchUpBytesPerSecond(settings.catchUpBytesPerSecond());
        localNode.address().ifPresent(rules::localNode);
        return rules.build();
    }

    private void warnIfUnsafe() {
        if (settings.ackPolicy() == AckPolicy.ONE) {
            LOG.warn(
                    "journal={} is written with trefoil.journal.ack.policy=one: clients are told that a change "
                            + "is done as soon as one node has it; if that node is lost, up to 256 batches are lost "
                            + "with it; do: set it to quorum if that is not intended",
                    settings.journal());
        }
    }
}
