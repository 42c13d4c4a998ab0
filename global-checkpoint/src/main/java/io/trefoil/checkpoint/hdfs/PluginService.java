/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.checkpoint.run.OrderRefusedException;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts orders on its own port, in a protocol of stock Hadoop, with Hadoop's authentication and access list: from
 * members of {@code dfs.cluster.administrators}, and the NameNode's own user.
 *
 * <p>Uses {@code GenericRefreshProtocol}, {@code RPC.Builder}, {@code HDFSPolicyProvider}.
 */
final class PluginService implements GenericRefreshProtocol, Closeable {

    static final String IDENTIFIER = "trefoil-checkpoint";

    private static final Logger LOG = LoggerFactory.getLogger(PluginService.class);

    /** Each order waits for its end in one. */
    private static final int HANDLERS = 10;

    private final Orders orders;
    private final AccessControlList admins;
    private final Server server;

    /** What is done to an order; a {@link OrderRefusedException} becomes a refusal. */
    interface Orders {
        JsonNode carryOut(String order, JsonNode arguments) throws IOException;
    }

    /** @throws IOException if the port is taken */
    PluginService(Configuration conf, InetSocketAddress nameNode, Orders orders) throws IOException {
        this.orders = orders;
        this.admins = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
        RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        int port = CheckpointKeys.PORT.get(suffixed);
        String host = suffixed.text(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY)
                .orElseGet(() -> nameNode.getAddress().getHostAddress());
        try {
            server = new RPC.Builder(conf)
                    .setProtocol(GenericRefreshProtocolPB.class)
                    .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
                            new GenericRefreshProtocolServerSideTranslatorPB(this)))
                    .setBindAddress(host)
                    .setPort(port)
                    .setNumHandlers(HANDLERS)
                    .setVerbose(false)
                    .build();
        } catch (IOException e) {
            throw new IOException(
                    "Cannot listen at " + host + ":" + port + ", " + suffixed.property(CheckpointKeys.PORT.name())
                            + ", for checkpoints: " + e.getMessage(),
                    e);
        }
        if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
            server.refreshServiceAcl(conf, new HDFSPolicyProvider());
        }
        server.start();
    }

    @Override
    public Collection<RefreshResponse> refresh(String identifier, String[] arguments) throws IOException {
        checkAccess();
        return Collections.singleton(answer(identifier, arguments));
    }

    private RefreshResponse answer(String identifier, String[] arguments) throws IOException {
        if (!IDENTIFIER.equals(identifier) || arguments.length != 2) {
            return response(1, "Wanted " + IDENTIFIER + ", an order and its arguments as JSON");
        }
        try {
            return response(
                    0,
                    orders.carryOut(arguments[0], Documents.parse(arguments[1])).toString());
        } catch (OrderRefusedException e) {
            return response(1, e.getMessage());
        }
    }

    private static RefreshResponse response(int code, String text) {
        RefreshResponse response = new RefreshResponse(code, text);
        // Hadoop's translator cannot write one without.
        response.setSenderName(IDENTIFIER);
        return response;
    }

    private void checkAccess() throws IOException {
        UserGroupInformation caller = UserGroupInformation.getCurrentUser();
        boolean isOwn = caller.getShortUserName()
                .equals(UserGroupInformation.getLoginUser().getShortUserName());
        if (!isOwn && !admins.isUserAllowed(caller)) {
            String refusal = "Disallowed RPC access from " + caller + " at " + Server.getRemoteAddress()
                    + ". Not listed in " + DFSConfigKeys.DFS_ADMIN;
            LOG.warn(refusal);
            throw new AccessControlException(refusal);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
