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
    static UpgradeStep nextStep(ObservedCluster now, String version) {
        Optional<UpgradeStep> first = stepInProgress(now, version);
        if (first.isPresent()) {
            return first.get();
        }
        List<ObservedNameNode> left = now.membersNotAt(version);
        if (left.isEmpty()) {
            return now.members().stream()
                    .filter(one -> !one.isReady())
                    .findFirst()
                    .map(one -> UpgradeStep.await(one.name() + " runs " + version + ", but " + one.missing()))
                    .orElse(UpgradeStep.done("All NameNodes run " + version + ", and serve"));
        }
        return stop(
                now,
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
    static UpgradeStep nextStep(ObservedCluster now, String version, String chosen) {
        Optional<UpgradeStep> first = stepInProgress(now, version);
        if (first.isPresent()) {
            return first.get();
        }
        Optional<ObservedNameNode> member = now.member(chosen);
        if (!member.isPresent()) {
            return UpgradeStep.await(chosen + " is not known to the others");
        }
        return member.get().version().equals(version)
                ? UpgradeStep.done(chosen + " runs " + version + " already")
                : stop(now, member.get());
    }

    /** The step that has begun and not ended; empty if there is none. */
    private static Optional<UpgradeStep> stepInProgress(ObservedCluster now, String version) {
        List<ObservedNameNode> drained = now.drained();
        if (drained.size() > 1) {
            return Optional.of(UpgradeStep.await(ObservedCluster.names(drained)
                    + " are drained, wanted one at a time; hdfs trefoil undrain all but one of them"));
        }
        if (drained.isEmpty()) {
            return Optional.empty();
        }
        ObservedNameNode node = drained.get(0);
        if (!node.version().equals(version)) {
            return Optional.of(node.isAnswering() ? stop(now, node) : UpgradeStep.await(notReturnedReason(node)));
        }
        return Optional.of(
                node.isReady()
                        ? UpgradeStep.finish(
                                node.name(), node.name() + " runs " + version + ", and serves: " + node.state())
                        : UpgradeStep.await(notReturnedReason(node)));
    }

    private static String notReturnedReason(ObservedNameNode one) {
        return one.name() + " is drained, and not back yet: it " + one.missing();
    }

    private static UpgradeStep stop(ObservedCluster now, ObservedNameNode next) {
        for (ObservedNameNode node : now.members()) {
            boolean isNext = node.name().equals(next.name());
            if (!node.isAnswering() || (!isNext && !node.isReady())) {
                return UpgradeStep.await(node.name() + " " + node.missing());
            }
        }
        if (now.majority() < 1 || next.remainingVoters() < now.majority()) {
            return UpgradeStep.await("without the pool node of " + next.name() + " only " + next.remainingVoters()
                    + " voters in sync would be left, wanted a majority of " + now.majority());
        }
        List<ObservedNameNode> heirs = now.members(one -> !one.name().equals(next.name()) && one.couldTakeOver());
        if (next.isActive() && heirs.isEmpty()) {
            return UpgradeStep.await(next.name() + " is the active, and no other NameNode could take over at once");
        }
        return UpgradeStep.stop(next.name(), stepReason(now, next, heirs));
    }

    private static String stepReason(ObservedCluster now, ObservedNameNode next, List<ObservedNameNode> heirs) {
        String names = heirs.stream().map(ObservedNameNode::name).collect(Collectors.joining(" or "));
        String role = next.isActive()
                ? "it is the active, and hands over to " + names
                : "it is " + (next.isReady() ? "a " + next.state() : "of no use: it " + next.missing()) + "; "
                        + (heirs.isEmpty()
                                ? "no NameNode could take over meanwhile"
                                : names + " could take over meanwhile");
        return next.name() + " may be stopped: " + role + "; " + next.remainingVoters()
                + " voters in sync are left, and " + now.majority() + " are a majority";
    }
}
