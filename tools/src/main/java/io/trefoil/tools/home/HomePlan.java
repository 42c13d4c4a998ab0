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
 * Decides how the home of a nameservice moves to another site: all members there become voters, one of its NameNodes
 * the active, and then all voters elsewhere learners. Pure; it decides by what is there now, so that a move that was
 * interrupted goes on where it was.
 *
 * <p>This order keeps every acknowledged operation: members change one at a time, and each change is committed like any
 * entry; and the pool node of the active, which cannot be removed, never has to be.
 */
final class HomePlan {

    private HomePlan() {}

    /**
     * Why the home cannot move to a site at this moment, as far as the NameNodes that answer can tell; empty if it can, or is there.
     *
     * @param force also if it would have fewer voters there than elsewhere
     */
    static Optional<String> obstacle(SiteLayout now, String site, boolean force) {
        List<PoolMember> homeless = now.members(one -> one.site().isEmpty());
        if (!homeless.isEmpty()) {
            return Optional.of(
                    "The site of " + addresses(homeless)
                            + " is not known; set trefoil.ha.site for NameNodes, trefoil.ha.pool.sites for stand-alone pool nodes");
        }
        List<PoolMember> there = now.members(one -> one.site().equals(site));
        if (there.isEmpty()) {
            return Optional.of("No member of the journal is at " + site + ", they are at "
                    + now.pool().stream().map(PoolMember::site).collect(Collectors.toCollection(TreeSet::new))
                    + "; add pool nodes there first: hdfs trefoil journal add --learner HOST:PORT");
        }
        for (PoolMember member : there) {
            if (!member.failureReason().isEmpty()) {
                return Optional.of(member.address() + " at " + site + " does not serve: " + member.failureReason());
            }
        }
        int elsewhere =
                now.members(one -> one.votes() && !one.site().equals(site)).size();
        if (there.size() < elsewhere && !force) {
            return Optional.of(
                    site + " has fewer members, " + addresses(there) + ", than there are voters elsewhere, " + elsewhere
                            + ": the journal would survive fewer failures; add pool nodes there first, or say --force");
        }
        int wanted = votersWanted(now, site);
        if (elsewhere > 0 && there.size() < wanted) {
            return Optional.of("A new active at " + site + " waits for " + wanted
                    + " voters (trefoil.journal.replicas.min), and only " + addresses(there)
                    + " would be there: add pool nodes there first, or set that to " + there.size()
                    + " for all NameNodes, and restart them");
        }
        if (!now.active().isPresent()) {
            return Optional.of("No NameNode that answers is active");
        }
        if (!isLedFrom(now, site) && !couldBeLedFrom(now, site)) {
            List<NameNodeObservation> nameNodes = now.nameNodesAt(site);
            return Optional.of("No NameNode at " + site + " could become active: "
                    + (nameNodes.isEmpty()
                            ? "none is there"
                            : nameNodes.stream()
                                    .map(NameNodeObservation::obstacle)
                                    .collect(Collectors.joining(", "))));
        }
        return Optional.empty();
    }

    /** The number of voters that the answering NameNodes of a site wait for: an active there removes voters elsewhere down to it. */
    private static int votersWanted(SiteLayout now, String site) {
        return now.nameNodesAt(site).stream()
                .filter(one -> one.state() != NameNodeObservation.State.SILENT)
                .mapToInt(NameNodeObservation::votersWanted)
                .max()
                .orElse(1);
    }

    /**
     * The next step; empty if the home is at the site. Means something only if there is no {@link #obstacle}: a NameNode that misses
     * an answer leaves no step, either.
     */
    static Optional<HomeStep> next(SiteLayout now, String site) {
        List<PoolMember> learning = now.members(one -> one.site().equals(site) && !one.votes());
        if (!learning.isEmpty()) {
            return Optional.of(HomeStep.vote(learning.get(0).address()));
        }
        if (!isLedFrom(now, site)) {
            return leader(now, site).map(one -> HomeStep.lead(one.name()));
        }
        return now.members(one -> !one.site().equals(site) && one.votes()).stream()
                .findFirst()
                .map(one -> HomeStep.learn(one.address()));
    }

    /** All steps that are left, if nothing else happens meanwhile. */
    static List<HomeStep> all(SiteLayout now, String site) {
        List<HomeStep> steps = new ArrayList<>();
        SiteLayout then = now;
        for (Optional<HomeStep> step = next(then, site); step.isPresent(); step = next(then, site)) {
            steps.add(step.get());
            then = then.after(step.get());
        }
        return steps;
    }

    static boolean isLedFrom(SiteLayout now, String site) {
        return now.active().filter(one -> one.site().equals(site)).isPresent();
    }

    /** Whether a NameNode of a site could become active at once. */
    static boolean couldBeLedFrom(SiteLayout now, String site) {
        return leader(now, site).isPresent();
    }

    /** The NameNode of a site that is to be active: one that is preferred already, else the one of the highest priority. */
    private static Optional<NameNodeObservation> leader(SiteLayout now, String site) {
        return now.nameNodesAt(site).stream()
                .filter(one -> one.obstacle().isEmpty())
                .max(Comparator.comparing(NameNodeObservation::preferred).thenComparing(NameNodeObservation::priority));
    }

    private static List<String> addresses(List<PoolMember> members) {
        return members.stream().map(one -> one.address().toString()).collect(Collectors.toList());
    }
}
