/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.ipc.AlignmentContext;

/**
 * HDFS's comparison of the last transaction that a client has seen with the last one that its NameNode has applied. It
 * is in HDFS's package because that class is visible only there.
 *
 * <p>Uses {@code GlobalStateIdContext}, made as {@code NameNodeRpcServer} does.
 */
public final class StateContext {

    private StateContext() {}

    /** A separate context that behaves like the NameNode's with {@code dfs.namenode.state.context.enabled}. */
    public static AlignmentContext of(NameNode nameNode) {
        return new GlobalStateIdContext(nameNode.getNamesystem());
    }
}
