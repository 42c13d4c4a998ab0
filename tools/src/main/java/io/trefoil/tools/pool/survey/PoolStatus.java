/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.tools.cluster.JournalLocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A journal's nodes, compared with each other. Each node answers at its own moment, so under load the answers differ a
 * little. Immutable.
 */
@AutoValue
public abstract class PoolStatus {

    /** A delay within which even a busy disk answers; after this time, the node reports the delay in its own log. */
    private static final long LONG_SILENCE_MILLIS = 3_000;

    /** @param maxLag how many entries a node in order may be behind the furthest one */
    static PoolStatus of(JournalLocation location, Map<NodeAddress, NodeAnswer> answers, long maxLag) {
        List<NodeStatus> nodes = new ArrayList<>();
        answers.forEach((address, answer) -> nodes.add(NodeStatus.of(address, answer)));
        return new AutoValue_PoolStatus(
                location, Collections.unmodifiableList(nodes), maxLag, Optional.<Incarnation>empty());
    }

    /** A copy of this status in which an operator has chosen the incarnation in force. */
    public final PoolStatus withIncarnationInForce(Incarnation incarnation) {
        return new AutoValue_PoolStatus(place(), nodes(), maxLag(), Optional.of(incarnation));
    }

    abstract JournalLocation place();

    public abstract List<NodeStatus> nodes();

    abstract long maxLag();

    /** The incarnation of the journal that an operator has declared to be in force; empty if the nodes' answers decide (rule R11). */
    abstract Optional<Incarnation> chosenIncarnation();

    /** The node at an address; empty if it was not asked. */
    public final Optional<NodeStatus> node(NodeAddress address) {
        return nodes().stream().filter(node -> node.address().equals(address)).findFirst();
    }

    /** The nodes that answered. */
    public final List<NodeAddress> reachableNodes() {
        List<NodeAddress> inReach = new ArrayList<>();
        for (NodeStatus node : nodes()) {
            if (!node.isDown()) {
                inReach.add(node.address());
            }
        }
        return inReach;
    }

    final boolean hasNoAnswer() {
        return nodes().stream().allMatch(NodeStatus::isDown);
    }

    /** The longest log that any node knows to be committed. */
    public final LogSummary highestCommitted() {
        return highestCommitted(chosenIncarnation().orElseGet(this::incarnationInForce));
    }

    private Incarnation incarnationInForce() {
        Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
        for (NodeStatus node : nodes()) {
            node.reply().ifPresent(reply -> answers.put(node.address(), reply));
        }
        return StatusReply.endInForce(answers).incarnation();
    }

    private LogSummary highestCommitted(Incarnation incarnation) {
        LogSummary furthest = LogSummary.ORIGIN;
        for (StatusReply reply : replies()) {
            boolean counts = incarnation.equals(reply.committedSummary().incarnation());
            if (counts && reply.committedSummary().isAheadOf(furthest)) {
                furthest = reply.committedSummary();
            }
        }
        return furthest;
    }

    /**
     * Whether this incarnation of the journal has a reachable majority of its own voters, although it is not in force. If
     * two have one, it cannot be told here which was wanted last: their numbers come from the clocks of the hosts that
     * formatted them.
     */
    public final boolean mayBeInForce(Incarnation otherIncarnation) {
        Members theirs = highestCommitted(otherIncarnation).members();
        int count = 0;
        for (NodeStatus node : nodes()) {
            boolean counts = theirs.findByAddress(node.address())
                            .filter(Member::isVoter)
                            .filter(node::holdsStorageOf)
                            .isPresent()
                    && node.reply()
                            .filter(reply -> reply.end().incarnation().equals(otherIncarnation))
                            .isPresent();
            count += counts ? 1 : 0;
        }
        return !chosenIncarnation().isPresent() && theirs.voterCount() > 0 && count >= theirs.majority();
    }

    /** The members according to the longest committed log; empty if no reachable node has storage. */
    public final Members members() {
        return highestCommitted().members();
    }

    /** The namespace of the most advanced node. */
    public final NamespaceId namespace() {
        LogSummary furthest = highestCommitted();
        for (StatusReply reply : replies()) {
            if (!isForeign(reply) && reply.committedSummary().position().equals(furthest.position())) {
                return reply.namespace();
            }
        }
        return NamespaceId.UNKNOWN;
    }

    /** The highest epoch that was promised to a writer. */
    final Epoch highestPromisedEpoch() {
        Epoch highest = Epoch.NONE;
        for (StatusReply reply : replies()) {
            Epoch promised = isForeign(reply) ? Epoch.NONE : reply.promise().epoch();
            highest = promised.isAbove(highest) ? promised : highest;
        }
        return highest;
    }

    /** The pool node in the process of the newest writer, if a node considers that writer alive; empty if there is none. */
    public final Optional<NodeAddress> writerNode() {
        for (StatusReply reply : replies()) {
            boolean isNewest = !isForeign(reply) && reply.promise().epoch().equals(highestPromisedEpoch());
            if (isNewest && reply.leaseHeldMillis() > 0) {
                String writer = reply.promise().writer().text();
                return nodes().stream()
                        .map(NodeStatus::address)
                        .filter(address -> writer.endsWith("@" + address))
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    /** The number of entries by which a node's log ends before that of the most advanced one; empty without storage. */
    final Optional<Long> lag(NodeStatus node) {
        LogSummary furthest = LogSummary.ORIGIN;
        for (StatusReply reply : replies()) {
            boolean counts = !isForeign(reply) && reply.end().isAheadOf(furthest);
            furthest = counts ? reply.end() : furthest;
        }
        long sn = furthest.position().sn();
        // Entries that an older writer left on a node may reach further; they will be cut.
        return node.reply()
                .filter(reply -> !isForeign(reply))
                .map(reply -> Math.max(0, sn - reply.end().position().sn()));
    }

    /** The member at a node's address; empty if there is none. */
    public final Optional<Member> member(NodeStatus node) {
        return members().findByAddress(node.address());
    }

    /** Whether a node holds an incarnation of the journal other than the one in force (rule R11). */
    public final boolean isForeign(NodeStatus node) {
        return node.reply().filter(this::isForeign).isPresent();
    }

    private boolean isForeign(StatusReply reply) {
        return !reply.end().hasSameIncarnation(highestCommitted());
    }

    /** The number of voters that answer with the storage that the list of members names, and with a complete log. */
    public final int reachableVoters() {
        int count = 0;
        for (NodeStatus node : nodes()) {
            boolean counts = member(node)
                    .filter(Member::isVoter)
                    .filter(node::holdsStorageOf)
                    .isPresent();
            count += counts && node.state() == NodeState.SERVES ? 1 : 0;
        }
        return count;
    }

    public final boolean hasMajority() {
        return reachableVoters() >= members().majority();
    }

    /** The faults of one node, in plain language. */
    public final List<String> findings(NodeStatus node) {
        List<String> findings = new ArrayList<>();
        if (node.state() != NodeState.SERVES) {
            findings.add(node.state() + (node.failureReason().isEmpty() ? "" : ": " + node.failureReason()));
        }
        Optional<Member> member = member(node);
        if (node.reply().isPresent()) {
            long silentMillis = node.reply().get().diskStallMillis();
            if (silentMillis > LONG_SILENCE_MILLIS) {
                findings.add(
                        "disk silent for " + silentMillis / 1_000 + " s: its replica takes nothing until it answers");
            }
            if (!node.reply().get().unappliedEdit().isEmpty()) {
                findings.add("its NameNode cannot apply " + node.reply().get().unappliedEdit());
            }
            addComparisonFindings(node, node.reply().get(), findings);
            if (!member.isPresent()) {
                findings.add("no member of the journal");
            }
        }
        if (member.isPresent() && !node.isDown() && !node.holdsStorageOf(member.get())) {
            findings.add("holds the storage " + node.id().get() + ", the member here is "
                    + member.get().id());
        }
        return findings;
    }

    private void addComparisonFindings(NodeStatus node, StatusReply reply, List<String> findings) {
        if (!reply.namespace().equals(namespace())) {
            findings.add("belongs to " + reply.namespace() + ", the furthest node to " + namespace());
            return;
        }
        if (isForeign(reply)) {
            findings.add(foreignText(node, reply.end().incarnation()));
            return;
        }
        if (reply.promise().epoch().isBelow(highestPromisedEpoch())) {
            findings.add("has not heard the writer of epoch " + highestPromisedEpoch()
                    + ", the newest that it knows is of epoch "
                    + reply.promise().epoch());
        }
        LogSummary committed = reply.committedSummary();
        boolean samePlace =
                committed.position().sn() == highestCommitted().position().sn();
        if (samePlace && !committed.equals(highestCommitted())) {
            findings.add("disagrees with the furthest node on committed entry "
                    + committed.position().sn() + ": has " + positionText(committed) + ", the other "
                    + positionText(highestCommitted()));
        }
        if (lag(node).get() > maxLag()) {
            findings.add("lags by " + lag(node).get() + " entries");
        }
    }

    private String foreignText(NodeStatus node, Incarnation otherIncarnation) {
        String holds = "holds incarnation " + otherIncarnation + " of the journal";
        Incarnation inForce = highestCommitted().incarnation();
        if (inForce.isPromoted() && inForce.isAbove(otherIncarnation)) {
            return holds + ", in whose place " + inForce
                    + " was promoted: it does not count and is sent nothing, ever; 'hdfs trefoil journal repair "
                    + "--incarnation " + inForce
                    + " --execute' moves its data aside; after that, 'hdfs trefoil journal add "
                    + node.address() + "' makes it a member again if it does not join by itself";
        }
        if (otherIncarnation.isAbove(inForce) && !chosenIncarnation().isPresent()) {
            return holds + ", newer by its number than " + inForce
                    + ", which is in force, as a majority of its voters has that, and the format that made the newer one"
                    + " did not name it: it does not count and is sent nothing; 'hdfs trefoil journal repair"
                    + " --incarnation " + inForce
                    + " --execute' moves its data aside, and it joins anew";
        }
        if (mayBeInForce(otherIncarnation)) {
            return holds + ", which a majority of its voters has, and " + inForce
                    + " is newer by its number: that is the"
                    + " time by the clock of the host that formatted. If that clock ran ahead, " + otherIncarnation
                    + " is the one in force: 'hdfs trefoil journal repair --incarnation " + otherIncarnation
                    + " --execute' keeps it and moves the other one's data aside, '--incarnation " + inForce
                    + "' the other way round; if the format ended half-way, repeat it";
        }
        return holds
                + (inForce.isAbove(otherIncarnation)
                        ? ", which has since been initialized again as " + inForce
                        : ", and the one in force is " + inForce)
                + ": it does not count and is sent nothing; 'hdfs trefoil journal repair --execute' moves its "
                + "data aside, and it joins anew";
    }

    private static String positionText(LogSummary committed) {
        return "epoch " + committed.position().epoch() + " and transaction " + committed.lastTxId();
    }

    /** Whether every node is healthy and a majority is present. */
    public final boolean isHealthy() {
        return hasMajority() && nodes().stream().allMatch(node -> findings(node).isEmpty());
    }

    private List<StatusReply> replies() {
        List<StatusReply> replies = new ArrayList<>();
        nodes().forEach(node -> node.reply().ifPresent(replies::add));
        return replies;
    }
}
