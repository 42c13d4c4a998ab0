/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.hdfs.config.CheckpointKeys;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.checkpoint.run.OrderRefusedException;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;

/**
 * Accepts orders on its own port, in a protocol of stock Hadoop, with Hadoop's authentication, from those that {@link
 * OrderAccess} lets in; with {@code hadoop.security.authorization} {@code security.refresh.generic.protocol.acl} must do
 * so as well.
 *
 * <p>Uses {@code GenericRefreshProtocol}, {@code RPC.Builder}.
 */
final class PluginService implements GenericRefreshProtocol, Closeable {

    static final String IDENTIFIER = "trefoil-checkpoint";

    /** Each order waits for its end in one. */
    private static final int HANDLERS = 10;

    /** Takes time, and its coordinator may not live to see its end. */
    private static final String LONG = "create";

    /**
     * These leave something behind. The others are questions, or a freeze: that leaves nothing without a cut, and no client may
     * wait for a line in a log.
     */
    private static final Set<String> AUDITED =
            Collections.unmodifiableSet(new HashSet<>(Arrays.asList(LONG, "cut", "abandon")));

    private final Orders orders;
    private final OrderAccess access;
    private final Server server;

    /** What is done to an order; a {@link OrderRefusedException} becomes a refusal. */
    interface Orders {
        JsonNode carryOut(String order, JsonNode arguments) throws IOException;
    }

    /**
     * @param access who may give orders, by {@link GenericRefreshProtocol}
     * @throws IOException if the port is taken
     */
    PluginService(Configuration conf, InetSocketAddress nameNode, OrderAccess access, Orders orders)
            throws IOException {
        this.orders = orders;
        this.access = access;
        Configuration ours = OrderAccess.withoutServiceLists(conf);
        RPC.setProtocolEngine(ours, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        int port = CheckpointKeys.PORT.get(suffixed);
        String host = suffixed.text(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY)
                .orElseGet(() -> nameNode.getAddress().getHostAddress());
        try {
            server = new RPC.Builder(ours)
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
        server.start();
    }

    @Override
    public Collection<RefreshResponse> refresh(String identifier, String[] arguments) throws IOException {
        AuditedOrder admitted = access.admit(
                arguments.length == 0 ? AuditedOrder.UNKNOWN : arguments[0],
                String.join(" ", Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length)));
        return Collections.singleton(answer(admitted, identifier, arguments));
    }

    private RefreshResponse answer(AuditedOrder admitted, String identifier, String[] arguments) throws IOException {
        if (!IDENTIFIER.equals(identifier) || arguments.length != 2) {
            return response(1, "Wanted " + IDENTIFIER + ", an order and its arguments as JSON");
        }
        boolean audited = AUDITED.contains(arguments[0]);
        try {
            if (arguments[0].equals(LONG)) {
                access.audit().begun(admitted);
            }
            String answer =
                    orders.carryOut(arguments[0], Documents.parse(arguments[1])).toString();
            if (audited) {
                access.audit().done(admitted);
            }
            return response(0, answer);
        } catch (OrderRefusedException e) {
            access.audit().refused(admitted, e.getMessage());
            return response(1, e.getMessage());
        } catch (IOException | RuntimeException e) {
            access.audit().failed(admitted, e.toString());
            throw e;
        }
    }

    private static RefreshResponse response(int code, String text) {
        RefreshResponse response = new RefreshResponse(code, text);
        // Hadoop's translator cannot write one without.
        response.setSenderName(IDENTIFIER);
        return response;
    }

    @Override
    public void close() {
        server.stop();
    }
}
