/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.ha.hdfs.forward.CallForwarder;
import java.util.Collections;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.ForwardedCall;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Forwards to the active the calls that this NameNode refuses because it is not the active. HDFS decides which: it
 * refuses such calls before it does anything. Calls that it answers as a standby or an observer are not forwarded, nor those that
 * concern one NameNode.
 *
 * <p>Uses {@code NameNode.isActiveState}; {@code StandbyException}.
 */
public final class ForwardingCalls extends ClientCalls {
    /**
     * Calls that concern the one NameNode that gets them, although HDFS refuses them at a standby: an operator sends them to each NameNode.
     */
    private static final Set<String> SINGLE_NAME_NODE_CALLS = Collections.singleton("metaSave");

    private final NameNode nameNode;
    private final BooleanSupplier steppingDown;
    private final CallForwarder active;

    /** @param steppingDown whether this NameNode is about to be active no more */
    public ForwardingCalls(
            BlockingService inner, NameNode nameNode, BooleanSupplier steppingDown, CallForwarder active) {
        super(inner);
        this.nameNode = nameNode;
        this.steppingDown = steppingDown;
        this.active = active;
    }

    /** @return null, as in Hadoop, if the answer comes later */
    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        boolean wasActive = nameNode.isActiveState();
        try {
            return inner().callBlockingMethod(method, controller, request);
        } catch (ServiceException refusal) {
            if (mayForwardAfter(refusal)
                    && !SINGLE_NAME_NODE_CALLS.contains(method.getName())
                    && (!wasActive || isSteppingDown())
                    && mayForward(method, request)) {
                return null;
            }
            throw refusal;
        }
    }

    /**
     * Whether this NameNode is stepping down: a call that it then refuses may have been executed, and the next active recognizes it by its
     * ids.
     */
    private boolean isSteppingDown() {
        return !nameNode.isActiveState() || steppingDown.getAsBoolean();
    }

    private boolean mayForward(MethodDescriptor method, Message request) throws ServiceException {
        try {
            return active.tryForward(method.getName(), request, getResponsePrototype(method));
        } catch (RetriableException e) {
            throw new ServiceException(e);
        }
    }

    /** Whether the call may be forwarded; one that another NameNode forwarded is not forwarded again. */
    private static boolean mayForwardAfter(ServiceException refusal) {
        return refusal.getCause() instanceof StandbyException
                && !(Server.getCurCall().get() instanceof ForwardedCall);
    }
}
