/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.RbfRouters;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.federation.cluster.Federation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.viewfs.Constants;

/** The table of subtrees, and the nameservices that own them, according to Hadoop's configuration. */
public final class HadoopFederation implements Federation {
    private final Configuration conf;

    public HadoopFederation(Configuration conf) {
        this.conf = conf;
    }

    @Override
    public TableStore openTable(Optional<String> directory) {
        String configured = conf.getTrimmed(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH, "");
        String found = directory.orElse(configured);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("Nothing says where the table is kept: set "
                    + Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH + ", or give --table hdfs://NAMESERVICE/FOLDER");
        }
        return new HdfsTableStore(conf, found);
    }

    @Override
    public SubtreeMoves openMoves(TableStore table) {
        return new HdfsSubtreeMoves(conf, table, HdfsTableStore.SEAL);
    }

    @Override
    public SubtreeSize.Source openSizes() {
        return HdfsSubtreeMoves.newSizeSource(conf);
    }

    @Override
    public Routers openRouters(List<String> addresses) throws IOException {
        try {
            return new RbfRouters(conf, addresses);
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    "The jar hadoop-hdfs-rbf of this Hadoop, which talks to Routers, is not on the class path: "
                            + e.getMessage(),
                    e);
        }
    }
}
