/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.config.CheckpointKeys;
import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.AuditedRefresh;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
 * Accepts orders on its own port, in a protocol of stock Hadoop, with Hadoop's authentication, from callers that {@link
 * OrderAccess} admits. With {@code hadoop.security.authorization}, {@code security.refresh.generic.protocol.acl} must
 * admit them, too.
 *
 * <p>Uses {@code GenericRefreshProtocol}, {@code RPC.Builder}.
 */
final class PluginService implements GenericRefreshProtocol, Closeable {

    static final String IDENTIFIER = "trefoil-checkpoint";

    /** The number of handlers; each order occupies one until it ends. */
    private static final int HANDLERS = 10;

    /** The order that takes a long time; its coordinator may not live to see its end, so its beginning is audited too. */
    private static final String LONG = PluginOrders.CREATE;

    /**
     * The orders that leave something behind. The others are questions, or a freeze: a freeze leaves nothing behind without a cut, and no
     * client may wait while a line is logged.
     */
    private static final Set<String> AUDITED =
            Collections.unmodifiableSet(new HashSet<>(Arrays.asList(LONG, PluginOrders.CUT, PluginOrders.ABANDON)));

    private final Orders orders;
    private final AuditedRefresh refresh;
    private final AuditLog audit;
    private final Server server;

    /** Carries out orders; an {@link OrderRefusedException} becomes a refusal. */
    interface Orders {
        JsonNode carryOut(String order, JsonNode arguments) throws IOException;
    }

    /**
     * @param access decides who may give orders, by {@link GenericRefreshProtocol}
     * @throws IOException if the port is taken
     */
    PluginService(Configuration conf, InetSocketAddress nameNode, OrderAccess access, Orders orders)
            throws IOException {
        this.orders = orders;
        this.refresh = new AuditedRefresh(IDENTIFIER, access);
        this.audit = access.audit();
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
        List<String> orderArguments = Arrays.asList(arguments);
        AuditedOrder admitted = refresh.admit(orderArguments);
        return Collections.singleton(
                AUDITED.contains(admitted.order())
                        ? refresh.execute(admitted, () -> carryOut(admitted, identifier, orderArguments))
                        : refresh.executeQuery(admitted, () -> carryOut(admitted, identifier, orderArguments)));
    }

    private String carryOut(AuditedOrder admitted, String identifier, List<String> arguments) throws IOException {
        if (!IDENTIFIER.equals(identifier) || arguments.size() != 2) {
            throw new OrderRefusedException("Wanted " + IDENTIFIER + ", an order and its arguments as JSON");
        }
        if (admitted.order().equals(LONG)) {
            audit.recordStart(admitted);
        }
        return orders.carryOut(arguments.get(0), CheckpointJson.parse(arguments.get(1)))
                .toString();
    }

    @Override
    public void close() {
        server.stop();
    }
}
