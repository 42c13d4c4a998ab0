/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The live barriers of a journal, which were added and not yet released, in the order they were added. Immutable. */
@AutoValue
public abstract class Barriers {

    public static final Barriers NONE = new AutoValue_Barriers(Collections.<Barrier>emptyList());

    /** The most live barriers that a journal can have. */
    public static final int MAX_COUNT = 64;

    /** @throws IllegalArgumentException if a name occurs twice */
    public static Barriers of(List<Barrier> list) {
        Barriers all = NONE;
        for (Barrier barrier : list) {
            if (all.find(barrier.name()).isPresent()) {
                throw new IllegalArgumentException("Barrier " + barrier.name() + " is listed twice in " + list);
            }
            all = all.with(barrier);
        }
        return all;
    }

    public abstract List<Barrier> list();

    public final Optional<Barrier> find(String name) {
        for (Barrier barrier : list()) {
            if (barrier.name().equals(name)) {
                return Optional.of(barrier);
            }
        }
        return Optional.empty();
    }

    /** The lowest transaction that any barrier keeps; {@code Long.MAX_VALUE} if there are no barriers. */
    public final long keepFrom() {
        long lowest = Long.MAX_VALUE;
        for (Barrier barrier : list()) {
            lowest = Math.min(lowest, barrier.keepFrom());
        }
        return lowest;
    }

    /** The barrier whose restore made a transaction with this id void; empty if there is none. */
    public final Optional<Barrier> findVoiding(long txId) {
        for (Barrier barrier : list()) {
            if (barrier.txId() < txId && txId <= barrier.voidedUpTo()) {
                return Optional.of(barrier);
            }
        }
        return Optional.empty();
    }

    /** Returns why a barrier cannot be added; empty if it can. */
    public final Optional<String> refusalReason(Barrier barrier) {
        Optional<Barrier> same = find(barrier.name());
        if (same.isPresent()) {
            return Optional.of("There is a barrier of this name already: " + same.get());
        }
        return list().size() < MAX_COUNT
                ? Optional.<String>empty()
                : Optional.of("There are already " + MAX_COUNT + " barriers, the most that a journal can have; release "
                        + "one");
    }

    /** A copy with one barrier added, which replaces one of the same name. */
    final Barriers with(Barrier added) {
        List<Barrier> next = new ArrayList<>(without(added.name()).list());
        next.add(added);
        return new AutoValue_Barriers(Collections.unmodifiableList(next));
    }

    /** A copy without the barrier of this name; this object if there is none. */
    final Barriers without(String name) {
        List<Barrier> next = new ArrayList<>(list());
        return next.removeIf(barrier -> barrier.name().equals(name))
                ? new AutoValue_Barriers(Collections.unmodifiableList(next))
                : this;
    }

    /** The barriers that remain if all transactions after {@code lastTxId} are void. */
    final Barriers upTo(long lastTxId) {
        List<Barrier> next = new ArrayList<>(list());
        return next.removeIf(barrier -> barrier.txId() > lastTxId)
                ? new AutoValue_Barriers(Collections.unmodifiableList(next))
                : this;
    }
}
