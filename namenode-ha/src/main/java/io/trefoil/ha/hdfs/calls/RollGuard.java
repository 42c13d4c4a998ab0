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
 * Begins no segment while no majority answers: HDFS ends one and begins the next under the namesystem's lock, and waits there until
 * both are committed. Standbys ask for that every two minutes, and one whose pool node cannot write does so as well.
 *
 * <p>A majority that is lost in the few milliseconds of a roll is waited for all the same. HDFS's own roller is kept from rolling by {@link
 * EarlySegmentRoller}. Thread-safe.
 *
 * <p>Uses {@code NamenodeProtocol} and its translator, as {@code NameNodeRpcServer} does.
 */
final class RollGuard {
    private static final long LEAST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A writer with nothing to write hears its nodes once in a fifth of its lease; twice that, as one answer may be late. */
    private static final double PATIENCE_IN_LEASES = 0.4;

    private static final long LOOK_MILLIS = 5;

    private final NameNodeJournal journal;
    private final long patienceNanos;

    RollGuard(NameNodeJournal journal) {
        this.journal = journal;
        this.patienceNanos =
                Math.max(LEAST_PATIENCE_NANOS, (long) (journal.lease().toNanos() * PATIENCE_IN_LEASES));
    }

    /** Guards what other NameNodes ask for, and what HDFS would do by itself, until the process ends. */
    void guard(NameNode nameNode) {
        BlockingService hdfs = NamenodeProtocolService.newReflectiveBlockingService(
                new NamenodeProtocolServerSideTranslatorPB(nameNode.getRpcServer()));
        ClientCalls.replaceService(nameNode, NamenodeProtocolPB.class, new OfOthers(hdfs, nameNode));
        new EarlySegmentRoller(nameNode, this).start();
    }

    /**
     * Returns when a majority has answered since; waits no longer than it takes to hear a majority that is there.
     *
     * @throws RetriableException if none has answered
     */
    void awaitMajority() throws RetriableException {
        long begunNanos = System.nanoTime();
        while (!isMajorityHeardSince(begunNanos)) {
            if (System.nanoTime() - begunNanos > patienceNanos) {
                throw new RetriableException(
                        "This NameNode begins no segment of edits while no majority of the journal's nodes "
                                + "answers: it would wait with the namesystem's lock, and answer nobody");
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RetriableException("This NameNode is stopping");
            }
        }
    }

    /** Whether a majority was heard since a time. Without a term there is nothing to wait for: HDFS refuses by itself. */
    private boolean isMajorityHeardSince(long nanos) {
        Optional<CommitWatch> term = journal.term();
        return !term.isPresent() || term.get().isOver() || term.get().isMajorityHeardSince(nanos);
    }

    /** The calls by which other NameNodes ask an active for something. */
    private final class OfOthers extends ClientCalls {
        private final NameNode nameNode;

        OfOthers(BlockingService hdfs, NameNode nameNode) {
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
