/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The answers of the pool nodes to the query for the writer's lease. Immutable. */
@AutoValue
public abstract class LeaseReport {

    /** The report when no node answered. */
    public static final LeaseReport SILENCE = of(false, true, 0, Collections.<String>emptySet());

    public static LeaseReport of(boolean free, boolean rivalsPossible, long lastTxId, Set<String> deadNodes) {
        return new AutoValue_LeaseReport(
                free,
                rivalsPossible,
                lastTxId,
                Collections.unmodifiableSet(new LinkedHashSet<>(deadNodes)),
                Epoch.NONE,
                Optional.<String>empty(),
                false);
    }

    /** A copy in which the highest promise of the nodes is for this epoch. */
    public final LeaseReport withPromise(Epoch highestEpoch) {
        return new AutoValue_LeaseReport(
                free(), rivalsPossible(), lastTxId(), deadNodes(), highestEpoch, objection(), answersPending());
    }

    /** A copy for a journal to which this process must not write. */
    public final LeaseReport withObjection(String reason) {
        return new AutoValue_LeaseReport(
                free(), rivalsPossible(), lastTxId(), deadNodes(), promised(), Optional.of(reason), answersPending());
    }

    /** A copy for nodes that have not all answered, but accept connections; see {@link #answersPending}. */
    public final LeaseReport withPendingAnswers() {
        return new AutoValue_LeaseReport(
                free(), rivalsPossible(), lastTxId(), deadNodes(), promised(), objection(), true);
    }

    /**
     * The part of this report that remains valid when it may be outdated: promises only rise, and an objection usually lasts as long as the
     * process.
     */
    public final LeaseReport withoutFreshAnswers() {
        LeaseReport silence = SILENCE.withPromise(promised());
        return objection().map(silence::withObjection).orElse(silence);
    }

    /** Whether a majority considers no writer alive. */
    public abstract boolean free();

    /** Whether a majority could exist from which another process may have a term. */
    public abstract boolean rivalsPossible();

    /** The last transaction of the highest log. */
    public abstract long lastTxId();

    /** The pool nodes that refuse connections, as {@code host:port}. */
    public abstract Set<String> deadNodes();

    /** The highest epoch that any node has promised. */
    public abstract Epoch promised();

    /**
     * Returns why this process must not write to the nodes' journal, if its namespace does not belong to it; else empty.
     */
    public abstract Optional<String> objection();

    /** Whether another process can have a term only because answers are still pending. */
    public abstract boolean answersPending();
}
