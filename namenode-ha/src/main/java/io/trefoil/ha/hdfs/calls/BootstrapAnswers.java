/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.journal.hdfs.NameNodeJournal;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Keeps {@code hdfs namenode -bootstrapStandby} of other hosts from a namespace that may hold what a promotion gave up ({@code
 * docs/design/lost-site.md}). HDFS takes the image of whichever NameNode is the first to say of which namespace it is; one that fails
 * to is passed over, and what it said is in the log of the host that bootstraps.
 *
 * <p>Uses {@code NamenodeProtocol} and its translator, as {@code NameNodeRpcServer} does.
 */
public final class BootstrapAnswers extends ClientCalls {
    private static final String QUESTION = "versionRequest";

    private final Objection objection;

    /** Why nobody must begin with this NameNode's namespace. */
    interface Objection {
        Optional<String> find() throws IOException;
    }

    BootstrapAnswers(BlockingService hdfs, Objection objection) {
        super(hdfs);
        this.objection = objection;
    }

    /** Guards a NameNode until its process ends. */
    public static void guard(NameNode nameNode, NameNodeJournal journal) {
        BlockingService hdfs = NamenodeProtocolService.newReflectiveBlockingService(
                new NamenodeProtocolServerSideTranslatorPB(nameNode.getRpcServer()));
        answerOrders(nameNode, NamenodeProtocolPB.class, new BootstrapAnswers(hdfs, journal::voidness));
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (method.getName().equals(QUESTION)) {
            refuseIfVoid();
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    private void refuseIfVoid() throws ServiceException {
        Optional<String> why;
        try {
            why = objection.find();
        } catch (IOException e) {
            throw new ServiceException(e);
        }
        if (why.isPresent()) {
            throw new ServiceException(new IOException("Take the namespace of another NameNode. " + why.get()));
        }
    }
}
