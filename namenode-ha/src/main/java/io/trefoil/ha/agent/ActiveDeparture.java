/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.View;
import java.util.Optional;

/** Describes how the last active left, as far as the other members can tell. For the history; no decision depends on it. */
final class ActiveDeparture {
    private static final String SILENT = " was silent until its lease ran out";

    private ActiveDeparture() {}

    /** The last holder of the lock: a member that shuts down cleanly releases it, sometimes before the others check. */
    static Optional<String> lastHolder(AgentState state) {
        View view = state.view();
        Optional<LockRecord> lock = view.lock().isPresent()
                ? view.lock()
                : state.predecessor().filter(former -> former.ballot().equals(view.ballot()));
        return lock.map(LockRecord::holder);
    }

    /** A clause that says why that member is no longer active. */
    static String describe(AgentState state, Optional<String> last) {
        if (!last.isPresent()) {
            return "no NameNode was active";
        }
        String name = last.get();
        if (name.equals(state.settings().name())) {
            return name + " was restarted";
        }
        Optional<MemberRecord> shown = state.view().member(name);
        if (shown.isPresent() && shown.get().role() == HaRole.NONE) {
            return name + " was restarted";
        }
        if (shown.isPresent() && shown.get().state() != MemberState.ACTIVE) {
            return name + " stepped down";
        }
        if (!shown.isPresent()) {
            return name + SILENT + ", and its session with ZooKeeper has ended";
        }
        String pool = shown.get().addresses().pool();
        if (pool.isEmpty()) {
            return "the lease of " + name + " has ended";
        }
        return name + (isDead(pool, state.survey()) ? " has ended: its pool node refuses connections" : SILENT);
    }

    private static boolean isDead(String pool, LeaseReport survey) {
        return survey.deadNodes().contains(pool);
    }

    /**
     * The takeover, with the knowledge at its end: the pool shows sooner than the view that the old active is stepping down or has exited.
     */
    static Failover withDepartureCause(AgentState state, Failover takeover) {
        boolean isGuess = takeover.cause().contains(SILENT);
        String now = describe(state, takeover.from());
        return isGuess && state.view().member(takeover.from().get()).isPresent() ? takeover.withCause(now) : takeover;
    }
}
