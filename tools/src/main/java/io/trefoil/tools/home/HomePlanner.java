/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides how the home of a nameservice moves to another site: all members there become voters, then one of its NameNodes becomes the
 * active, and then all voters elsewhere become learners. Pure; it decides by the present state, so an interrupted move continues where it
 * was.
 *
 * <p>This order keeps every acknowledged operation: members change one at a time, and each change is committed like any
 * entry; and the pool node of the active, which cannot be removed, never has to be.
 */
final class HomePlanner {

    private HomePlanner() {}

    /**
     * Returns why the home cannot move to a site at this moment, as far as the answering NameNodes know; empty if it can, or is already
     * there.
     *
     * @param force also if it would have fewer voters there than elsewhere
     */
    static Optional<String> obstacle(SiteLayout currentLayout, String site, boolean force) {
        List<PoolMember> homeless =
                currentLayout.membersMatching(member -> member.site().isEmpty());
        if (!homeless.isEmpty()) {
            return Optional.of(
                    "The site of " + addresses(homeless)
                            + " is not known; set trefoil.ha.site for NameNodes, trefoil.ha.pool.sites for stand-alone pool nodes");
        }
        List<PoolMember> there =
                currentLayout.membersMatching(member -> member.site().equals(site));
        if (there.isEmpty()) {
            return Optional.of("No member of the journal is at " + site + ", they are at "
                    + currentLayout.pool().stream().map(PoolMember::site).collect(Collectors.toCollection(TreeSet::new))
                    + "; add pool nodes there first: hdfs trefoil journal add --learner HOST:PORT");
        }
        for (PoolMember member : there) {
            if (!member.failureReason().isEmpty()) {
                return Optional.of(member.address() + " at " + site + " does not serve: " + member.failureReason());
            }
        }
        int elsewhere = currentLayout
                .membersMatching(one -> one.isVoter() && !one.site().equals(site))
                .size();
        if (there.size() < elsewhere && !force) {
            return Optional.of(
                    site + " has fewer members, " + addresses(there) + ", than there are voters elsewhere, " + elsewhere
                            + ": the journal would survive fewer failures; add pool nodes there first, or say --force");
        }
        int target = requiredVoters(currentLayout, site);
        if (elsewhere > 0 && there.size() < target) {
            return Optional.of("A new active at " + site + " waits for " + target
                    + " voters (trefoil.journal.replicas.min), and only " + addresses(there)
                    + " would be there: add pool nodes there first, or set that to " + there.size()
                    + " for all NameNodes, and restart them");
        }
        if (!currentLayout.active().isPresent()) {
            return Optional.of("No NameNode that answers is active");
        }
        if (!isActiveAt(currentLayout, site) && !canHaveActiveAt(currentLayout, site)) {
            List<NameNodeObservation> nameNodes = currentLayout.nameNodesAt(site);
            return Optional.of("No NameNode at " + site + " could become active: "
                    + (nameNodes.isEmpty()
                            ? "none is there"
                            : nameNodes.stream()
                                    .map(NameNodeObservation::obstacle)
                                    .collect(Collectors.joining(", "))));
        }
        return Optional.empty();
    }

    /**
     * The number of voters for which the answering NameNodes of a site wait: an active there can remove voters elsewhere down to this
     * number.
     */
    private static int requiredVoters(SiteLayout currentLayout, String site) {
        return currentLayout.nameNodesAt(site).stream()
                .filter(member -> member.state() != NameNodeObservation.State.SILENT)
                .mapToInt(NameNodeObservation::requiredVoters)
                .max()
                .orElse(1);
    }

    /**
     * The next step; empty if the home is at the site. Means something only if there is no {@link #obstacle}: a NameNode that misses
     * an answer leaves no step, either.
     */
    static Optional<HomeStep> nextStep(SiteLayout currentLayout, String site) {
        List<PoolMember> learning =
                currentLayout.membersMatching(member -> member.site().equals(site) && !member.isVoter());
        if (!learning.isEmpty()) {
            return Optional.of(HomeStep.vote(learning.get(0).address()));
        }
        if (!isActiveAt(currentLayout, site)) {
            return nextActive(currentLayout, site).map(member -> HomeStep.lead(member.name()));
        }
        return currentLayout.membersMatching(member -> !member.site().equals(site) && member.isVoter()).stream()
                .findFirst()
                .map(member -> HomeStep.learn(member.address()));
    }

    /** All remaining steps, if nothing else happens in the meantime. */
    static List<HomeStep> remainingSteps(SiteLayout currentLayout, String site) {
        List<HomeStep> steps = new ArrayList<>();
        SiteLayout then = currentLayout;
        for (Optional<HomeStep> step = nextStep(then, site); step.isPresent(); step = nextStep(then, site)) {
            steps.add(step.get());
            then = then.afterStep(step.get());
        }
        return steps;
    }

    static boolean isActiveAt(SiteLayout currentLayout, String site) {
        return currentLayout
                .active()
                .filter(member -> member.site().equals(site))
                .isPresent();
    }

    /** Whether a NameNode of a site could become active at once. */
    static boolean canHaveActiveAt(SiteLayout currentLayout, String site) {
        return nextActive(currentLayout, site).isPresent();
    }

    /** The NameNode of a site that should become active: one that is already preferred, else the one with the highest priority. */
    private static Optional<NameNodeObservation> nextActive(SiteLayout currentLayout, String site) {
        return currentLayout.nameNodesAt(site).stream()
                .filter(member -> member.obstacle().isEmpty())
                .max(Comparator.comparing(NameNodeObservation::isPreferred)
                        .thenComparing(NameNodeObservation::priority));
    }

    private static List<String> addresses(List<PoolMember> members) {
        return members.stream().map(member -> member.address().toString()).collect(Collectors.toList());
    }
}
