/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The members of the group according to trusted members: every member that one of them named when last heard from.
 *
 * <p>A member that none of them still names is forgotten. An old statement no longer counts either if others were heard from since, because its author may never return to correct it. But if none is heard from, the last statement of each remains
 * valid, because that is when the named members are needed.
 *
 * <p>For any number of threads.
 *
 * @param <V> identifies a trusted member
 */
public final class ConfirmedMembers<V> {
    /**
     * The maximum number of members: each costs a probe and a connection while none is active, and HDFS is run with three to five
     * NameNodes.
     */
    static final int MAX_MEMBERS = 32;

    private final long expiryNanos;
    // Guarded by this.
    private final Map<V, MemberStatement> words = new HashMap<>();
    private Set<String> members = Collections.emptySet();

    /** The last statement of one trusted member. */
    private static final class MemberStatement {
        final List<String> members;
        final long heardAt;

        MemberStatement(List<String> members, long heardAt) {
            this.members = members;
            this.heardAt = heardAt;
        }
    }

    /** @param expiryNanos how long a member's statement counts when it is no longer heard from but others are */
    public ConfirmedMembers(long expiryNanos) {
        this.expiryNanos = expiryNanos;
    }

    /**
     * Records the members of the group as named by a trusted member.
     *
     * @param nowNanos by {@link System#nanoTime}
     * @return whether {@link #members} changed
     */
    public synchronized boolean recordVouchers(V voucher, List<String> namedMembers, long nowNanos) {
        words.put(voucher, new MemberStatement(namedMembers, nowNanos));
        words.values().removeIf(word -> nowNanos - word.heardAt > expiryNanos);
        Set<String> next = new LinkedHashSet<>();
        for (MemberStatement word : words.values()) {
            for (String member : word.members) {
                if (next.size() < MAX_MEMBERS) {
                    next.add(member);
                }
            }
        }
        boolean changed = !next.equals(members);
        members = Collections.unmodifiableSet(next);
        return changed;
    }

    /** The confirmed members, each as {@code host:port}; at most {@value #MAX_MEMBERS}. */
    public synchronized Set<String> members() {
        return members;
    }
}
