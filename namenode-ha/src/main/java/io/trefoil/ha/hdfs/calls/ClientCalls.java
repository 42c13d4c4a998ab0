/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
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

    /** The layers around HDFS's answers, from the inside out: a call passes the last one first. */
    public enum Layer {
        /** Calls that might wait for the journal with HDFS's lock. Innermost, so that those it refuses are held as all answers are. */
        ADMISSION,
        /**
         * Answers wait until what they reveal is committed. Further in than all others that wait, as others defer calls
         * without an answer, and so that HDFS answers no call past it.
         */
        HELD_ANSWERS,
        /** Calls for what is frozen, or was given away. */
        GATE,
        /**
         * Reads at an observer wait, or are refused. Outside of the gate: meanwhile it may be applied that their subtree was given away,
         * or came back.
         */
        LEASE,
        /** Refuses whom this NameNode is behind of; it waits for nothing. */
        READS_AHEAD,
        /** Calls wait for the role; who has it needs none of those inside for reads. */
        ROLE,
        /** Hands on what all others leave refused. */
        FORWARDING,
        /** Tells who answers. */
        NAMES
    }

    /** Layers in their order, in whatever order they are named. Not thread-safe. */
    public static final class Layers {
        private final Map<Layer, Around> named = new EnumMap<>(Layer.class);

        /** Makes a layer. */
        public interface Around {
            BlockingService of(BlockingService inner) throws IOException;
        }

        public void add(Layer layer, Around around) {
            named.put(layer, around);
        }

        /**
         * Makes the layers that were named, each once. Has for each layer what a call meets there: it, if it was named,
         * and those inside.
         */
        public Map<Layer, BlockingService> wrap(BlockingService hdfs) throws IOException {
            Map<Layer, BlockingService> made = new EnumMap<>(Layer.class);
            BlockingService calls = hdfs;
            for (Layer layer : Layer.values()) {
                if (named.containsKey(layer)) {
                    calls = named.get(layer).of(calls);
                }
                made.put(layer, calls);
            }
            return Collections.unmodifiableMap(made);
        }
    }

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

    /** Answers calls to {@code dfs.namenode.servicerpc-address}, if the NameNode has one. */
    public static void answerServices(NameNode nameNode, BlockingService calls) {
        ServiceServer.of(server(nameNode))
                .ifPresent(server ->
                        server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, calls));
    }

    /** How the server for clients compares what a client has seen with what this NameNode has applied. */
    static void setAlignment(NameNode nameNode, AlignmentContext context) {
        server(nameNode).getClientRpcServer().setAlignmentContext(context);
    }

    /** Makes the servers log refusals of this kind without their stacks. */
    static void logInOneLine(NameNode nameNode, Class<?> refusal) {
        server(nameNode).getClientRpcServer().addTerseExceptions(refusal);
        ServiceServer.of(server(nameNode)).ifPresent(server -> server.addTerseExceptions(refusal));
    }

    /** Replaces HDFS's answers in another protocol, at both of its ports. */
    static void replaceService(NameNode nameNode, Class<?> protocol, BlockingService orders) {
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
    public static void acceptTokens(NameNode nameNode, BooleanSupplier forwards) {
        ServerTokens.useSecretManager(
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
