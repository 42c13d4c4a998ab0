/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A READER session: a service loop reads it, reader threads serve it, one turn at a time. It stops reading while the
 * caller leaves answers unread or too many bytes of requests wait, and stops serving while answers are unread.
 *
 * <p>Its lock guards the queue between loop and reader thread, and is never held while the session serves a request.
 */
public final class ReaderConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(ReaderConnection.class);

    private static final int MAX_TURN_REQUESTS = 16;
    private static final int MAX_WAITING_BYTES = 1024 * 1024;
    /** The limit of a reader's unanswered requests: most wait for a commit, and an honest reader has a handful. */
    private static final int MAX_UNANSWERED = 1024;

    private final Channel channel;
    private final NodeSession session;
    private final ConnectionMemory.Share memory;
    private final Executor quickExecutor;
    private final Executor disk;
    private final RefusalCounters refusals;
    private final ReplySender answers;

    private final Object lock = new Object();
    private final Queue<ReceivedRequest> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean turnUnderWay;
    private boolean gone;

    /**
     * @param quickExecutor serves requests that never wait
     * @param disk serves requests that may have to wait for the journal's disk
     */
    public ReaderConnection(
            Channel channel,
            NodeSession session,
            ConnectionMemory.Share memory,
            Executor quickExecutor,
            Executor disk,
            RefusalCounters refusals) {
        this.channel = channel;
        this.session = session;
        this.memory = memory;
        this.quickExecutor = quickExecutor;
        this.disk = disk;
        this.refusals = refusals;
        this.answers = new ReplySender(channel, memory, refusals);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws BadFrameException {
        ReceivedRequest request = new ReceivedRequest((WireFrame) message, answers);
        if (answers.expectOneMore() > MAX_UNANSWERED) {
            throw new BadFrameException(
                    RefusalCause.TOO_MANY_UNANSWERED, "More than " + MAX_UNANSWERED + " requests without an answer");
        }
        memory.reserve(request.length());
        synchronized (lock) {
            waiting.add(request);
            waitingBytes += request.length();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        synchronized (lock) {
            readOrPause();
            beginTurnIfDue();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        synchronized (lock) {
            readOrPause();
            beginTurnIfDue();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        synchronized (lock) {
            gone = true;
            waiting.clear();
            beginTurnIfDue();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        FaultHandler.close(channel, cause, refusals);
    }

    private void readOrPause() {
        channel.config().setAutoRead(channel.isWritable() && waitingBytes < MAX_WAITING_BYTES);
    }

    private void beginTurnIfDue() {
        boolean due = gone || (!waiting.isEmpty() && channel.isWritable());
        if (!due || turnUnderWay) {
            return;
        }
        turnUnderWay = true;
        Executor executor = waiting.isEmpty() ? quickExecutor : executorOf(waiting.element());
        try {
            executor.execute(() -> runTurn(executor));
        } catch (RejectedExecutionException e) {
            // A journal's threads end with its last reader; the quick ones then tell the session that it has ended.
            turnUnderWay = false;
            LOG.debug("Reader threads have ended, remote={} is not served", channel.remoteAddress());
        }
    }

    private Executor executorOf(ReceivedRequest request) {
        return session.mayBlock(request.request()) ? disk : quickExecutor;
    }

    private void runTurn(Executor executor) {
        Optional<ReceivedRequest> next = pollRequest(executor);
        if (!next.isPresent()) {
            session.onClosed();
            return;
        }
        answers.beginTurn();
        try {
            // One by one: an answer may have megabytes, and a caller that leaves answers unread gets no more.
            for (int served = 1; next.isPresent(); served++) {
                session.handleRequests(Collections.singletonList(next.get()));
                next = served < MAX_TURN_REQUESTS && channel.isWritable() ? pollRequest(executor) : Optional.empty();
            }
        } catch (RuntimeException | Error e) {
            FaultHandler.close(channel, e, refusals);
        } finally {
            answers.endTurn();
        }
        synchronized (lock) {
            turnUnderWay = false;
            readOrPause();
            beginTurnIfDue();
        }
    }

    /**
     * The next request, if it is for these threads; empty if the next one is for other threads, none is waiting, or the connection is gone.
     */
    private Optional<ReceivedRequest> pollRequest(Executor executor) {
        synchronized (lock) {
            if (waiting.isEmpty() || executorOf(waiting.element()) != executor) {
                return Optional.empty();
            }
            ReceivedRequest request = waiting.remove();
            waitingBytes -= request.length();
            memory.release(request.length());
            return Optional.of(request);
        }
    }
}
