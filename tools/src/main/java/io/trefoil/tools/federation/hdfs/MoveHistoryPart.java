/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import io.trefoil.tools.checkpoint.MoveHistory;
import io.trefoil.tools.federation.cluster.TableMoveHistory;
import io.trefoil.tools.hdfs.InstallationPlugin;
import org.apache.hadoop.conf.Configuration;

/** Gives the checkpoint commands the history of moves; loaded by {@code ServiceLoader}. */
public final class MoveHistoryPart implements InstallationPlugin<MoveHistory> {

    @Override
    public Class<MoveHistory> portClass() {
        return MoveHistory.class;
    }

    @Override
    public MoveHistory create(Configuration conf) {
        return new TableMoveHistory(new HadoopFederation(conf));
    }
}
