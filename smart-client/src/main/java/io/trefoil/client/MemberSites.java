/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How far from the client members are, by what they say of themselves: near are those of the client's own site. To a client that
 * has none all are. For any number of threads.
 *
 * @param <M> what stands for a member
 */
public final class MemberSites<M> {
    private final String own;
    // Guarded by this.
    private final Map<M, String> sites = new HashMap<>();

    /** How far a member is from the client. */
    public enum Distance {
        NEAR,
        FAR
    }

    /** @param own where the client is; empty if nobody said */
    public MemberSites(String own) {
        this.own = own;
    }

    /** What a member answered. One that did not answer stays where it was. */
    public synchronized void heard(M member, MemberAnswer answer) {
        if (answer.role() == MemberAnswer.ReportedRole.ACTIVE
                || answer.role() == MemberAnswer.ReportedRole.OBSERVER
                || answer.role() == MemberAnswer.ReportedRole.OTHER) {
            sites.put(member, answer.site());
        }
    }

    /** The member belongs to the group no more. */
    public synchronized void forget(M member) {
        sites.remove(member);
    }

    /** One that never said where it is counts as far, if the client is anywhere. */
    public synchronized Distance of(M member) {
        return own.isEmpty() || own.equals(sites.get(member)) ? Distance.NEAR : Distance.FAR;
    }

    /**
     * How far a read may go for an observer: if the active is near, it has the read rather than an observer that is far.
     *
     * @param active as far as is known
     */
    public Distance farthest(Optional<M> active) {
        return active.map(this::of).orElse(Distance.FAR);
    }
}
