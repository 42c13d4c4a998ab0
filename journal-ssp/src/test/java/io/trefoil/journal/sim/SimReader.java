/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.ReaderRules;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A NameNode that lists segments: from the replica in its own process if that suffices, otherwise by asking all nodes
 * in reach.
 */
final class SimReader {

    private static final long TIMEOUT_NANOS = 50_000_000;

    private final Simulation simulation;
    private final ReaderRules rules;

    SimReader(Simulation simulation, ReaderRules rules) {
        this.simulation = simulation;
        this.rules = rules;
    }

    /** Lists segments from within a node's process. */
    void readIn(SimNode own) {
        own.host().schedule(0, "reader of " + own.address().host() + " looks", () -> listIn(own));
    }

    private void listIn(SimNode own) {
        // In the reader's own thread, between two groups of requests.
        Optional<PoolReply> alone = own.nodeReplica()
                .performIfCaughtUp(
                        SegmentsRequest.of(1),
                        Duration.ofMillis(simulation.mix().leaseMillis()));
        if (alone.isPresent()) {
            // What was taken back while this process ran may be seen for the length of a lease; what was taken back
            // before may not.
            if (alone.get() instanceof SegmentsReply segments && !followsDeposedWriter(own)) {
                simulation.report(new Fact.ReaderShown(own.address(), own.takenBackSnAtStart(), segments));
            }
            return;
        }
        List<SimNode> reached = simulation.nodes().stream()
                .filter(node -> node == own || simulation.random().nextInt(4) > 0)
                .toList();
        queryAll(reached);
    }

    /** Nodes that hear only a deposed writer believe it as long as it lives and does not know that it was deposed. */
    private boolean followsDeposedWriter(SimNode own) {
        return own.showsStranger()
                || simulation.ledger().terms().stream()
                        .anyMatch(term -> term.epoch().isAbove(own.nodeReplica().promisedEpoch()));
    }

    /**
     * Whether a node that was formatted alone has answered, and none that shows data of the journal in force: a reader that is cut off
     * with it cannot know better.
     */
    private boolean isAlone(NodeAddress node, Map<NodeAddress, PoolReply> statuses) {
        return statuses.get(node) instanceof StatusReply lone
                && simulation.isLone(lone.end().incarnation())
                && statuses.values().stream()
                        .noneMatch(reply -> reply instanceof StatusReply status
                                && status.end().incarnation().equals(simulation.incarnation())
                                && status.end().lastTxId() > 0);
    }

    private void queryAll(List<SimNode> reached) {
        // Until all intended nodes are formatted, the old journal may be the one with a majority.
        boolean decided = !simulation.formatting().isBetweenJournals();
        Incarnation incarnation = simulation.formatting().incarnation();
        long knownSn = simulation.ledger().takenBackSn();
        Map<NodeAddress, PoolReply> statuses = new LinkedHashMap<>();
        Map<NodeAddress, PoolReply> segments = new LinkedHashMap<>();
        // A node's disk may be another one by the time the reader decides.
        Set<NodeAddress> strangers = new HashSet<>();
        for (SimNode node : reached) {
            if (node.host().isUp()) {
                node.receive(StatusRequest.create(), reply -> statuses.put(node.address(), reply));
            }
        }
        simulation.schedule(TIMEOUT_NANOS, "reader asks for segments", () -> {
            for (SimNode node : reached) {
                if (node.host().isUp()) {
                    node.receive(SegmentsRequest.of(1), reply -> {
                        segments.put(node.address(), reply);
                        if (node.isStranger()) {
                            strangers.add(node.address());
                        }
                    });
                }
            }
            simulation.schedule(TIMEOUT_NANOS, "reader decides", () -> rules.selectNode(statuses, segments)
                    .filter(node -> decided
                            && incarnation.equals(simulation.formatting().incarnation())
                            && !isAlone(node, statuses))
                    .ifPresent(node -> simulation.report(
                            strangers.contains(node)
                                    ? new Fact.StrangerShown(node)
                                    : new Fact.ReaderShown(node, knownSn, (SegmentsReply) segments.get(node)))));
        });
    }
}
