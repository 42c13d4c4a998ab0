/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.server.namenode.NameNodeTokens;
import org.apache.hadoop.hdfs.server.namenode.ServiceServer;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.ServerTokens;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.apache.hadoop.security.token.delegation.FollowerTokens;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Wraps HDFS's answers to the calls of {@code ClientProtocol}, on HDFS's handler threads.
 *
 * <p>Calls of WebHDFS do not pass here; see {@link WebAnswers}.
 *
 * <p>Uses {@code NameNode.getRpcServer}; {@code NameNodeRpcServer.getClientRpcServer}; {@code
 * ClientNamenodeProtocolServerSideTranslatorPB}; {@code RPC.Server.addProtocol}, which replaces HDFS's own.
 */
public abstract class ClientCalls implements BlockingService {
    /**
     * Calls that are answered at once: those of operators, and those with which a client only stays alive. They reveal
     * nothing of the namespace. Calls that a newer HDFS adds are not among them. By their names on the wire.
     */
    static final Set<String> AT_ONCE = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            "finalizeUpgrade",
            "getDataEncryptionKey",
            "getDatanodeReport",
            "getDatanodeStorageReport",
            "getECTopologyResultForPolicies",
            "getErasureCodingCodecs",
            "getFsECBlockGroupStats",
            "getFsReplicatedBlockStats",
            "getFsStats",
            "getHAServiceState",
            "getServerDefaults",
            "getSlowDatanodeReport",
            "getStoragePolicies",
            "metaSave",
            "refreshNodes",
            "renewLease",
            "reportBadBlocks",
            "restoreFailedStorage",
            "rollEdits",
            "rollingUpgrade",
            "saveNamespace",
            "setBalancerBandwidth",
            "setSafeMode",
            "upgradeStatus")));

    private final BlockingService inner;

    protected ClientCalls(BlockingService inner) {
        this.inner = inner;
    }

    /** HDFS's own answers. */
    public static BlockingService ofHdfs(NameNode nameNode) throws IOException {
        return ClientNamenodeProtocol.newReflectiveBlockingService(
                new ClientNamenodeProtocolServerSideTranslatorPB(server(nameNode)));
    }

    /** Call it once, before the NameNode is active: calls that HDFS already handles are answered as before. */
    public static void answer(NameNode nameNode, BlockingService calls) {
        server(nameNode)
                .getClientRpcServer()
                .addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, calls);
    }

    /** The same for calls to {@code dfs.namenode.servicerpc-address}, if the NameNode has one. */
    public static void answerServices(NameNode nameNode, BlockingService calls) {
        ServiceServer.of(server(nameNode))
                .ifPresent(server ->
                        server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, calls));
    }

    /** How the server for clients compares what a client has seen with what this NameNode has applied. */
    static void align(NameNode nameNode, AlignmentContext context) {
        server(nameNode).getClientRpcServer().setAlignmentContext(context);
    }

    /** Replaces HDFS's answers in another protocol, at both of its ports. */
    static void answerOrders(NameNode nameNode, Class<?> protocol, BlockingService orders) {
        server(nameNode).getClientRpcServer().addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, orders);
        ServiceServer.of(server(nameNode))
                .ifPresent(server -> server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, orders));
    }

    /**
     * Lets clients connect by delegation tokens while the NameNode is not active, if it would forward their calls then; call it once,
     * before the NameNode has a role.
     *
     * @param forwards whether it would forward a call now; on any thread
     */
    public static void takeTokens(NameNode nameNode, BooleanSupplier forwards) {
        ServerTokens.askAbout(
                server(nameNode).getClientRpcServer(),
                new FollowerTokens<>(NameNodeTokens.of(nameNode), nameNode::isActiveState, forwards));
    }

    /** The contents of {@code hadoop-policy.xml}, as last refreshed. */
    public static ServiceAuthorizationManager serviceLists(NameNode nameNode) {
        return server(nameNode).getClientRpcServer().getServiceAuthorizationManager();
    }

    private static NameNodeRpcServer server(NameNode nameNode) {
        return (NameNodeRpcServer) nameNode.getRpcServer();
    }

    static boolean concernsNamespace(MethodDescriptor method) {
        return !AT_ONCE.contains(method.getName());
    }

    protected final BlockingService inner() {
        return inner;
    }

    @Override
    public final ServiceDescriptor getDescriptorForType() {
        return inner.getDescriptorForType();
    }

    @Override
    public final Message getRequestPrototype(MethodDescriptor method) {
        return inner.getRequestPrototype(method);
    }

    @Override
    public final Message getResponsePrototype(MethodDescriptor method) {
        return inner.getResponsePrototype(method);
    }
}
