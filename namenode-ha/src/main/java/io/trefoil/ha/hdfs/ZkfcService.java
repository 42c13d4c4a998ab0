/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.hdfs.OrderAccess;
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
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.ha.ZKFCProtocol;
import org.apache.hadoop.ha.proto.ZKFCProtocolProtos.ZKFCProtocolService;
import org.apache.hadoop.ha.protocolPB.ZKFCProtocolPB;
import org.apache.hadoop.ha.protocolPB.ZKFCProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;

/**
 * Answers {@code hdfs haadmin -failover} on the port and in the protocol of the ZKFC, for callers that {@link
 * OrderAccess} admits; with {@code hadoop.security.authorization}, {@code security.zkfc.protocol.acl} must admit them
 * as well.
 *
 * <p>Built like {@code ZKFCRpcServer}, whose constructor is package-private.
 */
final class ZkfcService implements ZKFCProtocol, Closeable {
    private static final int HANDLERS = 3;

    private final FailoverRequests member;
    private final OrderAccess access;
    private final String self;
    private final Duration timeout;
    private final Server server;

    /**
     * @param access who may give orders, by {@link ZKFCProtocol}
     * @param timeout how long a failover may take
     * @throws IOException if the port is in use, perhaps by a ZKFC
     */
    ZkfcService(
            Configuration conf,
            InetSocketAddress nameNode,
            OrderAccess access,
            FailoverRequests member,
            Duration timeout)
            throws IOException {
        this.member = member;
        this.timeout = timeout;
        this.access = access;
        this.self = "NameNode " + conf.getTrimmed(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, "") + " of "
                + conf.getTrimmed(DFSConfigKeys.DFS_NAMESERVICE_ID, "");
        Configuration ours = OrderAccess.withoutServiceLists(conf);
        RPC.setProtocolEngine(ours, ZKFCProtocolPB.class, ProtobufRpcEngine2.class);
        InetSocketAddress address = address(conf, nameNode);
        try {
            server = new RPC.Builder(ours)
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

    /** The address that it listens on, with the actual port. */
    InetSocketAddress boundAddress() {
        return server.getListenerAddress();
    }

    @Override
    public void cedeActive(int millisToCede) throws IOException {
        if (millisToCede <= 0) {
            // A ZKFC takes this as the end of an earlier request, whichever NameNode is active.
            carryOut("rejoin", member::rejoin, "take part in elections again");
        } else {
            carryOut("cede", () -> member.stepDown(Duration.ofMillis(millisToCede)), "stop being active");
        }
    }

    @Override
    public void gracefulFailover() throws IOException {
        carryOut("failover", member::takeOver, "become active");
    }

    private void carryOut(String order, Supplier<CompletableFuture<String>> work, String operation) throws IOException {
        AuditedOrder admitted = access.admit(order, self);
        // Audited before it begins: this process may not live to see the end.
        access.audit().recordStart(admitted);
        String refusal;
        try {
            refusal = await(work.get(), operation);
        } catch (IOException | RuntimeException e) {
            access.audit().recordFailure(admitted, e.toString());
            throw e;
        }
        if (refusal.isEmpty()) {
            access.audit().recordSuccess(admitted);
        } else {
            access.audit().recordRefusal(admitted, refusal);
            throw new ServiceFailedException("Unable to " + operation + ". " + refusal);
        }
    }

    /** Waits for the answer; returns why the request was not carried out, or empty if it was. */
    private String await(CompletableFuture<String> answer, String operation) throws IOException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new ServiceFailedException(
                    "Unable to " + operation + " within " + timeout.toMillis() + " ms; " + member.describe(), e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    /** Stops answering. The port is free shortly afterwards, when the listening thread has noticed. */
    @Override
    public void close() {
        server.stop();
    }
}
