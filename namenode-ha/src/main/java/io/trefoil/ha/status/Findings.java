/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import io.trefoil.ha.model.MemberReasons;
import io.trefoil.ha.model.MemberState;
import io.trefoil.journal.model.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the problems of a nameservice. */
final class Findings {
    /** The number of voters below which the loss of any one stops the journal. */
    private static final int ENOUGH_VOTERS = 3;

    private static final String SEE_LOG = "see its log";

    private final GroupObservation group;

    Findings(GroupObservation group) {
        this.group = group;
    }

    /** Returns why clients are not served; empty if they are. */
    List<Finding> outages() {
        List<Finding> outages = new ArrayList<>();
        boolean hasActive = !group.actives().isEmpty();
        if (!group.isJournalServing()) {
            String who = hasActive
                    ? group.actives().get(0).name() + " is active, but clients wait: "
                    : "no NameNode is active, and none can be: ";
            outages.add(Finding.of(who + pool(), majorityAdvice()));
        } else if (!hasActive && !group.isServedBySilentNameNode()) {
            outages.add(noActiveFinding());
        }
        return outages;
    }

    private String pool() {
        if (group.storeReserve().isPresent()) {
            return "the store of the journal has too few servers";
        }
        return group.voters() == 0
                ? "no pool node answers"
                : "only " + group.servingVoterCount() + " of " + group.voters() + " voters of the pool serve";
    }

    /** The advice on how to get a majority. */
    private String majorityAdvice() {
        if (group.storeReserve().isPresent()) {
            return "Start enough bookies, and their ZooKeeper; nothing that was acknowledged is lost, and clients go on by"
                    + " themselves";
        }
        List<String> missing = group.nodes().stream()
                .filter(node -> !GroupObservation.isServing(node))
                .map(NodeObservation::address)
                .collect(Collectors.toList());
        return "Start or repair enough of " + String.join(", ", missing)
                + " for a majority; nothing that was acknowledged is lost, and clients go on by themselves. Only if a"
                + " majority is lost for good: 'hdfs trefoil journal promote'";
    }

    private Finding noActiveFinding() {
        for (MemberObservation member : group.members()) {
            if (member.changing() && group.servingVoterCount() == 1) {
                return Finding.of(
                        "no NameNode is active: " + member.name() + " waits for a second pool node",
                        "Start another NameNode: trefoil.journal.replicas.min says how many copies of an edit there"
                                + " must be");
            }
            if (member.changing()) {
                return Finding.of(
                        "no NameNode is active, " + member.name() + " is changing its role",
                        "Wait a few seconds; if that does not end, " + SEE_LOG);
            }
        }
        if (!group.isZooKeeperReachable()) {
            return Finding.of(
                    "no NameNode is active, and none can be elected: no NameNode that answers reaches ZooKeeper",
                    "Start ZooKeeper, or correct ha.zookeeper.quorum; the election follows by itself");
        }
        if (group.successors().isEmpty()
                && !group.membersIn(MemberState.STANDBY).isEmpty()) {
            return Finding.of(
                    "no NameNode is active, and no standby is electable",
                    "Start the NameNodes that are; or set trefoil.ha.electable of a standby to true, and restart it");
        }
        if (group.successors().isEmpty()) {
            return Finding.of(
                    "no NameNode is active, and there is no standby",
                    "Start the NameNodes that do not answer, and repair what is reported of the others");
        }
        return Finding.of(
                "no NameNode is active",
                "Wait a few seconds for the election; if there is none, see the logs of the standbys for 'Agent'");
    }

    /** All other problems, by the component that they concern. */
    List<Finding> others() {
        List<Finding> others = new ArrayList<>();
        if (group.isServedBySilentNameNode()) {
            others.add(Finding.of(
                    "no NameNode that answers is active, but the pool has a writer",
                    "Check the NameNode whose page does not answer: if clients are served, its web server hangs "
                            + "or refuses all callers"));
        }
        if (group.actives().size() > 1) {
            String names = group.actives().stream().map(MemberObservation::name).collect(Collectors.joining(" and "));
            others.add(Finding.of(
                    names + " both call themselves active",
                    "Only the one with the higher epoch can write; the other notices within a lease. If it does not,"
                            + " end its process"));
        }
        // Before its NameNode, which may have ended because of it and must not just be started.
        group.nodes().stream().filter(node -> !node.unapplied().isEmpty()).forEach(node -> addUnapplied(node, others));
        group.activesFirst().stream()
                .filter(member -> !isDueToRefetching(member))
                .forEach(member -> add(member, others));
        group.activesFirst().stream().filter(MemberObservation::drained).forEach(member -> addDrained(member, others));
        addZooKeeper(others);
        group.nodes().forEach(node -> add(node, others));
        if (group.voters() > 0 && group.voters() < ENOUGH_VOTERS) {
            others.add(Finding.of(
                    "the pool has only " + group.voters() + (group.voters() == 1 ? " voter" : " voters"),
                    "Start the NameNodes that are down, whose empty pool nodes join by themselves; or add nodes with"
                            + " 'hdfs trefoil journal add'"));
        }
        String fatal = group.voterSites().warning();
        if (!fatal.isEmpty()) {
            others.add(Finding.of(fatal, VoterSites.advice()));
        }
        return others;
    }

    /** Whether the problem is due to its refetching pool node, whose own finding names the cause. */
    private boolean isDueToRefetching(MemberObservation member) {
        return member.reason().equals(MemberReasons.REPLICA_BEHIND)
                && group.nodes().stream()
                        .anyMatch(node ->
                                node.owner().equals(member.name()) && node.state() == NodeObservation.State.REFETCHING);
    }

    private static void add(MemberObservation member, List<Finding> findings) {
        if (!member.answered()) {
            findings.add(
                    Finding.of(member.name() + " " + member.silenceReason(), MemberAdvice.ofSilent(member.failover())));
        } else if (!member.state().isPresent()) {
            findings.add(Finding.of(
                    member.name() + " is starting" + reasonClause(member), "Wait; if that does not end, " + SEE_LOG));
        } else if (member.isInState(MemberState.JUNIOR)) {
            findings.add(
                    Finding.of(member.name() + " is junior" + reasonClause(member), MemberAdvice.of(member.reason())));
        } else if (member.reason().equals(MemberReasons.SAFE_MODE)) {
            findings.add(Finding.of(
                    member.name() + " is active, but in safe mode: clients can read, and change nothing",
                    MemberAdvice.of(member.reason())));
        } else if (!member.reason().isEmpty()) {
            findings.add(Finding.of(
                    member.name() + " is not healthy" + reasonClause(member), MemberAdvice.of(member.reason())));
        }
    }

    private void addDrained(MemberObservation member, List<Finding> findings) {
        String name = member.name();
        if (member.isInState(MemberState.ACTIVE)) {
            findings.add(Finding.of(
                    name + " is drained, but active",
                    "It hands over as soon as there is another standby that is not drained, though it may take 80 s"
                            + " from its own election; do not stop it before"));
        } else if (group.isPoolNodeNeeded(name)) {
            findings.add(Finding.of(
                    name + " is drained, but its pool node is needed for a majority",
                    "Bring other pool nodes back before its host is stopped, or clients wait meanwhile"));
        } else {
            findings.add(Finding.of(
                    name + " is drained", "'hdfs trefoil undrain " + name + "' when the work on its host is done"));
        }
    }

    private static String reasonClause(MemberObservation member) {
        return member.reason().isEmpty() ? "" : ": " + member.reason();
    }

    private void addZooKeeper(List<Finding> findings) {
        List<String> cutOff = group.members().stream()
                .filter(MemberObservation::answered)
                // One that is starting has not tried yet.
                .filter(member -> member.state().isPresent() && !member.zooKeeperReachable())
                .map(MemberObservation::name)
                .collect(Collectors.toList());
        if (cutOff.isEmpty()) {
            return;
        }
        findings.add(
                group.isZooKeeperReachable()
                        ? Finding.of(
                                String.join(" and ", cutOff) + " cannot reach ZooKeeper",
                                "Check the network of that host; it cannot be elected meanwhile")
                        : Finding.of(
                                "ZooKeeper is out of reach: the active goes on, but no other NameNode could be elected",
                                "Start ZooKeeper, or correct ha.zookeeper.quorum"));
    }

    private static void add(NodeObservation node, List<Finding> findings) {
        String who = "pool node " + node.address() + (node.owner().isEmpty() ? "" : " of " + node.owner());
        if (node.state() == NodeObservation.State.DOWN) {
            // It may run and refuse this host. The reason is long, and the page and the document show it.
            findings.add(Finding.of(who + " does not answer", advice(node.state())));
        } else if (node.state() != NodeObservation.State.SERVES) {
            String trouble = node.details().isEmpty() ? "" : ": " + node.details();
            findings.add(Finding.of(who + " is " + node.state().label() + trouble, advice(node.state())));
        } else if (GroupObservation.isDiskSilent(node)) {
            findings.add(Finding.of(
                    who + " has waited for its disk for " + node.diskSilentMillis() / 1_000 + " s",
                    "Check that disk; the journal goes on with the others"));
        } else if (!node.kind().isPresent()) {
            findings.add(Finding.of(
                    who + " is no member of the journal",
                    "'hdfs trefoil journal add " + node.address() + "' makes it one"));
        } else if (node.kind().get() == Member.Kind.LEARNER) {
            findings.add(Finding.of(who + " does not vote yet", "Wait: it votes when it has what the others have"));
        } else if (!node.inSync().orElse(true)) {
            findings.add(Finding.of(
                    who + " is not in sync and lacks " + node.lagEntries() + " entries",
                    "It is sent what it lacks; if that does not end, its disk or network is too slow for the load"));
        }
    }

    private static void addUnapplied(NodeObservation node, List<Finding> findings) {
        String who = node.owner().isEmpty() ? "the NameNode beside pool node " + node.address() : node.owner();
        findings.add(Finding.of(
                who + " cannot apply " + node.unapplied(),
                "Do not restart the active, and do not fail over: save its namespace ('hdfs dfsadmin -saveNamespace'"
                        + " in safe mode), then 'hdfs trefoil renew --newest' on that NameNode's host;"
                        + " docs/operating/poison-edit.md has the steps, and another way"));
    }

    private static String advice(NodeObservation.State state) {
        switch (state) {
            case DOWN:
                return "Start it, or check the network of that host; 'hdfs trefoil journal status' says if it refuses this one";
            case REFETCHING:
                return "Wait: it fetches what was damaged from the others; then check its disk";
            case NOT_FORMATTED:
                return "It joins by itself if it may; otherwise 'hdfs trefoil journal add' lets it";
            default:
                return "Check its log and its disk; 'hdfs trefoil journal repair' says what to do";
        }
    }
}
