/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import io.trefoil.federation.client.SubtreeOwnerResolver;
import io.trefoil.federation.hdfs.datanode.BlockLinkPlugin;
import io.trefoil.federation.hdfs.gate.GateLayer;
import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.foundation.linkage.MissingMember;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.hdfs.InstallationPlugin;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** Creates an instance for {@code ServiceLoader}. */
public final class FederationPart implements InstallationPlugin<Federation> {

    @Override
    public Class<Federation> portClass() {
        return Federation.class;
    }

    @Override
    public Federation create(Configuration conf) {
        return new HadoopFederation(conf);
    }

    /** The missing members that NameNodes, DataNodes and clients use. */
    @Override
    public SortedSet<MissingMember> missingHadoopMembers() {
        SortedSet<MissingMember> missing = new TreeSet<>();
        missing.addAll(GateLayer.hadoopLinkage().missingMembers());
        missing.addAll(HadoopLinkage.ofPackages(
                        BlockLinkPlugin.class,
                        Collections.singletonList(
                                BlockLinkPlugin.class.getPackage().getName()))
                .missingMembers());
        // A class of that jar which every Hadoop can load: Hadoop 3.3.0 lacks what the file system extends.
        missing.addAll(new HadoopLinkage(SubtreeOwnerResolver.class).missingMembers());
        return missing;
    }
}
