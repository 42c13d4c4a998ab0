/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.View;
import java.util.Optional;

/** From the lock to an active HDFS (paper §4.2.2, Fig. 5): first a majority of promises, then the role. */
final class Takeover {

    /** How often the pool is asked whether the old active has stepped down. */
    private static final long SURVEY_MILLIS = 10;
    /** What the pool said is true for as long. */
    private static final long FRESH_MILLIS = 100;

    private Takeover() {}

    /** Waits for the end of the lease: at once after a failure, and until the old active steps down if it was asked. */
    static void elected(Turn turn) {
        if (isHopeless(turn)) {
            giveUp(turn);
            return;
        }
        boolean free = turn.state().survey().free() && !turn.isPast(turn.state().surveyedNanos(), FRESH_MILLIS);
        if (free) {
            turn.add(AgentEffect.takeEpoch());
            turn.enter(AgentStage.PROMISING);
        } else if (turn.isPast(turn.state().stageSinceNanos(), turn.settings().takeoverMillis())) {
            giveUp(turn);
        } else {
            turn.surveyEvery(SURVEY_MILLIS);
        }
    }

    private static void giveUp(Turn turn) {
        turn.answerLeads("The lease of the active did not end, or this member became unfit meanwhile");
        turn.follow(turn.settings().holdBackMillis());
    }

    static void promising(Turn turn) {
        boolean late =
                turn.isPast(turn.state().stageSinceNanos(), turn.settings().takeoverMillis());
        if (isHopeless(turn) || late) {
            withdraw(turn);
        }
    }

    /** Only now may HDFS be asked: it does not survive becoming active without a majority. */
    static void promised(Turn turn) {
        if (isHopeless(turn)) {
            withdraw(turn);
            return;
        }
        turn.add(AgentEffect.activate());
        turn.enter(AgentStage.ACTIVATING);
    }

    /**
     * However long it takes while somebody is at work on it. If nobody is, it may never end, and its lease and lock would be in the
     * way of all others. However often the role was handed on: nobody is served meanwhile.
     */
    static void activating(Turn turn) {
        Serving.guardLease(turn);
        if (turn.state().stage() == AgentStage.ACTIVATING && turn.isStuck() && Handover.isPossible(turn)) {
            Handover.count(turn);
            turn.halt("HDFS did not become active within " + turn.settings().stepDownMillis()
                    + " ms, and nobody is at work on it");
        }
    }

    static void withdraw(Turn turn) {
        turn.add(AgentEffect.giveUpEpoch());
        turn.enter(AgentStage.WITHDRAWING);
    }

    static void activated(Turn turn) {
        // Not before: that one steps down is seen in the pool sooner than what it published as its reason.
        String unwell = unwell(turn.state().view(), turn.settings().name());
        Optional<Failover> done =
                turn.state().takeover().map(takeover -> takeover.because(unwell).activated(turn.nowNanos()));
        turn.become(turn.state().toBuilder().takeover(Optional.<Failover>empty()));
        turn.enter(AgentStage.SERVING);
        done.ifPresent(failover -> {
            LockRecord shown = turn.state().lock().get().in(failover.epoch());
            turn.become(turn.state().toBuilder().lock(Optional.of(shown)).reclaimedNanos(turn.nowNanos()));
            turn.add(AgentEffect.showEpoch(shown));
            turn.add(AgentEffect.record(failover));
        });
        turn.answerLeads("");
    }

    /** Whether it makes no sense to go on: the paper's "must stop upgrading and give up the lock". */
    private static boolean isHopeless(Turn turn) {
        Facts facts = turn.state().facts();
        return facts.role() != Role.STANDBY || isUnfit(turn) || isLockLost(turn.state());
    }

    /** With a disk of the journal that hangs it goes on as long as nobody else could. */
    private static boolean isUnfit(Turn turn) {
        Facts facts = turn.state().facts();
        return !facts.trouble().isEmpty() && !(facts.couldServe() && Following.isLastResort(turn));
    }

    /** Whether the view, not older than the lock, shows that somebody else has it or nobody. */
    static boolean isLockLost(AgentState state) {
        if (!state.connected() || !state.lock().isPresent() || !state.lockSeen()) {
            return false;
        }
        return !state.view()
                .lock()
                .filter(lock -> lock.ballot().equals(state.lock().get().ballot())
                        && lock.holder().equals(state.settings().name()))
                .isPresent();
    }

    /** Who of the others could not be active, and why: one of them may have been until now. */
    private static String unwell(View view, String self) {
        StringBuilder text = new StringBuilder();
        for (MemberRecord member : view.members()) {
            boolean isUnwell = !member.name().equals(self)
                    && member.role() != Role.NONE
                    && !member.eligible()
                    && !member.reason().isEmpty();
            if (isUnwell) {
                text.append("; ").append(member.name()).append(": ").append(member.reason());
            }
        }
        return text.toString();
    }
}
