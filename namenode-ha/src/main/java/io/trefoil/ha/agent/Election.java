/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses the next active (paper, Algorithm 2). Every member draws its bid in advance, so all know the winner at once;
 * the next one gets its turn only if the winner does nothing. Operators may prefer a member and give members
 * priorities, which count before the bids; a drained member comes last.
 */
final class Election {

    private Election() {}

    /**
     * Returns how long a member waits for better candidates; empty if it is not a candidate at all. A drained member waits for as
     * long as the others may take to act, and gives those that are behind a moment to catch up.
     *
     * @param self the member as it is now, which the view may not show yet
     * @param wallMillis the time by the member's wall clock
     */
    static Optional<Long> waitMillis(
            View view, MemberRecord self, LeaseReport survey, AgentSettings settings, long wallMillis) {
        if (!self.eligible()) {
            return Optional.empty();
        }
        StandingOrders orders = view.orders();
        boolean isStandby = self.state() == MemberState.STANDBY;
        CandidateCount standbys = new CandidateCount();
        CandidateCount juniors = new CandidateCount();
        int better = 0;
        for (MemberRecord other : rivals(view, self, survey)) {
            boolean otherIsStandby = other.state() == MemberState.STANDBY;
            (otherIsStandby ? standbys : juniors).add(orders.isDrained(other.name()));
            boolean counts = otherIsStandby == isStandby
                    && (isStandby
                            ? isBetterStandby(other, self, orders, wallMillis)
                            : isBetterJunior(other, self, orders));
            better += counts ? 1 : 0;
        }
        boolean drained = orders.isDrained(self.name());
        int delays = isStandby
                ? standbyWaitRounds(drained, standbys, juniors)
                : juniorWaitRounds(drained, standbys, juniors);
        return Optional.of(delays * settings.juniorBidDelayMillis() + better * settings.bidDelayMillis());
    }

    /** Counts the other candidates. */
    private static final class CandidateCount {
        private int freely;
        private int drained;

        void add(boolean isDrained) {
            if (isDrained) {
                drained++;
            } else {
                freely++;
            }
        }
    }

    /** Returns how many of a junior's bid delays a standby waits for others. */
    private static int standbyWaitRounds(boolean drained, CandidateCount standbys, CandidateCount juniors) {
        if (!drained) {
            return 0;
        }
        return standbys.freely > 0 ? 2 : juniors.freely > 0 ? 1 : 0;
    }

    /**
     * Returns how many of a junior's bid delays a junior waits for others. If the only standby is drained, it still comes
     * before a junior: clients would have to wait for the junior.
     */
    private static int juniorWaitRounds(boolean drained, CandidateCount standbys, CandidateCount juniors) {
        int forStandbys = standbys.freely > 0 ? 1 : standbys.drained > 0 ? 2 : 0;
        return forStandbys + (drained && juniors.freely > 0 ? 1 : 0);
    }

    /** Whether another member could be active at once. */
    static boolean hasStandby(View view, MemberRecord self, LeaseReport survey) {
        return hasStandby(view, self, survey, other -> true);
    }

    /** Whether another member that is not drained could be active at once. */
    static boolean hasUndrainedStandby(View view, MemberRecord self, LeaseReport survey) {
        return hasStandby(view, self, survey, other -> !view.orders().isDrained(other.name()));
    }

    /**
     * Whether another member that is neither drained nor {@linkplain MemberRecord#preparing preparing} could be active at once. Not while
     * the one that operators prefer is preparing: it is to follow.
     */
    static boolean hasPreparedStandby(View view, MemberRecord self, LeaseReport survey, long wallMillis) {
        StandingOrders orders = view.orders();
        return hasStandby(view, self, survey, other -> !orders.isDrained(other.name()) && !other.preparing())
                && !hasStandby(
                        view,
                        self,
                        survey,
                        other -> other.preparing()
                                && !orders.isDrained(other.name())
                                && orders.isPreferred(other.name(), wallMillis));
    }

    private static boolean hasStandby(
            View view, MemberRecord self, LeaseReport survey, Predicate<MemberRecord> counts) {
        for (MemberRecord other : rivals(view, self, survey)) {
            if (other.state() == MemberState.STANDBY && counts.test(other)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any other member is a candidate, even a junior. */
    static boolean hasRival(View view, MemberRecord self, LeaseReport survey) {
        return !rivals(view, self, survey).isEmpty();
    }

    private static List<MemberRecord> rivals(View view, MemberRecord self, LeaseReport survey) {
        List<MemberRecord> rivals = new ArrayList<>();
        for (MemberRecord other : view.members()) {
            // A member that calls itself active here has lost its lease.
            boolean stands = !other.name().equals(self.name())
                    && other.eligible()
                    && other.state() != MemberState.ACTIVE
                    && !survey.deadNodes().contains(other.addresses().pool());
            if (stands) {
                rivals.add(other);
            }
        }
        return rivals;
    }

    /**
     * Ranks members that are preparing last, since clients would have to wait for them; otherwise the preferred member first, then higher
     * priorities. At equal priority a standby beats an observer, because it can begin at once, while an observer must first become a
     * standby.
     */
    private static boolean isBetterStandby(
            MemberRecord other, MemberRecord self, StandingOrders orders, long wallMillis) {
        if (orders.isDrained(other.name()) != orders.isDrained(self.name())) {
            return orders.isDrained(self.name());
        }
        if (other.preparing() != self.preparing()) {
            return self.preparing();
        }
        if (orders.isPreferred(other.name(), wallMillis) || orders.isPreferred(self.name(), wallMillis)) {
            return orders.isPreferred(other.name(), wallMillis);
        }
        if (other.priority() != self.priority()) {
            return other.priority() > self.priority();
        }
        boolean otherReads = other.role() == HaRole.OBSERVER;
        boolean selfReads = self.role() == HaRole.OBSERVER;
        return otherReads == selfReads ? other.bid() > self.bid() || losesTie(other, self) : selfReads;
    }

    private static boolean losesTie(MemberRecord other, MemberRecord self) {
        return other.bid() == self.bid() && other.name().compareTo(self.name()) < 0;
    }

    /** Ranks the member with the least to apply first, whatever its priority: no client is served in the meantime. */
    private static boolean isBetterJunior(MemberRecord other, MemberRecord self, StandingOrders orders) {
        if (orders.isDrained(other.name()) != orders.isDrained(self.name())) {
            return orders.isDrained(self.name());
        }
        return other.appliedTxId() > self.appliedTxId()
                || (other.appliedTxId() == self.appliedTxId() && (other.bid() > self.bid() || losesTie(other, self)));
    }

    /**
     * Whether a lock may be taken from its holder while the pool considers no writer alive.
     *
     * @param hasTimedOut whether the pool has believed so for as long as a takeover may take, in the lock's ballot
     */
    static boolean mayReplace(LockRecord lock, View view, LeaseReport survey, boolean hasTimedOut) {
        if (!lock.isTakingOver()) {
            // The holder was active and has lost its lease.
            return true;
        }
        Optional<MemberRecord> holder = view.member(lock.holder());
        boolean isGone = !holder.isPresent()
                || survey.deadNodes().contains(holder.get().addresses().pool());
        return isGone || hasTimedOut;
    }
}
