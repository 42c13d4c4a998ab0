/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.run.FailoverRequests;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.ha.ZKFCProtocol;
import org.apache.hadoop.ha.proto.ZKFCProtocolProtos.ZKFCProtocolService;
import org.apache.hadoop.ha.protocolPB.ZKFCProtocolPB;
import org.apache.hadoop.ha.protocolPB.ZKFCProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code hdfs haadmin -failover} on the port and in the protocol of the ZKFC, with its access checks: members
 * of {@code dfs.cluster.administrators}, and the NameNode's own user.
 *
 * <p>Built like {@code ZKFCRpcServer}, whose constructor is package-private.
 */
final class ZkfcService implements ZKFCProtocol, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ZkfcService.class);

    private static final int HANDLERS = 3;

    private final FailoverRequests member;
    private final AccessControlList admins;
    private final Duration patience;
    private final Server server;

    /**
     * @param patience how long a failover may take
     * @throws IOException if the port is taken, by a ZKFC perhaps
     */
    ZkfcService(Configuration conf, InetSocketAddress nameNode, FailoverRequests member, Duration patience)
            throws IOException {
        this.member = member;
        this.patience = patience;
        this.admins = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
        RPC.setProtocolEngine(conf, ZKFCProtocolPB.class, ProtobufRpcEngine2.class);
        InetSocketAddress address = address(conf, nameNode);
        try {
            server = new RPC.Builder(conf)
                    .setProtocol(ZKFCProtocolPB.class)
                    .setInstance(ZKFCProtocolService.newReflectiveBlockingService(
                            new ZKFCProtocolServerSideTranslatorPB(this)))
                    .setBindAddress(address.getHostString())
                    .setPort(address.getPort())
                    .setNumHandlers(HANDLERS)
                    .setVerbose(false)
                    .build();
        } catch (IOException e) {
            throw new IOException(
                    "Cannot listen at " + address + ", " + DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY
                            + ", for haadmin; a ZKFC must not run beside this NameNode: " + e.getMessage(),
                    e);
        }
        if (MamsSettings.isAuthorizing(conf)) {
            server.refreshServiceAcl(conf, new HDFSPolicyProvider());
        }
        server.start();
    }

    private static InetSocketAddress address(Configuration conf, InetSocketAddress nameNode) {
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        int port = suffixed.text(DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY)
                .map(Integer::parseInt)
                .orElse(DFSConfigKeys.DFS_HA_ZKFC_PORT_DEFAULT);
        String host = suffixed.text(DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_BIND_HOST_KEY)
                .orElseGet(() -> suffixed.text(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY)
                        .orElseGet(() -> nameNode.getAddress().getHostAddress()));
        return new InetSocketAddress(host, port);
    }

    /** Where it listens, with the real port. */
    InetSocketAddress listensAt() {
        return server.getListenerAddress();
    }

    @Override
    public void cedeActive(int millisToCede) throws IOException {
        checkAccess();
        if (millisToCede <= 0) {
            // What a ZKFC takes for the end of an earlier request, whoever is active.
            await(member.rejoin(), "take part in elections again");
        } else {
            await(member.cede(Duration.ofMillis(millisToCede)), "stop being active");
        }
    }

    @Override
    public void gracefulFailover() throws IOException {
        checkAccess();
        await(member.lead(), "become active");
    }

    private void await(CompletableFuture<String> answer, String what) throws IOException {
        try {
            String refusal = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (!refusal.isEmpty()) {
                throw new ServiceFailedException("Unable to " + what + ". " + refusal);
            }
        } catch (TimeoutException e) {
            throw new ServiceFailedException(
                    "Unable to " + what + " within " + patience.toMillis() + " ms; " + member.describe(), e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
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
        LOG.info("Allowed RPC access from {} at {}", caller, Server.getRemoteAddress());
    }

    /** Answers nobody any more; the port is free as soon as the thread that listens has noticed, shortly after. */
    @Override
    public void close() {
        server.stop();
    }
}
