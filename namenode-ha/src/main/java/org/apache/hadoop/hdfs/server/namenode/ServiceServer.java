/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.Optional;
import org.apache.hadoop.ipc.RPC;

/**
 * The RPC server at {@code dfs.namenode.servicerpc-address}. It is in HDFS's package because that server is visible only
 * there.
 *
 * <p>Uses {@code NameNodeRpcServer.getServiceRpcServer}.
 */
public final class ServiceServer {

    private ServiceServer() {}

    /** The service server; empty if there is none, in which case all calls arrive at the server for clients. */
    public static Optional<RPC.Server> of(NameNodeRpcServer server) {
        return Optional.ofNullable(server.getServiceRpcServer());
    }
}
