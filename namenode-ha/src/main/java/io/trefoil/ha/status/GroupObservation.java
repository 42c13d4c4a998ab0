/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A nameservice as observed: its NameNodes, and the nodes of its pool. Each answered at its own moment. Immutable. */
@AutoValue
public abstract class GroupObservation {

    /** The silence of a disk that counts as long; even a busy disk answers sooner. */
    private static final long LONG_SILENCE_MILLIS = 3_000;

    public static GroupObservation of(List<MemberObservation> members, List<NodeObservation> nodes) {
        return new AutoValue_GroupObservation(
                Collections.unmodifiableList(new ArrayList<>(members)),
                Collections.unmodifiableList(new ArrayList<>(nodes)));
    }

    /** All configured NameNodes. */
    public abstract List<MemberObservation> members();

    /** All pool nodes that are configured, or are members of the journal. */
    public abstract List<NodeObservation> nodes();

    /** How many voters the journal has; 0 if no node that knows has answered. */
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

    public final int majority() {
        return voters() / 2 + 1;
    }

    /** How many voters acknowledge entries. */
    public final int votersServing() {
        return (int) nodes().stream()
                .filter(NodeObservation::isVoter)
                .filter(GroupObservation::serves)
                .count();
    }

    /** Whether a majority believes in a writer, which can then only be in a silent NameNode. */
    final boolean isServedBySilentOne() {
        long leased = nodes().stream()
                .filter(NodeObservation::isVoter)
                .filter(GroupObservation::serves)
                .filter(NodeObservation::leased)
                .count();
        return actives().isEmpty()
                && !isAnyChanging()
                && voters() > 0
                && leased >= majority()
                && members().stream().anyMatch(one -> !one.answered());
    }

    /** Whether one that answers takes over, so that it may be the writer itself. */
    private boolean isAnyChanging() {
        return members().stream().anyMatch(MemberObservation::changing);
    }

    static boolean serves(NodeObservation node) {
        return node.state() == NodeObservation.State.SERVES && !isDiskSilent(node);
    }

    static boolean isDiskSilent(NodeObservation node) {
        return node.diskSilentMillis() > LONG_SILENCE_MILLIS;
    }

    /** All configured NameNodes, and first what serves clients: its problems concern them most. */
    final List<MemberObservation> activesFirst() {
        List<MemberObservation> sorted = new ArrayList<>(members());
        sorted.sort(Comparator.comparing(member -> !member.is(MemberState.ACTIVE)));
        return sorted;
    }

    final List<MemberObservation> actives() {
        return in(MemberState.ACTIVE);
    }

    final List<MemberObservation> in(MemberState state) {
        List<MemberObservation> found = new ArrayList<>();
        members().stream().filter(one -> one.is(state)).forEach(found::add);
        return found;
    }

    /** How many voters acknowledge entries and lack none. */
    final int votersCaughtUp() {
        return (int) caughtUp().count();
    }

    private Stream<NodeObservation> caughtUp() {
        return nodes().stream()
                .filter(NodeObservation::isVoter)
                .filter(GroupObservation::serves)
                .filter(node -> node.inSync().orElse(true));
    }

    /** Whether the journal stops if the pool node in a NameNode's process stops. */
    public final boolean isPoolNodeNeeded(String nameNode) {
        long own = caughtUp().filter(node -> node.owner().equals(nameNode)).count();
        return own > 0 && votersCaughtUp() - own < majority();
    }

    /** The standbys that may be elected. */
    final List<MemberObservation> successors() {
        List<MemberObservation> found = in(MemberState.STANDBY);
        found.removeIf(standby -> !standby.electable());
        return found;
    }

    /** Successors that are not drained. */
    final List<MemberObservation> undrainedSuccessors() {
        List<MemberObservation> found = successors();
        found.removeIf(MemberObservation::drained);
        return found;
    }

    final boolean isZooKeeperReachable() {
        return members().stream().anyMatch(MemberObservation::zooKeeperReachable);
    }
}
