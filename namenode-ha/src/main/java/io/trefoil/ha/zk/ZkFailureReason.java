/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import org.apache.zookeeper.KeeperException;

/** The kind of reason why an action in ZooKeeper failed, as far as logging it depends on that. */
enum ZkFailureReason {
    /** A lost race: another member was faster, as in every election except one with a single candidate, or the client was closed. */
    RACE,
    /** A failure of ZooKeeper or of the connection to it. */
    TROUBLE,
    /** A bug of ours, or an incompatible library: its stack trace is needed. */
    BUG;

    /** Returns the kind of a failure, by its cause: ZooKeeper throws checked exceptions, and our own checks of a view illegal states. */
    static ZkFailureReason of(Throwable cause) {
        if (cause instanceof KeeperException.BadVersionException
                || cause instanceof KeeperException.NodeExistsException
                || cause instanceof IllegalStateException) {
            return RACE;
        }
        return cause instanceof LinkageError || cause instanceof RuntimeException ? BUG : TROUBLE;
    }
}
