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
 * Lets no call in that would wait for the journal with the namesystem's lock: then no DataNode would be heard, and no operator
 * answered.
 *
 * <p>Two kinds of calls may: those that make edits, if HDFS's queue of them is full ({@link UncommittedCallLimit}), and those that begin another
 * segment, if no majority answers ({@link RollGuard}). Both are told to come back before they are executed.
 *
 * <p>Uses {@code NameNode.getConf}, {@code getNamesystem}, {@code isActiveState}; {@code FSNamesystem.getLastWrittenTransactionId};
 * {@code RetriableException}; {@code RollingUpgradeRequestProto}.
 */
public final class CallAdmission extends ClientCalls {
    /** HDFS has no public name for it. */
    private static final String QUEUE_SIZE = "dfs.namenode.edits.asynclogging.pending.queue.size";

    private static final int QUEUE_SIZE_OF_HDFS = 4_096;

    /** A writer that has something to write hears its nodes more often than this. */
    private static final long MAJORITY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
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

    /** How many edits wait in HDFS's queue at most. */
    static int queueSize(Configuration conf) {
        return conf.getInt(QUEUE_SIZE, QUEUE_SIZE_OF_HDFS);
    }

    /** Has other NameNodes' rolls pass the same guard, and has refusals logged in a line, not with forty of their stack. */
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
                ? executeIfThereIsRoom(method, controller, request)
                : inner().callBlockingMethod(method, controller, request);
    }

    private Message executeIfThereIsRoom(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (!awaitCondition(() -> room.tryEnter(this::uncommitted))) {
            throw new ServiceException(new RetriableException("This NameNode waits until the journal has "
                    + uncommitted() + " edits, and accepts no more calls before, lest its queue of edits (" + QUEUE_SIZE
                    + ") is full: " + room));
        }
        try {
            return inner().callBlockingMethod(method, controller, request);
        } finally {
            room.leave();
        }
    }

    /** Waits like a call that makes an edit; returns whether it would be executed now. */
    public boolean awaitRoom() {
        return awaitCondition(() -> room.isOpen(uncommitted()));
    }

    /**
     * Waits for a moment while a majority answers: then edits are committed all the time, and it is only that there are more callers
     * than the queue has room for. Told to come back ten times, some of them would be unlucky each time. Without a majority nothing is
     * waited for, as the thread may be one that answers DataNodes.
     */
    private boolean awaitCondition(BooleanSupplier condition) {
        long begunNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long nowNanos = System.nanoTime();
            boolean isMajorityThere = journal.term()
                    .filter(term -> term.isMajorityHeardSince(nowNanos - MAJORITY_NANOS))
                    .isPresent();
            if (!isMajorityThere || Thread.currentThread().isInterrupted() || nowNanos - begunNanos > PATIENCE_NANOS) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** How many edits no majority is known to have; those of a term that has not begun, or is over, count for nothing here. */
    private long uncommitted() {
        return journal.term()
                .filter(term -> !term.isOver())
                .map(term -> nameNode.getNamesystem().getLastWrittenTransactionId() - term.committedTxId())
                .orElse(0L);
    }

    /** Whether HDFS begins another segment in a call; but for a query, all of these are an administrator's. */
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
