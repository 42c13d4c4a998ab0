/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who is to be the next active (paper, Algorithm 2). Every member draws its number before it is needed, so all know the
 * winner at once; only if the winner does nothing is it the next one's turn. Operators may give members priorities, which count
 * before those numbers.
 */
final class Election {

    private Election() {}

    /**
     * How long a member leaves it to better ones; empty if it does not stand at all.
     *
     * @param self as it is now, which the view may not know yet
     */
    static Optional<Long> waitMillis(View view, MemberRecord self, LeaseReport survey, AgentSettings settings) {
        if (!self.eligible()) {
            return Optional.empty();
        }
        int betterStandbys = 0;
        int betterJuniors = 0;
        int standbys = 0;
        for (MemberRecord other : rivals(view, self, survey)) {
            if (other.state() == MemberState.STANDBY) {
                standbys++;
                betterStandbys += isBetterStandby(other, self) ? 1 : 0;
            } else {
                betterJuniors += isBetterJunior(other, self) ? 1 : 0;
            }
        }
        if (self.state() == MemberState.STANDBY) {
            return Optional.of(betterStandbys * settings.patienceMillis());
        }
        long first = standbys > 0 ? settings.juniorPatienceMillis() : 0;
        return Optional.of(first + betterJuniors * settings.patienceMillis());
    }

    /** Whether another member could be active at once. */
    static boolean hasStandby(View view, MemberRecord self, LeaseReport survey) {
        for (MemberRecord other : rivals(view, self, survey)) {
            if (other.state() == MemberState.STANDBY) {
                return true;
            }
        }
        return false;
    }

    /** Whether anybody else stands, be it as a junior. */
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
                    && !survey.dead().contains(other.addresses().pool());
            if (stands) {
                rivals.add(other);
            }
        }
        return rivals;
    }

    /**
     * The higher priority counts most. Of two with the same, a standby can begin at once; an observer has to become one
     * first.
     */
    private static boolean isBetterStandby(MemberRecord other, MemberRecord self) {
        if (other.priority() != self.priority()) {
            return other.priority() > self.priority();
        }
        boolean otherReads = other.role() == HaRole.OBSERVER;
        boolean selfReads = self.role() == HaRole.OBSERVER;
        return otherReads == selfReads ? other.bid() > self.bid() || isTieLost(other, self) : selfReads;
    }

    private static boolean isTieLost(MemberRecord other, MemberRecord self) {
        return other.bid() == self.bid() && other.name().compareTo(self.name()) < 0;
    }

    /** The one that has least to apply, whatever its priority: nobody is served meanwhile. */
    private static boolean isBetterJunior(MemberRecord other, MemberRecord self) {
        return other.appliedTxId() > self.appliedTxId()
                || (other.appliedTxId() == self.appliedTxId() && (other.bid() > self.bid() || isTieLost(other, self)));
    }

    /**
     * Whether a lock may be taken from its holder while the pool believes in no writer.
     *
     * @param patienceIsOver whether the pool has believed so for as long as a takeover may take, in the lock's ballot
     */
    static boolean mayReplace(LockRecord lock, View view, LeaseReport survey, boolean patienceIsOver) {
        if (!lock.isTakingOver()) {
            // He was active, and has no lease any more.
            return true;
        }
        Optional<MemberRecord> holder = view.member(lock.holder());
        boolean isGone = !holder.isPresent()
                || survey.dead().contains(holder.get().addresses().pool());
        return isGone || patienceIsOver;
    }
}
