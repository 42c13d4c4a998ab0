/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;

/**
 * The delegation tokens known to a NameNode. It is in HDFS's package because they are visible only there.
 *
 * <p>Uses {@code FSNamesystem.getDelegationTokenSecretManager}.
 */
public final class NameNodeTokens {

    private NameNodeTokens() {}

    /** The delegation tokens of a NameNode, as known at each moment; may be called by any thread. */
    public static DelegationTokenSecretManager of(NameNode nameNode) {
        return nameNode.getNamesystem().getDelegationTokenSecretManager();
    }
}
