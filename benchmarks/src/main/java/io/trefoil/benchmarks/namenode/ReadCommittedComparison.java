/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Two NameNodes of one cluster, the first without {@code trefoil.ha.read-committed} and the second with it, which are active in turn.
 */
final class ReadCommittedComparison {
    /** The NameNode that answers as soon as it can. */
    static final String IMMEDIATE = "at once";
    /** The NameNode that answers when everything it reveals is committed. */
    static final String COMMITTED = "committed";

    private final HaCluster cluster;

    ReadCommittedComparison(HaCluster cluster) {
        this.cluster = cluster;
    }

    /** A cluster of the two. */
    static HaClusterBuilder builder(String name) {
        return HaCluster.builder(name)
                .journal(JournalKind.ssp())
                .failover(FailoverKind.mams())
                .nameNodeHeap("1g")
                .serverProperty("nn1", "trefoil.ha.read-committed", "false");
    }

    /** A load on the active, below a separate root. */
    interface WarmUp {
        void run(String root) throws Exception;
    }

    /** The same load, for the figures of one of the rounds, which count from 1. */
    interface Measurement {
        void measure(String kind, int round, String root) throws Exception;
    }

    void warmUp(WarmUp warmUp) throws Exception {
        for (NameNodeServer nameNode : nameNodes()) {
            cluster.failOverTo(nameNode);
            warmUp.run("/warm-up-" + nameNode.name());
        }
    }

    /** Measures both kinds in each round. */
    void measureInTurns(int rounds, Measurement measurement) throws Exception {
        List<NameNodeServer> order = new ArrayList<>(nameNodes());
        for (int round = 1; round <= rounds; round++) {
            for (NameNodeServer nameNode : order) {
                cluster.failOverTo(nameNode);
                String kind = nameNode == cluster.nameNode(1) ? IMMEDIATE : COMMITTED;
                measurement.measure(kind, round, "/round-" + round + "-" + nameNode.name());
            }
            // Neither kind always follows the other.
            Collections.rotate(order, 1);
        }
    }

    private List<NameNodeServer> nameNodes() {
        return List.of(cluster.nameNode(1), cluster.nameNode(2));
    }
}
