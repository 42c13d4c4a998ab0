/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.writer.SimNameNode;
import io.trefoil.journal.sim.writer.SimWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After a promotion, NameNodes from before it end and are started again, all the time, and so do some that cannot load their
 * image; their pool nodes have the storage of before. Writes wait for none of them, and all vote once they are bootstrapped
 * ({@code docs/design/lost-site.md}).
 */
class OutdatedNameNodesTest {
    private static final int SEEDS = 25;
    private static final int NODES = 5;
    private static final int SURVIVORS = 2;
    private static final int ROUNDS = 50;
    private static final int BATCHES = 3;

    /** Users rest up to 50 ms; a node that is gone costs writes hundreds. */
    private static final Duration PROMPT_WRITE_TIMEOUT = Duration.ofMillis(200);

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void outdatedNodesStayOutAndBootstrappedOnesVoteEventually() {
        runDrills(UnaryOperator.identity());
    }

    @Test
    void detectsNodeJoiningBeforeNamespaceIsInUse() {
        assertThatThrownBy(() -> runDrills(OutdatedNameNodesTest::requestJoinImmediately))
                .hasMessageContaining(Outsiders.NAME);
    }

    @Test
    void detectsNodeEnteringRegardlessOfNamespace() {
        assertThatThrownBy(() -> runDrills(OutdatedNameNodesTest::enterUnconditionally))
                .hasMessageContaining(Outsiders.NAME);
    }

    /** What the rule is there for. */
    @Test
    void writesStallWhenOutdatedNodesJoin() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        drill(
                                seed,
                                namespace -> requestJoinImmediately(enterUnconditionally(namespace)),
                                new Outsiders(),
                                Invariants.all());
                    }
                })
                .hasMessageContaining("breaks 'progress'")
                .hasMessageContaining("batches, whoever ends");
    }

    private void runDrills(UnaryOperator<LocalNamespace> guards) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Outsiders outsiders = new Outsiders();
            List<Invariant> invariants = new ArrayList<>(Invariants.all());
            invariants.add(outsiders);
            drill(seed, guards, outsiders, invariants);
        }
    }

    private void drill(
            long seed, UnaryOperator<LocalNamespace> guards, Outsiders outsiders, List<Invariant> invariants) {
        Simulation simulation = new Simulation(
                Simulation.Plan.of(seed, FaultMix.none().withNodes(NODES, NODES, 1), Rules.REAL, invariants));
        simulation.guard(() -> new Drill(simulation, guards, outsiders).run());
    }

    private static LocalNamespace requestJoinImmediately(LocalNamespace namespace) {
        return new LocalNamespace() {
            @Override
            public boolean isInUse() {
                return true;
            }

            @Override
            public boolean mayEnter(Incarnation incarnation) {
                return namespace.mayEnter(incarnation);
            }
        };
    }

    private static LocalNamespace enterUnconditionally(LocalNamespace namespace) {
        return new LocalNamespace() {
            @Override
            public boolean isInUse() {
                return namespace.isInUse();
            }

            @Override
            public boolean mayEnter(Incarnation incarnation) {
                return true;
            }
        };
    }

    /** Where nodes are that must take no part, because their NameNodes end. */
    private static final class Outsiders implements Invariant {
        private static final String NAME = "R11 nodes of NameNodes that end stay out";

        private final Set<NodeAddress> places = new LinkedHashSet<>();

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Optional<String> judge(Fact fact, SimLedger before) {
            boolean votes = fact instanceof Fact.Answered answered
                    && places.contains(answered.at())
                    && (answered.reply() instanceof AppendedReply || answered.reply() instanceof PromiseReply);
            boolean isMember = before.membersChange(fact)
                    .filter(change ->
                            change.after().list().stream().anyMatch(member -> places.contains(member.address())))
                    .isPresent();
            return votes || isMember ? Optional.of(fact.toString()) : Optional.empty();
        }
    }

    /** The promotion, the time after it, and the operator's work. */
    private final class Drill {
        private final Simulation simulation;
        private final Random random;
        private final UnaryOperator<LocalNamespace> guards;
        private final Outsiders outsiders;
        private final Map<NodeAddress, SimNameNode> nameNodes = new LinkedHashMap<>();

        Drill(Simulation simulation, UnaryOperator<LocalNamespace> guards, Outsiders outsiders) {
            this.simulation = simulation;
            this.random = simulation.random();
            this.guards = guards;
            this.outsiders = outsiders;
        }

        void run() {
            simulation.formatting().format();
            simulation.writers().startWriter(Optional.empty());
            simulation.runFor(Duration.ofMillis(100 + random.nextInt(400)));
            Incarnation before = simulation.incarnation();
            Survivors left = Survivors.of(simulation, SURVIVORS);
            SimNode heir = left.promotableNode();
            left.promote(heir);
            List<NodeAddress> named =
                    random.nextBoolean() ? List.copyOf(simulation.addresses()) : List.of(heir.address());
            for (SimNode node : simulation.nodes()) {
                SimNameNode nameNode = new SimNameNode(
                        simulation,
                        node,
                        directory.resolve(
                                simulation.seed() + "-" + node.address().host()),
                        guards);
                nameNodes.put(node.address(), nameNode);
                if (node == heir) {
                    nameNode.setIncarnations(before, simulation.incarnation());
                    nameNode.followForLong(simulation.incarnation());
                } else {
                    outsiders.places.add(node.address());
                    begin(node, nameNode, before, named);
                }
            }
            Optional<SimNode> local = random.nextBoolean() ? Optional.of(heir) : Optional.empty();
            SimWriter writer = simulation.writers().startWriter(local, named);
            simulation.runUntil("a writer", writer::isWriting, LONG_ENOUGH);
            demandWriteProgress();
            rejoin(simulation.addresses());
            simulation.runUntil(
                    "all vote",
                    () -> simulation
                            .ledger()
                            .committedMembers()
                            .filter(entry ->
                                    Members.fromPayload(entry.payload()).voterCount() == NODES)
                            .isPresent(),
                    LONG_ENOUGH);
            simulation.healing().demandOneLog();
        }

        /** A writer whose URI names a node takes it in unasked, so there no namespace is broken that is not void. */
        private void begin(SimNode node, SimNameNode nameNode, Incarnation before, List<NodeAddress> named) {
            if (!named.contains(node.address()) && random.nextInt(3) == 0) {
                nameNode.setIncarnations(simulation.incarnation());
                nameNode.loseImage();
                if (node.host().isUp()) {
                    simulation.stop(node, false);
                }
            } else {
                nameNode.setIncarnations(before);
            }
            if (node.host().isUp()) {
                nameNode.followForLong(before);
            } else {
                nameNode.scheduleStart();
            }
        }

        private void demandWriteProgress() {
            for (int round = 0; round < ROUNDS; round++) {
                simulation.runFor(Duration.ofMillis(20 + random.nextInt(100)));
                long target = simulation.ackedCount() + BATCHES;
                simulation.writers().allowBatches(BATCHES);
                simulation.runUntil(
                        BATCHES + " batches, whoever ends",
                        () -> simulation.ackedCount() >= target,
                        PROMPT_WRITE_TIMEOUT);
                if (round == ROUNDS / 2) {
                    rejoin(Set.of(outsiders.places.iterator().next()));
                }
            }
        }

        /** They are proper from here on. */
        private void rejoin(Set<NodeAddress> places) {
            for (NodeAddress place : places) {
                if (outsiders.places.remove(place)) {
                    nameNodes.get(place).bootstrap();
                }
            }
        }
    }
}
