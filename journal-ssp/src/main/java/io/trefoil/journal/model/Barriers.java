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
        for (Barrier one : list) {
            if (all.find(one.name()).isPresent()) {
                throw new IllegalArgumentException("Barrier " + one.name() + " is listed twice in " + list);
            }
            all = all.with(one);
        }
        return all;
    }

    public abstract List<Barrier> list();

    public final Optional<Barrier> find(String name) {
        for (Barrier one : list()) {
            if (one.name().equals(name)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** The lowest transaction that any barrier keeps; {@code Long.MAX_VALUE} if there are no barriers. */
    public final long keepFrom() {
        long lowest = Long.MAX_VALUE;
        for (Barrier one : list()) {
            lowest = Math.min(lowest, one.keepFrom());
        }
        return lowest;
    }

    /** The barrier whose restore made a transaction with this id void; empty if there is none. */
    public final Optional<Barrier> findVoiding(long txId) {
        for (Barrier one : list()) {
            if (one.txId() < txId && txId <= one.voidedUpTo()) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** Returns why a barrier cannot be added; empty if it can. */
    public final Optional<String> refusalReason(Barrier wanted) {
        Optional<Barrier> same = find(wanted.name());
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
        return next.removeIf(one -> one.name().equals(name))
                ? new AutoValue_Barriers(Collections.unmodifiableList(next))
                : this;
    }

    /** The barriers that remain if all transactions after {@code lastTxId} are void. */
    final Barriers upTo(long lastTxId) {
        List<Barrier> next = new ArrayList<>(list());
        return next.removeIf(one -> one.txId() > lastTxId)
                ? new AutoValue_Barriers(Collections.unmodifiableList(next))
                : this;
    }
}
