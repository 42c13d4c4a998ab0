/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.journal.hdfs.NameNodeJournal;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells no client what a failover may take back: an answer of the active is sent when a majority has all that it could have seen.
 *
 * <p>HDFS changes the namespace first and writes the journal then. It holds back the answer of the call that made the change, but
 * others are told of it at once: a reader sees a file that may never have been, a writer is refused for its sake, and a call that
 * is sent a second time while the first one waits is told that it was executed. So every answer is held back that could tell of an
 * edit that is still under way, by HDFS's own means for this ({@code postponeResponse}), which keeps no handler waiting.
 *
 * <p>An edit has its transaction id before the lock under which it was made is released, so what a call has seen is no more than
 * what was written when it is through.
 *
 * <p>Uses {@code NameNode.getNamesystem}, {@code isActiveState}; {@code FSNamesystem.getLastWrittenTransactionId};
 * {@code Server.Call.postponeResponse}, {@code sendResponse}, {@code abortResponse}.
 */
final class CommittedAnswers extends ClientCalls {
    private static final Logger LOG = LoggerFactory.getLogger(CommittedAnswers.class);

    private final NameNode nameNode;
    private final NameNodeJournal journal;

    CommittedAnswers(BlockingService inner, NameNode nameNode, NameNodeJournal journal) {
        super(inner);
        this.nameNode = nameNode;
        this.journal = journal;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        try {
            return inner().callBlockingMethod(method, controller, request);
        } finally {
            // Refusals too: a file may exist for now only.
            if (concernsNamespace(method)) {
                holdBack();
            }
        }
    }

    /** A standby has applied nothing but what is committed, and what it once wrote is of no concern. */
    private void holdBack() {
        if (!nameNode.isActiveState()) {
            return;
        }
        long seen = nameNode.getNamesystem().getLastWrittenTransactionId();
        if (seen <= journal.committedTxId()) {
            return;
        }
        Server.Call call = Server.getCurCall().get();
        call.postponeResponse();
        journal.commitOf(seen).whenComplete((committed, failure) -> release(call, failure));
    }

    private static void release(Server.Call call, Throwable failure) {
        try {
            if (failure == null) {
                call.sendResponse();
            } else {
                call.abortResponse(failure);
            }
        } catch (IOException gone) {
            LOG.debug("Nobody waits for the answer of {} any more", call, gone);
        }
    }
}
