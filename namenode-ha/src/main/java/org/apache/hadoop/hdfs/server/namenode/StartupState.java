/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

/**
 * Whether a NameNode has entered its first role. It is in HDFS's package because only there all releases say it: {@code
 * NameNode.getNameNodeState} is new in 3.4.
 *
 * <p>Uses {@code NameNode.isStarted}.
 */
public final class StartupState {
    private StartupState() {}

    /** Whether the NameNode has started; before that it reports being a standby and refuses everything. Any thread. */
    public static boolean hasStarted(NameNode nameNode) {
        return nameNode.isStarted();
    }
}
