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
     * Calls that are answered at once: those of operators, and those by which a client only shows that it is alive. They reveal
     * nothing of the namespace. Calls that a newer HDFS adds are not among them. By their names on the wire.
     */
    static final Set<String> NAMESPACE_FREE_CALLS = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
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

    /** The layers around HDFS's answers, from the innermost to the outermost: a call passes through the last one first. */
    public enum Layer {
        /**
         * Handles calls that might wait for the journal while holding HDFS's lock. Innermost, so that those it refuses are held as all
         * answers are.
         */
        ADMISSION,
        /**
         * Holds answers until everything they reveal is committed. Further in than all others that wait, as others defer calls
         * without an answer, and so that HDFS answers no call past it.
         */
        HELD_ANSWERS,
        /** Handles calls for paths that are frozen, or were handed over. */
        GATE,
        /**
         * Makes reads at an observer wait, or refuses them. Outside of the gate: meanwhile it may be applied that their subtree was handed
         * over, or came back.
         */
        LEASE,
        /** Refuses clients that have seen more than this NameNode has applied; never waits. */
        READS_AHEAD,
        /** Makes calls wait for a role; a NameNode that has it does not need the layers inside this one for reads. */
        ROLE,
        /** Forwards calls that all other layers leave refused. */
        FORWARDING,
        /** Adds the names of the members to answers. */
        NAMES
    }

    /** Collects the layers, which are ordered however they are added. Not thread-safe. */
    public static final class Layers {
        private final Map<Layer, LayerFactory> named = new EnumMap<>(Layer.class);

        /** Makes a layer. */
        public interface LayerFactory {
            BlockingService wrap(BlockingService inner) throws IOException;
        }

        public void add(Layer layer, LayerFactory factory) {
            named.put(layer, factory);
        }

        /**
         * Creates each of the added layers once. Has for each layer what a call meets there: it, if it was named,
         * and those inside.
         */
        public Map<Layer, BlockingService> wrap(BlockingService hdfs) throws IOException {
            Map<Layer, BlockingService> made = new EnumMap<>(Layer.class);
            BlockingService calls = hdfs;
            for (Layer layer : Layer.values()) {
                if (named.containsKey(layer)) {
                    calls = named.get(layer).wrap(calls);
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
    public static BlockingService hdfsService(NameNode nameNode) throws IOException {
        return ClientNamenodeProtocol.newReflectiveBlockingService(
                new ClientNamenodeProtocolServerSideTranslatorPB(server(nameNode)));
    }

    /**
     * Installs the layers; must be called once, before the NameNode is active, as calls that HDFS already handles are answered as before.
     */
    public static void install(NameNode nameNode, BlockingService calls) {
        server(nameNode)
                .getClientRpcServer()
                .addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, calls);
    }

    /** Installs the layers at {@code dfs.namenode.servicerpc-address} too, if the NameNode has one. */
    public static void installForServices(NameNode nameNode, BlockingService calls) {
        ServiceServer.of(server(nameNode))
                .ifPresent(server ->
                        server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, calls));
    }

    /** The comparison, in the server for clients, of what a client has seen with what this NameNode has applied. */
    static void setAlignment(NameNode nameNode, AlignmentContext context) {
        server(nameNode).getClientRpcServer().setAlignmentContext(context);
    }

    /** Makes the servers log refusals of this kind without their stacks. */
    static void logInOneLine(NameNode nameNode, Class<?> refusal) {
        server(nameNode).getClientRpcServer().addTerseExceptions(refusal);
        ServiceServer.of(server(nameNode)).ifPresent(server -> server.addTerseExceptions(refusal));
    }

    /** Replaces HDFS's answers in another protocol, on both of its ports. */
    static void replaceService(NameNode nameNode, Class<?> protocol, BlockingService orders) {
        server(nameNode).getClientRpcServer().addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, orders);
        ServiceServer.of(server(nameNode))
                .ifPresent(server -> server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, protocol, orders));
    }

    /**
     * Lets clients connect with delegation tokens while the NameNode is not active, if it would then forward their calls; must be called
     * once, before the NameNode has a role.
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
        return !NAMESPACE_FREE_CALLS.contains(method.getName());
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
