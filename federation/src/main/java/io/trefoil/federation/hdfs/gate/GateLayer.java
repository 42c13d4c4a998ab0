/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.hdfs.config.FederationKeys;
import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.hdfs.calls.ClientCalls.Layer;
import io.trefoil.ha.hdfs.chain.CallLayerPlugin;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/** The gate of subtrees as a layer of the call chain: {@code trefoil.federation.gate}. */
public final class GateLayer implements CallLayerPlugin {
    /** The gate's links to Hadoop, except those missing in Hadoop before 3.4, for which {@code RetriedCall} has substitutes. */
    private static final HadoopLinkage HADOOP_LINKS = HadoopLinkage.ofPackages(
            GateLayer.class,
            Arrays.asList("io.trefoil.federation.hdfs.gate", "io.trefoil.federation.hdfs.load", "org.apache.hadoop"),
            "org.apache.hadoop.hdfs.server.namenode.NameNode.getClientIdAndCallId(String[])");

    /** The name of the setting in a preview release. */
    private static final String FORMER = "trefoil.ha.subtrees";

    private volatile SubtreeGate gate;

    /** The classes and members of Hadoop that the gate needs. */
    public static HadoopLinkage hadoopLinkage() {
        return HADOOP_LINKS;
    }

    @Override
    public Layer layer() {
        return Layer.GATE;
    }

    @Override
    public boolean isEnabled(SuffixedConfiguration conf) {
        if (conf.text(FORMER).isPresent()
                && !conf.text(FederationKeys.GATE.name()).isPresent()) {
            throw new IllegalArgumentException(FORMER + " is " + FederationKeys.GATE.name()
                    + " now: without it, directories that were given away or sealed could be changed at this NameNode");
        }
        return FederationKeys.GATE.get(conf);
    }

    @Override
    public BlockingService wrap(BlockingService calls, NameNode nameNode) throws IOException {
        HADOOP_LINKS.requireComplete();
        SubtreeGate begun = new SubtreeGate(nameNode);
        gate = begun;
        begun.start();
        GatedWebHdfs.guard(nameNode, begun);
        GatedFsck.guard(nameNode, begun);
        return new GatedCalls(calls, begun);
    }

    @Override
    public void awaitEarlierCalls() {
        SubtreeGate begun = gate;
        if (begun != null) {
            begun.awaitEarlierCalls();
        }
    }

    @Override
    public void close() {
        SubtreeGate begun = gate;
        if (begun != null) {
            begun.close();
        }
    }
}
