/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports which members are near the client, by the sites that they report: those in the client's own site. To a client
 * without a site, all are near. For any number of threads.
 *
 * @param <M> what stands for a member
 */
public final class MemberSites<M> {
    private final String ownSite;
    // Guarded by this.
    private final Map<M, String> sites = new HashMap<>();

    /** A member's distance from the client. */
    public enum Distance {
        NEAR,
        FAR
    }

    /** @param ownSite the client's site; empty if none is configured */
    public MemberSites(String ownSite) {
        this.ownSite = ownSite;
    }

    /** Records a member's answer. One that did not answer keeps its site. */
    public synchronized void recordAnswer(M member, MemberAnswer answer) {
        if (answer.role() == MemberAnswer.ReportedRole.ACTIVE
                || answer.role() == MemberAnswer.ReportedRole.OBSERVER
                || answer.role() == MemberAnswer.ReportedRole.OTHER) {
            sites.put(member, answer.site());
        }
    }

    /** Records that a member no longer belongs to the group. */
    public synchronized void forget(M member) {
        sites.remove(member);
    }

    /** The member's distance. If the client has a site, a member that never stated its own counts as far. */
    public synchronized Distance distanceOf(M member) {
        return ownSite.isEmpty() || ownSite.equals(sites.get(member)) ? Distance.NEAR : Distance.FAR;
    }

    /**
     * The farthest distance to an observer for a read: a near active gets the read rather than a far observer.
     *
     * @param active the active, as far as known
     */
    public Distance farthest(Optional<M> active) {
        return active.map(this::distanceOf).orElse(Distance.FAR);
    }
}
