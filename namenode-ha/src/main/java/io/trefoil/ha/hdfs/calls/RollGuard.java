/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Prevents a new segment while no majority answers: HDFS ends one and begins the next under the namesystem's lock, and waits there until
 * both are committed. Standbys ask for that every two minutes, and one whose pool node cannot write does so as well.
 *
 * <p>A majority that is lost in the few milliseconds of a roll is waited for all the same. HDFS's own roller is kept from rolling by {@link
 * EarlySegmentRoller}. Thread-safe.
 *
 * <p>Uses {@code NamenodeProtocol} and its translator, as {@code NameNodeRpcServer} does.
 */
final class RollGuard {
    private static final long MIN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A writer with nothing to write hears from its nodes once in a fifth of its lease; twice that, as one answer may be late. */
    private static final double TIMEOUT_IN_LEASES = 0.4;

    private static final long LOOK_MILLIS = 5;

    private final NameNodeJournal journal;
    private final long timeoutNanos;

    RollGuard(NameNodeJournal journal) {
        this.journal = journal;
        this.timeoutNanos = Math.max(MIN_TIMEOUT_NANOS, (long) (journal.lease().toNanos() * TIMEOUT_IN_LEASES));
    }

    /** Guards the rolls that other NameNodes request, and those that HDFS would make on its own, until the process ends. */
    void guard(NameNode nameNode) {
        BlockingService hdfs = NamenodeProtocolService.newReflectiveBlockingService(
                new NamenodeProtocolServerSideTranslatorPB(nameNode.getRpcServer()));
        ClientCalls.replaceService(nameNode, NamenodeProtocolPB.class, new RemoteRollGuard(hdfs, nameNode));
        new EarlySegmentRoller(nameNode, this).start();
    }

    /**
     * Waits until a majority has answered since then, but no longer than it takes to hear from a majority that is up.
     *
     * @throws RetriableException if none has answered
     */
    void awaitMajority() throws RetriableException {
        long begunNanos = System.nanoTime();
        while (!hasMajorityAnsweredSince(begunNanos)) {
            if (System.nanoTime() - begunNanos > timeoutNanos) {
                throw new RetriableException(
                        "This NameNode begins no segment of edits while no majority of the journal's nodes "
                                + "answers: it would wait with the namesystem's lock held, and answer no calls");
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RetriableException("This NameNode is stopping");
            }
        }
    }

    /** Whether a majority has answered since a time. Without a term there is nothing to wait for: HDFS refuses by itself. */
    private boolean hasMajorityAnsweredSince(long nanos) {
        Optional<CommitWatch> term = journal.latestTerm();
        return !term.isPresent() || term.get().hasEnded() || term.get().hasMajorityAnsweredSince(nanos);
    }

    /** The calls that other NameNodes make to an active. */
    private final class RemoteRollGuard extends ClientCalls {
        private final NameNode nameNode;

        RemoteRollGuard(BlockingService hdfs, NameNode nameNode) {
            super(hdfs);
            this.nameNode = nameNode;
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            if (method.getName().equals("rollEditLog") && nameNode.isActiveState()) {
                try {
                    awaitMajority();
                } catch (RetriableException e) {
                    throw new ServiceException(e);
                }
            }
            return inner().callBlockingMethod(method, controller, request);
        }
    }
}
