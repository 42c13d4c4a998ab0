/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.sim.node.NodeWorld;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.writer.SimWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The operator who formats the journal, and may initialize it again. */
public final class SimFormatting {
    private final Simulation simulation;
    private Incarnation incarnation = Incarnation.NONE;
    private final List<Incarnation> replaced = new ArrayList<>();
    private final Set<Incarnation> lone = new HashSet<>();
    private boolean betweenJournals;

    SimFormatting(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The incarnation of the journal that the operator wanted last. */
    Incarnation incarnation() {
        return incarnation;
    }

    /** Whether a host formatted this one alone. */
    boolean isLone(Incarnation other) {
        return lone.contains(other);
    }

    /** Whether the journal is being initialized again. */
    boolean isBetweenJournals() {
        return betweenJournals;
    }

    /** Formats the journal on the first nodes, and starts all nodes. */
    public void format() {
        List<SimNode> first = simulation.nodes().subList(0, simulation.mix().formatted());
        for (SimNode node : simulation.nodes()) {
            if (first.contains(node) || simulation.random().nextBoolean()) {
                node.start();
            } else {
                simulation.nemesis().scheduleRestart(node);
            }
        }
        Map<SimNode, NodeId> ids = new LinkedHashMap<>();
        first.forEach(node -> ids.put(node, node.nodeReplica().node()));
        format(ids, first, false);
    }

    /** Formats some of the future voters. */
    private void format(Map<SimNode, NodeId> ids, List<SimNode> formatted, boolean force) {
        replaced.add(incarnation);
        incarnation = Incarnation.of(incarnation.number() + 1, simulation.seed());
        Members members = Members.NONE.withReplacedIncarnations(replaced);
        for (Map.Entry<SimNode, NodeId> voter : ids.entrySet()) {
            members = members.with(Member.voter(voter.getValue(), voter.getKey().address()));
        }
        List<Entry> entries = firstEntries(members);
        for (SimNode node : formatted) {
            node.format(FormatRequest.of(
                    NodeWorld.NAMESPACE, ids.get(node), LogSummary.ORIGIN.with(incarnation), entries, force));
        }
        simulation.judgeFacts();
    }

    private static List<Entry> firstEntries(Members members) {
        return List.of(
                Entry.of(
                        LogPosition.of(Epoch.FORMAT, 1),
                        EntryKind.STORAGE,
                        TxRange.NONE,
                        StorageRecord.ofFormat(StorageRecord.Version.of(-66, 0)).toPayload()),
                Entry.of(LogPosition.of(Epoch.FORMAT, 2), EntryKind.MEMBERS, TxRange.NONE, members.toPayload()));
    }

    /**
     * An operator initializes the journal again, with force, on enough nodes to leave the old journal no majority,
     * perhaps after an interrupted try. The other nodes are down or out of reach, and know nothing of it; neither do
     * writers.
     */
    void initializeAgain() {
        List<SimNode> candidates = new ArrayList<>(simulation.nodes());
        Collections.shuffle(candidates, simulation.random());
        Map<SimNode, NodeId> chosen = new LinkedHashMap<>();
        Set<Members> before = simulation.membersInForce();
        for (SimNode node : candidates) {
            boolean mayBeLeft = before.stream().allMatch(members -> haveNoMajorityWithout(chosen.keySet(), members));
            if (!mayBeLeft || simulation.random().nextInt(3) == 0) {
                if (simulation.random().nextBoolean()) {
                    // Otherwise it is formatted while it runs, and its sessions with writers go on.
                    simulation.stop(node, false);
                }
                simulation.healing().repair(node);
                chosen.put(node, NodeId.of("again-" + simulation.nextNumber()));
            } else if (node.host().isUp() && simulation.random().nextBoolean()) {
                simulation.stop(node, simulation.random().nextBoolean());
                simulation.nemesis().scheduleRestart(node);
            }
        }
        endAcquiringWriters();
        betweenJournals = true;
        List<SimNode> voters = new ArrayList<>(chosen.keySet());
        simulation.note("the journal is initialized again on " + chosen.values());
        if (simulation.random().nextBoolean()) {
            resetHistory();
            format(chosen, voters.subList(0, simulation.random().nextInt(voters.size())), true);
            chosen.replaceAll((node, id) -> NodeId.of("again-" + simulation.nextNumber()));
        }
        resetHistory();
        format(chosen, voters, true);
        betweenJournals = false;
        simulation.writers().startWriter();
    }

    /**
     * An operator of a node that is empty and cut off formats the journal there, and knows of no other; its clock says that this
     * is the newest. What is in force stays so.
     */
    void formatAlone(SimNode node) {
        Incarnation alone = Incarnation.ofFormat(
                incarnation.number() + 1_000 + lone.size(), simulation.seed() + simulation.nextNumber());
        lone.add(alone);
        NodeId id = NodeId.of("alone-" + simulation.nextNumber());
        Members members = Members.NONE.with(Member.voter(id, node.address()));
        node.format(
                FormatRequest.of(NodeWorld.NAMESPACE, id, LogSummary.ORIGIN.with(alone), firstEntries(members), true));
        simulation.judgeFacts();
    }

    /**
     * Promotes a node, which goes on alone in a new incarnation with these entries; what the other nodes have belongs
     * to the one before.
     */
    void promote(SimNode node, NodeId heir, List<Entry> entries) {
        betweenJournals = true;
        resetHistory();
        incarnation = Incarnation.ofPromotion(incarnation.number() + 1, simulation.seed());
        node.format(FormatRequest.of(Simulation.NAMESPACE, heir, LogSummary.ORIGIN.with(incarnation), entries, true));
        simulation.judgeFacts();
        betweenJournals = false;
    }

    /**
     * Ends the writers that are acquiring an epoch: one with a promise of a node that is formatted next would begin a
     * term of a journal that no longer exists.
     */
    void endAcquiringWriters() {
        simulation.writers().liveWriters().stream()
                .filter(SimWriter::isAcquiringEpoch)
                .forEach(writer -> writer.die("gives way to a format"));
    }

    /** Whether the others have no majority, and will not get one: a live old writer may make voters of learners. */
    private boolean haveNoMajorityWithout(Set<SimNode> chosen, Members members) {
        long voters = chosen.stream().filter(one -> isVoter(one, members)).count();
        long all = chosen.stream().filter(one -> isMember(one, members)).count();
        int mostVoters = members.list().size();
        return voters > members.voterCount() - members.majority() && all > mostVoters - (mostVoters / 2 + 1);
    }

    private boolean isMember(SimNode node, Members members) {
        return simulation
                .ledger()
                .disk(node.address())
                .filter(disk -> members.find(disk.node()).isPresent())
                .isPresent();
    }

    private boolean isVoter(SimNode node, Members members) {
        return simulation
                .ledger()
                .disk(node.address())
                .filter(disk -> members.isVoter(disk.node()))
                .isPresent();
    }

    private void resetHistory() {
        simulation.judgeFacts();
        simulation.beginLedger();
        simulation.nemesis().onJournalReinitialized();
        simulation.nodes().forEach(SimNode::onJournalReinitialized);
    }
}
