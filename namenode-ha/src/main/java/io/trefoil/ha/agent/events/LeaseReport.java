/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The answers of the pool nodes to the question for the writer's lease. Immutable. */
@AutoValue
public abstract class LeaseReport {

    /** The report when no node answered. */
    public static final LeaseReport SILENCE = of(false, true, 0, Collections.<String>emptySet());

    public static LeaseReport of(boolean free, boolean rivalsPossible, long lastTxId, Set<String> dead) {
        return new AutoValue_LeaseReport(
                free,
                rivalsPossible,
                lastTxId,
                Collections.unmodifiableSet(new LinkedHashSet<>(dead)),
                Epoch.NONE,
                Optional.<String>empty(),
                false);
    }

    /** A copy of nodes the highest of whose promises is for this epoch. */
    public final LeaseReport withPromise(Epoch highest) {
        return new AutoValue_LeaseReport(
                free(), rivalsPossible(), lastTxId(), dead(), highest, objection(), decidedSoon());
    }

    /** A copy for a journal that this process must not write. */
    public final LeaseReport withObjection(String why) {
        return new AutoValue_LeaseReport(
                free(), rivalsPossible(), lastTxId(), dead(), promised(), Optional.of(why), decidedSoon());
    }

    /** A copy for nodes that have not all answered, but take connections; see {@link #decidedSoon}. */
    public final LeaseReport withPendingAnswers() {
        return new AutoValue_LeaseReport(free(), rivalsPossible(), lastTxId(), dead(), promised(), objection(), true);
    }

    /** The rest of this report when it may be out of date: promises only rise, and an objection usually lasts as long as the process. */
    public final LeaseReport withoutFreshAnswers() {
        LeaseReport silence = SILENCE.withPromise(promised());
        return objection().map(silence::withObjection).orElse(silence);
    }

    /** Whether a majority believes in no writer. */
    public abstract boolean free();

    /** Whether a majority could exist that another process may have a term from. */
    public abstract boolean rivalsPossible();

    /** The last transaction of the highest log. */
    public abstract long lastTxId();

    /** The pool nodes that refuse connections, as {@code host:port}. */
    public abstract Set<String> dead();

    /** The highest epoch that any node has promised. */
    public abstract Epoch promised();

    /** Why this process must not write the journal that the nodes have, if its namespace does not belong to that; else empty. */
    public abstract Optional<String> objection();

    /** Whether only answers that are under way leave it possible that another process has a term. */
    public abstract boolean decidedSoon();
}
