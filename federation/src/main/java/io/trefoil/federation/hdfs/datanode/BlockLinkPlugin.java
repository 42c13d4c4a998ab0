/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.hdfs.OrderAccess;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.apache.hadoop.util.ServicePlugin;

/**
 * Lets a DataNode link blocks of one nameservice into another. {@code dfs.datanode.plugins} names it.
 *
 * <p>Orders arrive at the DataNode's own IPC port, in a protocol of stock Hadoop that a DataNode does not use itself. So they are
 * authenticated as all calls to the DataNode are, and the {@code security.refresh.generic.protocol.acl} that the DataNode has read applies.
 *
 * <p>Uses {@code DataNode.ipcServer}, {@code RPC.Server.addProtocol}, {@code GenericRefreshProtocolPB}.
 */
public final class BlockLinkPlugin implements ServicePlugin {

    @Override
    public void start(Object service) {
        DataNode dataNode = (DataNode) service;
        Configuration conf = dataNode.getConf();
        RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
        LinkService links = new LinkService(
                OrderAccess.forDataNodePort(conf, new AuditLog()), new HdfsBlockLinks(dataNode)::carryOut);
        // The server is already running. It looks protocols up in a hash map that has room for several more, so adding
        // one moves nothing in it.
        dataNode.ipcServer.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                GenericRefreshProtocolPB.class,
                GenericRefreshProtocolService.newReflectiveBlockingService(
                        new GenericRefreshProtocolServerSideTranslatorPB(links)));
    }

    /** Does nothing, as the port closes with its DataNode. */
    @Override
    public void stop() {}

    @Override
    public void close() {
        stop();
    }
}
