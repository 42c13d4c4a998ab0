/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The global view (paper §3.3) as seen by one member: the ballot and the lock at one moment, and the members at about
 * that time. Immutable.
 */
@AutoValue
public abstract class View {

    /** The view before anything was read. */
    public static final View NOTHING =
            of(ZkSession.NONE, Ballot.NONE, Optional.<LockRecord>empty(), Collections.<MemberRecord>emptyList());

    public static View of(ZkSession session, Ballot ballot, Optional<LockRecord> lock, List<MemberRecord> members) {
        return of(session, ballot, lock, members, StandingOrders.NONE);
    }

    public static View of(
            ZkSession session,
            Ballot ballot,
            Optional<LockRecord> lock,
            List<MemberRecord> members,
            StandingOrders orders) {
        return new AutoValue_View(
                session, ballot, lock, Collections.unmodifiableList(new ArrayList<>(members)), orders);
    }

    /** A copy with other orders. */
    public final View with(StandingOrders orders) {
        return of(session(), ballot(), lock(), members(), orders);
    }

    /** The session in which it was read; {@link ZkSession#NONE} before the first reading. */
    public abstract ZkSession session();

    /** The ballot of the last election. */
    public abstract Ballot ballot();

    public abstract Optional<LockRecord> lock();

    /** The members, sorted by name. */
    public abstract List<MemberRecord> members();

    /** Operators' standing orders about elections. */
    public abstract StandingOrders orders();

    public final Optional<MemberRecord> member(String name) {
        for (MemberRecord member : members()) {
            if (member.name().equals(name)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }
}
