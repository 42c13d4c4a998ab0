/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Five voters, whose writers and nodes came and went, lose three for good, and one of the others is promoted; then the
 * lost ones return after all, with everything that they had ({@code docs/design/lost-site.md}).
 */
class PromotedTest {

    private static final int SEEDS = 40;
    private static final int NODES = 5;
    private static final int SURVIVORS = 2;

    /** Chooses the survivor to promote. */
    private interface Choice {
        SimNode among(Map<SimNode, StatusReply> left, Lost lost);
    }

    /** The nodes that the operator gives up. */
    private record Lost(Simulation simulation, Set<NodeAddress> addresses) {}

    @Test
    void whatOneOfThemHadOfTheAcknowledgedGoesOnWhoeverComesBack() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            promoted(seed, PromotedTest::whoeverIsNotRefused);
        }
    }

    @Test
    void theOneWithTheShorterLogIsNoticed() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        promoted(seed, PromotedTest::theOneThatIsBehind);
                    }
                })
                .hasMessageContaining("has acknowledged entries");
    }

    private static void promoted(long seed, Choice choice) {
        Simulation simulation = new Simulation(
                Simulation.Plan.of(seed, FaultMix.none().withNodes(NODES, NODES, 1), Rules.REAL, Invariants.all()));
        simulation.guard(() -> {
            disturb(simulation);
            Map<SimNode, StatusReply> left = lose(simulation);
            Set<NodeAddress> lost = new LinkedHashSet<>(simulation.addresses());
            left.keySet().forEach(node -> lost.remove(node.address()));
            SimNode survivor = choice.among(left, new Lost(simulation, lost));
            demandAllThatIsLeft(simulation, survivor, left.keySet());
            promote(simulation, survivor, left);
            simulation.nodes().stream().filter(node -> !node.host().isUp()).forEach(SimNode::start);
            startWriterUnlessOneLives(simulation);
            simulation.runFor(Duration.ofMillis(500));
            simulation.healing().heal();
            startWriterUnlessOneLives(simulation);
            simulation.healing().demandProgress();
        });
    }

    private static void disturb(Simulation simulation) {
        simulation.formatting().format();
        simulation.writers().startWriter(Optional.empty());
        for (int round = 0; round < 6; round++) {
            simulation.runFor(Duration.ofMillis(20 + simulation.random().nextInt(200)));
            SimNode node = simulation.nodes().get(simulation.random().nextInt(NODES));
            if (!node.host().isUp()) {
                node.start();
            } else if (simulation.random().nextBoolean()) {
                simulation.stop(node, simulation.random().nextBoolean());
            } else {
                endWriters(simulation);
                simulation.writers().startWriter(Optional.empty());
            }
        }
    }

    /** A second writer would compete with the first, and might want other members to join. */
    private static void startWriterUnlessOneLives(Simulation simulation) {
        if (simulation.writers().liveWriters().isEmpty()) {
            simulation.writers().startWriter();
        }
    }

    private static void endWriters(Simulation simulation) {
        simulation.writers().liveWriters().forEach(writer -> writer.die("killed"));
    }

    /** Loses a majority; returns what the others answer once none of them believes in a writer any more. */
    private static Map<SimNode, StatusReply> lose(Simulation simulation) {
        List<SimNode> order = new ArrayList<>(simulation.nodes());
        Collections.shuffle(order, simulation.random());
        for (SimNode node : order.subList(SURVIVORS, NODES)) {
            if (node.host().isUp()) {
                simulation.stop(node, simulation.random().nextBoolean());
            }
        }
        endWriters(simulation);
        List<SimNode> left = order.subList(0, SURVIVORS);
        left.stream().filter(node -> !node.host().isUp()).forEach(SimNode::start);
        simulation.runFor(Duration.ofSeconds(2));
        Map<SimNode, StatusReply> answers = new LinkedHashMap<>();
        for (SimNode node : left) {
            answers.put(node, (StatusReply) node.nodeReplica()
                    .perform(List.of(StatusRequest.create()))
                    .get(0)
                    .orElseThrow());
        }
        return answers;
    }

    private static SimNode whoeverIsNotRefused(Map<SimNode, StatusReply> left, Lost lost) {
        List<String> refusals = new ArrayList<>();
        for (SimNode node : left.keySet()) {
            List<String> found =
                    Promotion.refusals(own(lost.simulation(), node, left), others(node, left), lost.addresses());
            if (found.isEmpty()) {
                return node;
            }
            refusals.addAll(found);
        }
        throw new AssertionError("None of those that are left may be promoted: " + refusals);
    }

    private static SimNode theOneThatIsBehind(Map<SimNode, StatusReply> left, Lost lost) {
        SimNode right = whoeverIsNotRefused(left, lost);
        return left.keySet().stream().filter(node -> node != right).findFirst().orElseThrow();
    }

    private static Map<NodeAddress, PoolReply> others(SimNode node, Map<SimNode, StatusReply> left) {
        Map<NodeAddress, PoolReply> others = new LinkedHashMap<>();
        left.forEach((other, reply) -> {
            if (other != node) {
                others.put(other.address(), reply);
            }
        });
        return others;
    }

    private static Promotion.Survivor own(Simulation simulation, SimNode node, Map<SimNode, StatusReply> left) {
        StatusReply status = left.get(node);
        NavigableMap<Long, Epoch> epochs = new TreeMap<>();
        for (Entry entry : disk(simulation, node).log()) {
            if (epochs.isEmpty() || !epochs.lastEntry().getValue().equals(entry.epoch())) {
                epochs.put(entry.sn(), entry.epoch());
            }
        }
        return Promotion.Survivor.of(
                status.node(), status.promise(), status.completeness(), status.committed(), status.end(), epochs);
    }

    private static SimLedger.Disk disk(Simulation simulation, SimNode node) {
        return simulation.ledger().disk(node.address()).orElseThrow();
    }

    /** Everything acknowledged to users must be there, unless it is lost with the lost nodes. */
    private static void demandAllThatIsLeft(Simulation simulation, SimNode survivor, Set<SimNode> left) {
        for (LogTree.Branch acked : simulation.ledger().acked()) {
            LogPosition position = acked.entry().position();
            assertThat(has(disk(simulation, survivor), position)
                            || left.stream().noneMatch(node -> has(disk(simulation, node), position)))
                    .as("%s has acknowledged entries that %s lacks: %s", left, survivor.address(), position)
                    .isTrue();
        }
    }

    private static boolean has(SimLedger.Disk disk, LogPosition position) {
        return disk.at(position.sn())
                .filter(entry -> entry.position().equals(position))
                .isPresent();
    }

    private static void promote(Simulation simulation, SimNode survivor, Map<SimNode, StatusReply> left) {
        Promotion.Survivor own = own(simulation, survivor, left);
        long next = own.end().lastTxId() + 1;
        NodeId heir = NodeId.of("heir-" + simulation.nextNumber());
        Promotion.Rise rise =
                Promotion.Rise.of(TxRange.of(next, next + 2), Bytes.ofUtf8("-66"), Bytes.ofUtf8("rising"), 1L << 40);
        List<Entry> whole = new ArrayList<>(disk(simulation, survivor).log());
        // No node is barred, so that all may join again.
        whole.addAll(Promotion.entries(
                own, Promotion.epoch(own, others(survivor, left).values()), heir, Set.of(), rise));
        simulation.formatting().promote(survivor, heir, whole);
        assertThat(simulation.membersInForce()).allSatisfy(members -> assertThat(members.list())
                .containsExactly(Member.voter(heir, survivor.address())));
    }
}
