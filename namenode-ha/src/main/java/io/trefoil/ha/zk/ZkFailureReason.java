/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import org.apache.zookeeper.KeeperException;

/** Why something that was to be done in ZooKeeper was not done, as far as its log needs to know. */
enum ZkFailureReason {
    /** A lost race: another member was faster, as in every election but one with a single candidate, or the client was closed. */
    RACE,
    /** ZooKeeper or the way to it. */
    TROUBLE,
    /** A bug of ours, or a library that does not fit: its trace is needed. */
    BUG;

    /** The kind of a setback, by its cause: what ZooKeeper throws is checked; an illegal state is what our own checks of a view say. */
    static ZkFailureReason of(Throwable cause) {
        if (cause instanceof KeeperException.BadVersionException
                || cause instanceof KeeperException.NodeExistsException
                || cause instanceof IllegalStateException) {
            return RACE;
        }
        return cause instanceof LinkageError || cause instanceof RuntimeException ? BUG : TROUBLE;
    }
}
