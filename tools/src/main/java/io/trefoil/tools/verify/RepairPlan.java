/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.journal.model.Member;
import io.trefoil.tools.pool.survey.NodeState;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The remedy for each node, according to the findings of {@link JournalVerifier}. A node is changed only if a majority of
 * the voters is sound without it: they have what it loses, and any new writer asks at least one of them.
 */
final class RepairPlan {

    private final JournalVerifier verification;
    private final PoolStatus currentStatus;

    /**
     * @param verification what was read from all nodes
     * @param currentStatus the nodes' later state: a node that met damage while it was read repairs itself
     */
    RepairPlan(JournalVerifier verification, PoolStatus currentStatus) {
        this.verification = verification;
        this.currentStatus = currentStatus;
    }

    PoolStatus status() {
        return currentStatus;
    }

    Remedy remedy(NodeStatus node) {
        Optional<Member> member = currentStatus.member(node);
        boolean isOurs = member.isPresent()
                && (!node.reply().isPresent() || node.reply().get().namespace().equals(currentStatus.namespace()));
        if (currentStatus.isForeign(node) && node.reply().get().namespace().equals(currentStatus.namespace())) {
            boolean unclear =
                    currentStatus.mayBeInForce(node.reply().get().end().incarnation());
            return unclear ? Remedy.OPERATOR : refetchRemedy();
        }
        if (!isOurs) {
            return findings(node).isEmpty() ? Remedy.NONE : Remedy.OPERATOR;
        }
        switch (node.state()) {
            case DOWN:
                return Remedy.OPERATOR;
            case NOT_FORMATTED:
            case REFETCHING:
                return Remedy.WAIT;
            case FAILED:
                return refetchRemedy();
            case SERVES:
                break;
        }
        if (!node.holdsStorageOf(member.get())) {
            return Remedy.OPERATOR;
        }
        Optional<NodeLog> log = verification.log(node);
        if (verification.isOutvoted(node)) {
            return refetchRemedy();
        }
        if (log.filter(NodeLog::isUnreadable).isPresent()) {
            return Remedy.WAIT;
        }
        if (log.flatMap(NodeLog::firstDamage).isPresent()) {
            return refetchRemedy();
        }
        boolean undecided =
                statusWhenRead(node).filter(verification::isUndecided).isPresent();
        // A disagreement with others is not this node's fault.
        return undecided || !currentStatus.findings(node).isEmpty() ? Remedy.OPERATOR : Remedy.NONE;
    }

    private Remedy refetchRemedy() {
        return soundVoters() >= currentStatus.members().majority() ? Remedy.REFETCH : Remedy.OPERATOR;
    }

    int soundVoters() {
        int count = 0;
        for (NodeStatus node : currentStatus.nodes()) {
            boolean sound = node.state() == NodeState.SERVES
                    && statusWhenRead(node).filter(verification::isSound).isPresent();
            count += sound ? 1 : 0;
        }
        return count;
    }

    /** The node at the time of reading; empty if it became a member later. */
    private Optional<NodeStatus> statusWhenRead(NodeStatus node) {
        return verification.status().node(node.address());
    }

    /** The findings, and the meaning of the remedy. */
    List<String> findings(NodeStatus node) {
        List<String> findings = new ArrayList<>();
        if (node.state() == NodeState.SERVES) {
            statusWhenRead(node).map(verification::findings).ifPresent(findings::addAll);
        }
        findings.addAll(currentStatus.findings(node));
        return findings;
    }

    /** The nodes with a remedy, in the order in which they were queried. */
    List<NodeStatus> nodesWithRemedy(Remedy remedy) {
        List<NodeStatus> nodes = new ArrayList<>();
        for (NodeStatus node : currentStatus.nodes()) {
            if (remedy(node) == remedy) {
                nodes.add(node);
            }
        }
        return nodes;
    }
}
