/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A nameservice as observed: its NameNodes, and the nodes of its pool. Each answered at its own moment. Immutable. */
@AutoValue
public abstract class GroupObservation {

    /** How long a disk must be silent to be reported; even a busy disk answers sooner. */
    private static final long LONG_SILENCE_MILLIS = 3_000;

    public static GroupObservation of(List<MemberObservation> members, List<NodeObservation> nodes) {
        return new AutoValue_GroupObservation(
                Collections.unmodifiableList(new ArrayList<>(members)),
                Collections.unmodifiableList(new ArrayList<>(nodes)),
                OptionalInt.empty());
    }

    /**
     * A copy of a nameservice whose journal no pool keeps.
     *
     * @param reserve how many servers of its store may fail; negative if too many have
     */
    public final GroupObservation withStore(int reserve) {
        return new AutoValue_GroupObservation(members(), nodes(), OptionalInt.of(reserve));
    }

    /** All configured NameNodes. */
    public abstract List<MemberObservation> members();

    /** All pool nodes that are configured, or are members of the journal. */
    public abstract List<NodeObservation> nodes();

    /** Returns how many servers of the journal's store may fail; empty if a pool keeps it. */
    abstract OptionalInt storeReserve();

    /** Returns how many servers of the journal may fail; negative if it has stopped. */
    final int journalReserve() {
        return storeReserve().orElse(caughtUpVoterCount() - majority());
    }

    /** Whether the journal takes entries. */
    final boolean isJournalServing() {
        return storeReserve().isPresent()
                ? storeReserve().getAsInt() >= 0
                : voters() > 0 && servingVoterCount() >= majority();
    }

    /** Returns the number of voters that the journal has; 0 if no node that knows them has answered. */
    public final int voters() {
        return (int) nodes().stream().filter(NodeObservation::isVoter).count();
    }

    /** The sites of the voters. */
    final VoterSites voterSites() {
        List<String> sites = new ArrayList<>();
        nodes().stream()
                .filter(NodeObservation::isVoter)
                .map(NodeObservation::site)
                .forEach(sites::add);
        return VoterSites.of(sites);
    }

    /** Returns how many of them are needed; 0 if no pool keeps the journal. */
    public final int majority() {
        return storeReserve().isPresent() ? 0 : voters() / 2 + 1;
    }

    /** Returns the number of voters that acknowledge entries. */
    public final int servingVoterCount() {
        return (int) nodes().stream()
                .filter(NodeObservation::isVoter)
                .filter(GroupObservation::isServing)
                .count();
    }

    /** Whether a majority considers a writer alive, which can then only be in a silent NameNode. */
    final boolean isServedBySilentNameNode() {
        long leased = nodes().stream()
                .filter(NodeObservation::isVoter)
                .filter(GroupObservation::isServing)
                .filter(NodeObservation::leased)
                .count();
        return actives().isEmpty()
                && !isAnyMemberChanging()
                && voters() > 0
                && leased >= majority()
                && members().stream().anyMatch(member -> !member.answered());
    }

    /** Whether a NameNode that answers is taking over, so that it may be the writer itself. */
    private boolean isAnyMemberChanging() {
        return members().stream().anyMatch(MemberObservation::changing);
    }

    static boolean isServing(NodeObservation node) {
        return node.state() == NodeObservation.State.SERVES && !isDiskSilent(node);
    }

    static boolean isDiskSilent(NodeObservation node) {
        return node.diskSilentMillis() > LONG_SILENCE_MILLIS;
    }

    /** All configured NameNodes, those that serve clients first, as their problems matter most. */
    final List<MemberObservation> activesFirst() {
        List<MemberObservation> sorted = new ArrayList<>(members());
        sorted.sort(Comparator.comparing(member -> !member.isInState(MemberState.ACTIVE)));
        return sorted;
    }

    final List<MemberObservation> actives() {
        return membersIn(MemberState.ACTIVE);
    }

    final List<MemberObservation> membersIn(MemberState state) {
        List<MemberObservation> observations = new ArrayList<>();
        members().stream().filter(member -> member.isInState(state)).forEach(observations::add);
        return observations;
    }

    /** Returns the number of voters that acknowledge entries and lack none. */
    final int caughtUpVoterCount() {
        return (int) caughtUpNodes().count();
    }

    private Stream<NodeObservation> caughtUpNodes() {
        return nodes().stream()
                .filter(NodeObservation::isVoter)
                .filter(GroupObservation::isServing)
                .filter(node -> node.inSync().orElse(true));
    }

    /** Whether the journal stops if the pool node in a NameNode's process stops. */
    public final boolean isPoolNodeNeeded(String nameNode) {
        long own = caughtUpNodes().filter(node -> node.owner().equals(nameNode)).count();
        return own > 0 && caughtUpVoterCount() - own < majority();
    }

    /** The standbys that may be elected. */
    final List<MemberObservation> successors() {
        List<MemberObservation> observations = membersIn(MemberState.STANDBY);
        observations.removeIf(standby -> !standby.electable());
        return observations;
    }

    /** The possible successors that are not drained. */
    final List<MemberObservation> undrainedSuccessors() {
        List<MemberObservation> observations = successors();
        observations.removeIf(MemberObservation::drained);
        return observations;
    }

    final boolean isZooKeeperReachable() {
        return members().stream().anyMatch(MemberObservation::zooKeeperReachable);
    }
}
