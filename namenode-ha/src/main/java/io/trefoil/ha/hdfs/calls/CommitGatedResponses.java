/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.CallConnection;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reveals no edit to a client that a failover may lose, or has lost: the active sends an answer only when a majority has
 * everything that the call could have seen, and no other NameNode can have been active when the answer was made.
 *
 * <p>HDFS first changes the namespace and then writes the journal. It holds back the answer to the call that made the
 * change, but other calls see the change at once: a reader sees a file that may be lost, a writer is refused because of
 * it, and a call that is repeated while its first attempt waits is told that it was executed. And an active that was
 * paused, or is cut off, answers from a namespace that others have changed since. So this class holds back every answer
 * that could reveal an edit still in progress, and every answer made while no majority had been heard from recently. It uses
 * HDFS's own mechanism ({@code postponeResponse}), which blocks no handler.
 *
 * <p>An edit gets its transaction id before the lock under which it was made is released, so a call has seen no more
 * than what was written by the time it has finished. Whether another NameNode could be active is checked for the moment
 * after that: if the process was paused before, its clock has moved on; and what happens to an answer afterwards does
 * not matter, because it was true when it was made, after the call arrived.
 *
 * <p>Uses {@code NameNode.getNamesystem}, {@code isActiveState}; {@code FSNamesystem.getLastWrittenTransactionId};
 * {@code Server.get}; {@code Server.Call.postponeResponse}, {@code sendResponse}; {@code RetriableException}, {@code
 * StandbyException}.
 */
public final class CommitGatedResponses extends ClientCalls implements WebAnswers.Gate, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitGatedResponses.class);

    private static final int SENDERS = 4;
    private static final long SWEEP_MILLIS = 100;
    /** The limit of held answers: twice as many as the calls that HDFS's queue holds with a hundred handlers. */
    private static final int MAX_RESPONSES = 10_000;
    /** The limit of held bytes, several times as many as {@link #MAX_RESPONSES} answers of usual size take; listings are larger. */
    private static final int MAX_BYTES = 64 << 20;
    /** The longest time that an answer is held, half the time that a client waits before it considers a NameNode dead. */
    private static final long HELD_MILLIS = 30_000;
    /** How many threads of the web server may wait at once; it has 200, which also serve the NameNode's pages. */
    private static final int WAITING_WEB_ANSWERS = 64;

    private final NameNode nameNode;
    private final NameNodeJournal journal;
    private final ThreadPoolExecutor senders;
    private final ScheduledExecutorService sweeper;
    private final PendingResponses held;
    private final BooleanSupplier admitting;
    private final AtomicInteger waitingWebAnswers = new AtomicInteger();

    /** @param admitting whether a call that makes an edit would be executed now, for those that come by the web server */
    public CommitGatedResponses(
            BlockingService inner, NameNode nameNode, NameNodeJournal journal, BooleanSupplier admitting) {
        super(inner);
        this.nameNode = nameNode;
        this.journal = journal;
        this.senders = new ThreadPoolExecutor(
                SENDERS,
                SENDERS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                numberedThreadFactory("mams-answers"));
        this.senders.allowCoreThreadTimeOut(true);
        this.sweeper = Executors.newSingleThreadScheduledExecutor(numberedThreadFactory("mams-held-answers"));
        this.held = new PendingResponses(MAX_RESPONSES, MAX_BYTES, HELD_MILLIS, senders, System::nanoTime);
        this.admitting = admitting;
    }

    private static ThreadFactory numberedThreadFactory(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Starts sending held answers; must be called once, before the first answer is held. */
    public void start() {
        journal.setAdvanceWatcher(held::releaseReady);
        PendingResponsesMetrics.register(held);
        sweeper.scheduleWithFixedDelay(
                DaemonThreads.logFailures(held::sweep), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Stops sending. Answers still held are left to the end of their connections. */
    @Override
    public void close() {
        sweeper.shutdownNow();
        senders.shutdown();
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (!concernsNamespace(method)) {
            return inner().callBlockingMethod(method, controller, request);
        }
        boolean wasActive = nameNode.isActiveState();
        if (wasActive && !held.hasCapacity()) {
            // Refused before it is executed. Clients repeat the call here, as they do when the call queue is full; a
            // standby would not serve them any better.
            throw new ServiceException(
                    new RetriableException("This NameNode holds back " + held.calls() + " answers of " + held.bytes()
                            + " bytes until the journal has what they reveal, and accepts no more"));
        }
        Message answer;
        try {
            answer = inner().callBlockingMethod(method, controller, request);
        } catch (ServiceException | RuntimeException refusal) {
            // Refusals wait, too: a file that causes one may still be lost. So do those of CallAdmission: whom they
            // tell to
            // come back does so when there is room again, and not ten times before.
            holdIfNeeded(wasActive, () -> 0);
            throw refusal;
        }
        holdIfNeeded(wasActive, answer::getSerializedSize);
        return answer;
    }

    private void holdIfNeeded(boolean wasActive, IntSupplier messageBytes) throws ServiceException {
        Optional<AnswerState> seen;
        try {
            seen = stateToAwait(wasActive);
        } catch (StandbyException e) {
            throw new ServiceException(e);
        }
        if (seen.isPresent()) {
            Server.Call call = Server.getCurCall().get();
            call.postponeResponse();
            hold(new HeldCall(Server.get(), call), seen.get(), messageBytes.getAsInt());
        }
    }

    private void hold(PendingResponses.HeldAnswer answer, AnswerState observedState, long messageBytes) {
        held.hold(answer, new HeldTerm(observedState.term), observedState.txId, observedState.madeNanos, messageBytes);
    }

    /** The state that an answer made now may have seen, if it must wait for that; empty if it may be sent at once. */
    private Optional<AnswerState> stateToAwait(boolean wasActive) throws StandbyException {
        if (!wasActive && !nameNode.isActiveState()) {
            // A standby has applied only committed edits, and what it wrote in an earlier term does not matter.
            return Optional.empty();
        }
        long madeNanos = System.nanoTime();
        long seen = nameNode.getNamesystem().getLastWrittenTransactionId();
        Optional<CommitWatch> writing = journal.latestTerm();
        if (!writing.isPresent() || writing.get().hasEnded()) {
            throw new StandbyException("This NameNode is ceasing to be active");
        }
        CommitWatch term = writing.get();
        term.trackExclusivity();
        if (seen <= term.committedTxId() && term.wasSoleWriterAt(madeNanos)) {
            return Optional.empty();
        }
        return Optional.of(new AnswerState(term, seen, madeNanos));
    }

    @Override
    public boolean isActive() {
        return nameNode.isActiveState();
    }

    @Override
    public boolean hasCapacity() {
        return held.hasCapacity() && waitingWebAnswers.get() < WAITING_WEB_ANSWERS && admitting.getAsBoolean();
    }

    @Override
    public void await(boolean wasActive) throws IOException {
        Optional<AnswerState> seen = stateToAwait(wasActive);
        if (!seen.isPresent()) {
            return;
        }
        waitingWebAnswers.incrementAndGet();
        try {
            AwaitedAnswer answer = new AwaitedAnswer();
            hold(answer, seen.get(), 0);
            answer.await(2 * HELD_MILLIS);
        } finally {
            waitingWebAnswers.decrementAndGet();
        }
    }

    /** The state that an answer may have seen, and when it was made. */
    private static final class AnswerState {
        final CommitWatch term;
        final long txId;
        final long madeNanos;

        AnswerState(CommitWatch term, long txId, long madeNanos) {
            this.term = term;
            this.txId = txId;
            this.madeNanos = madeNanos;
        }
    }

    /** An answer whose sending thread waits for permission. */
    private static final class AwaitedAnswer implements PendingResponses.HeldAnswer {
        private final CompletableFuture<Void> leaves = new CompletableFuture<>();

        @Override
        public boolean isClientWaiting() {
            return !leaves.isDone();
        }

        @Override
        public void send() {
            leaves.complete(null);
        }

        @Override
        public void refuse(String reason) {
            leaves.completeExceptionally(new StandbyException("This NameNode cannot answer: " + reason));
        }

        /** @param limitMillis for a NameNode that stops, where nothing releases answers any longer */
        void await(long limitMillis) throws IOException {
            try {
                leaves.get(limitMillis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("This NameNode is stopping");
            } catch (ExecutionException e) {
                throw (StandbyException) e.getCause();
            } catch (TimeoutException e) {
                throw new StandbyException("This NameNode is stopping");
            } finally {
                leaves.cancel(false);
            }
        }
    }

    /** The term as seen by {@code PendingResponses}. */
    private static final class HeldTerm implements PendingResponses.ServingTerm {
        private final CommitWatch commits;

        HeldTerm(CommitWatch commits) {
            this.commits = commits;
        }

        @Override
        public long committedTxId() {
            return commits.committedTxId();
        }

        @Override
        public boolean wasSoleWriterAt(long nanos) {
            return commits.wasSoleWriterAt(nanos);
        }

        @Override
        public boolean isOver() {
            return commits.hasEnded();
        }
    }

    /** A call of HDFS's RPC whose answer was postponed. */
    private static final class HeldCall implements PendingResponses.HeldAnswer {
        private final Server server;
        private final Server.Call call;

        HeldCall(Server server, Server.Call call) {
            this.server = server;
            this.call = call;
        }

        @Override
        public boolean isClientWaiting() {
            return CallConnection.isOpen(call);
        }

        @Override
        public void send() {
            try {
                call.sendResponse();
            } catch (IOException gone) {
                LOG.debug("Response dropped because its client has disconnected: call={}", call, gone);
            }
        }

        /**
         * Closes the connection. The client asks the next NameNode under the same id, so an executed call is not
         * executed again.
         */
        @Override
        public void refuse(String reason) {
            CallConnection.close(server, call, new StandbyException("This NameNode cannot answer: " + reason));
        }
    }
}
