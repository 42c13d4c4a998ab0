/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.pool.writer.term.SuspendDetector;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps an observer's right to answer reads without the active: renews it long before it ends, and determines which edits a read must
 * reflect. Thread-safe; nothing here waits.
 */
public final class ReadLeaseRenewer implements Closeable {
    /** The interval of requests: several fit into a lease, even if an answer takes half of one. */
    private static final long ASK_MILLIS = ReadLeases.USED_MILLIS / 4;

    /** How often the clocks are compared. */
    private static final long TICK_MILLIS = 10;

    private final BooleanSupplier observer;
    private final Supplier<Optional<AcknowledgedLog>> log;
    private final Supplier<Optional<NodeAddress>> active;
    private final LeaseChannel channel;
    private final LongSupplier nanoTime;
    private final SuspendDetector clocks;
    private final AtomicReference<ReadLease> lease;
    private final ScheduledExecutorService owner;
    /** The pending requests; used only by the owner's thread, like the fields below. */
    private final Queue<PendingRequest> unanswered = new ArrayDeque<>();

    private long askedNanos;

    /** The connection to the active's process. */
    public interface LeaseChannel {
        /** Sends a request to a node without waiting. */
        CompletableFuture<Bytes> request(NodeAddress node, Bytes query);
    }

    /** A request that has no answer yet. */
    private static final class PendingRequest {
        final long nanos;
        final CompletableFuture<Bytes> answer;

        PendingRequest(long nanos, CompletableFuture<Bytes> answer) {
            this.nanos = nanos;
            this.answer = answer;
        }
    }

    /**
     * @param observer whether this NameNode is an observer
     * @param log what the pool node of this process has
     * @param active where the active's pool node is; empty if that is not known
     */
    public ReadLeaseRenewer(
            BooleanSupplier observer,
            Supplier<Optional<AcknowledgedLog>> log,
            Supplier<Optional<NodeAddress>> active,
            LeaseChannel channel) {
        this(observer, log, active, channel, System::nanoTime, System::currentTimeMillis);
    }

    ReadLeaseRenewer(
            BooleanSupplier observer,
            Supplier<Optional<AcknowledgedLog>> log,
            Supplier<Optional<NodeAddress>> active,
            LeaseChannel channel,
            LongSupplier nanoTime,
            LongSupplier wallMillis) {
        this.observer = observer;
        this.log = log;
        this.active = active;
        this.channel = channel;
        this.nanoTime = nanoTime;
        this.clocks = new SuspendDetector(nanoTime, wallMillis);
        this.askedNanos = nanoTime.getAsLong() - TimeUnit.MILLISECONDS.toNanos(ASK_MILLIS);
        this.lease = new AtomicReference<>(ReadLease.none(askedNanos));
        this.owner = Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("mams-read-lease"));
    }

    /** Starts sending requests; must be called once. */
    public void start() {
        owner.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::tick), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Sends a request if one is due; runs on the owner's thread. */
    void tick() {
        clocks.trustedSinceNanos();
        long nowNanos = nanoTime.getAsLong();
        if (nowNanos - askedNanos < TimeUnit.MILLISECONDS.toNanos(ASK_MILLIS)) {
            return;
        }
        askedNanos = nowNanos;
        while (!unanswered.isEmpty()
                && nowNanos - unanswered.peek().nanos > TimeUnit.MILLISECONDS.toNanos(ReadLeases.USED_MILLIS)) {
            // The lease that it would grant is already over.
            unanswered.poll().answer.cancel(false);
        }
        Optional<AcknowledgedLog> own = log.get();
        Optional<NodeAddress> node = active.get();
        if (observer.getAsBoolean() && own.isPresent() && node.isPresent()) {
            NodeId reader = own.get().node();
            CompletableFuture<Bytes> answer = channel.request(node.get(), ReadLeaseCodec.encodeQuestion(reader));
            unanswered.add(new PendingRequest(nowNanos, answer));
            answer.thenAccept(said -> ReadLeaseCodec.readEpoch(said)
                    .ifPresent(epoch ->
                            lease.accumulateAndGet(new ReadLease(reader, epoch, nowNanos), ReadLease::laterOf)));
        }
    }

    /**
     * The last transaction that a read must reflect if it arrived before this call; empty if this NameNode may not answer it.
     *
     * <p>Reads the lease first and then the log: everything that any client was told while the lease ran is in the log
     * from then on. In the opposite order, a lease granted in between would vouch for an older log.
     */
    public OptionalLong requiredTxId() {
        ReadLease held = lease.get();
        if (!held.isValid(nanoTime.getAsLong(), clocks.trustedSinceNanos())) {
            return OptionalLong.empty();
        }
        Optional<AcknowledgedLog> own = log.get().filter(held::covers);
        return own.isPresent() ? OptionalLong.of(own.get().lastTxId()) : OptionalLong.empty();
    }

    /** Stops sending requests, so that the lease expires. */
    @Override
    public void close() {
        owner.shutdownNow();
    }
}
