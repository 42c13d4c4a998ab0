/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.io.IOException;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceStatus;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceProtocolService;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolPB;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/**
 * Refuses to make a NameNode active that is not electable, even for {@code haadmin -transitionToActive --forcemanual}:
 * that order goes to HDFS directly and bypasses the agent. All other orders of {@code haadmin} to HDFS are passed on.
 *
 * <p>Uses {@code HAServiceProtocol} and its translator, as {@code NameNodeRpcServer} does.
 */
public final class NonElectableGuard implements HAServiceProtocol {
    private final NamenodeProtocols hdfs;
    private final String name;

    NonElectableGuard(NamenodeProtocols hdfs, String name) {
        this.hdfs = hdfs;
        this.name = name;
    }

    /** Guards a NameNode until its process ends. */
    public static void guard(NameNode nameNode, String name) {
        BlockingService orders = HAServiceProtocolService.newReflectiveBlockingService(
                new HAServiceProtocolServerSideTranslatorPB(new NonElectableGuard(nameNode.getRpcServer(), name)));
        ClientCalls.replaceService(nameNode, HAServiceProtocolPB.class, orders);
    }

    @Override
    public void monitorHealth() throws IOException {
        hdfs.monitorHealth();
    }

    @Override
    public void transitionToActive(StateChangeRequestInfo request) throws IOException {
        throw new ServiceFailedException(
                name + " cannot be active: trefoil.ha.electable is false there. If no other NameNode is left, set"
                        + " it to true and restart " + name);
    }

    @Override
    public void transitionToStandby(StateChangeRequestInfo request) throws IOException {
        hdfs.transitionToStandby(request);
    }

    @Override
    public void transitionToObserver(StateChangeRequestInfo request) throws IOException {
        hdfs.transitionToObserver(request);
    }

    @Override
    public HAServiceStatus getServiceStatus() throws IOException {
        return hdfs.getServiceStatus();
    }
}
