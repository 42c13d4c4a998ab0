/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.replica.Promotion;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.node.SimNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The nodes that are left when a majority is lost for good, what they answer, and the promotion of one of them. */
final class Survivors {
    private final Simulation simulation;
    private final Map<SimNode, StatusReply> left;
    private final Set<NodeAddress> lost;

    private Survivors(Simulation simulation, Map<SimNode, StatusReply> left) {
        this.simulation = simulation;
        this.left = left;
        this.lost = new LinkedHashSet<>(simulation.addresses());
        left.keySet().forEach(node -> lost.remove(node.address()));
    }

    /** Loses all nodes but some, and waits until none of these believes in a writer any more. */
    static Survivors of(Simulation simulation, int count) {
        List<SimNode> order = new ArrayList<>(simulation.nodes());
        Collections.shuffle(order, simulation.random());
        for (SimNode node : order.subList(count, order.size())) {
            if (node.host().isUp()) {
                simulation.stop(node, simulation.random().nextBoolean());
            }
        }
        simulation.writers().liveWriters().forEach(writer -> writer.die("killed"));
        List<SimNode> left = order.subList(0, count);
        left.stream().filter(node -> !node.host().isUp()).forEach(SimNode::start);
        simulation.runFor(Duration.ofSeconds(2));
        Map<SimNode, StatusReply> answers = new LinkedHashMap<>();
        for (SimNode node : left) {
            answers.put(node, (StatusReply) node.nodeReplica()
                    .perform(List.of(StatusRequest.create()))
                    .get(0)
                    .orElseThrow());
        }
        return new Survivors(simulation, answers);
    }

    Set<SimNode> nodes() {
        return left.keySet();
    }

    /** The one that the command promotes. */
    SimNode promotableNode() {
        List<String> refusals = new ArrayList<>();
        for (SimNode node : left.keySet()) {
            List<String> found = Promotion.refusalReasons(survivorOf(node), repliesOfOthers(node), lost);
            if (found.isEmpty()) {
                return node;
            }
            refusals.addAll(found);
        }
        throw new AssertionError("None of those that are left may be promoted: " + refusals);
    }

    /** Everything acknowledged to users must be at the heir, unless it is lost with the lost nodes. */
    void demandSurvivingEntries(SimNode heir) {
        for (LogTree.Branch acked : simulation.ledger().ackedEntries()) {
            LogPosition position = acked.entry().position();
            assertThat(has(heir, position) || left.keySet().stream().noneMatch(node -> has(node, position)))
                    .as("%s has acknowledged entries that %s lacks: %s", left.keySet(), heir.address(), position)
                    .isTrue();
        }
    }

    private boolean has(SimNode node, LogPosition position) {
        return disk(node)
                .entryAt(position.sn())
                .filter(entry -> entry.position().equals(position))
                .isPresent();
    }

    /** No address is barred, so that all may join again. */
    void promote(SimNode node) {
        Promotion.Survivor own = survivorOf(node);
        long next = own.end().lastTxId() + 1;
        NodeId heir = NodeId.of("heir-" + simulation.nextNumber());
        Promotion.CounterIncrease rise = Promotion.CounterIncrease.of(
                TxRange.of(next, next + 2), Bytes.ofUtf8("-66"), Bytes.ofUtf8("rising"), 1L << 40);
        List<Entry> whole = new ArrayList<>(disk(node).log());
        whole.addAll(Promotion.newEntries(
                own, Promotion.nextEpoch(own, repliesOfOthers(node).values()), heir, Set.of(), rise));
        simulation.formatting().promote(node, heir, whole);
        assertThat(simulation.membersInForce())
                .allSatisfy(members -> assertThat(members.list()).containsExactly(Member.voter(heir, node.address())));
    }

    private Map<NodeAddress, PoolReply> repliesOfOthers(SimNode node) {
        Map<NodeAddress, PoolReply> others = new LinkedHashMap<>();
        left.forEach((other, reply) -> {
            if (other != node) {
                others.put(other.address(), reply);
            }
        });
        return others;
    }

    private Promotion.Survivor survivorOf(SimNode node) {
        StatusReply status = left.get(node);
        NavigableMap<Long, Epoch> epochs = new TreeMap<>();
        for (Entry entry : disk(node).log()) {
            if (epochs.isEmpty() || !epochs.lastEntry().getValue().equals(entry.epoch())) {
                epochs.put(entry.sn(), entry.epoch());
            }
        }
        return Promotion.Survivor.of(
                status.node(),
                status.promise(),
                status.completeness(),
                status.committedSummary(),
                status.end(),
                epochs);
    }

    private SimLedger.Disk disk(SimNode node) {
        return simulation.ledger().disk(node.address()).orElseThrow();
    }
}
