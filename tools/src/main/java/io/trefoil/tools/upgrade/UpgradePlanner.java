/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides which NameNode of a nameservice to upgrade next, and whether that is safe now. Pure; it decides by what there is now, so that
 * an upgrade continues after any interruption, whichever operator continues it.
 *
 * <p>One at a time: a NameNode that is drained is in the middle of its step. Standbys come before the active, which hands over once
 * only.
 */
final class UpgradePlanner {

    private UpgradePlanner() {}

    /** The next step towards a version. */
    static UpgradeStep nextStep(ObservedCluster cluster, String version) {
        Optional<UpgradeStep> first = stepInProgress(cluster, version);
        if (first.isPresent()) {
            return first.get();
        }
        List<ObservedNameNode> left = cluster.membersNotAt(version);
        if (left.isEmpty()) {
            return cluster.members().stream()
                    .filter(one -> !one.isReady())
                    .findFirst()
                    .map(one -> UpgradeStep.await(one.name() + " runs " + version + ", but " + one.missing()))
                    .orElse(UpgradeStep.done("All NameNodes run " + version + ", and serve"));
        }
        return stop(
                cluster,
                left.stream()
                        // One that does not serve may need the new version for that, and is missed least.
                        .min(Comparator.comparing(ObservedNameNode::isActive)
                                .thenComparing(ObservedNameNode::isReady)
                                .thenComparing(ObservedNameNode::isElectable)
                                .thenComparing(ObservedNameNode::priority)
                                .thenComparing(Comparator.comparing(ObservedNameNode::name)
                                        .reversed()))
                        .get());
    }

    /** The step for a NameNode chosen by the caller. */
    static UpgradeStep nextStep(ObservedCluster cluster, String version, String chosen) {
        Optional<UpgradeStep> first = stepInProgress(cluster, version);
        if (first.isPresent()) {
            return first.get();
        }
        Optional<ObservedNameNode> member = cluster.member(chosen);
        if (!member.isPresent()) {
            return UpgradeStep.await(chosen + " is not known to the others");
        }
        return member.get().version().equals(version)
                ? UpgradeStep.done(chosen + " runs " + version + " already")
                : stop(cluster, member.get());
    }

    /** The step that has begun and not ended; empty if there is none. */
    private static Optional<UpgradeStep> stepInProgress(ObservedCluster cluster, String version) {
        List<ObservedNameNode> drained = cluster.drained();
        if (drained.size() > 1) {
            return Optional.of(UpgradeStep.await(ObservedCluster.names(drained)
                    + " are drained, wanted one at a time; hdfs trefoil undrain all but one of them"));
        }
        if (drained.isEmpty()) {
            return Optional.empty();
        }
        ObservedNameNode node = drained.get(0);
        if (!node.version().equals(version)) {
            return Optional.of(node.isAnswering() ? stop(cluster, node) : UpgradeStep.await(notReturnedReason(node)));
        }
        return Optional.of(
                node.isReady()
                        ? UpgradeStep.finish(
                                node.name(), node.name() + " runs " + version + ", and serves: " + node.state())
                        : UpgradeStep.await(notReturnedReason(node)));
    }

    private static String notReturnedReason(ObservedNameNode nameNode) {
        return nameNode.name() + " is drained, and not back yet: it " + nameNode.missing();
    }

    private static UpgradeStep stop(ObservedCluster cluster, ObservedNameNode next) {
        for (ObservedNameNode node : cluster.members()) {
            boolean isNext = node.name().equals(next.name());
            if (!node.isAnswering() || (!isNext && !node.isReady())) {
                return UpgradeStep.await(node.name() + " " + node.missing());
            }
        }
        if (cluster.majority() < 1 || next.remainingVoters() < cluster.majority()) {
            return UpgradeStep.await("without the pool node of " + next.name() + " only " + next.remainingVoters()
                    + " voters in sync would be left, wanted a majority of " + cluster.majority());
        }
        List<ObservedNameNode> successors =
                cluster.members(one -> !one.name().equals(next.name()) && one.couldTakeOver());
        if (next.isActive() && successors.isEmpty()) {
            return UpgradeStep.await(next.name() + " is the active, and no other NameNode could take over at once");
        }
        return UpgradeStep.stop(next.name(), stepReason(cluster, next, successors));
    }

    private static String stepReason(
            ObservedCluster cluster, ObservedNameNode next, List<ObservedNameNode> successors) {
        String names = successors.stream().map(ObservedNameNode::name).collect(Collectors.joining(" or "));
        String role = next.isActive()
                ? "it is the active, and hands over to " + names
                : "it is " + (next.isReady() ? "a " + next.state() : "of no use: it " + next.missing()) + "; "
                        + (successors.isEmpty()
                                ? "no NameNode could take over meanwhile"
                                : names + " could take over meanwhile");
        return next.name() + " may be stopped: " + role + "; " + next.remainingVoters()
                + " voters in sync are left, and " + cluster.majority() + " are a majority";
    }
}
