/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.ha.hdfs.watch.UncommittedCallLimit;
import io.trefoil.journal.hdfs.NameNodeJournal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeActionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeRequestProto;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Rejects calls that would wait for the journal while holding the namesystem's lock: DataNodes could then not report, and operators would
 * get no answers.
 *
 * <p>Two kinds of calls may: those that make edits, if HDFS's queue of them is full ({@link UncommittedCallLimit}), and those that begin another
 * segment, if no majority answers ({@link RollGuard}). Both are told to come back before they are executed.
 *
 * <p>Uses {@code NameNode.getConf}, {@code getNamesystem}, {@code isActiveState}; {@code FSNamesystem.getLastWrittenTransactionId};
 * {@code RetriableException}; {@code RollingUpgradeRequestProto}.
 */
public final class CallAdmission extends ClientCalls {
    /** The key of the size of that queue, for which HDFS has no public constant. */
    private static final String QUEUE_SIZE = "dfs.namenode.edits.asynclogging.pending.queue.size";

    private static final int QUEUE_SIZE_OF_HDFS = 4_096;

    /** A writer that has something to write hears from its nodes more often than this. */
    private static final long MAJORITY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final NameNode nameNode;
    private final NameNodeJournal journal;
    private final RollGuard rolls;
    private final UncommittedCallLimit room;

    public CallAdmission(BlockingService inner, NameNode nameNode, NameNodeJournal journal) {
        super(inner);
        this.nameNode = nameNode;
        this.journal = journal;
        this.rolls = new RollGuard(journal);
        this.room = new UncommittedCallLimit(queueSize(nameNode.getConf()));
    }

    /** Returns the maximum number of edits that wait in HDFS's queue. */
    static int queueSize(Configuration conf) {
        return conf.getInt(QUEUE_SIZE, QUEUE_SIZE_OF_HDFS);
    }

    /**
     * Applies the same guard to rolls requested by other NameNodes, and has refusals logged in one line, without forty lines of stack
     * trace.
     */
    public void start() {
        rolls.guard(nameNode);
        ClientCalls.logInOneLine(nameNode, RetriableException.class);
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (!nameNode.isActiveState()) {
            return inner().callBlockingMethod(method, controller, request);
        }
        if (isRoll(method, request)) {
            try {
                rolls.awaitMajority();
            } catch (RetriableException e) {
                throw new ServiceException(e);
            }
        }
        return concernsNamespace(method)
                ? executeIfAdmitted(method, controller, request)
                : inner().callBlockingMethod(method, controller, request);
    }

    private Message executeIfAdmitted(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (!awaitCondition(() -> room.tryEnter(this::uncommittedEdits))) {
            throw new ServiceException(new RetriableException("This NameNode waits until the journal has "
                    + uncommittedEdits() + " edits, and accepts no more calls before, lest its queue of edits ("
                    + QUEUE_SIZE
                    + ") is full: " + room));
        }
        try {
            return inner().callBlockingMethod(method, controller, request);
        } finally {
            room.exit();
        }
    }

    /** Waits like a call that makes an edit; returns whether such a call would be executed now. */
    public boolean awaitCapacity() {
        return awaitCondition(() -> room.isOpen(uncommittedEdits()));
    }

    /**
     * Waits for a moment while a majority answers: edits are then being committed continuously, and there are merely more callers than the
     * queue has room for. Told to come back ten times, some of them would be unlucky each time. Without a majority nothing is waited for,
     * as the thread may be one that answers DataNodes.
     */
    private boolean awaitCondition(BooleanSupplier condition) {
        long begunNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long nowNanos = System.nanoTime();
            boolean isMajorityThere = journal.latestTerm()
                    .filter(term -> term.hasMajorityAnsweredSince(nowNanos - MAJORITY_NANOS))
                    .isPresent();
            if (!isMajorityThere || Thread.currentThread().isInterrupted() || nowNanos - begunNanos > TIMEOUT_NANOS) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /**
     * Returns the number of edits that no majority is known to have; edits of a term that has not begun, or has ended, do not count.
     */
    private long uncommittedEdits() {
        return journal.latestTerm()
                .filter(term -> !term.hasEnded())
                .map(term -> nameNode.getNamesystem().getLastWrittenTransactionId() - term.committedTxId())
                .orElse(0L);
    }

    /** Whether HDFS begins another segment in a call; except for one query, only administrators make such calls. */
    private static boolean isRoll(MethodDescriptor method, Message request) {
        switch (method.getName()) {
            case "rollEdits":
            case "saveNamespace":
                return true;
            case "rollingUpgrade":
                return ((RollingUpgradeRequestProto) request).getAction() != RollingUpgradeActionProto.QUERY;
            default:
                return false;
        }
    }
}
