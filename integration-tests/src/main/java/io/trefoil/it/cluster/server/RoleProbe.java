/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import java.io.IOException;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ipc.RPC;

/** Asks one NameNode for its role over one connection, so that asking often is cheap. */
public final class RoleProbe implements AutoCloseable {
    private final HAServiceProtocol protocol;

    RoleProbe(HAServiceProtocol protocol) {
        this.protocol = protocol;
    }

    /**
     * The current role; during a change of role, the answer waits for its end.
     *
     * @throws IOException if the NameNode does not answer
     */
    public HAServiceState role() throws IOException {
        return protocol.getServiceStatus().getState();
    }

    @Override
    public void close() {
        RPC.stopProxy(protocol);
    }
}
